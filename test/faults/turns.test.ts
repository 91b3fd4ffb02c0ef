/**
 * Ticks, commands and deadlines that meet in one turn, prices exactly at a level, gaps, clocks that step: over a
 * partition and a clock that the test moves (catalogue 29, 46, 52, 53, 56, 93).
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Envelope, Reply } from "../../src/contract/command.ts";
import fc from "../support/property.ts";
import { ACCOUNT, startWorld, type TradingWorld, USER } from "../support/world/trading-world.ts";

interface Row {
  readonly id: number;
  readonly groupId: number;
  readonly status: number;
  readonly price: number;
  readonly triggeredPrice: number | null;
  readonly triggeredDate: string | null;
  readonly updatedDate: string | null;
}

const SYMBOL = "THYAO";
const GROUP = {
  ...{ brokerageCode: "PAPER", accountNumber: ACCOUNT, symbol: SYMBOL, stopLossPrice: 90, stopLossQuantity: 10 },
  takeProfitItems: [
    { price: 110, quantity: 4 },
    { price: 120, quantity: 6 },
  ],
};
/** A group that no price of these tests reaches. */
const FAR = { ...GROUP, stopLossPrice: 1, takeProfitItems: [{ price: 9_000, quantity: 1 }] };

const PAPER = { startingCash: 1e6, startingPositions: { THYAO: 1e6 }, requiresLogin: false, fillShareMax: 1 };
const newWorld = (): Promise<TradingWorld> => startWorld({ paper: PAPER });

async function create(world: TradingWorld, change: object = {}, userId = USER): Promise<number> {
  const body = { ...GROUP, accountNumber: `PAPER-${userId}`, ...change };
  return ((await world.done("oco.create", body, { userId })) as { groupId: number }).groupId;
}

/** Accepted sells that come within this time of each other are settled together. */
const SETTLED_TOGETHER_MS = 10;

async function rowsOf(world: TradingWorld, groupId: number, userId = USER): Promise<Row[]> {
  const body = { brokerageCode: "PAPER", accountNumber: `PAPER-${userId}` };
  await world.time.advance(SETTLED_TOGETHER_MS);
  return ((await world.query("oco.list", body, { userId })) as Row[]).filter((row) => row.groupId === groupId);
}

const statusesOf = async (world: TradingWorld, groupId: number, userId = USER): Promise<number[]> =>
  (await rowsOf(world, groupId, userId)).map(({ status }) => status);

