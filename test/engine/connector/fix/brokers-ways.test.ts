/** Formats that differ from broker to broker; none of them may cost a sell. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { Field, FixMessage } from "../../../../engine/connector/fix/wire/message.ts";
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

const isNew = (message: FixMessage) => void world.report(message, "0", 0);

/** The broker leaves out three numbers. */
async function leaveOut(): Promise<void> {
  const from = world.peer.nextOutgoing;
  world.peer.nextOutgoing += 3;
  world.peer.fillGap(from, from + 3);
  await untilTrue(() => world.started.session.numbers.incoming.expected === from + 3);
}

function reject(message: FixMessage, reason: string, more: readonly Field[]): void {
  world.peer.send("j", [[Tag.RefMsgType, message.type], [Tag.BusinessRejectReason, reason], ...more]);
}

describe("“order not found” under a reason that may mean anything", () => {
  const notKnown = (execType: string) => (question: FixMessage) =>
    void world.report(question, "8", 0, [
      [Tag.ExecID, "0"],
      [Tag.ExecType, execType],
      [Tag.OrderID, "NONE"],
      [Tag.OrdRejReason, "99"],
      [Tag.Text, "order not found"],
      [Tag.OrdStatusReqID, question.get(Tag.OrdStatusReqID) ?? ""],
    ]);

  for (const execType of ["I", "8"]) {
    test(`is no refusal of an order and no proof that there is none (150=${execType})`, async () => {
      await world.start();
      world.answerTimeoutSeconds = 0.3;
      await world.restart();
      assert.equal(codeOf(await world.place("a1")), "UNAVAILABLE");
      world.brokerDoes({ H: notKnown(execType) });
      assert.equal(codeOf(await world.find("a1")), "UNKNOWN");
      assert.equal(codeOf(await world.place("a1")), "UNKNOWN");
      assert.equal(world.peer.of("D").length, 1);
    });
  }

  test("leaves an order that was open before a reset of the numbers to a person", async () => {
    world.brokerDoes({ D: isNew });
    await world.start({ session: { resetOn: "logon" } });
    await world.place("a1");
    world.brokerDoes({ H: notKnown("I") });
    await world.restart({ session: { resetOn: "logon" } });
    await untilTrue(() => world.log.lines.some(({ message }) => message.includes("a person must look")));
    assert.equal(codeOf(await world.find("a1")), "UNKNOWN");
    assert.ok(world.updates.every(({ orderStatus }) => orderStatus !== 4));
  });
});

describe("a business reject of an order", () => {
  test("is its refusal also where it names no number but the order", async () => {
    await world.start();
    world.brokerDoes({
      D: (message) => reject(message, "2", [[Tag.BusinessRejectRefID, message.get(Tag.ClOrdID) ?? ""]]),
    });
    assert.equal(codeOf(await world.place("a1")), "REJECTED");
  });
  test("for too many messages judges nothing", async () => {
    await world.start();
    world.brokerDoes({ D: (message) => reject(message, "8", [[Tag.RefSeqNum, message.get(Tag.MsgSeqNum) ?? ""]]) });
    assert.equal(codeOf(await world.place("a1")), "NOT_SENT");
  });
});

describe("positions", () => {
  const positionOf = (id: string, symbol: string, quantities: readonly Field[]): readonly Field[] => [
    [Tag.PosReqID, id],
    [Tag.Symbol, symbol],
    [Tag.SettlPrice, "12.5"],
    [Tag.NoPositions, String(quantities.length / 2)],
    ...quantities,
  ];

  test("are whole where their number is told before them only", async () => {
    world.brokerDoes({
      [MsgType.RequestForPositions]: (message) => {
        const id = message.get(Tag.PosReqID) ?? "";
        world.peer.send("AO", [
          [Tag.PosReqID, id],
          [Tag.TotalNumPosReports, "2"],
          [Tag.PosReqResult, "0"],
        ]);
        for (const symbol of ["THYAO", "GARAN"]) {
          const held: readonly Field[] = [
            [Tag.PosType, "TQ"],
            [Tag.LongQty, "300"],
          ];
          world.peer.send("AP", positionOf(id, symbol, held));
        }
      },
    });
    await world.start({ orders: { positions: true } });
    const reply = await world.started.connector.positions({ userId: 1, accountNumber: "ACC1" });
    assert.deepEqual(reply.ok && reply.data.map(({ symbol, quantity }) => [symbol, quantity]), [
      ["THYAO", 300],
      ["GARAN", 300],
    ]);
  });

  test("are what the day comes to, and not that and its beginning added up", async () => {
    world.brokerDoes({
      [MsgType.RequestForPositions]: (message) => {
        const held: readonly Field[] = [
          [Tag.PosType, "SOD"],
          [Tag.LongQty, "300"],
          [Tag.PosType, "FIN"],
          [Tag.LongQty, "320"],
        ];
        const id = message.get(Tag.PosReqID) ?? "";
        world.peer.send("AP", [[Tag.TotalNumPosReports, "1"], ...positionOf(id, "THYAO", held)]);
      },
    });
    await world.start({ orders: { positions: true } });
    const reply = await world.started.connector.positions({ userId: 1, accountNumber: "ACC1" });
    assert.equal(reply.ok && reply.data[0]?.quantity, 320);
  });
});

