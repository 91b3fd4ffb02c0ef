/**
 * The rules of synthetic OCO orders (behaviour 4.11), one by one: over HTTP through the whole
 * application, and at a partition whose clock the test moves. One suite, two places.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { FaultApp, type OcoRow, until } from "../../faults/support/app.ts";
import { startWorld, type TradingWorld } from "../../support/world/trading-world.ts";
import { HttpTrader, type Outcome, type Sell, type Trader, WorldTrader } from "./oco-traders.ts";

type NewTrader = () => Promise<Trader>;

async function created(trader: Trader, change: object = {}): Promise<OcoRow> {
  const outcome = await trader.create(change);
  assert.ok(outcome.ok, outcome.ok ? "" : outcome.message);
  return outcome.data as OcoRow;
}

async function assertRefused(outcome: Promise<Outcome>, status: number, message: RegExp): Promise<void> {
  const refused = await outcome;
  assert.ok(!refused.ok, "it was refused");
  assert.equal(refused.status, status);
  assert.match(refused.message, message);
}

const statusesOf = async (trader: Trader): Promise<number[]> => (await trader.rows()).map(({ status }) => status);

async function untilStatuses(trader: Trader, expected: readonly number[]): Promise<OcoRow[]> {
  await until(async () => String(await statusesOf(trader)) === String(expected));
  return trader.rows();
}

/** Cancels the open rows of a group, and waits for orders on their way: until then the trader has an active group. */
async function cancelled(trader: Trader, { id }: OcoRow): Promise<void> {
  await trader.cancel(id);
  await until(async () => !(await statusesOf(trader)).includes(1));
}

/** Fails if a tick changes rows or sells. */
async function assertNothingFires(trader: Trader, price: number): Promise<void> {
  const before = JSON.stringify([await trader.rows(), await trader.sells()]);
  await trader.tick(price);
  assert.equal(JSON.stringify([await trader.rows(), await trader.sells()]), before, `${price}`);
}

/** Makes a group that is due soon after, later if the machine takes longer to make it. Returns the due date. */
async function createdDueSoon(trader: Trader): Promise<string> {
  for (let delayMs = 700; ; delayMs *= 3) {
    const dueDate = new Date(trader.nowMs() + delayMs).toISOString();
    const outcome = await trader.create({ dueDate });
    if (outcome.ok) return dueDate;
    assert.match(outcome.message, /^dueDate/);
    assert.ok(delayMs < 60_000, outcome.message);
  }
}

/** The time until a moment has certainly passed, in ms. */
const untilPassedMs = (trader: Trader, date: string): number => Math.max(0, Date.parse(date) - trader.nowMs()) + 400;

const SOLD = (quantity: number): Sell => ({ quantity, buySell: 2, orderType: 1 });

