/**
 * Entries whose filled part is protected while the buy works, over a partition and a paper brokerage (behaviour 24.7).
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { OcoRowView } from "../../../../src/contract/trading/oco.ts";
import type { OrderRecord } from "../../../../src/contract/trading/order.ts";
import type { SetupView } from "../../../../src/contract/trading/setup.ts";
import { ACCOUNT, startWorld, type TradingWorld } from "../../../support/world/trading-world.ts";

const PAPER = { startingCash: 1e6, startingPositions: { THYAO: 1_000 }, requiresLogin: false, fillShareMax: 1 };
const place = { brokerageCode: "PAPER", accountNumber: ACCOUNT };
const entry = {
  ...place,
  symbol: "THYAO",
  entry: { orderType: 2, price: 100, quantity: 100 },
  stopLossPercent: 3,
  takeProfitItems: [
    { percent: 5, quantityPercent: 50 },
    { percent: 5, quantityPercent: 50 },
  ],
};

class Entry {
  readonly world: TradingWorld;
  readonly setupId: number;
  buy: OrderRecord;

  /** Numbers of orders that the engine asked to cancel. */
  readonly cancelled: string[] = [];

  private constructor(world: TradingWorld, setupId: number, buy: OrderRecord) {
    this.world = world;
    this.setupId = setupId;
    this.buy = buy;
    const { paper } = world;
    const findOrder = paper.findOrder.bind(paper);
    // This test alone fills the buy, never a price.
    paper.onTick = () => undefined;
    paper.findOrder = (request) => {
      const isBuy = request.orderNo === buy.orderNo || request.clientOrderId === buy.clientOrderId;
      return isBuy ? Promise.resolve({ ok: true, data: this.buy }) : findOrder(request);
    };
    paper.cancel = ({ orderNo }) => {
      this.cancelled.push(orderNo);
      return Promise.resolve({ ok: true, data: { orderNo, orderStatus: 1 } });
    };
  }

  /** An entry at a price under the market, so that its limit order rests. */
  static async open(change: object = {}): Promise<Entry> {
    const world = await startWorld({ paper: PAPER });
    await world.tick("THYAO", 102);
    const { setupId } = (await world.done("setup.enter", { ...entry, ...change })) as { setupId: number };
    const [buy] = await world.orders();
    assert.ok(buy !== undefined);
    return new Entry(world, setupId, buy);
  }

  /** The brokerage has filled `filledQuantity` lots in all. */
  async fill(filledQuantity: number, averagePrice = 100, isEnded = false): Promise<void> {
    const orderStatus = filledQuantity >= 100 ? 2 : isEnded ? 3 : 1;
    this.buy = { ...this.buy, filledQuantity, averagePrice, orderStatus };
    await this.world.tell(this.buy);
    await this.world.time.advance(1_000);
  }

  async price(price: number): Promise<void> {
    await this.world.tick("THYAO", price);
    await this.world.time.advance(100);
  }

  async rows(): Promise<readonly (readonly [price: number, quantity: number, status: number])[]> {
    const rows = (await this.world.query("oco.list", place)) as OcoRowView[];
    return rows.map(({ price, quantity, status }) => [price, quantity, status] as const);
  }

  async sells(): Promise<readonly number[]> {
    const orders = await this.world.orders();
    return orders.filter(({ buySell }) => buySell === 2).map(({ quantity }) => quantity);
  }

  async pending(): Promise<SetupView | undefined> {
    return ((await this.world.query("setup.list", place)) as SetupView[])[0];
  }
}

