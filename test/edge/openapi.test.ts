/** The OpenAPI document: complete, valid, and made from the actual routes. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { readOwnDocument } from "../../edge/openapi/document.ts";
import { renderSchema, SCHEMA_FILE } from "../../edge/openapi/schema.ts";
import { createGroupBody } from "../../src/contract/trading/oco.ts";
import { ApiDocument } from "../support/client/api-document.ts";
import { runEdge } from "./support/running-edge.ts";

const text = await readOwnDocument();
const document = new ApiDocument(text);

/** All operations (behaviour 9.1, 11), with the methods of behaviour 1.1. */
const OPERATIONS = [
  "POST /oauth/token",
  "POST /oauth/revoke",
  "GET /api/v1/accounts",
  "POST /api/v1/accounts/login",
  "POST /api/v1/accounts/positions",
  "POST /api/v1/accounts/daily-orders",
  "GET /api/v1/accounts/balance",
  "GET /api/v1/accounts/sell-ledger",
  "GET /api/v1/limits",
  "PUT /api/v1/limits",
  "POST /api/v1/accounts/flatten",
  "POST /api/v1/accounts/reset",
  "GET /api/v1/orders",
  "GET /api/v1/orders/{orderNo}",
  "POST /api/v1/orders",
  "POST /api/v1/orders/chain",
  "POST /api/v1/orders/cancel",
  "POST /api/v1/orders/batch",
  "POST /api/v1/orders/cancel/batch",
  "POST /api/v1/oco-orders",
  "POST /api/v1/oco-orders/register-pending",
  "POST /api/v1/oco-orders/entries",
  "GET /api/v1/oco-orders/pending",
  "GET /api/v1/oco-orders/pending/{setupId}",
  "PATCH /api/v1/oco-orders/pending/{setupId}",
  "DELETE /api/v1/oco-orders/pending/{setupId}",
  "GET /api/v1/oco-orders",
  "GET /api/v1/oco-orders/{id}",
  "GET /api/v1/trading-state",
  "POST /api/v1/trading-state",
  "GET /api/v1/oco-orders/{id}/receipt",
  "GET /api/v1/oco-orders/{id}/plan",
  "GET /api/v1/oco-orders/{id}/outlook",
  "POST /api/v1/oco-orders/{id}/stop-exit",
  "POST /api/v1/oco-orders/{id}/release",
  "PATCH /api/v1/oco-orders/{id}",
  "DELETE /api/v1/oco-orders/{id}",
  "POST /api/v1/systems/list",
  "GET /api/v1/level-bots",
  "GET /api/v1/level-bots/{id}",
  "POST /api/v1/level-bots",
  "PUT /api/v1/level-bots/{id}",
  "DELETE /api/v1/level-bots/{id}",
  "GET /api/v1/level-bots/{id}/pair-orders",
  "GET /api/v1/level-bots/pair-orders/history",
  "GET /api/v1/level-bots/pair-orders/totals",
  "GET /api/v1/level-bots/{id}/pair-orders/targets",
  "GET /api/v1/webhook-bots",
  "GET /api/v1/webhook-bots/{id}",
  "POST /api/v1/webhook-bots",
  "PUT /api/v1/webhook-bots/{id}",
  "DELETE /api/v1/webhook-bots/{id}",
  "POST /api/v1/webhook-bots/{id}/rotate-secret",
  "GET /api/v1/webhook-bots/{id}/pair-orders",
  "GET /api/v1/webhook-bots/pair-orders/history",
  "GET /api/v1/webhook-bots/pair-orders/totals",
  "GET /api/v1/symbol-lists",
  "GET /api/v1/symbol-lists/{id}",
  "POST /api/v1/symbol-lists",
  "PUT /api/v1/symbol-lists/{id}",
  "DELETE /api/v1/symbol-lists/{id}",
  "GET /api/v1/symbols",
  "GET /api/v1/symbols/{symbol}",
  "GET /api/v1/symbols/{symbol}/band",
  "GET /api/v1/symbols/{symbol}/session",
  "GET /api/v1/symbols/{symbol}/bars",
  "GET /api/v1/list-types",
  "GET /api/v1/list-types/{id}",
  "GET /api/v1/public/restrictions",
  "GET /api/v1/public/restrictions/check/{code}/{restrictionType}",
  "GET /api/v1/public/restrictions/by-type/{restrictionType}",
  "GET /api/v1/public/restrictions/{code}",
  "GET /api/v1/events",
  "GET /api/v1/prices",
  "GET /api/v1/conditions",
  "GET /admin/v1/users",
  "POST /api/v1/price-alerts",
  "GET /api/v1/price-alerts",
  "PATCH /api/v1/price-alerts/{id}",
  "DELETE /api/v1/price-alerts/{id}",
  "POST /api/v1/notification-targets",
  "GET /api/v1/notification-targets",
  "PUT /api/v1/notification-targets/{id}",
  "DELETE /api/v1/notification-targets/{id}",
  "POST /api/v1/notification-targets/{id}/test",
  "POST /admin/v1/users",
  "POST /admin/v1/users/{userId}/api-keys",
  "GET /admin/v1/users/{userId}/api-keys",
  "DELETE /admin/v1/users/{userId}/api-keys/{keyId}",
  "POST /api/v1/ticks",
  "POST /admin/v1/ticks",
  "POST /admin/v1/symbols",
  "PUT /admin/v1/symbols/{symbol}/band",
  "PUT /admin/v1/symbols/{symbol}/rename",
  "POST /admin/v1/trading-state",
  "GET /admin/v1/symbols/held",
  "POST /admin/v1/symbols/{symbol}/hold",
  "POST /admin/v1/symbols/{symbol}/release",
  "GET /admin/v1/corporate-actions",
  "POST /admin/v1/corporate-actions",
  "DELETE /admin/v1/corporate-actions/{actionId}",
  "POST /admin/v1/restrictions",
  "PUT /admin/v1/restrictions/{id}",
  "GET /admin/v1/outbox",
  "GET /admin/v1/quarantine",
  "POST /admin/v1/quarantine/{id}/release",
  "POST /admin/v1/backup",
  "GET /admin/v1/brokerages",
  "POST /admin/v1/brokerages/{code}/retire",
  "GET /admin/v1/cluster",
  "GET /admin/v1/metrics",
  "POST /webhooks/{secret}",
];

