import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import type { PlaceRequest } from "../../../../src/contract/trading/order.ts";
import fc from "../../../support/property.ts";
import { ACCOUNT, dataOf, ExpectedFailure, orderOf, PaperWorld, refusalOf, USER } from "./harness.ts";

const own = { userId: USER, accountNumber: ACCOUNT };
const THYAO_LOTS = 1_000;

/** Lots that fills of the account's orders, as it lists them, added to what it started with. */
async function checkLotsMatchOrders(world: PaperWorld): Promise<void> {
  const records = dataOf(await world.paper.dailyOrders(own));
  assert.equal(new Set(records.map((record) => record.orderNo)).size, records.length);
  assert.equal(new Set(records.map((record) => record.clientOrderId)).size, records.length);
  const gained = records.reduce(
    (sum, { buySell, filledQuantity }) => sum + (buySell === 1 ? 1 : -1) * filledQuantity,
    0,
  );
  const [position] = dataOf(await world.paper.positions({ ...own, includeOrders: false }));
  assert.equal(position?.quantity, THYAO_LOTS + gained);
}

describe("a killed process", () => {
  test("every answer and every update that left stands, whichever write it died at, and nothing is doubled", async () => {
    const plan = fc.record({
      requests: fc.array(
        fc.record({
          buySell: fc.constantFrom<1 | 2>(1, 2),
          price: fc.constantFrom(0, 98, 102),
          quantity: fc.integer({ min: 1, max: 300 }),
        }),
        { minLength: 1, maxLength: 12 },
      ),
      diesAt: fc.integer({ min: 1, max: 12 }),
      how: fc.constantFrom<"lost" | "unacknowledged">("lost", "unacknowledged"),
      fillShareMax: fc.constantFrom(1, 0.4),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ requests, diesAt, how, fillShareMax }) => {
        const world = await PaperWorld.open({ paper: { startingPositions: { THYAO: THYAO_LOTS }, fillShareMax } });
        world.setPrice("THYAO", 100);
        world.store.diesAt = { write: diesAt, how };
        const answered = await runUntilDeath(
          world,
          requests.map((fields) => orderOf(fields)),
        );
        const told = [...world.updates];

        await world.openAfterCrash();
        await checkLotsMatchOrders(world);
        for (const { request, reply } of answered) assert.deepEqual(await world.paper.place(request), reply);
        for (const record of told) {
          const now = await world.order(record.orderNo);
          assert.ok(now.filledQuantity >= record.filledQuantity);
          if (record.orderStatus >= 2) assert.deepEqual(now, record);
        }
        await checkLotsMatchOrders(world);
      }),
      { numRuns: 60 },
    );
  });

  test("a market order that comes before the first tick of a new process fills at the last price known", async () => {
    const world = await PaperWorld.open();
    world.tick("THYAO", 98.5);
    await world.settled();
    await world.openAfterCrash();
    const { orderNo, orderStatus } = dataOf(await world.paper.place(orderOf()));
    assert.equal(orderStatus, 2);
    assert.equal((await world.order(orderNo)).averagePrice, 98.5);
    assert.match(refusalOf(await world.paper.place(orderOf({ symbol: "GARAN" })), "REJECTED"), /no live price/);
  });

  test("a market sell without a live price is not taken now, and its name is free for the next try", async () => {
    const world = await PaperWorld.open();
    const sell = orderOf({ buySell: 2 });
    assert.match(refusalOf(await world.paper.place(sell), "NOT_NOW"), /no live price/);
    world.tick("THYAO", 98.5);
    dataOf(await world.paper.place(orderOf()));
    assert.equal(dataOf(await world.paper.place(sell)).orderStatus, 2);
  });

  test("the last of many prices is known after a restart", async () => {
    const world = await PaperWorld.open();
    for (const price of [98, 99, 97.5]) world.tick("THYAO", price);
    await world.restart();
    const { orderNo } = dataOf(await world.paper.place(orderOf()));
    assert.equal((await world.order(orderNo)).averagePrice, 97.5);
    world.tick("THYAO", 96);
    const { orderNo: laterNo } = dataOf(await world.paper.place(orderOf()));
    assert.equal((await world.order(laterNo)).averagePrice, 96);
  });

  test("an order that is sent again after a lost answer is still one order", async () => {
    for (const how of ["lost", "unacknowledged"] as const) {
      const world = await PaperWorld.open({ paper: { startingPositions: { THYAO: THYAO_LOTS } } });
      world.tick("THYAO", 100);
      await world.settled();
      world.store.diesAt = { write: world.store.writes + 1, how };
      const request = orderOf({ buySell: 2 });
      void world.paper.place(request);
      await turns(5);
      await world.openAfterCrash();
      assert.equal(dataOf(await world.paper.place(request)).orderStatus, 2);
      assert.equal(dataOf(await world.paper.dailyOrders(own)).length, 1);
      await checkLotsMatchOrders(world);
    }
  });

  test("a change that was durable but not told is told after the restart", async () => {
    const world = await PaperWorld.open();
    const { orderNo } = dataOf(await world.paper.place(orderOf({ price: 90 })));
    world.store.diesAt = { write: world.store.writes + 1, how: "unacknowledged" };
    world.tick("THYAO", 89);
    await turns(5);
    const isFilled = (): boolean =>
      world.updates.some((update) => update.orderNo === orderNo && update.orderStatus === 2);
    assert.equal(isFilled(), false);
    await world.openAfterCrash();
    await world.settled();
    assert.equal(isFilled(), true);
    await world.restart();
    const toldCount = world.updates.length;
    await world.restart();
    await world.settled();
    assert.equal(world.updates.length, toldCount);
  });
});