describe("a part of an entry that is filled (behaviour 24.7)", () => {
  test("has its group at once, and the group grows with each fill", async () => {
    const one = await Entry.open();
    await one.fill(40);
    assert.deepEqual(await one.rows(), [
      [97, 40, 1],
      [105, 20, 1],
      [105, 20, 1],
    ]);
    const { entry: shown } = (await one.pending()) ?? {};
    assert.equal(typeof shown?.groupId, "number");
    await one.fill(100);
    assert.deepEqual(await one.rows(), [
      [97, 100, 1],
      [105, 50, 1],
      [105, 50, 1],
    ]);
    assert.equal(await one.pending(), undefined);
    const [changed, ...others] = one.world.eventsOf("oco.changed");
    assert.deepEqual([changed?.version, others.length], [2, 0]);
    assert.equal(one.world.eventsOf("setup.converted").length, 1);
    await one.price(96.9);
    assert.deepEqual(await one.sells(), [100]);
  });

  test("is counted once, however often the brokerage reports it, and over a kill at every step", async () => {
    const one = await Entry.open();
    for (const filled of [40, 40, 60, 40, 60]) {
      await one.fill(filled);
      await one.world.restart();
      await one.fill(filled);
    }
    assert.deepEqual(
      (await one.rows()).map(([, quantity]) => quantity),
      [60, 30, 30],
    );
    await one.fill(100);
    await one.world.restart();
    await one.price(96.9);
    assert.deepEqual(await one.sells(), [100]);
  });

  for (const isKept of [true, false]) {
    test(`a kill in the step that grows its group, whose batch is ${isKept ? "kept" : "lost"}: no lot is lost or doubled`, async () => {
      const one = await Entry.open();
      await one.fill(40);
      const { host } = one.world.partition;
      const deliver = host.deliver.bind(host);
      host.deliver = (kind, id, event) => {
        if (event.type === "grow") queueMicrotask(() => one.world.kill(isKept));
        return deliver(kind, id, event);
      };
      one.buy = { ...one.buy, filledQuantity: 60 };
      await one.world.tell(one.buy);
      await one.world.start();
      await one.world.time.advance(60_000);
      assert.deepEqual(
        (await one.rows()).map(([, quantity]) => quantity),
        [60, 30, 30],
      );
      await one.price(96.9);
      assert.deepEqual(await one.sells(), [60]);
    });
  }

  test("has the levels of the average price", async () => {
    const one = await Entry.open();
    await one.fill(40, 99);
    assert.deepEqual((await one.rows())[0], [96.05, 40, 1]);
    await one.fill(80, 100);
    assert.deepEqual(await one.rows(), [
      [97, 80, 1],
      [105, 40, 1],
      [105, 40, 1],
    ]);
  });

  test("leaves a take-profit out until it has a lot", async () => {
    const one = await Entry.open({
      takeProfitItems: [
        { percent: 5, quantity: 1 },
        { percent: 6, quantity: 99 },
      ],
    });
    await one.fill(40);
    assert.deepEqual((await one.rows()).slice(1), [[106, 40, 1]]);
    await one.fill(100);
    assert.deepEqual((await one.rows()).slice(1), [
      [105, 1, 1],
      [106, 99, 1],
    ]);
  });
});

describe("the stop-loss of a part fires (behaviour 24.8)", () => {
  test("what is filled is sold, the buy is cancelled, and lots that still come are sold too", async () => {
    const one = await Entry.open();
    await one.fill(40);
    await one.price(96.9);
    assert.deepEqual(await one.sells(), [40]);
    assert.deepEqual(one.cancelled, [one.buy.orderNo]);
    await one.fill(50);
    assert.deepEqual(await one.sells(), [40, 10]);
    assert.match(String(one.world.eventsOf("oco.lateFill")[0]?.message), /^10 lots/);
    await one.world.restart();
    await one.fill(50, 100, true);
    await one.fill(60, 100, true);
    assert.deepEqual(await one.sells(), [40, 10, 10]);
    assert.deepEqual((await one.rows())[0], [97, 60, 2]);
    assert.equal(await one.pending(), undefined);
  });

  test("while its sell is unanswered: more lots wait for it", async () => {
    const one = await Entry.open();
    await one.fill(40);
    one.world.isMute = true;
    await one.price(96.9);
    await one.fill(50);
    one.world.isMute = false;
    await one.world.restart();
    await one.world.time.advance(30_000);
    assert.deepEqual(await one.sells(), [40, 10]);
  });
});

