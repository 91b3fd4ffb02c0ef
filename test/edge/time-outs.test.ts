/** How long the engine may take, by area (behaviour 1.10). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readOwnDocument } from "../../edge/openapi/document.ts";
import { ApiDocument } from "../support/client/api-document.ts";
import { runEdge } from "./support/running-edge.ts";

const TEN_SECONDS = /^\/api\/v1\/(symbol-lists|symbols|list-types|public\/restrictions)/;

test("accounts, orders, OCO orders and bots may take 30 s, reference data 10 s", async (t) => {
  const document = new ApiDocument(await readOwnDocument());
  const edge = await runEdge(t);
  const asked: number[] = [];
  const request = edge.edgeBus.request.bind(edge.edgeBus);
  edge.edgeBus.request = (subject, data, timeoutMs) => {
    asked.push(timeoutMs);
    return request(subject, data, timeoutMs);
  };
  let askedCount = 0;
  for (const name of [...document.operations.keys()].filter((one) => one.includes(" /api/"))) {
    const { method, path, query, body } = document.exampleRequest(name);
    const search = new URLSearchParams(query).toString();
    asked.length = 0;
    await edge.send(method, search === "" ? path : `${path}?${search}`, body);
    askedCount += asked.length;
    const expectedMs = TEN_SECONDS.test(path) ? 10_000 : 30_000;
    for (const timeoutMs of asked) assert.equal(timeoutMs, expectedMs, name);
  }
  assert.ok(askedCount >= 30, "most operations ask the engine");
});
