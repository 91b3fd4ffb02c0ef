/** The OpenAPI document says what the routes do. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { runEdge } from "./support/running-edge.ts";

const documentSchema = z.looseObject({
  openapi: z.literal("3.1.0"),
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({}))),
  components: z.looseObject({
    responses: z.record(z.string(), z.looseObject({})),
    schemas: z.record(z.string(), z.unknown()).optional(),
    securitySchemes: z.record(z.string(), z.unknown()),
  }),
});

const operationSchema = z.looseObject({
  summary: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string(), required: z.boolean() })).default([]),
  responses: z.record(z.string(), z.unknown()),
});

test("every reference in it leads somewhere, and every operation says its scope and its answers", async (t) => {
  const edge = await runEdge(t);
  const response = await edge.fetch("/openapi.json");
  assert.equal(response.status, 200);
  const text = await response.text();
  const document = documentSchema.parse(JSON.parse(text));
  for (const [, kind = "", name = ""] of text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
    const known = document.components[kind];
    assert.ok(typeof known === "object" && known !== null && name in known, `${kind}/${name}`);
  }
  const protectedPaths = Object.entries(document.paths).filter(([path]) => path.startsWith("/api/"));
  assert.ok(protectedPaths.length > 0);
  for (const [path, operations] of protectedPaths) {
    for (const [method, found] of Object.entries(operations)) {
      const operation = operationSchema.parse(found);
      assert.match(
        JSON.stringify(operation.security),
        /^\[\{"accessToken":\["(read|trade|admin)"\]\}\]$/,
        `${method} ${path}`,
      );
      for (const status of ["200", "400", "401", "403", "404", "429", "500"]) {
        assert.ok(status in operation.responses, `${method} ${path} ${status}`);
      }
    }
  }
});

test("it shows an operation's parameters, body and data", async (t) => {
  const edge = await runEdge(t);
  const document = documentSchema.parse(await (await edge.fetch("/openapi.json")).json());
  const create = document.paths["/api/v1/oco-orders"]?.post;
  assert.ok(create);
  const text = JSON.stringify(create);
  for (const word of ["stopLossPrice", "takeProfitItems", "Idempotency-Key", "triggeredPrice"])
    assert.ok(text.includes(word));
  const cancel = operationSchema.parse(document.paths["/api/v1/oco-orders/{id}"]?.delete);
  assert.deepEqual(
    cancel.parameters.map(({ name, in: place, required }) => [name, place, required]),
    [
      ["id", "path", true],
      ["brokerageCode", "query", true],
    ],
  );
});