test("an open order is asked for until it is answered, though the first question had no answer", async () => {
  world.answerTimeoutSeconds = 0.3;
  world.brokerDoes({ D: isNew });
  await world.start();
  await world.place("a1");
  world.brokerDoes({ H: (message) => reject(message, "4", [[Tag.RefSeqNum, message.get(Tag.MsgSeqNum) ?? ""]]) });
  await leaveOut();
  await world.peer.until("H");
  world.brokerDoes({ H: (message) => void world.report(message, "2", 100, [[Tag.ExecType, "I"]]) });
  await untilTrue(() => world.updates.at(-1)?.orderStatus === 2);
});

test("a fill without a price is asked for (behaviour 5.2)", async () => {
  world.brokerDoes({
    D: (message) => void world.report(message, "2", 100, [[Tag.AvgPx, "0"]]),
    H: (message) => void world.report(message, "2", 100, [[Tag.ExecType, "I"]]),
  });
  await world.start();
  await world.place("a1", { buySell: 1 });
  const found = await world.find("a1");
  assert.equal(found.ok && found.data.averagePrice, 12.5);
});

test("answers that all have the ExecID 0 each count", async () => {
  const answerOf = (status: string) => (message: FixMessage) =>
    void world.report(message, status, 40, [
      [Tag.ExecID, "0"],
      [Tag.ExecType, status],
    ]);
  world.brokerDoes({ D: (message) => void world.report(message, "1", 40), H: answerOf("1") });
  await world.start();
  await world.place("a1");
  await leaveOut();
  await world.peer.until("H");
  world.brokerDoes({ H: answerOf("4") });
  await leaveOut();
  await untilTrue(() => world.updates.at(-1)?.orderStatus === 3);
  assert.equal(world.updates.at(-1)?.filledQuantity, 40);
});

test("fills of an order that the broker's desk replaced come under its new name", async () => {
  world.brokerDoes({ D: isNew });
  await world.start();
  await world.place("a1");
  world.report("DESK-7", "0", 0, [
    [Tag.ExecType, "5"],
    [Tag.OrigClOrdID, "a1"],
  ]);
  world.report("DESK-7", "2", 100);
  await untilTrue(() => world.updates.at(-1)?.orderStatus === 2);
  assert.deepEqual([world.updates.at(-1)?.clientOrderId, world.updates.at(-1)?.filledQuantity], ["a1", 100]);
});

describe("an older copy of the folder, and a broker that turns a low number away without a word", () => {
  for (const how of ["closes the connection", "logs out without a text"]) {
    test(`vouches for no order that the copy lacks: it ${how}`, async () => {
      world.brokerDoes({ D: (message) => void world.report(message, "2", 100) });
      await world.putBackFolderWithout("a1");
      world.peer.script = (message: FixMessage, peer) => {
        const number = message.int(Tag.MsgSeqNum) ?? 0;
        if (message.type !== MsgType.Logon || number >= peer.expected) return peer.behave(message);
        if (how.startsWith("logs")) peer.send(MsgType.Logout, []);
        peer.socket?.end();
      };
      await world.start();
      assert.equal(codeOf(await world.find("a1")), "UNKNOWN");
    });
  }
});
