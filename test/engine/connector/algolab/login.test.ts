/** The edges of the login: each is answered clearly, and after each the next login succeeds without a restart. */
import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { BrokerReply } from "../../../../src/contract/trading/order.ts";
import { untilTrue } from "../../../support/machine/until-true.ts";
import { ACCOUNT, AlgolabWorld } from "./support/algolab-world.ts";
import { LOGIN } from "./support/server.ts";

const login = { ...ACCOUNT, username: LOGIN.username, password: LOGIN.password };

describe("the login at AlgoLab", () => {
  let world: AlgolabWorld;
  beforeEach(async () => {
    world = await AlgolabWorld.make();
    world.server.isLoggedIn = false;
  });
  afterEach(() => world.end());

  async function begin(): Promise<string> {
    const first = await world.started.connector.login(login);
    assert(first.ok && first.data.otp === 1);
    return first.data.sessionId;
  }

  const give = (sessionId: string, sms = LOGIN.sms) => world.started.connector.login({ ...login, sessionId, sms });

  function assertRefused(reply: BrokerReply<unknown>, words: RegExp): void {
    assert(!reply.ok, "it was not refused");
    assert.equal(reply.code, "REJECTED");
    assert.match(reply.message, words);
  }

  async function assertCanLogIn(): Promise<void> {
    assert.equal((await give(await begin())).ok, true);
    assert.equal(world.started.session.isUp, true);
    assert.equal((await world.place("s-last")).ok, true);
  }

  test("of two logins at a time one is sent, and the other one is told to wait", async () => {
    await world.startLoggedOut();
    const both = await Promise.all([world.started.connector.login(login), world.started.connector.login(login)]);
    assert(both[0].ok);
    assertRefused(both[1], /another login is under way/);
    assert.equal(world.askedCount("LoginUser"), 1);
    await assertCanLogIn();
  });

  test("a login while another one waits for its SMS replaces it, and the elder is told so", async () => {
    await world.startLoggedOut();
    const elder = await begin();
    const younger = await begin();
    assertRefused(await give(elder), /a later login replaced this one/);
    assert.equal(world.askedCount("LoginUserControl"), 0);
    assert.equal((await give(younger)).ok, true);
    assertRefused(await give(younger), /has succeeded already/);
    await assertCanLogIn();
  });

  test("the same code given twice at a time is sent once", async () => {
    await world.startLoggedOut();
    const sessionId = await begin();
    const both = await Promise.all([give(sessionId), give(sessionId)]);
    assert.equal(both[0].ok, true);
    assertRefused(both[1], /is being checked/);
    assert.equal(world.askedCount("LoginUserControl"), 1);
    await assertCanLogIn();
  });

  test("a code after its time is not sent", async () => {
    await world.startLoggedOut();
    const sessionId = await begin();
    world.aheadMs = 300_001;
    assertRefused(await give(sessionId), /after more than five minutes: begin again/);
    assert.equal(world.askedCount("LoginUserControl"), 0);
    await assertCanLogIn();
  });

  test("a restart between the stages ends the login", async () => {
    await world.startLoggedOut();
    const sessionId = await begin();
    await world.started.stop();
    await world.startLoggedOut();
    assertRefused(await give(sessionId), /not known here, perhaps because the connector was restarted/);
    await assertCanLogIn();
  });

  test("a login that AlgoLab no longer knows is over, and the key is not blamed", async () => {
    await world.startLoggedOut();
    const sessionId = await begin();
    world.server.fail("LoginUserControl", { status: 401, text: "" });
    assertRefused(await give(sessionId), /does not know this login any more: begin again/);
    assert.equal(world.linesOf("brokerage.keyRefused").length, 0);
    await assertCanLogIn();
  });

  test("a first stage without an answer does not stand in the way of the next one", async () => {
    await world.startLoggedOut();
    world.server.fail("LoginUser", "answerLost");
    const lost = await world.started.connector.login(login);
    assert(!lost.ok && lost.code === "UNAVAILABLE");
    await assertCanLogIn();
  });

  test("a refresh that is refused asks for a login and ends nothing while AlgoLab answers; a 401 ends the login", async () => {
    world.server.isLoggedIn = true;
    const needsLogin = (): boolean => world.started.connector.status().needsLogin === true;
    await world.start({}, { refreshMs: 20 });
    for (const _ of [1, 2, 3]) world.server.fail("SessionRefresh", { refusal: "Oturum yenilenemedi" });
    const before = world.askedCount("TodaysTransaction");
    await untilTrue(needsLogin);
    assert.equal(world.started.connector.status().session, "up");
    await untilTrue(() => !needsLogin());
    assert(world.askedCount("SessionRefresh") > 3);
    assert.equal(world.linesOf("brokerage.refreshRefused").length, 1);
    assert(world.askedCount("TodaysTransaction") > before);
    assert.equal(world.started.session.isUp, true);
    world.server.isLoggedIn = false;
    await untilTrue(() => world.started.session.isLoginNeeded);
    await assertCanLogIn();
  });

  test("a session file that cannot be read is logged by its setting, and a login is needed", async () => {
    for (const make of [
      () => mkdir(world.sessionFile),
      () => writeFile(world.sessionFile, "one line\nanother line\n"),
      () => writeFile(world.sessionFile, Buffer.from([0xff, 0x00, 0x0a])),
    ]) {
      await make();
      const before = world.linesOf("brokerage.sessionUnreadable").length;
      await world.startLoggedOut();
      assert.equal(world.started.connector.status().needsLogin, true);
      const lines = world.linesOf("brokerage.sessionUnreadable");
      assert.equal(lines.length, before + 1);
      assert.match(lines.at(-1)?.message ?? "", /sessionFile/);
      await world.started.stop();
      await rm(world.sessionFile, { recursive: true });
    }
    await world.startLoggedOut();
    await assertCanLogIn();
  });

  test("a session file that cannot be written is logged, and the login counts until the next start", async () => {
    await mkdir(world.sessionFile);
    await world.startLoggedOut();
    assert.equal((await give(await begin())).ok, true);
    assert.equal(world.started.session.isUp, true);
    const lines = world.linesOf("brokerage.sessionNotKept");
    assert.equal(lines.length, 1);
    assert.match(lines[0]?.message ?? "", /sessionFile/);
    await rm(world.sessionFile, { recursive: true });
    await assertCanLogIn();
    assert.equal((await readFile(world.sessionFile, "utf8")).trim(), world.server.hash);
  });
});
