// tier: real
/** Who ended an order, as the connector reports it. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { knownOrderSchema } from "../../../../engine/connector/fix/order/order.ts";
import { cancelRecordSchema } from "../../../../engine/connector/fix/order/sent-orders.ts";
import type { Field, FixMessage } from "../../../../engine/connector/fix/wire/message.ts";
import { Tag } from "../../../../engine/connector/fix/wire/tag.ts";
import { untilTrue } from "../../../support/machine/until-true.ts";
import { FixWorld } from "./support/fix-world.ts";

const ExecRestatementReason = Tag.ExecRestatementReason;

let world: FixWorld;
beforeEach(async () => {
  world = await FixWorld.make();
  world.brokerDoes({ D: (message) => world.report(message, "0", 0) });
  await world.start();
  await world.place("a1");
});
afterEach(async () => {
  await world.end();
});

/** Who ended the order by the look-up; undefined: the record does not state it. */
async function endedBy(): Promise<unknown> {
  const found = await world.find("a1");
  assert.ok(found.ok);
  return found.data.endedBy;
}

/** Reports about the order, and waits until the last one was published as an end. */
async function ends(status: string, filled: number, ...more: readonly Field[]): Promise<void> {
  world.report("a1", status, filled, more);
  await untilTrue(() => (world.updates.at(-1)?.orderStatus ?? 0) >= 2);
}

const cancelled = (message: FixMessage, ...more: readonly Field[]) =>
  world.report(message, "4", 0, [[Tag.OrigClOrdID, message.get(Tag.OrigClOrdID) ?? ""], ...more]);

describe("endedBy: owner", () => {
  test("Canceled under the name of a request of ours, in the record and in the update, also after a restart", async () => {
    world.brokerDoes({ F: (message) => cancelled(message) });
    await world.cancel("a1");
    assert.equal(await endedBy(), "owner");
    await untilTrue(() => world.updates.at(-1)?.endedBy === "owner");
    await world.restart();
    assert.equal(await endedBy(), "owner");
  });
  test("also if the answer comes after a restart of the connector", async () => {
    world.brokerDoes({ F: () => undefined });
    void world.cancel("a1");
    const request = await world.peer.until("F");
    await world.started.stop();
    await world.start();
    cancelled(request);
    await untilTrue(() => world.updates.at(-1)?.orderStatus === 3);
    assert.equal(await endedBy(), "owner");
  });
  test("not under the order's own name, and not under a name that the broker's desk gave it", async () => {
    world.brokerDoes({ F: () => world.report("a1", "4", 0) });
    void world.cancel("a1");
    await untilTrue(() => world.updates.at(-1)?.orderStatus === 3);
    assert.equal(await endedBy(), undefined);
    world.brokerDoes({ D: (message) => world.report(message, "0", 0) });
    await world.place("a2");
    world.report("DESK-1", "5", 0, [[Tag.OrigClOrdID, "a2"]]);
    world.report("DESK-1", "4", 0, [[Tag.OrigClOrdID, "a2"]]);
    await untilTrue(() => world.updates.at(-1)?.clientOrderId === "a2" && world.updates.at(-1)?.orderStatus === 3);
    assert.equal(world.updates.at(-1)?.endedBy, undefined);
  });
  test("not if the report also gives a reason for a cancellation that was not asked for", async () => {
    world.brokerDoes({ F: (message) => cancelled(message, [ExecRestatementReason, "6"]) });
    await world.cancel("a1");
    assert.equal(await endedBy(), undefined);
  });
});

describe("endedBy: exchange and brokerage", () => {
  test("Expired and DoneForDay are the exchange's, with what filled", async () => {
    await ends("C", 40);
    const found = await world.find("a1");
    assert.deepEqual(found.ok && [found.data.endedBy, found.data.filledQuantity], ["exchange", 40]);
    await world.place("a2");
    world.report("a2", "3", 0);
    await untilTrue(() => world.updates.at(-1)?.clientOrderId === "a2" && world.updates.at(-1)?.orderStatus === 3);
    assert.equal(world.updates.at(-1)?.endedBy, "exchange");
  });
  for (const [reason, by] of [
    ["4", "brokerage"],
    ["6", "exchange"],
    ["8", "exchange"],
    ["2", undefined],
    ["7", undefined],
    ["99", undefined],
  ] as const) {
    test(`Canceled unasked with ExecRestatementReason ${reason}: ${by ?? "not stated"}`, async () => {
      await ends("4", 0, [ExecRestatementReason, reason]);
      assert.equal(await endedBy(), by);
    });
  }
  test("Canceled unasked without a reason, whatever its text, is not stated", async () => {
    await ends("4", 0, [Tag.Text, "cancelled by the exchange"]);
    assert.equal(await endedBy(), undefined);
  });
  test("Rejected after New: the exchange's if it is closed, else not stated", async () => {
    await ends("8", 0, [Tag.OrdRejReason, "2"]);
    assert.equal(await endedBy(), "exchange");
    await world.place("a2");
    world.report("a2", "8", 0, [[Tag.OrdRejReason, "0"]]);
    await untilTrue(() => world.updates.at(-1)?.clientOrderId === "a2" && world.updates.at(-1)?.orderStatus === 4);
    assert.equal(world.updates.at(-1)?.endedBy, undefined);
  });
});

describe("endedBy over several reports", () => {
  test("the report that ended the order decides: DoneForDay in the evening changes nothing", async () => {
    await ends("4", 0);
    world.report("a1", "3", 0, [[Tag.Text, "done for day"]]);
    await untilTrue(() => world.updates.at(-1)?.message === "done for day");
    assert.equal(await endedBy(), undefined);
  });
  test("a fill of the whole after the end, and a bust that opens the order, take it away", async () => {
    await ends("C", 0);
    assert.equal(await endedBy(), "exchange");
    world.report("a1", "2", 100);
    await untilTrue(() => world.updates.at(-1)?.filledQuantity === 100);
    assert.equal(await endedBy(), undefined);
    world.report("a1", "0", 0, [[Tag.ExecType, "H"]]);
    await untilTrue(() => world.updates.at(-1)?.orderStatus === 1);
    assert.equal(await endedBy(), undefined);
  });
  test("rows of before these fields are read: neither who ended an order nor whose a name is was kept", () => {
    const row = {
      ...{ clientOrderId: "x", accountNumber: "A", symbol: "THYAO", buySell: 2, orderType: 1, quantity: 1, price: 0 },
      ...{ standing: "accepted", life: 1, number: 2, isOneLife: true, orderId: null, orderStatus: 3 },
      ...{ filledQuantity: 0, averagePrice: 0, text: "", createdMs: 0, updatedMs: 0 },
    };
    const { endedBy: by, wireName } = knownOrderSchema.parse(row);
    assert.deepEqual([by, wireName], [null, null]);
    const name = cancelRecordSchema.parse({ kind: "cancel", name: "C1", clientOrderId: "x" });
    assert.equal(name.use, "broker");
  });
});