describe("writing", () => {
  test("nothing is answered or told before its batch is on disk, and a turn's orders share one batch", async () => {
    const world = await PaperWorld.open();
    await world.paper.accounts(own);
    world.setPrice("THYAO", 100);
    const writesBefore = world.store.writes;
    const replies = Array.from({ length: 50 }, () => world.paper.place(orderOf({ quantity: 1 })));
    assert.equal(world.updates.length, 0);
    await Promise.all(replies);
    assert.equal(world.store.writes, writesBefore + 1);
    assert.equal(world.updates.length, 50);
  });

  test("a failed write is fatal: no answer, no update, no further write", async () => {
    const world = await PaperWorld.open();
    await world.paper.accounts(own);
    world.setPrice("THYAO", 100);
    world.store.failure = new ExpectedFailure("no space left");
    let isAnswered = false;
    void world.paper.place(orderOf()).then(() => {
      isAnswered = true;
    });
    await turns(5);
    assert.deepEqual(world.fatalReasons, ["the paper brokerage could not write"]);
    world.store.failure = undefined;
    const writes = world.store.writes;
    void world.paper.place(orderOf());
    await turns(5);
    assert.deepEqual([isAnswered, world.store.writes, world.updates.length], [false, writes, 0]);
  });

  test("ticks that fill nothing write nothing, but for the first price of a symbol", async () => {
    const world = await PaperWorld.open();
    await world.paper.place(orderOf({ price: 90 }));
    world.tick("THYAO", 91);
    await world.settled();
    const writes = world.store.writes;
    for (let round = 0; round < 100; round += 1) world.tick("THYAO", 91 + round);
    await turns(5);
    assert.equal(world.store.writes, writes);
  });

  test("after close every call is UNAVAILABLE and ticks do nothing", async () => {
    const world = await PaperWorld.open();
    const { orderNo } = dataOf(await world.paper.place(orderOf({ price: 90 })));
    await world.paper.close();
    world.tick("THYAO", 80);
    refusalOf(await world.paper.place(orderOf()), "NOT_SENT");
    refusalOf(await world.paper.findOrder({ ...own, orderNo }), "NOT_SENT");
    await world.openAgain();
    assert.equal((await world.order(orderNo)).orderStatus, 1);
  });
});

