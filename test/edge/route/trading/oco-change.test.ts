/** Versions of groups in headers (behaviour 15.2). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { runEdge } from "../../support/running-edge.ts";

const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ parameters: z.array(z.object({ name: z.string().optional() })).optional() })),
  ),
});
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

describe("the version of a group", () => {
  test("is the ETag of its create, of its rows and of its plan", async (t) => {
    const edge = await runEdge(t);
    const requests = [
      { type: "oco.create", method: "POST", path: "/api/v1/oco-orders" },
      { type: "oco.get", method: "GET", path },
      { type: "oco.plan", method: "GET", path: `${path}/plan` },
    ];
    const body = {
      ...{ brokerageCode: "PAPER", accountNumber: "1", symbol: "THYAO", stopLossPrice: 90, stopLossQuantity: 10 },
      takeProfitItems: [{ price: 110, quantity: 10 }],
    };
    for (const { type, method, path: address } of requests) {
      edge.engine.on(type, () => ({ ok: true, data: {}, version: 6 }));
      const response = await edge.send(method, address, method === "POST" ? body : undefined);
      assert.deepEqual([response.status, response.headers.get("etag")], [200, '"6"'], type);
    }
  });
});

describe("a condition in the headers", () => {
  test("of a DELETE of a group is handed on as versions", async (t) => {
    const edge = await runEdge(t);
    edge.engine.on("oco.cancel", ({ body }) => ({
      ...{ ok: false, code: "PRECONDITION_FAILED", version: 5 },
      message: JSON.stringify(body),
    }));
    const response = await edge.send("DELETE", `${path}?brokerageCode=PAPER`, undefined, { "If-Match": '"3"' });
    assert.deepEqual([response.status, response.headers.get("etag")], [412, '"5"']);
    const { message } = (await response.json()) as { readonly message: string };
    assert.deepEqual(JSON.parse(message), { id: 1001, brokerageCode: "PAPER", versions: [3] });
  });

  test("is refused at every change that does not look at it", async (t) => {
    const edge = await runEdge(t);
    const document = documentSchema.parse(await (await edge.fetch("/openapi.json")).json());
    const changes = Object.entries(document.paths).flatMap(([template, methods]) =>
      Object.entries(methods)
        .filter(([method]) => !["get", "parameters"].includes(method) && /^\/(api|admin)\//.test(template))
        .map(([method, { parameters = [] }]) => ({
          ...{ method: method.toUpperCase(), template },
          honoured: parameters.flatMap(({ name }) => (name === "If-Match" ? [name] : [])),
        })),
    );
    assert.ok(changes.length > 30, String(changes.length));
    assert.ok(changes.some(({ honoured }) => honoured.length > 0));
    for (const { method, template, honoured } of changes) {
      for (const header of ["If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"]) {
        const response = await edge.send(method, template.replaceAll(/\{.*?\}/g, "1"), undefined, { [header]: '"1"' });
        const { error } = (await response.json()) as { readonly error?: { readonly field?: string } };
        const isRefused = response.status === 400 && error?.field === header;
        assert.equal(isRefused, !honoured.includes(header), `${method} ${template} ${header}: ${response.status}`);
      }
    }
  });
});
