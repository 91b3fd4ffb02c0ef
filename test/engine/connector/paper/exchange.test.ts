/** An account that follows the exchange: sessions, halts and the band of the day (behaviour 11.1c). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type PaperSettings, paperSettingsSchema } from "../../../../src/contract/trading/order.ts";
import type { CalendarRequest } from "../../../../src/domain/market/calendar.ts";
import { planCalendar } from "../../../../src/domain/market/calendar.ts";
import { ACCOUNT, dataOf, orderOf, PaperWorld, refusalOf, START_MS, USER } from "./harness.ts";

const MINUTE_MS = 60_000;
/** START_MS is 09:00 UTC on a Monday. */
const CALENDAR: CalendarRequest = {
  mic: "TEST",
  zone: "UTC",
  phases: [
    { name: "limit orders", from: "08:00", to: "08:30", takes: ["limit"] },
    { name: "continuous trading", from: "08:30", to: "10:00", takes: ["market", "limit"] },
  ],
  holidays: [],
  halfDays: {},
};
const BAND = { floor: 9_000, ceiling: 11_000, base: 10_000 };

async function opened(paperOf: Partial<PaperSettings> = { market: "exchange" }): Promise<PaperWorld> {
  const paper = { startingPositions: { THYAO: 100 }, ...paperOf };
  const world = await PaperWorld.open({ paper });
  world.bands.set("THYAO", BAND);
  world.tick("THYAO", 100);
  return world;
}

const sell = (quantity: number, price = 0) => orderOf({ quantity, buySell: 2, price });

/** Places an order and returns what the brokerage reports of it. */
async function outcomeOf(world: PaperWorld, order = sell(100)) {
  const { orderNo } = dataOf(await world.paper.place(order));
  const { orderStatus, filledQuantity, endedBy } = await world.order(orderNo);
  return { orderNo, orderStatus, filledQuantity, endedBy };
}

describe("the band of the day", () => {
  test("refuses limits outside it for now, without an order, and takes its floor and its ceiling", async () => {
    const world = await opened();
    for (const price of [89.95, 110.1]) {
      const order = sell(10, price);
      assert.match(refusalOf(await world.paper.place(order), "NOT_NOW"), /^price .* of THYAO lies outside the band/);
      const { clientOrderId } = order;
      refusalOf(await world.paper.findOrder({ userId: USER, accountNumber: ACCOUNT, clientOrderId }), "NOT_FOUND");
    }
    for (const price of [90, 110]) dataOf(await world.paper.place(sell(10, price)));
  });

  test("cancels a market sell at the floor, and leaves a limit at the floor in the book until a price above it", async () => {
    const world = await opened();
    world.tick("THYAO", 90);
    const sold = await outcomeOf(world);
    assert.deepEqual([sold.orderStatus, sold.filledQuantity, sold.endedBy], [3, 0, "exchange"]);
    const rest = await outcomeOf(world, sell(100, 90));
    assert.equal(rest.orderStatus, 1);
    world.tick("THYAO", 90);
    assert.equal((await world.order(rest.orderNo)).filledQuantity, 0, "no one buys at the floor");
    world.tick("THYAO", 90.05);
    assert.equal((await world.order(rest.orderNo)).orderStatus, 2);
  });

  test("cancels what is left of a market order, and a buy at the ceiling", async () => {
    const world = await opened({ market: "exchange", fillShareMax: 0.3 });
    const part = await outcomeOf(world);
    assert.deepEqual([part.orderStatus, part.filledQuantity, part.endedBy], [3, 30, "exchange"]);
    world.tick("THYAO", 110);
    const buy = await outcomeOf(world, orderOf({ buySell: 1 }));
    assert.deepEqual([buy.orderStatus, buy.filledQuantity], [3, 0]);
    assert.equal((await outcomeOf(world, sell(10, 110))).filledQuantity, 3, "buyers wait at the ceiling");
  });

  test("restricts nothing while it is not known", async () => {
    const world = await opened();
    world.bands.clear();
    assert.equal((await outcomeOf(world, sell(10, 500))).orderStatus, 1);
    assert.equal((await outcomeOf(world, sell(10))).orderStatus, 2);
  });
});