/** An id is a number and the methods differ: no request fits both. */
const UNAMBIGUOUS =
  /`\/api\/v1\/oco-orders\/pending\/\{setupId\}` and `\/api\/v1\/oco-orders\/\{id\}\/(receipt|plan|outlook|stop-exit|release)`/;

/** Lists the places in a schema where an object takes unnamed fields. */
function openObjects(
  schema: unknown,
  schemas: Record<string, unknown>,
  place: string,
  seen = new Set<string>(),
): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  if (Array.isArray(schema))
    return schema.flatMap((one, index) => openObjects(one, schemas, `${place}/${index}`, seen));
  const { $ref, properties, additionalProperties, ...rest } = schema as Record<string, unknown>;
  if (typeof $ref === "string") {
    const name = $ref.split("/").at(-1) ?? "";
    if (seen.has(name)) return [];
    return openObjects(schemas[name], schemas, `${place}/${name}`, seen.add(name));
  }
  const isOpen = properties !== undefined && additionalProperties !== false;
  const inner = [...Object.entries(properties ?? {}), ...Object.entries(rest)];
  return [
    ...(isOpen ? [place] : []),
    ...inner.flatMap(([key, one]) => openObjects(one, schemas, `${place}/${key}`, seen)),
  ];
}

test("no body takes a field that has no name there, but for tokens and signals (behaviour 1.3)", () => {
  const { paths, components } = JSON.parse(text) as {
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: unknown }> } }>>;
    components: { schemas: Record<string, unknown> };
  };
  const open: string[] = [];
  let count = 0;
  for (const [path, methods] of Object.entries(paths)) {
    if (path.startsWith("/oauth/") || path.startsWith("/webhooks/") || path === "/mcp") continue;
    for (const [method, operation] of Object.entries(methods)) {
      const schema = operation.requestBody?.content["application/json"]?.schema;
      if (schema === undefined) continue;
      count += 1;
      open.push(...openObjects(schema, components.schemas, `${method} ${path}`));
    }
  }
  assert.ok(count > 20);
  assert.deepEqual(open, []);
});

