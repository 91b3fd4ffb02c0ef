// tier: real
/** NOT_NOW: a new order that the broker rejects as the exchange is closed. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { FixMessage } from "../../../../engine/connector/fix/wire/message.ts";
import { MsgType, Tag } from "../../../../engine/connector/fix/wire/tag.ts";
import { untilTrue } from "../../../support/machine/until-true.ts";
import { codeOf, FixWorld } from "./support/fix-world.ts";

let world: FixWorld;
beforeEach(async () => {
  world = await FixWorld.make();
});
afterEach(async () => {
  await world.end();
});

const closed = (message: FixMessage) =>
  world.report(message, "8", 0, [
    [Tag.OrdRejReason, "2"],
    [Tag.Text, "market closed"],
  ]);
const opened = (message: FixMessage) => void world.report(message, "0", 0);
const nameOf = (message: FixMessage | undefined) => message?.get(Tag.ClOrdID) ?? "";
const sentNames = () => world.peer.of("D").map(nameOf);

test("a new order that is rejected as the exchange is closed is NOT_NOW: nothing exists, and nothing is published", async () => {
  world.brokerDoes({ D: closed });
  await world.start();
  assert.deepEqual(await world.place("a1"), { ok: false, code: "NOT_NOW", message: "market closed" });
  assert.equal(codeOf(await world.find("a1")), "NOT_FOUND");
  assert.deepEqual(world.updates, []);
  await world.restart();
  assert.equal(codeOf(await world.find("a1")), "NOT_FOUND");
  assert.deepEqual(world.updates, []);
});

test("an older copy of the folder does not send again what may have been taken under a later name", async () => {
  await world.putBackFolderWithout("a1", async () => {
    world.brokerDoes({ D: closed });
    assert.equal(codeOf(await world.place("a1")), "NOT_NOW");
    world.brokerDoes({ D: opened });
  });
  // The broker closes on a logon with a low number, and so shows that the folder is older.
  world.peer.script = (message: FixMessage, peer) => {
    if (message.type !== MsgType.Logon || (message.int(Tag.MsgSeqNum) ?? 0) >= peer.expected)
      return peer.behave(message);
    peer.socket?.end();
  };
  await world.start();
  const sentBefore = sentNames().length;
  assert.equal(codeOf(await world.place("a1")), "UNAVAILABLE");
  assert.equal(sentNames().length, sentBefore);
});

test("each further attempt goes under a new ClOrdID and is reported under the order's own name", async () => {
  world.brokerDoes({ D: closed });
  await world.start();
  await world.place("a1");
  assert.equal(codeOf(await world.place("a1")), "NOT_NOW");
  await world.restart();
  world.brokerDoes({
    D: opened,
    F: (message) => world.report(message, "4", 40, [[Tag.OrigClOrdID, message.get(Tag.OrigClOrdID) ?? ""]]),
  });
  const placed = await world.place("a1");
  assert.equal(placed.ok && placed.data.orderNo, "a1");
  const names = sentNames();
  assert.equal(new Set(names).size, 3);
  assert.equal(names[0], "a1");
  assert.equal(world.peer.of("D")[2]?.get(Tag.PossResend), undefined);
  await world.restart();
  world.report(names[2] ?? "", "1", 40);
  await untilTrue(() => world.updates.at(-1)?.filledQuantity === 40);
  assert.equal(world.updates.at(-1)?.orderNo, "a1");
  assert.equal(codeOf(await world.cancel("a1")), "ok");
  assert.equal(world.peer.of("F")[0]?.get(Tag.OrigClOrdID), names[2]);
  await untilTrue(() => world.updates.at(-1)?.endedBy === "owner");
});

test("a further attempt can be of another kind and under another name of the symbol, an order that exists cannot", async () => {
  world.brokerDoes({ D: closed });
  await world.start();
  await world.place("a1");
  const changed = { symbol: "TURK", orderType: 2, price: 81 } as const;
  assert.equal(codeOf(await world.place("a1", changed)), "NOT_NOW");
  assert.equal(codeOf(await world.place("a1", { quantity: 7 })), "UNAVAILABLE", "other lots are another order");
  world.brokerDoes({ D: opened });
  const placed = await world.place("a1", changed);
  assert.equal(placed.ok && placed.data.orderNo, "a1");
  const sent = world.peer.of("D").map((message) => [message.get(Tag.Symbol), message.get(Tag.OrdType)]);
  assert.equal(sent.length, 3);
  assert.notDeepEqual(sent[1], sent[0]);
  assert.deepEqual(sent[2], sent[1]);
  assert.deepEqual(await world.place("a1"), {
    ...{ ok: false, code: "UNAVAILABLE", message: "this name was given to another order" },
  });
  assert.equal(world.peer.of("D").length, 3);
});

test("an earlier attempt that is reported as rejected again does not end the later one", async () => {
  world.brokerDoes({ D: closed });
  await world.start();
  await world.place("a1");
  await world.place("a1");
  world.brokerDoes({ D: opened });
  await world.place("a1");
  for (const name of sentNames().slice(0, 2)) {
    world.report(name, "8", 0, [
      [Tag.ExecType, "I"],
      [Tag.OrdRejReason, "2"],
    ]);
  }
  world.report(sentNames()[2] ?? "", "1", 10);
  await untilTrue(() => world.updates.at(-1)?.filledQuantity === 10);
  assert.equal(
    world.updates.every(({ orderStatus }) => orderStatus === 1),
    true,
  );
});

test("a later attempt without an answer is asked for by its own ClOrdID", async () => {
  world.answerTimeoutSeconds = 0.8;
  world.brokerDoes({ D: closed });
  await world.start();
  await world.place("a1");
  world.brokerDoes({ H: (message) => world.unknown(message) });
  assert.equal(codeOf(await world.place("a1")), "UNAVAILABLE");
  assert.equal(codeOf(await world.find("a1")), "NOT_FOUND");
  assert.equal(nameOf(world.peer.of("H")[0]), sentNames()[1]);
  world.brokerDoes({ D: opened });
  assert.equal(codeOf(await world.place("a1")), "ok");
  assert.deepEqual([sentNames()[2], world.peer.of("D")[2]?.get(Tag.PossResend)], [sentNames()[1], "Y"]);
});

test("a fill of an order that was rejected for now counts: the broker contradicts itself", async () => {
  world.brokerDoes({ D: closed });
  await world.start();
  await world.place("a1");
  world.report("a1", "2", 100);
  await untilTrue(() => world.updates.at(-1)?.filledQuantity === 100);
  assert.equal(codeOf(await world.place("a1")), "ok");
  assert.equal(sentNames().length, 1);
  assert.ok(world.log.lines.some(({ message }) => message === "a refused order was filled"));
});

test("another reason, or PendingNew before it, is a refusal", async () => {
  await world.start();
  world.brokerDoes({ D: (message) => world.report(message, "8", 0, [[Tag.OrdRejReason, "4"]]) });
  assert.equal(codeOf(await world.place("a1")), "REJECTED");
  world.brokerDoes({
    D: (message) => {
      world.report(message, "A", 0);
      closed(message);
    },
  });
  assert.equal(codeOf(await world.place("a2")), "REJECTED");
  const found = await world.find("a2");
  assert.deepEqual(found.ok && [found.data.orderStatus, found.data.endedBy], [4, "exchange"]);
});
