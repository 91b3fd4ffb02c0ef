// tier: real
/** The connector's messages, against a scripted broker. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { FixMessage } from "../../../../engine/connector/fix/wire/message.ts";
import { Tag } from "../../../../engine/connector/fix/wire/tag.ts";
import { untilTrue } from "../../../support/machine/until-true.ts";
import { codeOf, FixWorld } from "./support/fix-world.ts";

let world: FixWorld;
beforeEach(async () => {
  world = await FixWorld.make();
});
afterEach(async () => {
  await world.end();
});

const filling = (message: FixMessage) => {
  world.report(message, "0", 0);
  world.report(message, "2", 100);
};
const orders = () => world.peer.of("D");

describe("placing", () => {
  test("a market order goes out as one and is answered with the broker's acceptance", async () => {
    world.brokerDoes({ D: filling });
    await world.start();
    const reply = await world.place("a1");
    assert.equal(reply.ok && reply.data.orderNo, "a1");
    const order = orders()[0];
    const told = [Tag.Account, Tag.Symbol, Tag.Side, Tag.OrderQty, Tag.OrdType, Tag.Price].map((tag) =>
      order?.get(tag),
    );
    assert.deepEqual(told, ["9001", "THYAO", "2", "100", "1", undefined]);
    await untilTrue(() => world.updates.at(-1)?.orderStatus === 2);
    assert.equal(world.updates.at(-1)?.filledQuantity, 100);
    assert.equal(world.updates.at(-1)?.averagePrice, 12.5);
  });
  test("a market order as a limit that fills at once: beyond the last price, on the grid; without a price not sent", async () => {
    world.brokerDoes({ D: filling });
    await world.start({ orders: { marketAs: "limitIOC", collarPercent: 3 } });
    await world.place("a1");
    const order = orders()[0];
    assert.deepEqual(
      [Tag.OrdType, Tag.Price, Tag.TimeInForce].map((tag) => order?.get(tag)),
      ["2", "97", "3"],
    );
    world.lastPrice = undefined;
    assert.equal(codeOf(await world.place("a2")), "NOT_SENT");
  });
  test("a refusal is told with the broker's words, and again to a repeat, without a second order", async () => {
    world.brokerDoes({
      D: (message) =>
        world.report(message, "8", 0, [
          [Tag.Text, "no such position"],
          [Tag.OrdRejReason, "99"],
        ]),
    });
    await world.start();
    const refused = { ok: false as const, code: "REJECTED" as const, message: "no such position" };
    assert.deepEqual(await world.place("a1"), refused);
    assert.deepEqual(await world.place("a1"), refused);
    assert.equal(orders().length, 1);
  });
  test("PendingNew is no acceptance; the refusal that follows is one", async () => {
    world.brokerDoes({
      D: (message) => {
        world.report(message, "A", 0);
        setTimeout(() => world.report(message, "8", 0, [[Tag.Text, "halted"]]), 20);
      },
    });
    await world.start();
    assert.equal(codeOf(await world.place("a1")), "REJECTED");
  });
  test("a rejected message (35=3, 35=j) is a refusal; an application that is not there means later", async () => {
    const reject = (type: string, fields: [number, string][]) => (message: FixMessage) =>
      world.peer.send(type, [[Tag.RefSeqNum, message.get(Tag.MsgSeqNum) ?? ""], ...fields]);
    await world.start();
    world.brokerDoes({ D: reject("3", [[Tag.Text, "tag 59 missing"]]) });
    assert.equal(codeOf(await world.place("a1")), "REJECTED");
    world.brokerDoes({
      D: reject("j", [
        [Tag.RefMsgType, "D"],
        [Tag.BusinessRejectReason, "6"],
      ]),
    });
    assert.equal(codeOf(await world.place("a2")), "REJECTED");
    world.brokerDoes({
      D: reject("j", [
        [Tag.RefMsgType, "D"],
        [Tag.BusinessRejectReason, "4"],
      ]),
    });
    assert.equal(codeOf(await world.place("a3")), "NOT_SENT");
    world.brokerDoes({ D: filling });
    assert.equal(codeOf(await world.place("a3")), "ok");
  });
  test("a session that is down: certainly not sent, and nothing leaves later", async () => {
    await world.start();
    world.peer.script = () => undefined;
    world.peer.socket?.destroy();
    await untilTrue(() => !world.started.session.isLive);
    assert.equal(codeOf(await world.place("a1")), "NOT_SENT");
    assert.equal(world.started.connector.status().session, "down");
    world.peer.script = (message) => world.peer.behave(message);
    await untilTrue(() => world.started.session.isLive);
    assert.equal(orders().length, 0);
  });
  test("an account of another user is refused", async () => {
    await world.start();
    assert.equal(codeOf(await world.place("a1", { userId: 2 })), "REJECTED");
    assert.equal(orders().length, 0);
  });
});

describe("when the answer is lost", () => {
  beforeEach(() => {
    world.answerTimeoutSeconds = 1.5;
  });
  test("silence is an unknown outcome; the look-up finds the order, and a repeat makes no second one", async () => {
    world.brokerDoes({ H: (message) => world.report(message, "2", 100, [[Tag.ExecType, "I"]]) });
    await world.start();
    assert.equal(codeOf(await world.place("a1")), "UNAVAILABLE");
    const found = await world.find("a1");
    assert.equal(found.ok && found.data.filledQuantity, 100);
    assert.equal(codeOf(await world.place("a1")), "ok");
    assert.equal(orders().length, 1);
  });
  test("a repeat before the look-up asks first", async () => {
    world.brokerDoes({ H: (message) => world.report(message, "0", 0, [[Tag.ExecType, "I"]]) });
    await world.start();
    await world.place("a1");
    assert.equal(codeOf(await world.place("a1")), "ok");
    assert.equal(orders().length, 1);
  });
  test("the broker's proof that it has no such order: NOT_FOUND, and a repeat is a new message with PossResend", async () => {
    world.brokerDoes({ H: (message) => world.unknown(message) });
    await world.start();
    await world.place("a1");
    assert.equal(codeOf(await world.find("a1")), "NOT_FOUND");
    world.brokerDoes({ D: filling });
    assert.equal(codeOf(await world.place("a1")), "ok");
    assert.equal(orders()[1]?.get(Tag.PossResend), "Y");
    assert.equal(orders()[1]?.get(Tag.ClOrdID), "a1");
    assert.equal(orders()[0]?.get(Tag.PossResend), undefined);
  });
  test("an answer to an earlier question proves nothing about a later attempt", async () => {
    const questions: FixMessage[] = [];
    world.brokerDoes({ H: (message) => questions.push(message) });
    await world.start();
    await world.place("a1");
    assert.equal(codeOf(await world.find("a1")), "UNAVAILABLE");
    const second = world.find("a1");
    await untilTrue(() => questions.length === 2);
    world.unknown(questions[0] as FixMessage);
    assert.equal(codeOf(await second), "NOT_FOUND");
    await world.place("a1");
    const third = world.find("a1");
    await untilTrue(() => questions.length === 3);
    // The second question was asked before the second attempt.
    world.unknown(questions[1] as FixMessage);
    assert.equal(codeOf(await third), "UNAVAILABLE");
    assert.equal(orders().length, 2);
  });
  test("after a reset of the numbers 'unknown' is no proof: UNKNOWN, and never sent again", async () => {
    await world.start({ session: { resetOn: "logon" } });
    await world.place("a1");
    world.brokerDoes({ H: (message) => world.unknown(message) });
    world.peer.socket?.destroy();
    await untilTrue(() => world.peer.connectionCount >= 2 && world.started.session.isLive);
    assert.equal(codeOf(await world.find("a1")), "UNKNOWN");
    assert.equal(codeOf(await world.place("a1")), "UNKNOWN");
    assert.equal(orders().length, 1);
  });
  test("'duplicate order' is no refusal: the order is asked for", async () => {
    world.brokerDoes({
      D: (message) => world.report(message, "8", 0, [[Tag.OrdRejReason, "6"]]),
      H: (message) => world.report(message, "2", 100, [[Tag.ExecType, "I"]]),
    });
    await world.start();
    assert.deepEqual(await world.place("a1"), {
      ok: true,
      data: { orderNo: "a1", orderStatus: 2, filledQuantity: 100, averagePrice: 12.5 },
    });
  });
  test("a broker that takes no question: UNKNOWN, and the class is none where it is configured so", async () => {
    const isUnsupported = (message: FixMessage) =>
      world.peer.send("j", [
        [Tag.RefSeqNum, message.get(Tag.MsgSeqNum) ?? ""],
        [Tag.RefMsgType, "H"],
        [Tag.BusinessRejectReason, "3"],
      ]);
    world.brokerDoes({ H: isUnsupported });
    await world.start();
    assert.equal(world.started.connector.status().resend, "query");
    await world.place("a1");
    assert.equal(codeOf(await world.find("a1")), "UNKNOWN");
    await world.restart({ orders: { lookUp: "none" } });
    assert.equal(world.started.connector.status().resend, "none");
    assert.equal(codeOf(await world.find("a1")), "UNKNOWN");
  });
  test("'unknown id' as a business reject is proof as well", async () => {
    world.brokerDoes({
      H: (message) =>
        world.peer.send("j", [
          [Tag.RefSeqNum, message.get(Tag.MsgSeqNum) ?? ""],
          [Tag.RefMsgType, "H"],
          [Tag.BusinessRejectReason, "1"],
        ]),
    });
    await world.start();
    await world.place("a1");
    assert.equal(codeOf(await world.find("a1")), "NOT_FOUND");
  });
  test("an order that was never asked for here was never sent", async () => {
    await world.start();
    assert.equal(codeOf(await world.find("never")), "NOT_FOUND");
  });
  test("the answer that comes after the time-out is told all the same", async () => {
    world.brokerDoes({ D: (message) => setTimeout(() => world.report(message, "2", 100), 2_000) });
    await world.start();
    assert.equal(codeOf(await world.place("a1")), "UNAVAILABLE");
    await untilTrue(() => world.updates.at(-1)?.orderStatus === 2);
  });
});