describe("the folder", () => {
  test("keeps everything across a restart", async () => {
    await inFolder(async (folder) => {
      const world = await PaperWorld.open({ folder, paper: { startingPositions: { THYAO: THYAO_LOTS } } });
      world.setPrice("THYAO", 100);
      const requests = [orderOf(), orderOf({ price: 90 }), orderOf({ buySell: 2, quantity: 5_000 })];
      const replies = await Promise.all(requests.map((request) => world.paper.place(request)));
      await world.restart();
      for (const [index, request] of requests.entries()) {
        assert.deepEqual(await world.paper.place(request), replies[index]);
      }
      await checkLotsMatchOrders(world);
      await world.paper.close();
    });
  });

  test("keeps what an order of another start waits for, however the names of the starts sort", async () => {
    for (let round = 0; round < 8; round += 1) {
      await inFolder(async (folder) => {
        const world = await PaperWorld.open({ folder, paper: { startingCash: 100_000 } });
        world.setPrice("THYAO", 100);
        const { orderNo: referenceOrderNo } = dataOf(await world.paper.place(orderOf({ price: 90 })));
        await world.restart();
        const { orderNo } = dataOf(await world.paper.chain({ ...orderOf({ price: 95 }), referenceOrderNo }));
        await world.restart();
        assert.equal(dataOf(await world.paper.findOrder({ ...own, orderNo })).orderStatus, 0);
        await world.paper.close();
      });
    }
  });

  test("that an earlier version wrote is continued: account, holdings, orders, names and prices", async () => {
    await inFolder(async (folder) => {
      await restoreEarlierFolder(folder);
      const world = await PaperWorld.open({ folder, paper: { startingPositions: { THYAO: THYAO_LOTS } } });
      const [account] = dataOf(await world.paper.accounts(own));
      assert.equal(account?.number, "4122827946");
      const bought = dataOf(await world.paper.place(orderOf({ clientOrderId: "bought" })));
      assert.deepEqual(bought, {
        orderNo: "P6YZRHCYH-0000000001",
        orderStatus: 2,
        filledQuantity: 10,
        averagePrice: 100,
      });
      const refused = orderOf({ clientOrderId: "refused", buySell: 2, quantity: 5_000 });
      const refusal = refusalOf(await world.paper.place(refused), "REJECTED");
      assert.equal(refusal, "not enough THYAO: 5000 to sell, 1010 available");
      const { cash, buyingPower } = dataOf(await world.paper.balance(own));
      assert.deepEqual([cash, buyingPower], [99_400, 98_500]);
      const garan = dataOf(await world.paper.place(orderOf({ symbol: "GARAN" })));
      assert.equal((await world.order(garan.orderNo)).averagePrice, 55.5);
      world.tick("THYAO", 89);
      await world.settled();
      assert.equal((await world.order("P6YZRHCYH-0000000002")).orderStatus, 2);
      const positions = dataOf(await world.paper.positions({ ...own, includeOrders: false }));
      assert.equal(positions.find(({ symbol }) => symbol === "THYAO")?.quantity, 1_016);
      await world.paper.close();
      assert.deepEqual((await readdir(folder)).sort(), ["store", "store-was-made"]);
    });
  });

  test("a store that is gone is not made again", async () => {
    await inFolder(async (folder) => {
      const world = await PaperWorld.open({ folder });
      await world.paper.close();
      await rename(join(folder, "store"), join(folder, "elsewhere"));
      await assert.rejects(world.openAgain());
      await rm(join(folder, "store"), { recursive: true, force: true });
      await mkdir(join(folder, "store"));
      await assert.rejects(world.openAgain(), { reason: "data", message: /cannot be opened/ });
    });
  });

  test("a store without one of its live orders or accounts is not opened", async () => {
    for (const prefix of ["live!", "account!"]) {
      const world = await PaperWorld.open();
      await world.paper.place(orderOf({ price: 90 }));
      await world.paper.accounts({ userId: 8 });
      const key = [...world.store.rows.keys()].filter((one) => one.startsWith(prefix)).at(-1);
      assert.ok(key !== undefined && world.store.rows.delete(key));
      await assert.rejects(world.openAfterCrash());
    }
  });

  test("two brokerages cannot share one", async () => {
    await inFolder(async (folder) => {
      const world = await PaperWorld.open({ folder });
      await assert.rejects(PaperWorld.open({ folder }), { reason: "unavailable", message: /is in use by another/ });
      await world.paper.close();
    });
  });

  /** The files of a brokerage that version 1.0.0 of the paper brokerage wrote: by path, in base64. */
  async function restoreEarlierFolder(folder: string): Promise<void> {
    const text = await readFile(new URL("stored-folder.json", import.meta.url), "utf8");
    for (const [name, content] of Object.entries(JSON.parse(text) as Record<string, string>)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), Buffer.from(content, "base64"));
    }
  }

  async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), "paper-"));
    try {
      await run(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
});

/** Sends the orders, some in the same turn, with ticks between, until the store died; what was answered by then. */
async function runUntilDeath(world: PaperWorld, requests: readonly PlaceRequest[]) {
  const answered: { request: PlaceRequest; reply: unknown }[] = [];
  for (const [index, request] of requests.entries()) {
    void world.paper.place(request).then((reply) => answered.push({ request, reply }));
    if (index % 3 === 2) world.tick("THYAO", index % 2 === 0 ? 97.5 : 102.5);
    if (index % 2 === 1) await turns(3);
  }
  await turns(5);
  return answered;
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
