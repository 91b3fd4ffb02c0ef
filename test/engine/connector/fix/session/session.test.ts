/** The session against a scripted counterparty. Real sockets, a real file. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { Tag } from "../../../../../engine/connector/fix/wire/tag.ts";
import { systemClock } from "../../../../../src/runtime/clock.ts";
import { SessionWorld } from "../support/session-world.ts";

let world: SessionWorld;
beforeEach(async () => {
  world = await SessionWorld.make();
});
afterEach(async () => {
  await world.end();
});

describe("logging on", () => {
  test("goes live with the peer's logon, and tells its names, interval and secrets", async () => {
    await world.live({
      logon: () => [
        [Tag.Username, "me"],
        [Tag.Password, "hunter2"],
      ],
      header: [[50, "TRADER"]],
    });
    const logon = world.peer.of("A")[0];
    assert.equal(logon?.get(Tag.SenderCompID), "ME");
    assert.equal(logon?.get(50), "TRADER");
    assert.equal(logon?.get(Tag.Password), "hunter2");
    assert.equal(logon?.get(Tag.HeartBtInt), "1");
    assert.equal(JSON.stringify(world.log.lines).includes("hunter2"), false);
  });
  test("each logon has the secrets as they are then", async () => {
    let password = "old";
    await world.live({ logon: () => [[Tag.Password, password]] });
    password = "renewed";
    world.peer.socket?.destroy();
    await world.untilEvent("live", 2);
    assert.deepEqual(
      world.peer.of("A").map((logon) => logon.get(Tag.Password)),
      ["old", "renewed"],
    );
  });
  test("a refused password is told and not tried again at once", async () => {
    world.peer.script = (_, peer) => {
      peer.send("5", [[Tag.Text, "wrong password"]]);
    };
    await world.start({ refusedMsMin: 60_000 });
    await world.untilEvent("down the logon was refused: wrong password");
    await new Promise((resolve) => setTimeout(resolve, 400));
    assert.equal(world.peer.connectionCount, 1);
    assert.equal(world.session.isLive, false);
    assert.equal(world.order(), undefined);
  });
  test("other names are turned away", async () => {
    world.peer.script = (_, peer) => peer.logOn([], { sender: "OTHER" });
    await world.start();
    await world.untilEvent("down the counterparty calls itself OTHER");
  });
  test("another version is turned away", async () => {
    world.peer.beginString = "FIX.4.2";
    await world.start();
    await world.untilEvent("down the counterparty speaks FIX.4.2");
  });
  test("a clock that is off by more than two minutes is told and not traded on", async () => {
    world.peer.script = (_, peer) => peer.logOn([], { timeMs: Date.now() - 180_000 });
    await world.start();
    await world.untilEvent("down the counterparty's clock is 180 s behind ours");
    assert.equal(world.order(), undefined);
  });
  test("no answer ends the try, and it tries again", async () => {
    world.peer.script = () => undefined;
    await world.start({ logonTimeoutMs: 100 });
    await world.untilEvent("down no answer to the logon", 2);
  });
  test("a counterparty that is not there is tried for ever", async () => {
    const { port } = world.peer;
    await world.peer.stop();
    await world.start();
    await world.untilEvent("down connect ECONNREFUSED", 3);
    world.peer.stop = async () => undefined;
    assert.ok(port > 0);
  });
  test("between the sessions of its schedule it stays away", async () => {
    const saturday = Date.parse("2026-11-21T10:00:00Z");
    world.clock = { nowMs: () => saturday };
    const schedule = { days: [1], startMinute: 0, endMinute: 1_439, timeZone: "Europe/Istanbul" };
    await world.start({ schedule });
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(world.peer.connectionCount, 0);
    world.clock = { nowMs: () => systemClock.nowMs() };
  });
  test("logs out when the hours of its schedule end", async () => {
    let nowMs = Date.parse("2026-11-23T20:58:59Z");
    world.clock = { nowMs: () => nowMs };
    world.peer.script = (message, peer) => {
      if (message.type === "A") peer.logOn([], { timeMs: nowMs });
    };
    await world.live({ schedule: { days: [1], startMinute: 0, endMinute: 1_439, timeZone: "Europe/Istanbul" } });
    nowMs += 2_000;
    const logout = await world.peer.until("5");
    assert.match(logout.get(Tag.Text) ?? "", /hours are over/);
  });
});

describe("numbers", () => {
  test("go on after a restart on both sides", async () => {
    await world.live();
    world.report("one");
    await world.untilEvent("message one");
    await world.stop();
    const { nextOutgoing, expected } = world.peer;
    await world.start();
    await world.untilEvent("live", 2);
    assert.equal(world.peer.of("A")[1]?.int(Tag.MsgSeqNum), expected);
    assert.ok(world.session.numbers.incoming.expected > nextOutgoing);
    assert.equal(world.peer.of("2").length, 0);
  });
  test("what was lost while live is asked for and told in order, once", async () => {
    await world.live();
    world.report("a");
    world.report("b", { isWritten: false });
    world.report("c");
    world.report("d");
    await world.untilEvent("message d");
    assert.deepEqual(world.texts, ["a", "b", "c", "d"]);
    assert.equal(world.peer.of("2").length, 1);
  });
  test("what was lost while down is asked for at the logon", async () => {
    await world.live();
    await world.stop();
    world.report("missed", { isWritten: false });
    world.report("missed too", { isWritten: false });
    await world.start();
    await world.untilEvent("message missed too");
    assert.deepEqual(world.texts, ["missed", "missed too"]);
  });
  test("a gap within the answer to a gap is asked for again", async () => {
    await world.live();
    const { peer } = world;
    let requests = 0;
    peer.script = (message) => {
      if (message.type !== "2") return peer.behave(message);
      requests += 1;
      const from = message.int(Tag.BeginSeqNo) ?? 1;
      for (let number = from; number < peer.nextOutgoing; number += 1) {
        if (requests === 1 && number === from + 1) continue;
        peer.send("8", [[Tag.Text, String(number)]], { number, possDup: true });
      }
    };
    const first = peer.nextOutgoing;
    for (let count = 0; count < 4; count += 1) world.report("x", { isWritten: count === 3 });
    await world.untilEvent(`message ${first + 3}`);
    assert.deepEqual(world.texts, [first, first + 1, first + 2, first + 3].map(String));
    assert.equal(requests, 2);
  });
  test("what the peer fills is passed over and the user is told that something may be missing", async () => {
    await world.live();
    world.peer.send("0", [], { isWritten: false });
    world.report("after");
    await world.untilEvent("message after");
    assert.ok(world.events.includes("filled"));
  });
  test("a resend request is answered with a gap fill: an order is never repeated here", async () => {
    await world.live();
    const { peer } = world;
    const left = new Promise((resolve) => world.order(resolve));
    assert.equal(await left, true);
    await peer.until("D");
    peer.send("2", [
      [Tag.BeginSeqNo, "1"],
      [Tag.EndSeqNo, "0"],
    ]);
    const fill = await peer.until("4");
    assert.equal(fill.get(Tag.GapFillFlag), "Y");
    assert.equal(fill.get(Tag.PossDupFlag), "Y");
    assert.equal(fill.int(Tag.MsgSeqNum), 1);
    assert.equal(fill.int(Tag.NewSeqNo), world.session.numbers.nextOutgoing);
    assert.equal(peer.of("D").length, 1);
  });
  test("a number that is too low stops the session until a person looks", async () => {
    await world.live();
    world.report("low", { number: 1 });
    await world.untilEvent("down");
    assert.equal(world.session.phase, "halted");
    assert.deepEqual(world.texts, []);
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(world.peer.connectionCount, 1);
    assert.ok(world.log.lines.some(({ level }) => level === "error"));
  });
  test("a number that is too low is taken where the settings say so, in a new life", async () => {
    await world.live({ onUnexpectedReset: "reconcile" });
    const { life } = world.session.numbers;
    world.report("a");
    world.report("b");
    await world.untilEvent("message b");
    world.peer.nextOutgoing = 1;
    world.report("low");
    await world.untilEvent("live", 2);
    assert.equal(world.session.numbers.life, life + 1);
    world.report("again");
    await world.untilEvent("message again");
  });
  test("our number too low for the peer: stops, with the peer's words", async () => {
    world.peer.expected = 12;
    await world.start();
    await world.untilEvent("down");
    assert.equal(world.session.phase, "halted");
    assert.match(world.session.reason, /expecting 12/);
  });
  test("our number too low for the peer: takes the one it expects where the settings say so", async () => {
    world.peer.expected = 12;
    await world.live({ onUnexpectedReset: "reconcile" });
    assert.equal(world.peer.of("A")[1]?.int(Tag.MsgSeqNum), 12);
    assert.ok(world.session.numbers.life > 1);
  });
  test("a peer that expects less asks, and is filled", async () => {
    await world.live();
    await world.stop();
    world.peer.expected = 1;
    await world.start();
    const fill = await world.peer.until("4");
    assert.equal(fill.int(Tag.MsgSeqNum), 1);
  });
  test("a reset by the peer in the middle stops the session", async () => {
    await world.live();
    world.peer.logOn([[Tag.ResetSeqNumFlag, "Y"]], { number: 1 });
    await world.untilEvent("down");
    assert.equal(world.session.phase, "halted");
  });
  test("a reset by the peer in its logon stops the session, or makes both reset", async () => {
    await world.live();
    await world.stop();
    const { peer } = world;
    peer.script = (message) => {
      if (message.type !== "A" || message.is(Tag.ResetSeqNumFlag)) return peer.behave(message);
      peer.nextOutgoing = 1;
      peer.logOn([[Tag.ResetSeqNumFlag, "Y"]]);
    };
    await world.start();
    await world.untilEvent("down the counterparty reset");
    assert.equal(world.session.phase, "halted");
    await world.stop();
    await world.start({ onUnexpectedReset: "reconcile" });
    await world.untilEvent("live", 2);
    assert.equal(world.session.numbers.nextOutgoing, 2);
  });
  test("a jump of the peer's number without gap fill stops the session", async () => {
    await world.live();
    world.peer.send("4", [[Tag.NewSeqNo, "50"]]);
    await world.untilEvent("down");
    assert.equal(world.session.phase, "halted");
  });
  test("a second logon without reset changes nothing", async () => {
    await world.live();
    world.peer.logOn();
    world.report("after");
    await world.untilEvent("message after");
    assert.equal(world.session.isLive, true);
  });
});
