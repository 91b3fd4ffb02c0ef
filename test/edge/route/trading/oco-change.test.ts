/** Versions of groups in headers (behaviour 15.2). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runEdge } from "../../support/running-edge.ts";

const path = "/api/v1/oco-orders/1001";
const change = { brokerageCode: "PAPER", stopLossPrice: 95 };
const data = { groupId: 1001, version: 4, rows: [] };

describe("PATCH of a group", () => {
  test("hands on the versions that If-Match names, and answers with the ETag of the new one", async (t) => {
    const edge = await runEdge(t);
    const given: unknown[] = [];
    edge.engine.on("oco.change", ({ body }) => {
      given.push((body as { versions?: unknown }).versions);
      return { ok: true, data, version: 4 };
    });
    for (const tag of ['"3"', '"2", "3"', "*", 'W/"3"', '"abc"', undefined]) {
      const response = await edge.send("PATCH", path, change, tag === undefined ? {} : { "If-Match": tag });
      assert.equal(response.status, 200, tag);
      assert.equal(response.headers.get("etag"), '"4"');
    }
    assert.deepEqual(given, [[3], [2, 3], undefined, [], [], undefined]);
  });

  test("refuses an If-Match that is malformed", async (t) => {
    const edge = await runEdge(t);
    edge.engine.on("oco.change", () => ({ ok: true, data, version: 4 }));
    for (const tag of ["3", '"3', "*, *", '"3" "4"', "w/3"]) {
      const response = await edge.send("PATCH", path, change, { "If-Match": tag });
      assert.equal(response.status, 400, tag);
    }
  });

  test("answers a stale version with 412 and the ETag of now", async (t) => {
    const edge = await runEdge(t);
    edge.engine.on("oco.change", () => ({ ok: false, code: "PRECONDITION_FAILED", message: "5 now", version: 5 }));
    const response = await edge.send("PATCH", path, change, { "If-Match": '"3"' });
    assert.equal(response.status, 412);
    assert.equal(response.headers.get("etag"), '"5"');
  });

  test("counts to the order quota of the group's brokerage, also where it names none", async (t) => {
    const edge = await runEdge(t);
    edge.engine.on("oco.change", () => ({ ok: true, data, version: 4 }));
    edge.engine.on("oco.brokerage", () => ({ ok: true, data: "PAPER" }));
    const named = await edge.send("PATCH", path, change);
    const unnamed = await edge.send("PATCH", path, { notes: null });
    const left = [named, unnamed].map(({ headers }) => Number(headers.get("x-ratelimit-remaining")));
    assert.equal(left[1], (left[0] ?? 0) - 1);
  });
});
