/** Positions around a corporate action: new numbers of shares are no sells (behaviour 28.9). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS, QUERIES } from "../../../src/contract/command.ts";
import { ACTION_COMMANDS } from "../../../src/contract/operator/corporate-action.ts";
import type { OcoRowView } from "../../../src/contract/trading/oco.ts";
import type { PlanView } from "../../../src/contract/trading/plan.ts";
import { startWorld, type TradingWorld } from "../../support/world/trading-world.ts";

const DAY_MS = 86_400_000;
const GROUP = {
  ...{ brokerageCode: "PAPER", accountNumber: "PAPER-7", symbol: "THYAO" },
  ...{ stopLossPrice: 90, stopLossQuantity: 100, takeProfitItems: [{ price: 110, quantity: 100 }] },
  followPosition: true,
};
/** Ten shares become one. */
const SPLIT = { symbol: "THYAO", type: "split", sharesBefore: 10, sharesAfter: 1 };

/** A group of 100 lots that follows a known position of 100, and a reverse split of tomorrow. */
class Account {
  readonly world: TradingWorld;
  readonly id: number;
  held = 100;

  private constructor(world: TradingWorld, id: number) {
    this.world = world;
    this.id = id;
    world.paper.positions = () => {
      const [averagePrice, lastPrice, profit] = [100, null, null];
      const record = { symbol: "THYAO", quantity: this.held, availableQuantity: this.held, averagePrice };
      return Promise.resolve({ ok: true, data: this.held === 0 ? [] : [{ ...record, lastPrice, profit }] });
    };
  }

  static async open(): Promise<Account> {
    const world = await startWorld();
    await world.tick("THYAO", 100);
    const { id } = (await world.done(COMMANDS.createGroup, GROUP)) as OcoRowView;
    const account = new Account(world, id);
    await account.readings();
    const exDate = new Date(world.time.nowMs() + DAY_MS).toISOString().slice(0, 10);
    await world.done(ACTION_COMMANDS.add, { ...SPLIT, exDate });
    return account;
  }

  /** Two readings of positions, 50 s apart. */
  readings = () => this.world.time.advance(101_000);

  /** The brokerage reports another number of lots from now on. */
  async shows(held: number): Promise<void> {
    this.held = held;
    await this.readings();
  }

  async toMidnight(): Promise<void> {
    const { time } = this.world;
    time.stepClock(DAY_MS - (time.nowMs() % DAY_MS) - 1_000);
    await time.advance(2_000);
  }

  async expect(levels: readonly (readonly number[])[], sells: readonly (readonly number[])[] = []): Promise<void> {
    const { rows } = (await this.world.query(QUERIES.readPlan, { id: this.id })) as PlanView;
    const open = rows.filter(({ status }) => status === 1).map(({ price, quantity }) => [price, quantity]);
    const told = this.world.eventsOf("ledger.foreignSell").map(({ quantity, held }) => [quantity, held]);
    assert.deepEqual([open, told], [levels, sells]);
  }
}

const BEFORE = [
  [90, 100],
  [110, 100],
];
const ADJUSTED = [
  [900, 10],
  [1_100, 10],
];

describe("a reverse split is no sell elsewhere, and shrinks no group that follows its position", () => {
  test("if the brokerage shows it at the beginning of the day", async () => {
    const account = await Account.open();
    await account.toMidnight();
    await account.shows(10);
    await account.world.tick("THYAO", 1_000, 100);
    await account.readings();
    await account.expect(ADJUSTED);
  });

  test("if the brokerage shows it the evening before", async () => {
    const account = await Account.open();
    await account.shows(10);
    await account.expect(BEFORE);
    await account.toMidnight();
    await account.readings();
    await account.expect(ADJUSTED);
  });

  test("if the brokerage shows it after the first price on the new base", async () => {
    const account = await Account.open();
    await account.toMidnight();
    await account.world.tick("THYAO", 1_000, 100);
    await account.readings();
    await account.shows(10);
    await account.expect(ADJUSTED);
  });

  test("if the brokerage shows no lots before the market opens", async () => {
    const account = await Account.open();
    await account.toMidnight();
    await account.shows(0);
    await account.shows(10);
    await account.world.tick("THYAO", 1_000, 100);
    await account.readings();
    await account.expect(ADJUSTED);
  });

  test("if the engine starts again before the brokerage shows it", async () => {
    const account = await Account.open();
    await account.toMidnight();
    await account.world.tick("THYAO", 1_000, 100);
    await account.world.restart();
    await account.readings();
    await account.shows(10);
    await account.expect(ADJUSTED);
  });
});

describe("a sell elsewhere around a reverse split is reported, and shrinks the group", () => {
  test("before it", async () => {
    const account = await Account.open();
    await account.shows(70);
    const shrunk = [
      [90, 70],
      [110, 70],
    ];
    await account.expect(shrunk, [[30, 70]]);
  });

  test("on the new base", async () => {
    const account = await Account.open();
    await account.toMidnight();
    await account.shows(10);
    await account.world.tick("THYAO", 1_000, 100);
    await account.readings();
    await account.shows(7);
    const shrunk = [
      [900, 7],
      [1_100, 7],
    ];
    await account.expect(shrunk, [[3, 7]]);
  });
});
