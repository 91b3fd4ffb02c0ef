/** Signals over HTTP. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertInvalid } from "../../../support/invalid.ts";
import { type RunningEdge, runEdge } from "../../support/running-edge.ts";

const secret = `1_${"s".repeat(43)}`;
const signal = { algoName: "MACD", period: "1H", symbol: "THYAO", side: "buy" };

/** The bodies of the signals that the engine was given. */
function heardBy(edge: RunningEdge): Record<string, unknown>[] {
  const signals = edge.engine.asked.filter(({ type }) => type === "webhook.signal");
  return signals.map(({ body }) => body as Record<string, unknown>);
}

function post(body: string, type: string | undefined): RequestInit {
  return { method: "POST", body, ...(type === undefined ? {} : { headers: { "content-type": type } }) };
}

test("a signal needs no token, may be text, and goes to the partition that the secret names", async (t) => {
  const edge = await runEdge(t, { partitions: 2 });
  edge.engine.on("webhook.signal", () => ({ ok: true, data: { matched: 2 } }));
  for (const type of ["application/json", "text/plain; charset=utf-8"]) {
    const response = await edge.fetch(`/webhooks/${secret}`, post(JSON.stringify({ ...signal, extra: 1 }), type));
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), {
      success: true,
      message: "The signal matched 2 details",
      data: { matched: 2 },
    });
    const asked = edge.engine.asked.at(-1);
    assert.equal(asked?.subject, "engine.1.command");
    assert.equal(asked?.userId, null);
    const heard = heardBy(edge).at(-1);
    assert.deepEqual([heard?.webhookSecret, heard?.signal], [secret, signal]);
  }
});

test("the same bytes have the same hash, other bytes another", async (t) => {
  const edge = await runEdge(t, { partitions: 2 });
  edge.engine.on("webhook.signal", () => ({ ok: true, data: { matched: 0 } }));
  for (const body of [JSON.stringify(signal), JSON.stringify(signal), JSON.stringify({ ...signal, price: 5 })]) {
    await edge.fetch(`/webhooks/${secret}`, post(body, "application/json"));
  }
  const hashes = heardBy(edge).map(({ bodyHash }) => bodyHash);
  assert.equal(hashes[0], hashes[1]);
  assert.notEqual(hashes[0], hashes[2]);
});

test("a bad body is 400, an unknown secret 404, and neither says more", async (t) => {
  const edge = await runEdge(t, { partitions: 2 });
  const nobody = () => ({ ok: false, code: "NOT_FOUND", message: "there is no webhook here" }) as const;
  edge.engine.on("webhook.signal", nobody);
  edge.engine.on("webhook.reject", nobody);
  const bad = [
    "{",
    "",
    "[]",
    ...[{ side: "hold" }, { price: -1 }, { price: null }].map((change) => JSON.stringify({ ...signal, ...change })),
  ];
  for (const body of bad) {
    const response = await edge.fetch(`/webhooks/${secret}`, post(body, "text/plain"));
    assert.equal(response.status, 400, body);
  }
  const asForm = post("a=1", "application/x-www-form-urlencoded");
  assert.equal((await edge.fetch(`/webhooks/${secret}`, asForm)).status, 400);
  assert.equal(heardBy(edge).length, 0);
  const good = post(JSON.stringify(signal), "application/json");
  assert.equal((await edge.fetch(`/webhooks/${secret}`, good)).status, 404);
  assert.equal(heardBy(edge).length, 1);
  for (const unknown of [
    "nothing",
    `2_${"s".repeat(43)}`,
    `zzz_${"s".repeat(43)}`,
    `${secret}x`,
    `_${"s".repeat(43)}`,
  ]) {
    assert.equal((await edge.fetch(`/webhooks/${unknown}`, good)).status, 404, unknown);
  }
  assert.equal(heardBy(edge).length, 1, "what no bot can have is not asked for");
});

