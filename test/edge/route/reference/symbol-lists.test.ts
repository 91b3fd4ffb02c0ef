/** Symbol list routes: the requests to the engine, and that no user sees what only another user may see. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { untilTrue } from "../../../support/machine/until-true.ts";
import { pageOf } from "../../support/fake-engine.ts";
import { type RunningEdge, runEdge } from "../../support/running-edge.ts";
import { askedCount, dataAt, tellChanged } from "../reference.ts";

const path = "/api/v1/symbol-lists";
const item = { id: 5, name: "L", description: "", symbolCount: 1, listType: "CUSTOM", isPublic: false };
const body = { name: "L", description: "d", symbols: ["AAA"], listType: "CUSTOM", isPublic: false };

async function listsOf(edge: RunningEdge, userId: number): Promise<unknown> {
  const response = await edge.fetch(path, { headers: await edge.bearer({ claims: { sub: String(userId) } }) });
  return ((await response.json()) as { data: unknown }).data;
}

test("what is kept for one user is not given to another", async (t) => {
  const edge = await runEdge(t, { partitions: 2 });
  edge.engine.on("lists.list", ({ userId }) => pageOf(null, { ...item, id: userId ?? 0 }));
  for (const userId of [1, 2, 1, 2]) assert.deepEqual(await listsOf(edge, userId), [{ ...item, id: userId }]);
  const asked = edge.engine.asked.filter(({ type }) => type === "lists.list");
  assert.deepEqual(
    asked.map(({ userId, subject }) => [userId, subject]),
    [
      [1, "engine.0.query"],
      [2, "engine.0.query"],
    ],
  );
});

test("lists are kept for 30 s, or until a list changes", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("lists.list", () => pageOf(null, item));
  await dataAt(edge, path);
  edge.advance(29_000);
  tellChanged(edge, "restrictions");
  tellChanged(edge, "symbols");
  await edge.engineBus.flush();
  await dataAt(edge, path);
  assert.equal(askedCount(edge, "lists.list"), 1);
  edge.advance(2_000);
  await dataAt(edge, path);
  assert.equal(askedCount(edge, "lists.list"), 2);
  edge.engine.on("lists.list", () => pageOf(null));
  tellChanged(edge, "lists");
  await untilTrue(async () => ((await dataAt(edge, path)) as unknown[]).length === 0);
});

test("create, update and delete go to the shared partition as commands of the caller's", async (t) => {
  const edge = await runEdge(t, { partitions: 2 });
  for (const type of ["lists.create", "lists.update"]) edge.engine.on(type, () => ({ ok: true, data: item }));
  edge.engine.on("lists.delete", () => ({ ok: true, data: true }));
  const created = await edge.send("POST", path, body, { "idempotency-key": "k" });
  assert.deepEqual(await created.json(), { success: true, message: "The symbol list was created", data: item });
  const { name, description, symbols } = body;
  const updated = await edge.send("PUT", `${path}/5`, { name, description, symbols });
  assert.deepEqual(await updated.json(), { success: true, message: "The symbol list was changed", data: item });
  const deleted = await edge.send("DELETE", `${path}/5`);
  assert.deepEqual(await deleted.json(), { success: true, message: "The symbol list was deleted" });
  const commands = edge.engine.asked.filter(({ subject }) => subject === "engine.0.command");
  assert.deepEqual(
    commands.map((command) => [command.type, command.userId, command.body, command.idempotency?.key]),
    [
      ["lists.create", 1, body, "k"],
      ["lists.update", 1, { id: 5, name, description, symbols }, undefined],
      ["lists.delete", 1, { id: 5 }, undefined],
    ],
  );
});

test("what was written here is seen by the next read here, before the message about it comes", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("lists.get", () => ({ ok: true, data: { ...item, name: "old" } }));
  edge.engine.on("lists.update", () => ({ ok: false, code: "UNAVAILABLE", message: "no answer came in time" }));
  await dataAt(edge, `${path}/5`);
  edge.engine.on("lists.get", () => ({ ok: true, data: { ...item, name: "new" } }));
  const { name, description, symbols } = body;
  await edge.send("PUT", `${path}/5`, { name, description, symbols });
  assert.deepEqual(await dataAt(edge, `${path}/5`), { ...item, name: "new" });
});

test("a body or an id that cannot be right is refused here", async (t) => {
  const edge = await runEdge(t);
  const refusals: readonly [string, string, object | undefined, RegExp][] = [
    ["POST", path, { ...body, symbols: "AAA" }, /^symbols must be an array/],
    ["POST", path, { ...body, symbols: ["aaa"] }, /^symbols\[0\] must be 1 to 16 of A-Z/],
    ["POST", path, { ...body, name: undefined }, /^name is required/],
    ["POST", path, { ...body, isPublic: "yes" }, /^isPublic must be a boolean/],
    ["PUT", `${path}/x`, body, /^id must be a whole number/],
    ["DELETE", `${path}/0`, undefined, /^id must be a whole number/],
  ];
  for (const [method, at, given, message] of refusals) {
    const response = await edge.send(method, at, given);
    assert.equal(response.status, 400);
    assert.match(((await response.json()) as { message: string }).message, message);
  }
});

test("writing needs the trade scope", async (t) => {
  const edge = await runEdge(t);
  const headers = { ...(await edge.bearer({ claims: { scope: "read" } })), "content-type": "application/json" };
  const writes = [
    edge.fetch(path, { method: "POST", headers, body: JSON.stringify(body) }),
    edge.fetch(`${path}/5`, { method: "PUT", headers, body: JSON.stringify(body) }),
    edge.fetch(`${path}/5`, { method: "DELETE", headers }),
  ];
  for (const response of await Promise.all(writes)) assert.equal(response.status, 403);
});
