/** Faults of our own, strangers on the bus, clocks that step, and ends at a bad moment (catalogue 90, 91, 93). */
import assert from "node:assert/strict";
import { after, before, describe, mock, test } from "node:test";
import { createEdgeApp } from "../../edge/app.ts";
import { COMMANDS, QUERIES, replySchema } from "../../src/contract/command.ts";
import { REFERENCE_COMMANDS, REFERENCE_QUERIES } from "../../src/contract/operator/reference.ts";
import { REFERENCE_CHANGED_SUBJECT, REVOKED_SUBJECT } from "../../src/contract/subject.ts";
import { loopTimers } from "../../src/runtime/clock.ts";
import fc from "../support/property.ts";
import { FaultApp, PAPER, until } from "./support/app.ts";
import { ScriptedGateway } from "./support/gateway.ts";
import { cancelGroup, createGroup, GROUPS, groupOf, rowsOf } from "./support/group.ts";
import { LogCapture } from "./support/log-capture.ts";
import { assertNoFault } from "./support/table.ts";

const GATE = { code: "GATE", name: "Gate", adapter: "gateway", resend: "idempotent", timeoutMs: 2_000 };
const app = await FaultApp.start({ brokerages: [PAPER, GATE] });
after(() => app.stop());
const user = await app.newUser();
const list = `${GROUPS}?brokerageCode=PAPER&accountNumber=${user.accountNumber}`;

describe("a fault of our own", () => {
  test("in a command: 500 that tells nothing of it, and the next one is served", async () => {
    const before = await app.fingerprint();
    const broken = mock.method(app.partition.accounts, "resolve", () => {
      throw new Error("inner-detail");
    });
    const failed = await app.send("POST", GROUPS, { token: user.token, json: groupOf(user) });
    assert.equal(failed.status, 500);
    assert.equal((failed.body.error as { code: string }).code, "INTERNAL");
    assert.ok(!failed.text.includes("inner-detail") && !failed.text.includes(".ts"));
    broken.mock.restore();
    app.log.forgive("inner-detail");
    assert.equal(await app.fingerprint(), before);
    await cancelGroup(app, user, (await createGroup(app, user)).id);
    assertNoFault(app);
  });

  test("under an Idempotency-Key is not kept: the same request may be made again", async () => {
    const broken = mock.method(app.partition.accounts, "resolve", () => Promise.reject(new Error("inner-detail")));
    const headers = { "idempotency-key": "broken-once" };
    const create = () => app.send("POST", GROUPS, { token: user.token, json: groupOf(user), headers });
    assert.equal((await create()).status, 500);
    broken.mock.restore();
    app.log.forgive("inner-detail");
    const again = await create();
    assert.equal(again.status, 200, again.text);
    await cancelGroup(app, user, (again.body.data as { id: number }).id);
  });

  test("in a list: 500, and the next one is whole", async () => {
    const broken = mock.method(app.partition.accounts, "resolve", () => {
      throw new Error("inner-detail");
    });
    assert.equal((await app.send("GET", list, { token: user.token })).status, 500);
    broken.mock.restore();
    app.log.forgive("inner-detail");
    assert.equal((await app.send("GET", list, { token: user.token })).status, 200);
  });

  test("in what a tick sets off: the next tick counts", async () => {
    await app.tick("GARAN", 100);
    const { groupId } = await createGroup(app, user, { symbol: "GARAN" });
    const broken = mock.method(app.partition, "onTick", () => {
      throw new Error("inner-detail");
    });
    await app.tick("GARAN", 105);
    broken.mock.restore();
    app.log.forgive("inner-detail");
    await app.tick("GARAN", 111);
    await until(async () => (await rowsOf(app, user, groupId))[1]?.status === 2);
    await cancelGroup(app, user, groupId);
    assertNoFault(app);
  });
});

describe("a stranger on the bus", () => {
  const TYPES = [COMMANDS, QUERIES, REFERENCE_COMMANDS, REFERENCE_QUERIES].flatMap((names) =>
    Object.values<string>(names),
  );
  const KINDS = ["command", "query"] as const;

  async function ask(kind: (typeof KINDS)[number], bytes: Uint8Array): Promise<unknown> {
    const reply = Buffer.from(await app.bus.request(`engine.0.${kind}`, bytes, 10_000)).toString();
    return JSON.parse(reply.split("\n")[0] ?? "");
  }

  test("who sends what is no envelope is told so", async () => {
    const before = await app.fingerprint();
    const envelopes = fc.oneof(
      fc.uint8Array({ maxLength: 100 }),
      fc.json().map((text) => Buffer.from(text)),
      fc
        .record({ type: fc.constantFrom(...TYPES), userId: fc.jsonValue(), requestId: fc.jsonValue() })
        .map((value) => Buffer.from(JSON.stringify({ ...value, userId: `${JSON.stringify(value.userId)}x` }))),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...KINDS), envelopes, async (kind, bytes) => {
        const reply = replySchema.parse(await ask(kind, bytes));
        assert.ok(!reply.ok && reply.code === "INVALID");
      }),
      { numRuns: 200 },
    );
    assert.equal(await app.fingerprint(), before);
    assertNoFault(app);
  });

  test("who sends any body under any name gets a reply that is no fault of ours", async () => {
    const before = await app.fingerprint();
    const key = fc.constantFrom(
      "id",
      "brokerageCode",
      "accountNumber",
      "symbol",
      "items",
      "from",
      "secret",
      "signal",
      "symbols",
    );
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom("PAPER", "THYAO", -1, 0, 1e308, user.accountNumber),
    );
    const body = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.dictionary(key, value));
    const userId = fc.constantFrom(null, user.userId, 999_999_999, Number.MAX_SAFE_INTEGER);
    const type = fc.oneof(fc.constantFrom(...TYPES), fc.string({ minLength: 1, maxLength: 64 }));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...KINDS), type, userId, body, async (kind, name, asker, given) => {
        const bytes = Buffer.from(JSON.stringify({ type: name, userId: asker, requestId: "test", body: given }));
        const reply = (await ask(kind, bytes)) as { ok: boolean; code?: string; message?: string };
        assert.notEqual(reply.code, "INTERNAL", `${name} ${JSON.stringify(given)}`);
      }),
      { numRuns: 600 },
    );
    assert.equal(await app.fingerprint(), before);
    assertNoFault(app);
  });

  test("who makes revocations and changes up that make no sense ends nobody's session", async () => {
    for (const subject of [REVOKED_SUBJECT, REFERENCE_CHANGED_SUBJECT]) {
      for (const text of [
        "",
        "{",
        "null",
        "[]",
        '{"familyId":"1"}',
        '{"familyId":-1}',
        '{"familyId":1e300}',
        '{"area":5}',
      ]) {
        await app.publish(subject, text);
      }
    }
    assert.equal((await app.send("GET", list, { token: user.token })).status, 200);
    app.log.forgive("malformed");
    assertNoFault(app);
  });
});