function rules(newTrader: NewTrader): void {
  test("rule 1: a group is stored and watched, not sent: no order exists before a level is reached, after a restart neither", async () => {
    const trader = await newTrader();
    const row = await created(trader);
    assert.deepEqual(await statusesOf(trader), [1, 1, 1]);
    assert.deepEqual(await trader.sells(), []);
    await trader.restart(0);
    assert.deepEqual(await statusesOf(trader), [1, 1, 1]);
    assert.deepEqual(await trader.sells(), []);
    await trader.tick(110);
    await untilStatuses(trader, [1, 2, 1]);
    assert.equal((await trader.rows())[0]?.id, row.id);
  });

  test("rule 2: when a level is reached a market sell goes to the brokerage, once", async () => {
    const trader = await newTrader();
    await created(trader);
    for (const price of [110, 111, 100, 112]) await trader.tick(price);
    const [, row] = await untilStatuses(trader, [1, 2, 1]);
    assert.deepEqual(await trader.sells(), [SOLD(4)]);
    assert.equal(row?.triggeredPrice, 110);
    assert.match(row?.triggeredDate ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(row?.triggerErrorMessage, null);
  });

  test("rule 3: one stop-loss row, at least one take-profit row; the stop-loss row's id is the groupId of all", async () => {
    const trader = await newTrader();
    const row = await created(trader, { notes: "why", dueDate: "2099-01-01T00:00:00Z" });
    assert.deepEqual([row.id, row.orderType, row.status, row.userId], [row.groupId, 2, 1, trader.userId]);
    const rows = await trader.rows();
    assert.deepEqual(
      rows.map(({ orderType }) => orderType),
      [2, 1, 1],
    );
    assert.ok(rows.every(({ groupId }) => groupId === row.id));
    assert.equal(new Set(rows.map(({ id }) => id)).size, 3);
    for (const { notes, dueDate, symbol, createdDate } of rows) {
      assert.deepEqual([notes, dueDate, symbol], ["why", "2099-01-01T00:00:00.000Z", "THYAO"]);
      assert.equal(createdDate, row.createdDate);
    }
    const other = await newTrader();
    await assertRefused(other.create({ takeProfitItems: [] }), 400, /^takeProfitItems must not be empty$/);
    assert.deepEqual(await other.rows(), []);
  });

  test("rule 4: a take-profit fires at its price and over it, a stop-loss at its price and under it, and neither a hair before", async () => {
    const rising = await newTrader();
    await created(rising);
    for (const price of [109.99, 109.99999, 90.01, 90.00001]) await assertNothingFires(rising, price);
    await rising.tick(110);
    await untilStatuses(rising, [1, 2, 1]);
    const falling = await newTrader();
    await created(falling);
    await assertNothingFires(falling, 90.00001);
    await falling.tick(90);
    await untilStatuses(falling, [2, 4, 4]);
  });

  test("rule 5: tiers fire one by one, each with its own quantity; the others and the stop-loss stay under watch", async () => {
    const trader = await newTrader();
    const takeProfitItems = [110, 120, 130].map((price, index) => ({ price, quantity: index + 1 }));
    await created(trader, { takeProfitItems });
    await trader.tick(115);
    await untilStatuses(trader, [1, 2, 1, 1]);
    await assertNothingFires(trader, 119.99);
    await trader.tick(120);
    await untilStatuses(trader, [1, 2, 2, 1]);
    await trader.tick(200);
    await untilStatuses(trader, [1, 2, 2, 2]);
    assert.deepEqual(await trader.sells(), [SOLD(1), SOLD(2), SOLD(3)]);
    assert.deepEqual(
      (await trader.rows()).map(({ triggeredPrice }) => triggeredPrice),
      [null, 115, 120, 200],
    );
    await trader.tick(90);
    await untilStatuses(trader, [2, 2, 2, 2]);
  });

  test("rule 5: a gap over several tiers fires them all at once, at the price of the gap", async () => {
    const trader = await newTrader();
    const takeProfitItems = [110, 120, 130].map((price, index) => ({ price, quantity: index + 1 }));
    await created(trader, { takeProfitItems });
    await trader.tick(125.55);
    const rows = await untilStatuses(trader, [1, 2, 2, 1]);
    assert.deepEqual(
      rows.map(({ triggeredPrice }) => triggeredPrice),
      [null, 125.55, 125.55, null],
    );
    assert.deepEqual(await trader.sells(), [SOLD(1), SOLD(2)]);
  });

  test("rule 6: the stop-loss sells its quantity, cancels the Active take-profits, and the group is watched no more", async () => {
    const trader = await newTrader();
    await created(trader);
    await trader.tick(110);
    await untilStatuses(trader, [1, 2, 1]);
    await trader.tick(90);
    const rows = await untilStatuses(trader, [2, 2, 4]);
    assert.deepEqual(await trader.sells(), [SOLD(4), SOLD(10)]);
    assert.deepEqual(
      rows.map(({ triggeredPrice }) => triggeredPrice),
      [90, 110, null],
    );
    for (const price of [120, 130, 80]) await assertNothingFires(trader, price);
    await created(trader, { stopLossPrice: 50, takeProfitItems: [{ price: 500, quantity: 1 }] });
  });

  test("rule 6: a gap through the stop-loss sells at the price there is", async () => {
    const trader = await newTrader();
    await created(trader);
    await trader.tick(42.5);
    const [stopLoss] = await untilStatuses(trader, [2, 4, 4]);
    assert.equal(stopLoss?.triggeredPrice, 42.5);
    assert.deepEqual(await trader.sells(), [SOLD(10)]);
  });

  test("rule 7: after its due date a group is not watched", async () => {
    const trader = await newTrader();
    const dueDate = await createdDueSoon(trader);
    await trader.wait(untilPassedMs(trader, dueDate));
    for (const price of [111, 89]) await trader.tick(price);
    const rows = await untilStatuses(trader, [4, 4, 4]);
    assert.ok(rows.every(({ updatedDate }) => updatedDate === dueDate));
    assert.deepEqual(await trader.sells(), []);
    await created(trader);
  });

  test("rule 7: also when it passes while the engine is down, and not when it does not", async () => {
    const trader = await newTrader();
    const dueDate = await createdDueSoon(trader);
    await trader.restart(untilPassedMs(trader, dueDate));
    await trader.tick(89);
    const rows = await untilStatuses(trader, [4, 4, 4]);
    assert.ok(rows.every(({ updatedDate }) => updatedDate === dueDate));
    assert.deepEqual(await trader.sells(), []);
    const other = await newTrader();
    await created(other, { dueDate: new Date(other.nowMs() + 60_000).toISOString() });
    await other.restart(100);
    await other.tick(89);
    await untilStatuses(other, [2, 4, 4]);
  });

  describe("rule 8: prices comply with the tick table", () => {
    const legal = [0.01, 19.98, 19.99, 20, 20.02, 49.98, 50, 50.05, 99.95, 100, 100.1, 249.9, 250, 250.25, 499.75, 500];
    const illegal = [
      0.001, 20.01, 49.99, 50.02, 99.99, 100.05, 249.95, 250.1, 499.9, 500.25, 999.75, 1000.5, 2499.5, 2501,
    ];
    const increments = [
      "",
      "0.02",
      "0.02",
      "0.05",
      "0.05",
      "0.1",
      "0.1",
      "0.25",
      "0.25",
      "0.5",
      "0.5",
      "1",
      "1",
      "2.5",
    ];

    test("at every border of its bands: what is on it is taken, as stop-loss and as take-profit", async () => {
      const trader = await newTrader();
      for (const price of [...legal, 500.5, 999.5, 1000, 1001, 2499, 2500, 2502.5, 9_999_997.5]) {
        const isLow = price === 0.01;
        const stopLoss = isLow ? await created(trader, { stopLossPrice: price }) : undefined;
        const row =
          stopLoss ?? (await created(trader, { stopLossPrice: 0.01, takeProfitItems: [{ price, quantity: 1 }] }));
        const shown = (await trader.rows()).filter(({ groupId }) => groupId === row.groupId);
        assert.equal(shown.at(isLow ? 0 : -1)?.price, price);
        await cancelled(trader, row);
        // A take-profit over the live price waits, as does a stop-loss under it.
        if (price < 100) await cancelled(trader, await created(trader, { stopLossPrice: price }));
      }
    });

    for (const [index, price] of illegal.entries()) {
      test(`${price} is refused, in a message with field and increment`, async () => {
        const trader = await newTrader();
        const increment = increments[index] ?? "";
        const rule = increment === "" ? "must be at least 0.01$" : `${price} is not a multiple of ${increment}`;
        const about = (field: string): RegExp => new RegExp(`^${field.replaceAll(/[[\]]/g, "\\$&")} ${rule}`);
        await assertRefused(
          trader.create({ stopLossPrice: price, takeProfitItems: [{ price: 9_000, quantity: 1 }] }),
          400,
          about("stopLossPrice"),
        );
        const takeProfitItems = [
          { price: 9_000, quantity: 1 },
          { price, quantity: 1 },
        ];
        await assertRefused(
          trader.create({ stopLossPrice: 0.01, takeProfitItems }),
          400,
          about("takeProfitItems[1].price"),
        );
        assert.deepEqual(await trader.rows(), []);
      });
    }
  });

  test("a group is cancelled by the id of any of its rows, and only its Active rows change", async () => {
    for (const index of [0, 1, 2]) {
      const trader = await newTrader();
      await created(trader);
      const row = (await trader.rows())[index];
      assert.deepEqual(await trader.cancel(row?.id ?? 0), { ok: true, data: true });
      assert.deepEqual(await statusesOf(trader), [4, 4, 4]);
      for (const price of [111, 89]) await assertNothingFires(trader, price);
      await assertRefused(trader.cancel(row?.id ?? 0), 400, /no Active row/);
    }
    const trader = await newTrader();
    const { id } = await created(trader);
    await trader.tick(110);
    await untilStatuses(trader, [1, 2, 1]);
    assert.ok((await trader.cancel(id + 1)).ok, "by the row that was triggered, too");
    assert.deepEqual(await statusesOf(trader), [4, 2, 4]);
  });

  test("a second group of the same symbol is refused until the first is cancelled or has ended", async () => {
    const trader = await newTrader();
    const { id } = await created(trader);
    for (const symbol of ["THYAO", "THYAO"]) {
      await assertRefused(
        trader.create({ symbol }),
        400,
        /^an active OCO group already exists for symbol THYAO; cancel it first$/,
      );
    }
    await created(trader, { symbol: "GARAN" });
    await (await newTrader()).create();
    assert.ok((await trader.cancel(id)).ok);
    await created(trader);
    await trader.tick(89);
    await until(
      async () => (await trader.rows()).filter(({ symbol, status }) => symbol === "THYAO" && status === 1).length === 0,
    );
    await created(trader, { stopLossPrice: 50 });
  });

  test("rows are listed by group, the stop-loss first, take-profits by price, and stay listed when they have ended", async () => {
    const trader = await newTrader();
    const takeProfitItems = [130, 110, 120, 110].map((price, index) => ({ price, quantity: index + 1 }));
    const first = await created(trader, { takeProfitItems });
    await trader.cancel(first.id);
    const second = await created(trader);
    const rows = await trader.rows();
    assert.deepEqual(
      rows.map(({ groupId, orderType, price, quantity, status }) => [groupId, orderType, price, quantity, status]),
      [
        [first.id, 2, 90, 10, 4],
        [first.id, 1, 110, 2, 4],
        [first.id, 1, 110, 4, 4],
        [first.id, 1, 120, 3, 4],
        [first.id, 1, 130, 1, 4],
        [second.id, 2, 90, 10, 1],
        [second.id, 1, 110, 4, 1],
        [second.id, 1, 120, 6, 1],
      ],
    );
  });

  test("notes are counted in characters: 500 of any kind are taken, 501 are not", async () => {
    for (const character of ["x", "ş", "😀", "👍🏽".slice(0, 2)]) {
      const trader = await newTrader();
      await assertRefused(
        trader.create({ notes: character.repeat(501) }),
        400,
        /^notes must be at most 500 characters$/,
      );
      const { id } = await created(trader, { notes: character.repeat(500) });
      assert.equal((await trader.rows())[0]?.notes, character.repeat(500));
      await trader.cancel(id);
    }
  });

  test("an id that is nobody's, or another user's, is not found", async () => {
    const [owner, other] = [await newTrader(), await newTrader()];
    const { id } = await created(owner);
    for (const unknown of [id, id + 1, id + 2, id + 1_000_000, 1]) {
      await assertRefused(other.cancel(unknown), 404, /was not found$/);
    }
    assert.deepEqual(await statusesOf(owner), [1, 1, 1]);
    assert.deepEqual(await other.rows(), []);
  });
}

describe("over HTTP", () => {
  let app: FaultApp;
  before(async () => {
    app = await FaultApp.start();
  });
  after(async () => {
    assert.deepEqual(app.log.faults.slice(0, 3), []);
    await app.stop();
  });
  rules(async () => {
    await app.tick("THYAO", 100);
    await app.tick("GARAN", 100);
    return new HttpTrader(app, await app.newUser());
  });
});

describe("at a partition", () => {
  let world: TradingWorld;
  let userId = 10;
  before(async () => {
    const paper = {
      startingCash: 1e6,
      startingPositions: { THYAO: 1e6, GARAN: 1e6 },
      requiresLogin: false,
      fillShareMax: 1,
    };
    world = await startWorld({ paper });
  });
  rules(async () => {
    await world.tick("THYAO", 100);
    await world.tick("GARAN", 100);
    userId += 1;
    return new WorldTrader(world, userId);
  });
});