test("a body that is no signal is told to the owner of the bot, and counts like a signal", async (t) => {
  const edge = await runEdge(t, { partitions: 2 });
  edge.engine.on("webhook.reject", () => ({ ok: true, data: true }));
  const bad = [
    ["{", /JSON/],
    [`{"algoName":"a","period":"1H","symbol":"THYAO","side":"sell","price":NaN}`, /JSON/],
    [JSON.stringify({ ...signal, price: null }), /^price /],
    [JSON.stringify({ ...signal, price: "101.5" }), /^price /],
    [JSON.stringify({ ...signal, side: "SELL" }), /^side /],
    [JSON.stringify({ ...signal, symbol: "BIST:X" }), /^symbol /],
  ] as const;
  for (const [body, expected] of bad) {
    const response = await edge.fetch(`/webhooks/${secret}`, post(body, "text/plain"));
    assert.equal(response.status, 400, body);
    const told = edge.engine.asked.at(-1);
    assert.deepEqual([told?.type, told?.subject], ["webhook.reject", "engine.1.command"]);
    const { reason } = (told?.body ?? {}) as { reason?: string };
    assert.match(String(reason), expected);
  }
  for (let count = bad.length; count < 60; count += 1) {
    await edge.fetch(`/webhooks/${secret}`, post("{", "text/plain"));
  }
  assert.equal((await edge.fetch(`/webhooks/${secret}`, post("{", "text/plain"))).status, 429);
});

test("an id that is neither text nor a number is told that it must be one of them", async (t) => {
  const edge = await runEdge(t, { partitions: 2 });
  const body = JSON.stringify({ ...signal, id: true });
  const response = await edge.fetch(`/webhooks/${secret}`, post(body, "text/plain"));
  const message = "id must be a string or must be a number";
  assertInvalid(await response.json(), message);
});

test("a bot hears 60 signals a minute, whoever sends them", async (t) => {
  const edge = await runEdge(t, { partitions: 2 });
  edge.engine.on("webhook.signal", () => ({ ok: true, data: { matched: 1 } }));
  const send = (to: string) => edge.fetch(`/webhooks/${to}`, post(JSON.stringify(signal), "application/json"));
  for (let count = 0; count < 60; count += 1) assert.equal((await send(secret)).status, 200);
  const refused = await send(secret);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  assert.equal(refused.headers.get("x-ratelimit-limit"), "60");
  assert.equal((await send(`1_${"t".repeat(43)}`)).status, 200);
});

test("secrets that nobody has, and bodies that are no signal, fill no window", async (t) => {
  const edge = await runEdge(t, { partitions: 2 });
  for (const type of ["webhook.signal", "webhook.reject"]) {
    edge.engine.on(type, () => ({ ok: false, code: "NOT_FOUND", message: "there is no webhook" }));
  }
  const good = post(JSON.stringify(signal), "application/json");
  for (let count = 0; count < 70; count += 1) {
    const answer = await edge.fetch(`/webhooks/${secret}`, count % 2 === 0 ? good : post("{", "text/plain"));
    assert.equal(answer.status, count % 2 === 0 ? 404 : 400);
  }
});

test("the secret reaches no log, whatever becomes of the signal", async (t) => {
  const edge = await runEdge(t, { partitions: 2 });
  const good = post(JSON.stringify(signal), "application/json");
  edge.engine.on("webhook.signal", () => ({ ok: true, data: { matched: 1 } }));
  await edge.fetch(`/webhooks/${secret}`, good);
  await edge.fetch(`/webhooks/${secret}`, post("{", "text/plain"));
  edge.engine.on("webhook.signal", () => ({ ok: true, data: "nonsense" }));
  assert.equal((await edge.fetch(`/webhooks/${secret}`, good)).status, 500);
  edge.engine.on("webhook.signal", () => {
    throw new Error("failed");
  });
  assert.equal((await edge.fetch(`/webhooks/${secret}`, good)).status, 500);
  const lines = JSON.stringify(edge.log, (_key, value: unknown) => (value instanceof Error ? value.stack : value));
  assert.ok(lines.includes("/webhooks/[redacted]"));
  assert.ok(!lines.includes("s".repeat(43)));
});
