/** Lots, open orders and prices follow renames and corporate actions once, over kills (behaviour 28.10, 30.6). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkPaperStore } from "../../../../engine/connector/paper/stored/check.ts";
import type { CorporateAction } from "../../../../src/domain/market/corporate-action.ts";
import { ACCOUNT, dataOf, orderOf, PaperWorld, START_MS, USER } from "./harness.ts";

const own = { userId: USER, accountNumber: ACCOUNT };
const RENAME = [{ from: "THYAO", to: "TURKH" }];
const DAY_MS = 86_400_000;

function bonus(symbol: string, ratio: number, exMs = START_MS + DAY_MS, exDate = "2026-03-03"): CorporateAction {
  return { type: "bonus", ratio, symbol, exDate, exMs, actionId: `${symbol}-bonus-${exDate}` };
}

async function holding(positions: Record<string, number>): Promise<PaperWorld> {
  const world = await PaperWorld.open({ paper: { startingPositions: positions, startingCash: 100_000 } });
  await world.paper.accounts({ userId: USER });
  return world;
}

async function lotsOf(world: PaperWorld): Promise<readonly (readonly [string, number, number])[]> {
  const positions = dataOf(await world.paper.positions({ ...own, includeOrders: false }));
  return positions.map(({ symbol, quantity, availableQuantity }) => [symbol, quantity, availableQuantity]);
}

const sell = (symbol: string, quantity: number, price = 0) => orderOf({ symbol, quantity, buySell: 2, price });

describe("a rename", () => {
  test("gives lots, last price and open orders to the new name, and a market sell fills", async () => {
    const world = await holding({ THYAO: 100 });
    world.tick("THYAO", 90);
    const { orderNo } = dataOf(await world.paper.place(sell("THYAO", 30, 120)));
    world.renames = RENAME;
    assert.deepEqual(await lotsOf(world), [["TURKH", 100, 70]]);
    const stop = dataOf(await world.paper.place(sell("TURKH", 70)));
    const sold = await world.order(stop.orderNo);
    assert.deepEqual([sold.symbol, sold.filledQuantity, sold.averagePrice], ["TURKH", 70, 90]);
    world.tick("TURKH", 121);
    const rested = await world.order(orderNo);
    assert.deepEqual([rested.symbol, rested.filledQuantity, rested.averagePrice], ["TURKH", 30, 121]);
    assert.deepEqual(await lotsOf(world), []);
  });

  test("counts once, also after a kill at each of its writes", async () => {
    for (const how of ["lost", "unacknowledged"] as const) {
      const world = await holding({ THYAO: 100 });
      dataOf(await world.paper.place(sell("THYAO", 30, 120)));
      world.store.diesAt = { write: world.store.writes + 1, how };
      world.renames = RENAME;
      void world.paper.positions({ ...own, includeOrders: false });
      await new Promise((resolve) => setTimeout(resolve, 20));
      await world.openAfterCrash();
      assert.deepEqual(await lotsOf(world), [["TURKH", 100, 70]], how);
      await checkPaperStore(world.store);
      await world.restart();
      assert.deepEqual(await lotsOf(world), [["TURKH", 100, 70]], how);
    }
  });

  test("is durable without an order and without a further request", async () => {
    const world = await holding({ THYAO: 100 });
    world.renames = RENAME;
    await lotsOf(world);
    world.renames = [];
    await world.openAfterCrash();
    assert.deepEqual(await lotsOf(world), [["TURKH", 100, 100]]);
  });

  test("takes requests under the former name, and can be taken back", async () => {
    const world = await holding({ THYAO: 100 });
    world.tick("THYAO", 90);
    const { orderNo } = dataOf(await world.paper.place(sell("THYAO", 30, 120)));
    world.renames = RENAME;
    dataOf(await world.paper.cancel({ ...own, orderNo, symbol: "THYAO" }));
    const late = dataOf(await world.paper.place(sell("THYAO", 10)));
    assert.equal((await world.order(late.orderNo)).symbol, "TURKH");
    world.renames = [{ from: "TURKH", to: "THYAO" }];
    assert.deepEqual(await lotsOf(world), [["THYAO", 90, 90]]);
  });

  test("leaves prices under the former name without effect, also after a restart", async () => {
    const world = await holding({ THYAO: 100 });
    world.tick("THYAO", 90);
    world.renames = RENAME;
    const { orderNo } = dataOf(await world.paper.place(sell("TURKH", 30, 120)));
    world.nowMs += 1_000;
    world.tick("THYAO", 130);
    assert.equal((await world.order(orderNo)).filledQuantity, 0);
    await world.settled();
    await world.restart();
    const { orderNo: stop } = dataOf(await world.paper.place(sell("TURKH", 70)));
    assert.equal((await world.order(stop)).averagePrice, 90);
  });

  test("adds the lots to those that are held under the new name", async () => {
    const world = await holding({ THYAO: 100, TURKH: 10 });
    world.renames = RENAME;
    assert.deepEqual(await lotsOf(world), [["TURKH", 110, 110]]);
  });

  test("names the starting lots of accounts that are opened or set back later", async () => {
    const world = await holding({ THYAO: 100 });
    world.renames = RENAME;
    dataOf(await world.paper.reset(own));
    assert.deepEqual(await lotsOf(world), [["TURKH", 100, 100]]);
    const other = { userId: 8, accountNumber: "PAPER-8", includeOrders: false };
    assert.deepEqual(
      dataOf(await world.paper.positions(other)).map(({ symbol }) => symbol),
      ["TURKH"],
    );
  });
});

describe("a corporate action", () => {
  test("changes the lots from its day on, at the cost that they had", async () => {
    const world = await holding({ THYAO: 100, GARAN: 7 });
    world.actions = [bonus("THYAO", 1)];
    assert.deepEqual(await lotsOf(world), [
      ["GARAN", 7, 7],
      ["THYAO", 100, 100],
    ]);
    world.nowMs += DAY_MS;
    const [, after] = dataOf(await world.paper.positions({ ...own, includeOrders: false }));
    assert.deepEqual([after?.quantity, after?.averagePrice], [200, 50]);
  });

  test("counts once, over kills, restarts and a rename of its symbol", async () => {
    for (const how of ["lost", "unacknowledged"] as const) {
      const world = await holding({ THYAO: 100 });
      world.actions = [bonus("THYAO", 1)];
      world.nowMs += DAY_MS;
      world.store.diesAt = { write: world.store.writes + 1, how };
      void world.paper.positions({ ...own, includeOrders: false });
      await new Promise((resolve) => setTimeout(resolve, 20));
      await world.openAfterCrash();
      assert.deepEqual(await lotsOf(world), [["THYAO", 200, 200]], how);
      world.renames = RENAME;
      assert.deepEqual(await lotsOf(world), [["TURKH", 200, 200]], "the action still has its former name");
      world.actions = [bonus("TURKH", 1)];
      assert.deepEqual(await lotsOf(world), [["TURKH", 200, 200]], "the action has the new name, too");
      await world.restart();
      assert.deepEqual(await lotsOf(world), [["TURKH", 200, 200]], how);
      await checkPaperStore(world.store);
    }
  });

  test("has the exchange cancel open orders, and no price of the base before fills a market sell", async () => {
    const world = await holding({ THYAO: 100 });
    world.tick("THYAO", 100);
    const { orderNo } = dataOf(await world.paper.place(sell("THYAO", 30, 120)));
    world.actions = [bonus("THYAO", 1)];
    world.nowMs += DAY_MS;
    assert.deepEqual(await lotsOf(world), [["THYAO", 200, 200]]);
    const cancelled = await world.order(orderNo);
    assert.deepEqual([cancelled.orderStatus, cancelled.endedBy, cancelled.filledQuantity], [3, "exchange", 0]);
    const early = await world.paper.place(sell("THYAO", 200));
    assert.ok(!early.ok && early.code === "NOT_NOW", JSON.stringify(early));
    world.tick("THYAO", 50);
    const { orderNo: stop } = dataOf(await world.paper.place(sell("THYAO", 200)));
    assert.equal((await world.order(stop)).averagePrice, 50);
  });

  test("rounds lots down, and removes a position without lots", async () => {
    const world = await holding({ THYAO: 15, GARAN: 9 });
    const merge = (symbol: string): CorporateAction => {
      const shared = { symbol, exDate: "2026-03-03", exMs: START_MS, actionId: `${symbol}-split-2026-03-03` };
      return { type: "split", sharesBefore: 10, sharesAfter: 1, ...shared };
    };
    world.actions = [merge("THYAO"), merge("GARAN")];
    assert.deepEqual(await lotsOf(world), [["THYAO", 1, 1]]);
  });

  test("leaves lots alone if it is a dividend", async () => {
    const world = await holding({ THYAO: 15 });
    const shared = { symbol: "THYAO", exDate: "2026-03-02", exMs: START_MS, actionId: "THYAO-dividend-2026-03-02" };
    world.actions = [{ type: "dividend", cash: 5, ...shared }];
    assert.deepEqual(await lotsOf(world), [["THYAO", 15, 15]]);
  });
});

test("a reset without an open order is durable once it is answered", async () => {
  const world = await holding({ THYAO: 100 });
  world.tick("THYAO", 90);
  dataOf(await world.paper.place(sell("THYAO", 60)));
  await world.settled();
  dataOf(await world.paper.reset(own));
  await world.openAfterCrash();
  assert.deepEqual(await lotsOf(world), [["THYAO", 100, 100]]);
});

test("a sell under a name of which nothing is held waits until the renames are known: a refusal would be final", async () => {
  const world = await holding({ THYAO: 100 });
  world.tick("TURKH", 90);
  world.areRenamesKnown = false;
  const early = await world.paper.place(sell("TURKH", 100));
  assert.equal(early.ok ? "" : early.code, "NOT_NOW");
  dataOf(await world.paper.place(sell("THYAO", 10, 120)));
  world.areRenamesKnown = true;
  world.renames = RENAME;
  dataOf(await world.paper.place(sell("TURKH", 90)));
});

test("starting positions under both names of a symbol are added", async () => {
  const world = await PaperWorld.open({ paper: { startingPositions: { THYAO: 100, TURKH: 10 } } });
  world.renames = RENAME;
  await world.paper.accounts({ userId: USER });
  assert.deepEqual(await lotsOf(world), [["TURKH", 110, 110]]);
});

test("an action from before the book followed any changes nothing, also after a restart", async () => {
  const world = await PaperWorld.open({ paper: { startingPositions: { THYAO: 100 } } });
  world.actions = [bonus("THYAO", 1, START_MS - 30 * DAY_MS, "2026-01-31")];
  await world.paper.accounts({ userId: USER });
  const { orderNo } = dataOf(await world.paper.place(sell("THYAO", 30, 120)));
  assert.deepEqual(await lotsOf(world), [["THYAO", 100, 70]]);
  await world.restart();
  assert.deepEqual(await lotsOf(world), [["THYAO", 100, 70]]);
  assert.equal((await world.order(orderNo)).orderStatus, 1);
});
