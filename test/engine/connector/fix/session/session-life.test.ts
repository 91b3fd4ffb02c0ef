/** Agreed resets, garbled bytes, signs of life, and what leaves. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { MsgType, Tag } from "../../../../../engine/connector/fix/wire/tag.ts";
import { SessionWorld } from "../support/session-world.ts";

let world: SessionWorld;
beforeEach(async () => {
  world = await SessionWorld.make();
});
afterEach(async () => {
  await world.end();
});

describe("resets that are agreed", () => {
  test("at every logon", async () => {
    await world.live({ resetOn: "logon" });
    world.report("one");
    await world.untilEvent("message one");
    const { life } = world.session.numbers;
    await world.stop();
    await world.start({ resetOn: "logon" });
    await world.untilEvent("live", 2);
    const logon = world.peer.of("A")[1];
    assert.equal(logon?.int(Tag.MsgSeqNum), 1);
    assert.equal(logon?.get(Tag.ResetSeqNumFlag), "Y");
    assert.equal(world.session.numbers.life, life + 1);
  });
  test("daily: once a day, also when the day turns while live", async () => {
    let nowMs = Date.parse("2026-11-23T23:59:50Z");
    world.clock = { nowMs: () => nowMs };
    const { peer } = world;
    peer.script = (message) => {
      if (message.type !== "A") return peer.behave(message);
      if (message.is(Tag.ResetSeqNumFlag)) peer.nextOutgoing = 1;
      peer.logOn([], { timeMs: nowMs });
      peer.expected = (message.int(Tag.MsgSeqNum) ?? 0) + 1;
    };
    await world.live({ resetOn: "daily" });
    assert.equal(peer.of("A")[0]?.get(Tag.ResetSeqNumFlag), "Y");
    peer.socket?.destroy();
    await world.untilEvent("live", 2);
    assert.equal(peer.of("A")[1]?.get(Tag.ResetSeqNumFlag), undefined);
    nowMs += 20_000;
    await world.untilEvent("live", 3);
    assert.equal(peer.of("A")[2]?.get(Tag.ResetSeqNumFlag), "Y");
    assert.equal(peer.of("A")[2]?.int(Tag.MsgSeqNum), 1);
  });
  test("one that the peer never confirmed is asked for again", async () => {
    const { peer } = world;
    let isFirst = true;
    peer.script = (message) => {
      if (isFirst) peer.socket?.destroy();
      else peer.behave(message);
      isFirst = false;
    };
    await world.live({ resetOn: "daily" });
    assert.deepEqual(
      peer.of("A").map((logon) => logon.get(Tag.ResetSeqNumFlag)),
      ["Y", "Y"],
    );
  });
});

describe("what is garbled", () => {
  test("a wrong checksum is passed over and comes again", async () => {
    await world.live();
    const bytes = world.report("broken", { isWritten: false });
    bytes[bytes.length - 2] = bytes[bytes.length - 2] === 0x30 ? 0x31 : 0x30;
    world.peer.write(bytes);
    world.report("next");
    await world.untilEvent("message next");
    assert.deepEqual(world.texts, ["broken", "next"]);
  });
  test("frames that are joined and split", async () => {
    await world.live();
    const bytes = Buffer.concat(["a", "b", "c"].map((text) => world.report(text, { isWritten: false })));
    for (const byte of bytes) world.peer.write(Buffer.from([byte]));
    await world.untilEvent("message c");
    assert.deepEqual(world.texts, ["a", "b", "c"]);
    assert.equal(world.peer.of("2").length, 0);
  });
  test("a message without a number, or that is long gone by its time, ends the connection and comes again", async () => {
    await world.live();
    world.report("late", { timeMs: Date.now() - 600_000 });
    await world.untilEvent("down");
    await world.untilEvent("message late");
    assert.deepEqual(world.texts, ["late"]);
  });
});

describe("signs of life", () => {
  test("heartbeats go out, and questions are answered", async () => {
    await world.live({ heartbeatMs: 100 });
    world.peer.send("1", [[Tag.TestReqID, "are you there"]]);
    await world.peer.until("0", 3);
    assert.ok(world.peer.of("0").some((heartbeat) => heartbeat.get(Tag.TestReqID) === "are you there"));
  });
  test("a peer that is silent is asked and then left, and found again", async () => {
    await world.live({ heartbeatMs: 100 });
    const { peer } = world;
    peer.script = (message) => {
      if (message.type === "A") peer.behave(message);
    };
    await world.untilEvent("down the counterparty is silent");
    await peer.until("1");
    await world.untilEvent("live", 2);
  });
  test("a connection that breaks is made again and nothing is lost", async () => {
    await world.live();
    world.peer.socket?.destroy();
    world.report("while away", { isWritten: false });
    await world.untilEvent("live", 2);
    await world.untilEvent("message while away");
    assert.deepEqual(world.texts, ["while away"]);
  });
});

describe("what leaves", () => {
  test("nothing is kept for a session that is down", async () => {
    await world.live();
    world.peer.socket?.destroy();
    await world.untilEvent("down");
    assert.equal(world.order(), undefined);
    await world.untilEvent("live", 2);
    assert.equal(world.peer.of("D").length, 0);
  });
  test("a message whose connection ends before it is durable is told as certainly not sent", async () => {
    await world.live();
    const told = new Promise((resolve) => world.order(resolve));
    world.peer.socket?.destroy();
    // The connection ends before the file is synced, as far as the sender can know.
    await world.session.stop();
    assert.equal(typeof (await told), "boolean");
  });
  test("a logout of the peer is answered, and the session comes back", async () => {
    await world.live();
    world.peer.send("5", [[Tag.Text, "maintenance"]]);
    await world.untilEvent("down the counterparty logged out: maintenance");
    await world.peer.until(MsgType.Logout);
    await world.untilEvent("live", 2);
  });
});