describe("a take-profit of a part fires (behaviour 24.8)", () => {
  test("more lots go to the open ones, and the stop-loss sells no lot that was sold", async () => {
    const one = await Entry.open({
      takeProfitItems: [
        { percent: 5, quantityPercent: 50 },
        { percent: 9, quantityPercent: 50 },
      ],
    });
    await one.fill(40);
    await one.price(105);
    assert.deepEqual(await one.sells(), [20]);
    await one.fill(100);
    assert.deepEqual(await one.rows(), [
      [97, 100, 1],
      [105, 20, 2],
      [109, 80, 1],
    ]);
    await one.price(96.9);
    assert.deepEqual(await one.sells(), [20, 80]);
  });

  test("all of them: the stop-loss stays for what is still bought", async () => {
    const one = await Entry.open();
    await one.fill(40);
    await one.price(105);
    assert.deepEqual(await one.sells(), [20, 20]);
    assert.equal((await one.rows())[0]?.[2], 1);
    await one.fill(60);
    assert.deepEqual((await one.rows())[0], [97, 60, 1]);
    await one.price(96.9);
    assert.deepEqual(await one.sells(), [20, 20, 20]);
  });

  test("all of them, and nothing more is bought: the stop-loss is cancelled", async () => {
    const one = await Entry.open();
    await one.fill(40);
    await one.price(105);
    await one.fill(40, 100, true);
    await one.world.time.advance(4_000_000);
    assert.equal((await one.rows())[0]?.[2], 4);
  });
});

describe("the end of an entry with a part (behaviour 24.9)", () => {
  test("its owner removes it: the buy is cancelled, and the group stays", async () => {
    const one = await Entry.open();
    await one.fill(40);
    assert.ok((await one.world.command("setup.remove", { id: one.setupId, brokerageCode: "PAPER" })).ok);
    await one.fill(40, 100, true);
    assert.equal(await one.pending(), undefined);
    assert.deepEqual((await one.rows())[0], [97, 40, 1]);
    assert.equal(one.world.eventsOf("setup.converted").length, 1);
    await one.price(96.9);
    assert.deepEqual(await one.sells(), [40]);
  });

  test("its group is cancelled: the buy is cancelled, and the owner is told of lots that still come", async () => {
    const one = await Entry.open();
    await one.fill(40);
    const groupId = (await one.pending())?.entry?.groupId;
    assert.ok((await one.world.command("oco.cancel", { id: groupId, brokerageCode: "PAPER" })).ok);
    await one.world.time.advance(100);
    assert.deepEqual(one.cancelled, [one.buy.orderNo]);
    await one.fill(50, 100, true);
    assert.match(String(one.world.eventsOf("alarm.exitStopped")[0]?.message), /10 lots .* nothing watches/);
    assert.deepEqual(await one.sells(), []);
  });

  test("no group can be made of the first part: its owner is told, and the next fill tries again", async () => {
    const one = await Entry.open();
    const group = { ...place, symbol: "THYAO", stopLossPrice: 90, stopLossQuantity: 5 };
    const { groupId } = (await one.world.done("oco.create", {
      ...group,
      takeProfitItems: [{ price: 120, quantity: 5 }],
    })) as OcoRowView;
    await one.fill(40);
    assert.match(String(one.world.eventsOf("setup.unprotected")[0]?.message), /active OCO group/);
    assert.match(String((await one.pending())?.orderMessage), /active OCO group/);
    await one.world.command("oco.cancel", { id: groupId, brokerageCode: "PAPER" });
    await one.fill(60);
    assert.deepEqual((await one.rows()).slice(-3)[0], [97, 60, 1]);
    assert.equal((await one.pending())?.orderMessage, null);
    assert.equal(one.world.eventsOf("setup.unprotected").length, 1);
  });

  test("a change of the setup is refused once it has a group; a change of the group keeps what its owner gave", async () => {
    const one = await Entry.open();
    await one.fill(40);
    const changed = await one.world.command("setup.change", { id: one.setupId, change: { stopLossPercent: 5 } });
    assert.deepEqual([!changed.ok && changed.code], ["CONFLICT"]);
    const groupId = (await one.pending())?.entry?.groupId;
    assert.ok((await one.world.command("oco.change", { id: groupId, change: { stopLossPrice: 96 } })).ok);
    await one.fill(60, 99.5);
    assert.deepEqual(await one.rows(), [
      [96, 60, 1],
      [105, 20, 1],
      [105, 20, 1],
    ]);
  });
});