/** Gives a command and waits for nothing; the answer is there once the turns have passed. */
function give(world: TradingWorld, type: string, body: unknown): () => Reply {
  const envelope: Envelope = { type, userId: USER, requestId: "request", body };
  let reply: Reply | undefined;
  void world.partition.handleCommand(envelope).then((answer) => (reply = answer));
  return () => {
    assert.ok(reply !== undefined, `${type} was not answered`);
    return reply;
  };
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

/** As many sells as rows were triggered, each once. */
async function assertSoldOnce(world: TradingWorld, groupIds: readonly number[]): Promise<void> {
  const rows = (await Promise.all(groupIds.map((groupId) => rowsOf(world, groupId)))).flat();
  const triggered = rows.filter(({ status }) => status === 2).length;
  assert.equal((await world.orders()).length, triggered);
  assert.equal(new Set(world.sent).size, triggered);
}

describe("create, cancel and tick in one turn", () => {
  for (const [what, price] of [
    ["take-profit", 111],
    ["stop-loss", 89],
  ] as const) {
    for (const order of permutations(["create", "cancel", "tick"] as const)) {
      test(`${order.join(", ")}, a ${what} reached: one of both wins, nothing is sold twice`, async () => {
        const world = await newWorld();
        await world.tick(SYMBOL, 100);
        const first = await create(world);
        let created: () => Reply = () => assert.fail();
        let cancelled: () => Reply = () => assert.fail();
        for (const act of order) {
          if (act === "create") created = give(world, "oco.create", FAR);
          else if (act === "cancel") cancelled = give(world, "oco.cancel", { id: first, brokerageCode: "PAPER" });
          else world.give(SYMBOL, price);
        }
        await world.time.advance(1_000);
        assert.equal(cancelled().ok, true, "there were Active rows to be cancelled in every order");
        const hasFired = order.indexOf("tick") < order.indexOf("cancel");
        const fired = price > 100 ? [4, 2, 4] : [2, 4, 4];
        assert.deepEqual(await statusesOf(world, first), hasFired ? fired : [4, 4, 4]);
        const reply = created();
        if (!reply.ok) {
          assert.match(reply.message, /already exists/);
          await create(world, FAR);
        }
        const second = reply.ok ? [(reply.data as { groupId: number }).groupId] : [];
        await assertSoldOnce(world, [first, ...second]);
      });
    }
  }

  for (const order of permutations(["create", "tick", "tick back"] as const)) {
    test(`${order.join(", ")}: sold at most once, and surely when the price stayed`, async () => {
      const world = await newWorld();
      await world.tick(SYMBOL, 100);
      let created: () => Reply = () => assert.fail();
      for (const act of order) {
        if (act === "create") created = give(world, "oco.create", GROUP);
        else world.give(SYMBOL, act === "tick" ? 89 : 100);
      }
      await world.time.advance(1_000);
      const reply = created();
      assert.ok(reply.ok);
      const { groupId } = reply.data as { groupId: number };
      const statuses = await statusesOf(world, groupId);
      // What counts for a newly armed level is the last price at that moment.
      const hasStayed = order.indexOf("tick back") < order.indexOf("tick");
      if (hasStayed) assert.deepEqual(statuses, [2, 4, 4]);
      else assert.ok(String(statuses) === "1,1,1" || String(statuses) === "2,4,4", String(statuses));
      await assertSoldOnce(world, [groupId]);
    });
  }

  test("a hundred cancels and ticks at once: sold once, cancelled once", async () => {
    const world = await newWorld();
    await world.tick(SYMBOL, 100);
    const groupId = await create(world);
    const replies = Array.from({ length: 100 }, () => {
      world.give(SYMBOL, 89);
      return give(world, "oco.cancel", { id: groupId + 1, brokerageCode: "PAPER" });
    });
    await world.time.advance(1_000);
    assert.equal(replies.filter((reply) => reply().ok).length, 1);
    assert.deepEqual(await statusesOf(world, groupId), [2, 4, 4]);
    await assertSoldOnce(world, [groupId]);
  });
});

describe("a price at a level", () => {
  const cases: readonly (readonly [number, readonly number[]])[] = [
    [109.99, [1, 1, 1]],
    [109.9999999, [1, 1, 1]],
    [110, [1, 2, 1]],
    [110.0000001, [1, 2, 1]],
    [110.03, [1, 2, 1]],
    [119.99999, [1, 2, 1]],
    [120, [1, 2, 2]],
    [9_999_999, [1, 2, 2]],
    [90.01, [1, 1, 1]],
    [90.0000001, [1, 1, 1]],
    [90, [2, 4, 4]],
    [89.9999999, [2, 4, 4]],
    [0.01, [2, 4, 4]],
    [0.000001, [2, 4, 4]],
  ];
  for (const [price, expected] of cases) {
    test(`${price}: ${expected}`, async () => {
      const world = await newWorld();
      await world.tick(SYMBOL, 100);
      const groupId = await create(world);
      await world.tick(SYMBOL, price);
      const rows = await rowsOf(world, groupId);
      assert.deepEqual(
        rows.map(({ status }) => status),
        expected,
      );
      for (const row of rows) assert.equal(row.triggeredPrice, row.status === 2 ? price : null);
    });
  }

  test("one tick is the stop-loss of one and the take-profit of another, whoever they are", async () => {
    const world = await newWorld();
    await world.tick(SYMBOL, 105);
    const stopped = await create(world, { stopLossPrice: 100 }, 8);
    await world.tick(SYMBOL, 95);
    assert.deepEqual(await statusesOf(world, stopped, 8), [2, 4, 4]);
    const falling = await create(world, { stopLossPrice: 90, takeProfitItems: [{ price: 100, quantity: 4 }] });
    await world.tick(SYMBOL, 105);
    const other = await create(world, { stopLossPrice: 100, takeProfitItems: [{ price: 200, quantity: 1 }] }, 8);
    await world.tick(SYMBOL, 100);
    assert.deepEqual(await statusesOf(world, falling), [1, 2]);
    assert.deepEqual(await statusesOf(world, other, 8), [2, 4]);
  });

  test("fifty take-profits over one gap are fifty sells, each of its own quantity", async () => {
    const world = await newWorld();
    await world.tick(SYMBOL, 100);
    const takeProfitItems = Array.from({ length: 50 }, (_, index) => ({ price: 110 + index, quantity: index + 1 }));
    const groupId = await create(world, { stopLossQuantity: 1_275, takeProfitItems });
    await world.tick(SYMBOL, 5_000);
    await world.time.advance(1_000);
    assert.deepEqual(await statusesOf(world, groupId), [1, ...Array(50).fill(2)]);
    const quantities = (await world.orders()).map(({ quantity }) => quantity).sort((left, right) => left - right);
    assert.deepEqual(
      quantities,
      takeProfitItems.map(({ quantity }) => quantity),
    );
    await assertSoldOnce(world, [groupId]);
  });
});

describe("the last price, at the moment a group is made", () => {
  for (const [ageMs, expected] of [
    [0, [1, 2, 1]],
    [60_000, [1, 2, 1]],
    [60_001, [1, 1, 1]],
    [86_400_000, [1, 1, 1]],
  ] as const) {
    test(`of ${ageMs} ms ago: ${expected}, and a new tick counts in any case`, async () => {
      const world = await newWorld();
      await world.tick(SYMBOL, 111);
      await world.time.advance(ageMs);
      const groupId = await create(world);
      await world.time.turns();
      assert.deepEqual(await statusesOf(world, groupId), expected);
      await world.tick(SYMBOL, 111);
      assert.deepEqual(await statusesOf(world, groupId), [1, 2, 1]);
      await assertSoldOnce(world, [groupId]);
    });
  }
});

describe("a due date", () => {
  const start = Date.UTC(2026, 0, 5, 9);
  /** Between two looks at the deadlines: a tick must find it by itself. */
  const DUE_MS = 10_100;

  async function dueWorld(): Promise<{
    readonly world: TradingWorld;
    readonly groupId: number;
    readonly dueDate: string;
  }> {
    const world = await newWorld();
    await world.tick(SYMBOL, 100);
    const dueDate = new Date(start + DUE_MS).toISOString();
    return { world, groupId: await create(world, { dueDate }), dueDate };
  }
  const advanceTo = (world: TradingWorld, timeMs: number) => world.time.advance(timeMs - world.time.nowMs());

  for (const [name, offsetMs, price, expected] of [
    ["a millisecond before it a tick still fires", -1, 111, [1, 2, 1]],
    ["at its very moment no take-profit fires", 0, 111, [4, 4, 4]],
    ["at its very moment no stop-loss fires", 0, 89, [4, 4, 4]],
    ["after it nothing fires", 60_000, 89, [4, 4, 4]],
  ] as const) {
    test(name, async () => {
      const { world, groupId, dueDate } = await dueWorld();
      await advanceTo(world, start + DUE_MS + offsetMs);
      world.give(SYMBOL, price);
      await world.time.turns();
      const rows = await rowsOf(world, groupId);
      assert.deepEqual(
        rows.map(({ status }) => status),
        expected,
      );
      if (offsetMs >= 0) assert.ok(rows.every(({ updatedDate }) => updatedDate === dueDate));
    });
  }

  test("that passes without any tick ends the group, at its moment", async () => {
    const { world, groupId, dueDate } = await dueWorld();
    await world.time.advance(DUE_MS + 1_000);
    const rows = await rowsOf(world, groupId);
    assert.ok(rows.every(({ status, updatedDate }) => status === 4 && updatedDate === dueDate));
    await create(world);
  });

  test("that passes while the engine is down ends the group at the start, at its moment, and no tick fires it", async () => {
    const { world, groupId, dueDate } = await dueWorld();
    world.kill();
    await world.time.advance(3_600_000);
    await world.start();
    world.give(SYMBOL, 89);
    await world.time.advance(1_000);
    const rows = await rowsOf(world, groupId);
    assert.ok(rows.every(({ status, updatedDate }) => status === 4 && updatedDate === dueDate));
    assert.deepEqual(await world.orders(), []);
  });

  test("in one turn with a cancel and a tick: cancelled once, sold never", async () => {
    const { world, groupId } = await dueWorld();
    await advanceTo(world, start + DUE_MS);
    const reply = give(world, "oco.cancel", { id: groupId, brokerageCode: "PAPER" });
    world.give(SYMBOL, 89);
    await world.time.advance(1_000);
    assert.equal(typeof reply().ok, "boolean");
    assert.deepEqual(await statusesOf(world, groupId), [4, 4, 4]);
    assert.deepEqual(await world.orders(), []);
  });

  test("a clock that steps an hour ahead ends it, one that steps back only puts it off", async () => {
    const ahead = await dueWorld();
    ahead.world.time.stepClock(3_600_000);
    await ahead.world.time.advance(1_000);
    assert.deepEqual(await statusesOf(ahead.world, ahead.groupId), [4, 4, 4]);
    const back = await dueWorld();
    back.world.time.stepClock(-3_600_000);
    await back.world.time.advance(DUE_MS + 1_000);
    assert.deepEqual(await statusesOf(back.world, back.groupId), [1, 1, 1]);
    await back.world.tick(SYMBOL, 111);
    assert.deepEqual(await statusesOf(back.world, back.groupId), [1, 2, 1]);
    await back.world.time.advance(3_600_000);
    assert.deepEqual(await statusesOf(back.world, back.groupId), [4, 2, 4]);
  });
});

test("any prices in any order end as the specification's rules say, each row sold once", async () => {
  const price = fc.oneof(
    fc.integer({ min: 70, max: 140 }),
    fc.constantFrom(89.99, 90, 90.01, 109.999, 110, 119.99, 120),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(price, { maxLength: 25 }),
      fc.array(fc.integer({ min: 105, max: 130 }), { minLength: 1, maxLength: 6 }),
      async (prices, levels) => {
        const world = await newWorld();
        await world.tick(SYMBOL, 100);
        const takeProfitItems = levels.map((level) => ({ price: level, quantity: 1 }));
        const groupId = await create(world, { takeProfitItems });
        for (const value of prices) await world.tick(SYMBOL, value);
        const sorted = levels.toSorted((left, right) => left - right);
        assert.deepEqual(
          (await rowsOf(world, groupId)).map(({ status, triggeredPrice }) => [status, triggeredPrice]),
          naively(prices, 90, sorted),
        );
        await assertSoldOnce(world, [groupId]);
      },
    ),
    { numRuns: 60 },
  );
});

/** Rules 4 to 6, price by price: what each row came to, and at which price. */
function naively(
  prices: readonly number[],
  stopLoss: number,
  takeProfits: readonly number[],
): [number, number | null][] {
  const rows: [number, number | null][] = [stopLoss, ...takeProfits].map(() => [1, null]);
  for (const price of prices) {
    if (rows[0]?.[0] !== 1) break;
    for (const [index, level] of takeProfits.entries()) {
      if (price >= level && rows[index + 1]?.[0] === 1) rows[index + 1] = [2, price];
    }
    if (price > stopLoss) continue;
    rows[0] = [2, price];
    for (let index = 1; index < rows.length; index += 1) if (rows[index]?.[0] === 1) rows[index] = [4, null];
  }
  return rows;
}