describe("the document", () => {
  test("has every operation and no other", () => {
    assert.deepEqual([...document.operations.keys()].sort(), [...OPERATIONS].sort());
  });

  test("is found nothing wrong with by Redocly's recommended rules", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source: text, absoluteRef: "openapi.json", config });
    assert.deepEqual(
      problems.map(({ ruleId, message }) => `${ruleId}: ${message}`).filter((problem) => !UNAMBIGUOUS.test(problem)),
      [],
    );
  });

  test("is what an edge serves", async (t) => {
    const edge = await runEdge(t);
    const response = await edge.fetch("/openapi.json");
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), JSON.parse(text));
  });

  test("names every operation once, in words of its own", () => {
    const ids = [...document.operations.values()].map(({ operationId }) => operationId);
    assert.equal(new Set(ids).size, ids.length);
    for (const id of ids) assert.match(id, /^[a-z]+([A-Z][a-z]+)+$/);
    assert.equal(document.find("POST /api/v1/oco-orders").operationId, "createOcoOrder");
  });

  test("prefills a group whose levels the simulated market is far from: who tries it out does not sell", async () => {
    const symbols = JSON.parse(await readFile(new URL("../../fixtures/symbols.json", import.meta.url), "utf8")) as {
      readonly symbol: string;
      readonly startPrice: number;
    }[];
    const { body } = document.exampleRequest("POST /api/v1/oco-orders");
    const group = createGroupBody.parse(body);
    const start = symbols.find(({ symbol }) => symbol === group.symbol)?.startPrice ?? 0;
    assert.ok(group.stopLossPrice < start * 0.75);
    for (const { price } of group.takeProfitItems) assert.ok(price > start * 1.25);
  });

  for (const name of OPERATIONS) {
    test(`shows examples of ${name} that are what its schemas say`, () => document.checkExamples(name));
  }

  test("has no example whose due date expires while the release is in use", () => {
    const dueDates = [...text.matchAll(/"dueDate":"(\d{4})-/g)].map(([, year]) => Number(year));
    assert.ok(dueDates.length > 0, "the document has examples with due dates");
    assert.deepEqual(
      dueDates.filter((year) => year < 2090),
      [],
    );
  });

  test("says of every operation under a token its scope and its answers", () => {
    for (const name of OPERATIONS.filter((one) => /\/(api|admin)\//.test(one))) {
      const { security, responses, requestBody, parameters } = document.find(name);
      assert.match(JSON.stringify(security), /^\[\{"accessToken":\["(read|trade|admin)"\]\}\]$/, name);
      const isAdmin = name.includes(" /admin/");
      assert.equal(security[0]?.accessToken?.[0] === "admin", isAdmin, name);
      for (const status of ["200", "400", "401", "403", "404", "429", "500", "503"]) {
        assert.ok(status in responses, `${name} ${status}`);
      }
      assert.equal("413" in responses, requestBody !== undefined, `${name} 413`);
      const honoursKey = parameters.some((parameter) => parameter.name === "Idempotency-Key");
      const canConflict = honoursKey || /^(DELETE .*-bots|PATCH .*)\/\{(id|setupId)\}$|accounts\/reset$/.test(name);
      assert.equal("409" in responses, canConflict, `${name} 409`);
      const honoursIfMatch = parameters.some((parameter) => parameter.name === "If-Match");
      assert.equal("412" in responses, honoursIfMatch, `${name} 412`);
      assert.equal("422" in responses, honoursKey, `${name} 422`);
      for (const [, parameter = ""] of name.matchAll(/\{(\w+)\}/g)) {
        assert.ok(
          parameters.some(
            ({ name: known, in: place, required }) => known === parameter && place === "path" && required,
          ),
          `${name} ${parameter}`,
        );
      }
    }
  });

  test("lets a 429 say when to come back", () => {
    const { responses } = document.find("GET /api/v1/symbols");
    assert.deepEqual(responses["429"]?.$ref, "#/components/responses/Limited");
    for (const header of ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After"]) {
      assert.ok(text.includes(`"${header}"`), header);
    }
  });
});

test("the generated types are those of the document: npm run openapi", async () => {
  // The runner takes minutes to compute the difference of two texts of this length.
  const isSame = (await readFile(SCHEMA_FILE, "utf8")) === (await renderSchema());
  assert.ok(isSame, `${SCHEMA_FILE} is of another document: npm run openapi`);
});
