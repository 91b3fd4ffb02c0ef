/** The service accepts exactly the requests that the document allows, limit by limit. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { readOwnDocument } from "../../edge/openapi/document.ts";
import { ApiDocument } from "../support/client/api-document.ts";
import { limitsOf, type RequestLimit } from "./support/request-limits.ts";
import { type RunningEdge, runEdge } from "./support/running-edge.ts";

const document = new ApiDocument(await readOwnDocument());
/** Each probe has its own user, so that no limit on requests interferes. */
let lastUserId = 1;

/** Sends the example request with one value changed, and returns the messages of the answer. */
async function messageFor(edge: RunningEdge, limit: RequestLimit, value: unknown): Promise<readonly string[]> {
  const { method, path, query, body } = limit.requestWith(value);
  const search = new URLSearchParams(query).toString();
  lastUserId += 1;
  const response = await edge.fetch(search === "" ? path : `${path}?${search}`, {
    method,
    headers: {
      ...(await edge.bearer({ claims: { sub: String(lastUserId) } })),
      "content-type": "application/json",
      ...limit.headersWith(value),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { message = "", errors } = (await response.json()) as {
    readonly message?: string;
    readonly errors?: readonly { readonly message: string }[];
  };
  // If the example lacks the field, its sibling fields can be missing, too.
  return (errors ?? [{ message }]).map((one) => `${response.status} ${one.message}`);
}

describe("the limits of a request", () => {
  let edge: RunningEdge;
  before(async () => {
    edge = await runEdge({ after: () => undefined });
  });
  after(() => edge.stop());
  // Other programs send signals and requests to the token endpoint: these have their own tests.
  for (const name of [...document.operations.keys()].filter((one) => / \/(api|admin)\//.test(one))) {
    const limits = limitsOf(document, name);
    if (limits.length === 0) continue;
    test(`${name}: the last value inside is taken, the first outside is a 400 that names the field`, async () => {
      for (const limit of limits) {
        const { field, rule } = limit;
        const inside = await messageFor(edge, limit, limit.inside);
        const isRefused = ["must", "is"].some((verb) => inside.some((one) => one.startsWith(`400 ${field} ${verb} `)));
        assert.ok(!isRefused, `${field}, ${rule}: ${inside.join("; ")}`);
        const outside = await messageFor(edge, limit, limit.outside);
        const isNamed = outside.some((one) => one.startsWith(`400 ${field} `));
        assert.ok(isNamed, `${field}, ${rule}: ${outside.join("; ")}`);
      }
    });
  }

  test("are those of the specification and of this service", () => {
    const told = (name: string, field: string) =>
      limitsOf(document, name)
        .filter((limit) => limit.field === field)
        .map(({ rule }) => rule)
        .sort();
    const create = "POST /api/v1/oco-orders";
    assert.deepEqual(told(create, "takeProfitItems"), ["maxItems 50", "minItems 1"]);
    assert.deepEqual(told(create, "notes"), ["maxLength 500"]);
    assert.deepEqual(told(create, "stopLossQuantity"), ["integer", "maximum 1000000000", "minimum 1"]);
    assert.deepEqual(told(create, "takeProfitItems[0].price"), ["maximum 9999999", "minimum 0.01"]);
    assert.deepEqual(told("POST /api/v1/orders/batch", "items"), ["maxItems 100", "minItems 1"]);
    assert.deepEqual(told("POST /api/v1/level-bots", "levelBotDetails"), ["maxItems 100", "minItems 1"]);
    assert.deepEqual(told("POST /api/v1/symbol-lists", "symbols"), ["maxItems 500"]);
    assert.deepEqual(told("GET /api/v1/level-bots/pair-orders/history", "pageSize"), [
      "integer",
      "maximum 100",
      "minimum 1",
    ]);
    assert.deepEqual(told(create, "Idempotency-Key"), ["maxLength 200", "minLength 1"]);
  });

  test("are there for every value: no number, text or list without an end", () => {
    const endless = [...document.operations.keys()].flatMap((name) =>
      document.leavesOf(name).flatMap(({ field, schema }) => {
        const hasOneOf = (...words: readonly string[]) => words.some((word) => word in schema);
        const isEndless =
          (schema.type === "string" && !hasOneOf("maxLength", "enum", "const", "pattern")) ||
          (schema.type === "array" && !hasOneOf("maxItems")) ||
          (["number", "integer"].includes(String(schema.type)) && !hasOneOf("maximum", "exclusiveMaximum", "enum"));
        return isEndless ? [`${name} ${field}`] : [];
      }),
    );
    assert.deepEqual(endless, [
      "POST /api/v1/level-bots levelBotDetails[0].profit",
      "PUT /api/v1/level-bots/{id} levelBotDetails[0].profit",
    ]);
  });
});
