/** Events and prices. */
import assert from "node:assert/strict";
import { ABSENT_ID, type Row, withQuery } from "./row.ts";

interface Price {
  readonly symbol: string;
  readonly price: number | null;
}

export const eventRows: readonly Row[] = [
  {
    operation: "GET /api/v1/events",
    scope: "read",
    given: () => ({ query: { types: "oco.*,order.placed", prices: "THYAO,GARAN" } }),
    refused: [
      { given: withQuery({ types: "oco.fired" }), status: 400, message: /^types must be event types/ },
      { given: withQuery({ types: "" }), status: 400, message: /^types must be event types/ },
      { given: withQuery({ prices: "thyao" }), status: 400, message: /^prices must be symbol codes/ },
      { given: withQuery({ prices: "NOSUCH" }), status: 400, message: /symbol NOSUCH is not known/ },
      { given: withQuery({ lastEventId: "7" }), status: 400, message: /^Last-Event-ID is not the id of an event$/ },
      {
        given: withQuery({ lastEventId: "abcdefghij-0-1" }),
        status: 400,
        message: /^Last-Event-ID is not the id of an event of this user/,
      },
    ],
    success: async (answer, world) => {
      assert.match(answer.text, /^retry: 1000\n\n: alive\nid: [a-z0-9]{10}-0-[0-9]+\n\n/);
      const [, place = ""] = /id: (\S+)-[0-9]+\n/.exec(answer.text) ?? [];
      const future = { query: { lastEventId: `${place}-999999999` } };
      const refused = await world.send("GET /api/v1/events", future, world.alice.token);
      assert.equal(refused.status, 400);
      assert.match(String(refused.body.message), /^Last-Event-ID lies in the future/);
      const resumed = await world.send(
        "GET /api/v1/events",
        { query: { lastEventId: `${place}-0` } },
        world.alice.token,
      );
      assert.equal(resumed.status, 200);
    },
  },
  {
    operation: "GET /api/v1/prices",
    scope: "read",
    given: () => ({ query: { symbols: "GARAN,THYAO,GARAN" } }),
    refused: [
      { given: () => ({}), status: 400, message: /^give symbols or list, and not both$/ },
      { given: withQuery({ list: "1" }), status: 400, message: /^give symbols or list, and not both$/ },
      { given: withQuery({ symbols: "garan" }), status: 400, message: /^symbols must be symbol codes/ },
      { given: withQuery({ symbols: "NOSUCH" }), status: 400, message: /symbol NOSUCH is not known/ },
      { given: () => ({ query: { list: "one" } }), status: 400, message: /^list must be the id of a symbol list$/ },
    ],
    absent: () => ({ query: { list: String(ABSENT_ID) } }),
    success: async (answer, world) => {
      const prices = answer.body.data as Price[];
      assert.deepEqual(
        prices.map(({ symbol }) => symbol),
        ["GARAN", "THYAO"],
      );
      const ofIndex = { query: { list: String(world.id("indexId")) } };
      const listed = await world.send("GET /api/v1/prices", ofIndex, world.alice.token);
      assert.ok((listed.body.data as Price[]).length > 2);
    },
  },
];
