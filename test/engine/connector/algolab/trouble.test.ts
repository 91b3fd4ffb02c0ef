/** What an operator must mend: one log line each, which names the setting, and nothing is sent twice. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { BrokerReply } from "../../../../src/contract/trading/order.ts";
import { ACCOUNT, AlgolabWorld, OTHER_KEY } from "./support/algolab-world.ts";
import { API_KEY, LOGIN } from "./support/server.ts";

const login = { ...ACCOUNT, username: LOGIN.username, password: LOGIN.password };

function codeOf(reply: BrokerReply<unknown>): string {
  return reply.ok ? "ok" : reply.code;
}

describe("a fault that an operator must mend", () => {
  let world: AlgolabWorld;
  beforeEach(async () => {
    world = await AlgolabWorld.make();
  });
  afterEach(async () => {
    const told = JSON.stringify(world.log);
    for (const secret of [API_KEY, OTHER_KEY, LOGIN.password, LOGIN.sms, LOGIN.username, world.server.hash]) {
      assert(!told.includes(secret), "a log line contains a secret");
    }
    await world.end();
  });

  /** The one line of the event names each of `words`. */
  function assertOneLine(event: string, ...words: readonly string[]): void {
    const lines = world.linesOf(event);
    assert.equal(lines.length, 1, `${lines.length} lines of ${event}`);
    for (const word of words) assert(lines[0]?.message.includes(word), `${lines[0]?.message} does not name ${word}`);
  }

  test("a wrong API key is told at the login, by the setting's name", async () => {
    await world.startLoggedOut({ apiKey: { env: "OTHER_KEY" } });
    for (const _ of [1, 2]) {
      const reply = await world.started.connector.login(login);
      assert(!reply.ok);
      assert.deepEqual([reply.code, reply.message], ["UNAUTHORIZED", "AlgoLab refused the API key of the connector"]);
    }
    assertOneLine("brokerage.keyRefused", "apiKey", "401");
    assert.equal(world.askedCount("LoginUser"), 2);
  });

  test("a page of HTML in place of JSON is told once, names url, and leaves the order in doubt", async () => {
    await world.start();
    for (const name of ["s-r1", "s-r2"]) {
      world.server.fail("SendOrder", "answerGarbled");
      assert.equal(codeOf(await world.place(name)), "UNAVAILABLE");
    }
    assertOneLine("brokerage.answerUnreadable", "maintenance", "url");
    assert.equal(world.askedCount("SendOrder"), 2);
  });

  test("a clock two minutes off is told once, with its distance; one that is right is not told", async () => {
    await world.start();
    assert.equal(world.linesOf("brokerage.clockOff").length, 0);
    world.aheadMs = 120_000;
    for (const _ of [1, 2]) await world.started.connector.balance(ACCOUNT);
    assertOneLine("brokerage.clockOff", "clock", "NTP");
    const { aheadMs } = JSON.parse(world.linesOf("brokerage.clockOff")[0]?.text ?? "{}") as { aheadMs: number };
    assert(Math.abs(aheadMs - 120_000) <= 2_000, `${aheadMs}`);
  });

  test("an answer that takes long is no clock that is off", async () => {
    await world.start();
    world.server.fail("CashFlow", { answerLateMs: 3_500 });
    await world.started.connector.balance(ACCOUNT);
    assert.equal(world.linesOf("brokerage.clockOff").length, 0);
  });

  test("429 is told once, names the interval, and the order was not sent", async () => {
    await world.start();
    for (const _ of [1, 2]) {
      world.server.fail("SendOrder", { status: 429, text: "" });
      assert.equal(codeOf(await world.place("s-r1")), "NOT_SENT");
    }
    assertOneLine("brokerage.tooFast", "requestIntervalSeconds");
    assert.equal(world.server.orders.length, 0);
  });

  test("a code that is wrong twice is told once, and a third one is not sent", async () => {
    world.server.isLoggedIn = false;
    await world.startLoggedOut();
    const { connector } = world.started;
    const first = await connector.login(login);
    assert(first.ok && first.data.otp === 1);
    const { sessionId } = first.data;
    assert.equal(codeOf(await connector.login({ ...login, sessionId, sms: "000000" })), "REJECTED");
    assert.equal(world.linesOf("brokerage.codeRefused").length, 0);
    assert.equal(codeOf(await connector.login({ ...login, sessionId, sms: "111111" })), "REJECTED");
    const third = await connector.login({ ...login, sessionId, sms: LOGIN.sms });
    assert(!third.ok && third.message.includes("two codes were refused: begin again"));
    assertOneLine("brokerage.codeRefused", "SMS", "/api/v1/accounts/login");
    assert.equal(world.askedCount("LoginUserControl"), 2);
  });

  test("a login that is over is told once, whoever meets it, and nothing is sent after it", async () => {
    await world.start();
    world.server.isLoggedIn = false;
    const codes = await Promise.all([
      world.place("s-r1"),
      world.place("s-r2"),
      world.started.connector.balance(ACCOUNT),
    ]);
    assert.deepEqual(codes.map(codeOf), ["UNAUTHORIZED", "UNAUTHORIZED", "UNAUTHORIZED"]);
    const asked = world.server.asked.length;
    assert.equal(codeOf(await world.place("s-r1")), "UNAUTHORIZED");
    assert.equal(world.server.asked.length, asked);
    assertOneLine("brokerage.loginNeeded", "/api/v1/accounts/login");
  });

  test("requests that wait when the login ends are not sent: one 401 is enough", async () => {
    await world.start({}, { requestIntervalMs: 60 });
    world.server.isLoggedIn = false;
    const before = world.server.asked.length;
    const { connector } = world.started;
    const replies = await Promise.all([
      ...[world.place("s-r1"), world.place("s-r2"), connector.balance(ACCOUNT), connector.balance(ACCOUNT)],
    ]);
    assert.deepEqual(replies.map(codeOf), Array(replies.length).fill("UNAUTHORIZED"));
    // A poll may have met the end of the login first.
    const ours = world.server.asked.slice(before).filter(({ name }) => name !== "TodaysTransaction");
    assert.ok(ours.length <= 1, JSON.stringify(ours.map(({ name }) => name)));
    assert.equal(codeOf(await world.find("s-r2")), "NOT_FOUND", "it never left");
    assertOneLine("brokerage.loginNeeded", "/api/v1/accounts/login");
  });

  test("an address at which nobody answers is told once, and names url", async () => {
    await world.start();
    await world.server.stopListening();
    for (const _ of [1, 2]) assert.equal(codeOf(await world.place("s-r1")), "NOT_SENT");
    assertOneLine("brokerage.unreachable", "url");
  });
});