describe("sessions", () => {
  const calendar = planCalendar(CALENDAR);
  async function atMinute(minute: number): Promise<PaperWorld> {
    const world = await opened();
    assert.ok(calendar.ok);
    world.calendar = calendar.value;
    world.nowMs = START_MS + minute * MINUTE_MS;
    return world;
  }

  test("refuse an order for now and name when it is taken; then its clientOrderId is taken", async () => {
    const world = await atMinute(-120);
    const order = sell(100);
    assert.match(
      refusalOf(await world.paper.place(order), "NOT_NOW"),
      /takes no market orders until 2026-03-02T08:30:00/,
    );
    world.nowMs = START_MS;
    assert.equal((await outcomeOf(world, order)).orderStatus, 2);
  });

  test("take the kinds of orders of their phase", async () => {
    const world = await atMinute(-45);
    refusalOf(await world.paper.place(sell(10)), "NOT_NOW");
    dataOf(await world.paper.place(sell(10, 105)));
  });

  test("fill a resting order only while they last", async () => {
    const world = await atMinute(0);
    const { orderNo } = await outcomeOf(world, sell(10, 105));
    world.nowMs = START_MS + 60 * MINUTE_MS;
    world.tick("THYAO", 106);
    assert.equal((await world.order(orderNo)).filledQuantity, 0);
    world.nowMs = START_MS + 24 * 60 * MINUTE_MS;
    world.tick("THYAO", 106);
    assert.equal((await world.order(orderNo)).filledQuantity, 10);
  });

  test("reject an order of a chain whose first order completes when it is not taken", async () => {
    const world = await opened();
    const first = dataOf(await world.paper.place(orderOf({ buySell: 1, price: 95 })));
    const chained = { ...sell(10, 120), referenceOrderNo: first.orderNo };
    const { orderNo } = dataOf(await world.paper.chain(chained));
    world.tick("THYAO", 94);
    assert.equal((await world.order(orderNo)).orderStatus, 4);
  });
});

describe("halts", () => {
  test("refuse orders for now and fill nothing: a measure that closes the book, and a hold", async () => {
    for (const halt of [{ effects: { halted: true } as const }, { isHeld: true }]) {
      const world = await opened();
      const { orderNo } = await outcomeOf(world, sell(10, 105));
      Object.assign(world, halt);
      refusalOf(await world.paper.place(sell(10)), "NOT_NOW");
      world.tick("THYAO", 106);
      assert.equal((await world.order(orderNo)).filledQuantity, 0);
      Object.assign(world, { effects: {}, isHeld: false });
      world.tick("THYAO", 106);
      assert.equal((await world.order(orderNo)).filledQuantity, 10);
    }
  });

  test("refuse market orders alone while a measure refuses them", async () => {
    const world = await opened();
    world.effects = { noMarket: true };
    refusalOf(await world.paper.place(sell(10)), "NOT_NOW");
    assert.equal((await outcomeOf(world, sell(10, 90))).orderStatus, 2);
  });
});

describe("the setting", () => {
  test("is open for accounts that it does not name: band, session and halt restrict nothing", async () => {
    for (const paper of [{}, { market: "open" }, { market: { "PAPER-8": "exchange" } }] as const) {
      const world = await opened(paper);
      world.effects = { halted: true };
      world.isHeld = true;
      world.tick("THYAO", 90);
      assert.equal((await outcomeOf(world, sell(10))).orderStatus, 2);
      assert.equal((await outcomeOf(world, sell(10, 500))).orderStatus, 1);
    }
  });

  test("names accounts by number", async () => {
    const world = await opened({ market: { [ACCOUNT]: "exchange" } });
    refusalOf(await world.paper.place(sell(10, 500)), "NOT_NOW");
  });

  test("refuses other values with the field and the rule", () => {
    for (const market of ["closed", { "PAPER-7": "shut" }, ["PAPER-7"]]) {
      const parsed = paperSettingsSchema.safeParse({ market });
      assert.ok(!parsed.success);
      const [issue] = parsed.error.issues;
      assert.deepEqual(issue?.path, ["market"]);
      assert.match(issue.message, /must be "open", "exchange" or an object/);
    }
  });
});
