/** Stop-losses that are raised in rounds fire as if they were given each tick as it comes (behaviour 19). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { COMMANDS } from "../../../src/contract/command.ts";
import type { OcoRowView } from "../../../src/contract/trading/oco.ts";
import { type OcoGroup, stopLossOf } from "../../../src/domain/oco/group.ts";
import { planTrailing } from "../../../src/domain/oco/trailing.ts";
import fc from "../../support/property.ts";
import { endOf } from "../../support/trailing-twin.ts";
import { startWorld, type TradingWorld } from "../../support/world/trading-world.ts";

const STOP = 60;
const FIRST = 100;

type Request = Parameters<typeof planTrailing>[0];

async function withGroups(requests: readonly Request[]): Promise<{ world: TradingWorld; ids: readonly number[] }> {
  const world = await startWorld();
  await world.tick("THYAO", FIRST);
  const ids: number[] = [];
  for (const [index, stopLossTrailing] of requests.entries()) {
    const body = {
      ...{ brokerageCode: "PAPER", accountNumber: `PAPER-${index + 1}`, symbol: "THYAO", stopLossTrailing },
      ...{ stopLossPrice: STOP, stopLossQuantity: 10, takeProfitItems: [{ price: 900, quantity: 10 }] },
    };
    const { id } = (await world.done(COMMANDS.createGroup, body, { userId: index + 1 })) as OcoRowView;
    ids.push(id);
  }
  return { world, ids };
}

/** Reading a group gives it every tick. */
function groupOf(world: TradingWorld, id: number): OcoGroup {
  const found = world.partition.host.find("group", id);
  assert.ok(found !== undefined);
  return found.context as OcoGroup;
}

function compare(world: TradingWorld, id: number, request: Request, values: readonly number[]): void {
  const { price, triggeredPrice } = stopLossOf(groupOf(world, id));
  const terms = planTrailing(request, "BIST");
  assert.ok(terms.ok);
  assert.deepEqual({ stop: price / 100, firedAt: triggeredPrice }, endOf(STOP, terms.value, values));
}

const confirmTicks = fc.constantFrom(1 as const, 2 as const);
const distances = fc.oneof(
  fc.record({ distance: fc.integer({ min: 2, max: 400 }).map((steps) => steps / 20), confirmTicks }),
  fc.record({ distancePercent: fc.integer({ min: 5, max: 2_000 }).map((points) => points / 100), confirmTicks }),
);
const others = fc.record(
  {
    distance: fc.constantFrom(1, 2.5, 7),
    activationPrice: fc.constantFrom(101, 104, 110),
    step: fc.constantFrom(0.5, 2),
    confirmTicks,
  },
  { requiredKeys: ["distance", "confirmTicks"] },
);
const move = fc.oneof(
  { weight: 20, arbitrary: fc.record({ type: fc.constant("tick" as const), by: fc.integer({ min: -14, max: 16 }) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("tick" as const), by: fc.integer({ min: -160, max: 160 }) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("time" as const), byMs: fc.constantFrom(1, 300, 1_000) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("read" as const), pick: fc.nat(11) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("busy" as const), pieces: fc.constantFrom(1, 40) }) },
);

test("in a random walk each group ends where a twin puts it that looks at all ticks anew for each of them", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 3, arbitrary: distances }, { weight: 1, arbitrary: others }), {
        minLength: 1,
        maxLength: 8,
        size: "max",
      }),
      fc.array(move, { maxLength: 120, size: "max" }),
      async (requests, moves) => {
        const { world, ids } = await withGroups(requests);
        const values = [FIRST];
        const compareOne = (index: number): void => {
          const [id, request] = [ids[index], requests[index]];
          if (id !== undefined && request !== undefined) compare(world, id, request, values);
        };
        for (const one of moves) {
          if (one.type === "tick") {
            const last = values.at(-1) ?? FIRST;
            values.push(Math.max(1, Math.round(last * 20 + one.by) / 20));
            world.give("THYAO", values.at(-1) ?? FIRST);
          } else if (one.type === "time") await world.time.advance(one.byMs);
          else if (one.type === "busy") {
            for (let piece = 0; piece < one.pieces; piece += 1) world.partition.inbox.enqueue(() => undefined);
          } else {
            await world.time.turns();
            compareOne(one.pick);
          }
        }
        await world.time.turns();
        for (const index of ids.keys()) compareOne(index);
      },
    ),
    { numRuns: 40 },
  );
});

test("a crowd that rises is written once a second, whatever the number of ticks, and fires at once", async () => {
  const requests = Array.from({ length: 150 }, (_, index) => ({
    distance: 1 + (index % 50) / 10,
    confirmTicks: 1 as const,
  }));
  const { world, ids } = await withGroups(requests);
  await world.time.advance(2_000);
  let stepped = 0;
  const { host } = world.partition;
  const { deliverTicks } = host;
  host.deliverTicks = (...given) => {
    stepped += 1;
    deliverTicks.apply(host, given);
  };
  const values = [FIRST];
  const give = (value: number): void => {
    values.push(value);
    world.give("THYAO", value);
  };
  for (let index = 1; index <= 500; index += 1) {
    give(FIRST + index / 10);
    await world.time.advance(1);
  }
  assert.equal(stepped, ids.length, "the first of them begins a round, and the rest wait for the next");
  give(149);
  const fired = ids.filter((id) => stopLossOf(groupOf(world, id)).triggeredPrice !== null);
  assert.equal(fired.length, requests.filter(({ distance }) => distance <= 1).length);
  assert.equal(world.partition.outbox.pending().length, fired.length, "in the call that brought their price");
  for (const [index, id] of ids.entries()) compare(world, id, requests[index] ?? {}, values);
});

test("the stored position of the ticks stays before those that a raise waits with, and moves on with each round", async () => {
  const { world, ids } = await withGroups([{ distance: 5, confirmTicks: 1 }]);
  const [id = 0] = ids;
  await world.time.advance(2_000);
  const before = world.position;
  for (const value of [104, 106, 110]) await world.tick("THYAO", value);
  world.partition.keepFeedMemory();
  await world.time.turns();
  const afterFirst = before + 1;
  await world.restart();
  assert.equal(world.position, afterFirst, "104 began a round of its own");
  assert.equal(stopLossOf(groupOf(world, id)).price, 9_900);
  for (const value of [106, 110, 105]) {
    await world.time.advance(1);
    world.give("THYAO", value, true);
  }
  world.partition.onCaughtUp();
  await world.time.turns();
  assert.equal(stopLossOf(groupOf(world, id)).triggeredPrice, 105);
  assert.equal(world.sent.length, 1);
});
