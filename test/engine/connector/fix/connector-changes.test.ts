/** What the connector keeps over restarts, cancels and reports that make no sense. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { fixConnector } from "../../../../engine/connector/fix/start.ts";
import { MsgType, Tag } from "../../../../engine/connector/fix/wire/tag.ts";
import { loopTimers, steadyClock, systemClock } from "../../../../src/runtime/clock.ts";
import { untilTrue } from "../../../support/machine/until-true.ts";
import { codeOf, configFor, FixWorld } from "./support/fix-world.ts";
import { throwing } from "./support/session-world.ts";

let world: FixWorld;
beforeEach(async () => {
  world = await FixWorld.make();
});
afterEach(async () => {
  await world.end();
});

const orders = () => world.peer.of("D");

describe("over a restart", () => {
  test("orders, fills and names are known; what was filled meanwhile is told once", async () => {
    world.brokerDoes({ D: (message) => world.report(message, "1", 40) });
    await world.start();
    await world.place("a1");
    await world.started.stop();
    world.report("a1", "2", 100, [], { isWritten: false });
    await world.start();
    await untilTrue(() => world.updates.some(({ filledQuantity }) => filledQuantity === 100));
    assert.equal(world.updates.filter(({ filledQuantity }) => filledQuantity === 100).length, 1);
    assert.equal(codeOf(await world.place("a1")), "ok");
    assert.equal(orders().length, 1);
  });
  test("an order without an outcome is asked for at the logon", async () => {
    world.answerTimeoutSeconds = 0.8;
    await world.start();
    await world.place("a1");
    world.brokerDoes({ H: (message) => world.report(message, "2", 100, [[Tag.ExecType, "I"]]) });
    await world.restart();
    await untilTrue(() => world.updates.at(-1)?.filledQuantity === 100);
  });
  test("open orders are asked for after a reset; one that the broker has forgotten waits for a person", async () => {
    world.brokerDoes({ D: (message) => world.report(message, "0", 0) });
    await world.start({ session: { resetOn: "logon" } });
    await world.place("a1");
    await world.place("a2");
    world.brokerDoes({
      H: (message) => {
        if (message.get(Tag.ClOrdID) === "a1") world.report(message, "2", 100, [[Tag.ExecType, "I"]]);
        else world.unknown(message);
      },
    });
    await world.restart({ session: { resetOn: "logon" } });
    await untilTrue(() => world.log.lines.some(({ message }) => message.includes("no longer knows")));
    const [first, second] = [await world.find("a1"), await world.find("a2")];
    assert.equal(first.ok && first.data.filledQuantity, 100);
    assert.equal(codeOf(second), "UNKNOWN");
  });
  test("reports that the peer filled over are asked for", async () => {
    world.brokerDoes({ D: (message) => world.report(message, "0", 0) });
    await world.start();
    await world.place("a1");
    world.brokerDoes({ H: (message) => world.report(message, "2", 100, [[Tag.ExecType, "I"]]) });
    const from = world.peer.nextOutgoing;
    world.peer.nextOutgoing += 3;
    world.peer.fillGap(from, from + 3);
    await untilTrue(() => world.updates.at(-1)?.filledQuantity === 100);
  });
  test("a folder that is lost is not made again in silence", async () => {
    await world.start();
    await world.started.stop();
    const settings = configFor(world.peer.port, `${world.folder}/elsewhere`);
    const shared = { clock: systemClock, steadyClock, timers: loopTimers, log: world.log, fatal: throwing };
    await assert.rejects(fixConnector.open({ settings, ...shared, lastPriceOf: () => 1 }), /holds no journal/);
    await fixConnector.make(settings, shared);
    await assert.rejects(fixConnector.make(settings, shared), /holds a journal/);
    await world.start();
  });
  test("a second process on the folder, and a folder of another session, are refused", async () => {
    await world.start();
    const other = await FixWorld.make();
    await other.peer.stop();
    Object.assign(other, { folder: world.folder, peer: world.peer });
    await assert.rejects(other.start(), /in use by another process/);
    await world.started.stop();
    await assert.rejects(
      other.start({ session: { senderCompId: "OTHER" } }),
      /belongs to the session FIX.4.4:ME->DESK/,
    );
    await world.start();
  });
});

describe("cancelling", () => {
  const open = async () => {
    world.brokerDoes({ D: (message) => world.report(message, "0", 0) });
    await world.start();
    await world.place("a1");
  };
  test("goes under a name of its own, with the order's in 41", async () => {
    await open();
    world.brokerDoes({
      F: (message) => {
        const names = [[Tag.OrigClOrdID, message.get(Tag.OrigClOrdID) ?? ""]] as const;
        world.report(message, "6", 0, names);
        world.report(message, "4", 0, names);
      },
    });
    assert.deepEqual(await world.cancel("a1"), { ok: true, data: { orderNo: "a1", orderStatus: 3 } });
    const request = world.peer.of("F")[0];
    assert.equal(request?.get(Tag.OrigClOrdID), "a1");
    assert.notEqual(request?.get(Tag.ClOrdID), "a1");
    assert.equal(codeOf(await world.cancel("a1")), "REJECTED");
  });
  test("that is refused tells the broker's words, and the order stays open", async () => {
    await open();
    world.brokerDoes({
      F: (message) =>
        world.peer.send("9", [
          [Tag.ClOrdID, message.get(Tag.ClOrdID) ?? ""],
          [Tag.OrigClOrdID, "a1"],
          [Tag.OrdStatus, "0"],
          [Tag.CxlRejReason, "0"],
          [Tag.Text, "too late"],
        ]),
    });
    assert.deepEqual(await world.cancel("a1"), { ok: false, code: "REJECTED", message: "too late" });
    const found = await world.find("a1");
    assert.equal(found.ok && found.data.orderStatus, 1);
  });
  test("that crosses the fill: the order is completed", async () => {
    await open();
    world.brokerDoes({
      F: (message) => {
        world.report("a1", "2", 100);
        world.peer.send("9", [
          [Tag.ClOrdID, message.get(Tag.ClOrdID) ?? ""],
          [Tag.OrigClOrdID, "a1"],
          [Tag.OrdStatus, "2"],
          [Tag.Text, "filled"],
        ]);
      },
    });
    assert.equal(codeOf(await world.cancel("a1")), "REJECTED");
    const found = await world.find("a1");
    assert.equal(found.ok && found.data.orderStatus, 2);
  });
  test("that gets no answer may have been taken; of an order that was never sent it is NOT_FOUND", async () => {
    world.answerTimeoutSeconds = 0.8;
    await open();
    assert.equal(codeOf(await world.cancel("a1")), "UNAVAILABLE");
    assert.equal(codeOf(await world.cancel("zz")), "NOT_FOUND");
  });
  test("by the broker unasked, also without the order's name", async () => {
    await open();
    world.peer.send("8", [
      [Tag.OrderID, "Na1"],
      [Tag.ExecID, "U1"],
      [Tag.ExecType, "4"],
      [Tag.OrdStatus, "4"],
      [Tag.CumQty, "0"],
      [Tag.LeavesQty, "0"],
    ]);
    await untilTrue(() => world.updates.at(-1)?.orderStatus === 3);
  });
});

describe("what makes no sense", () => {
  test("reports about nobody's order, without quantity, and unknown messages change nothing and are told", async () => {
    world.brokerDoes({ D: (message) => world.report(message, "0", 0) });
    await world.start();
    await world.place("a1");
    world.report("other", "2", 100);
    world.report("a1", "2", 0, [[Tag.CumQty, "many"]]);
    world.peer.send("B", [[148, "news"]]);
    world.report("a1", "1", 10);
    await untilTrue(() => world.updates.at(-1)?.filledQuantity === 10);
    assert.equal(
      world.updates.every(({ clientOrderId }) => clientOrderId === "a1"),
      true,
    );
    const told = world.log.lines.filter(({ level }) => level === "error").map(({ message }) => message);
    assert.deepEqual(told, ["a report about an order that is not ours", "an unreadable report"]);
  });
});

describe("FIX 4.2 and positions", () => {
  test("the same over FIX 4.2, by its own fields", async () => {
    world.brokerDoes({ D: (message) => world.report(message, "2", 100, [[Tag.ExecTransType, "0"]]) });
    await world.start({ session: { version: "FIX.4.2" } });
    assert.equal(codeOf(await world.place("a1")), "ok");
    world.report("a1", "0", 0, [[Tag.ExecTransType, "1"]]);
    await untilTrue(() => world.updates.at(-1)?.filledQuantity === 0);
  });
  test("positions are those of the broker", async () => {
    world.brokerDoes({
      [MsgType.RequestForPositions]: (message) => {
        const id = message.get(Tag.PosReqID) ?? "";
        for (const [symbol, long] of [
          ["THYAO", "300"],
          ["GARAN", "20"],
        ] as const) {
          world.peer.send("AP", [
            [Tag.PosReqID, id],
            [Tag.TotalNumPosReports, "2"],
            [Tag.Symbol, symbol],
            [Tag.SettlPrice, "12.5"],
            [Tag.NoPositions, "1"],
            [Tag.PosType, "TQ"],
            [Tag.LongQty, long],
          ]);
        }
      },
    });
    await world.start({ orders: { positions: true } });
    const reply = await world.started.connector.positions({ userId: 1, accountNumber: "ACC1" });
    assert.deepEqual(reply.ok && reply.data.map(({ symbol, quantity }) => [symbol, quantity]), [
      ["THYAO", 300],
      ["GARAN", 20],
    ]);
  });
});
