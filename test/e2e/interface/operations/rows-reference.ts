/** Symbol lists, symbols, list types and restrictions. */
import assert from "node:assert/strict";
import { ABSENT_ID, type Row, withBody, withPath, withQuery } from "./row.ts";
import { NOTE } from "./rows-trading.ts";

const list = { name: `list ${NOTE}`, description: "mine", symbols: ["GARAN", "THYAO", "GARAN"] };
const listRefusals: NonNullable<Row["refused"]> = [
  { given: withBody({ name: "" }), status: 400, message: /^name/ },
  { given: withBody({ symbols: ["NOSUCH"] }), status: 400, message: /^symbols\[0\]/ },
  { given: withBody({ symbols: [7] }), status: 400, message: /^symbols\[0\]/ },
];

interface Shown {
  readonly id: number;
  readonly symbols: readonly string[];
  readonly listType: string;
}

const ofList = (world: { id(name: string): string | number }) => ({ path: { id: world.id("listId") } });

export const referenceRows: readonly Row[] = [
  {
    operation: "POST /api/v1/symbol-lists",
    scope: "trade",
    given: () => ({ json: { ...list, listType: "CUSTOM", isPublic: false } }),
    refused: [
      ...listRefusals,
      { given: withBody({ listType: "OTHER" }), status: 400, message: /^listType/ },
      { given: withBody({ listType: "INDEX" }), status: 403, message: /INDEX/ },
    ],
    success: (answer, world) => {
      const { id, symbols } = answer.body.data as Shown;
      assert.deepEqual(symbols, ["GARAN", "THYAO"]);
      world.kept.set("listId", id);
    },
  },
  {
    operation: "GET /api/v1/symbol-lists",
    scope: "read",
    given: () => ({}),
    success: (answer, world) => {
      const lists = answer.body.data as Shown[];
      assert.ok(lists.some(({ id }) => id === world.id("listId")));
      const index = lists.find(({ listType }) => listType === "INDEX");
      assert.ok(index !== undefined);
      world.kept.set("indexId", index.id);
    },
  },
  {
    operation: "GET /api/v1/symbol-lists/{id}",
    scope: "read",
    given: ofList,
    foreign: 404,
    absent: withPath({ id: ABSENT_ID }),
    success: (answer) => assert.deepEqual((answer.body.data as Shown).symbols, ["GARAN", "THYAO"]),
  },
  {
    operation: "PUT /api/v1/symbol-lists/{id}",
    scope: "trade",
    given: (world) => ({ ...ofList(world), json: { ...list, symbols: ["AKBNK"] } }),
    foreign: 404,
    absent: withPath({ id: ABSENT_ID }),
    refused: [
      ...listRefusals,
      { given: (right, world) => ({ ...right, path: { id: world.id("indexId") } }), status: 403, message: /INDEX/ },
    ],
    success: (answer) => assert.deepEqual((answer.body.data as Shown).symbols, ["AKBNK"]),
  },
  {
    operation: "DELETE /api/v1/symbol-lists/{id}",
    scope: "trade",
    given: ofList,
    foreign: 404,
    absent: withPath({ id: ABSENT_ID }),
    refused: [{ given: (_, world) => ({ path: { id: world.id("indexId") } }), status: 403, message: /INDEX/ }],
    success: async (answer, world) => {
      assert.equal("data" in answer.body, false);
      const again = await world.send("DELETE /api/v1/symbol-lists/{id}", ofList(world), world.alice.token);
      assert.equal(again.status, 404);
    },
  },
  {
    operation: "GET /api/v1/symbols",
    scope: "read",
    given: () => ({}),
    success: (answer) => assert.ok((answer.body.data as object[]).length > 50),
  },
  {
    operation: "GET /api/v1/symbols/{symbol}",
    scope: "read",
    given: () => ({ path: { symbol: "THYAO" } }),
    absent: withPath({ symbol: "thyao" }),
    success: (answer) => assert.equal((answer.body.data as { symbol: string }).symbol, "THYAO"),
  },
  {
    operation: "GET /api/v1/list-types",
    scope: "read",
    given: () => ({}),
    success: (answer) => assert.equal((answer.body.data as object[]).length, 2),
  },
  {
    operation: "GET /api/v1/list-types/{id}",
    scope: "read",
    given: () => ({ path: { id: 2 } }),
    absent: withPath({ id: 3 }),
    success: (answer) => assert.equal((answer.body.data as { code: string }).code, "CUSTOM"),
  },
  {
    operation: "GET /api/v1/public/restrictions",
    scope: "read",
    given: () => ({ query: { restrictionType: "AcigaSatisYasagi" } }),
    refused: [{ given: withQuery({ restrictionType: "9" }), status: 400, message: /^restrictionType/ }],
    success: (answer) => assert.ok((answer.body.data as object[]).length > 0),
  },
  {
    operation: "GET /api/v1/public/restrictions/check/{code}/{restrictionType}",
    scope: "read",
    given: () => ({ path: { code: "HEKTS", restrictionType: 1 } }),
    absent: withPath({ code: "NOSUCH" }),
    refused: [{ given: withPath({ restrictionType: "acigasatisyasagi" }), status: 400, message: /^restrictionType/ }],
    success: (answer) => assert.equal((answer.body.data as { isRestricted: boolean }).isRestricted, true),
  },
  {
    operation: "GET /api/v1/public/restrictions/by-type/{restrictionType}",
    scope: "read",
    given: () => ({ path: { restrictionType: "BrutTakas" } }),
    refused: [{ given: withPath({ restrictionType: "0" }), status: 400, message: /^restrictionType/ }],
    success: (answer) => assert.ok((answer.body.data as object[]).length > 0),
  },
  {
    operation: "GET /api/v1/public/restrictions/{code}",
    scope: "read",
    given: () => ({ path: { code: "HEKTS" } }),
    absent: withPath({ code: "NOSUCH" }),
    success: (answer) => assert.ok((answer.body.data as object[]).length > 1),
  },
];