describe("a clock that steps", () => {
  let aheadMs = 0;
  const log = new LogCapture();
  const closing = new AbortController();
  const edge = createEdgeApp({
    bus: app.bus,
    partitions: 1,
    trustedProxies: 0,
    isHttps: false,
    clock: { nowMs: () => Date.now() + aheadMs, monotonicMs: () => performance.now() },
    schedule: loopTimers.after,
    log: log.of("edge"),
    newRequestId: () => "request",
    closing: closing.signal,
  });
  before(() => edge.start());
  after(() => edge.stop());
  const HOUR_MS = 3_600_000;

  test("turns no good token away, old or new: the engine's clock counts", async () => {
    await until(async () => (await edge.app.request("/ready")).status === 200);
    const fresh = await app.newUser();
    for (const { token, accountNumber } of [user, fresh]) {
      for (const byMs of [0, HOUR_MS, 25 * HOUR_MS, -30_000, -HOUR_MS]) {
        aheadMs = byMs;
        const own = `${GROUPS}?brokerageCode=PAPER&accountNumber=${accountNumber}`;
        const { status } = await edge.app.request(own, { headers: { authorization: `Bearer ${token}` } });
        assert.equal(status, 200, `${byMs} ms ahead`);
      }
    }
    aheadMs = 0;
    const others = log.faults.filter((line) => !line.includes("clock.off"));
    assert.deepEqual(others, []);
  });
});

describe("an end at a bad moment", () => {
  test("right after something was decided: all of it is there at the next start, and nothing happens in between", async () => {
    const row = await createGroup(app, user, { symbol: "AKBNK" });
    await app.end();
    // Half a second after an event its row would be taken away: the store is closed by then.
    await new Promise((resolve) => setTimeout(resolve, 700));
    assertNoFault(app);
    await app.begin();
    assert.deepEqual(
      (await rowsOf(app, user, row.groupId)).map(({ status }) => status),
      [1, 1, 1],
    );
    // Every start stores a name of its own (behaviour 6.2): the hash of what is stored differs, nothing else does.
    const stateOf = async (): Promise<object> => {
      const { liveHash: _liveHash, ...state } = JSON.parse(await app.fingerprint()) as Record<string, unknown>;
      return state;
    };
    const before = await stateOf();
    await app.end();
    await app.begin();
    assert.deepEqual(await stateOf(), before);
    await cancelGroup(app, user, row.id);
  });

  test("with an order at a brokerage that answers only later: no second order, and the row is Triggered in the end", async () => {
    const gateway = new ScriptedGateway(app.bus, "GATE");
    const accountNumber = `GATE-${user.userId}`;
    await app.tick("ASELS", 100);
    const row = await createGroup(app, user, { brokerageCode: "GATE", accountNumber, symbol: "ASELS" });
    gateway.on("place", async (request) => {
      const reply = gateway.accept(request);
      await new Promise((resolve) => setTimeout(resolve, 400));
      return reply;
    });
    await app.tick("ASELS", 111);
    await until(() => gateway.sends.length === 1);
    await app.end();
    await new Promise((resolve) => setTimeout(resolve, 600));
    assertNoFault(app);
    await app.begin();
    const again = new ScriptedGateway(app.bus, "GATE");
    for (const [name, record] of gateway.orders) again.orders.set(name, record);
    const statuses = async (): Promise<number[]> =>
      (await app.rows({ ...user, accountNumber }, "GATE"))
        .filter(({ groupId }) => groupId === row.groupId)
        .map(({ status }) => status);
    await until(async () => String(await statuses()) === "1,2,1");
    assert.equal(again.orders.size, 1);
    assertNoFault(app);
  });

  test("in the middle of requests: each is answered or broken off, and what was answered is there", async () => {
    const symbols = ["THYAO", "GARAN", "ISCTR", "YKBNK", "HALKB", "VAKBN"];
    const outcomes = symbols.map((symbol) =>
      createGroup(app, user, { symbol }).then(
        (row) => row.groupId,
        () => undefined,
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, 5));
    await app.end();
    const made = (await Promise.all(outcomes)).filter((groupId) => groupId !== undefined);
    await app.begin();
    for (const groupId of made) assert.equal((await rowsOf(app, user, groupId)).length, 3);
    assertNoFault(app);
  });
});
