/** A level that is armed while ticks wait behind a catch-up is reached by the ticks behind it, however many wait. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { TickAcceptance } from "../../../engine/feed/acceptance.ts";
import { LiveFeed } from "../../../engine/feed/live.ts";
import type { BusMessage } from "../../../src/bus/port.ts";
import { tickSubject } from "../../../src/contract/subject.ts";
import { World } from "../actor/host-world.ts";
import { bytes, knownSymbols, NO_LIMITS } from "./support/ports.ts";

/** A host over a feed whose buffer has room for so many ticks. */
function setUp(bufferCapacity: number) {
  const world = new World();
  let deliver: (message: BusMessage) => void = () => undefined;
  const acceptance = new TickAcceptance({
    ...NO_LIMITS,
    symbols: knownSymbols("THYAO"),
    clock: world.time,
    onTick: ({ symbol, price, timeMs, isCaughtUp }) => {
      world.last.set(symbol, { price, timeMs });
      world.tick(price.value, timeMs, isCaughtUp);
    },
  });
  const live = new LiveFeed({
    ...{ clock: world.time, acceptance, bufferCapacity },
    bus: {
      status: "connected",
      subscribe: (subject, handler) => {
        if (subject === tickSubject("*")) deliver = handler;
        return () => undefined;
      },
    },
    onCaughtUp: () => {
      world.isCatchingUp = false;
      world.host.checkWaiting();
    },
  });
  world.onArmedMeanwhile = (symbol) => live.onArmedMeanwhile(symbol);
  const publish = async (...prices: readonly number[]): Promise<void> => {
    for (const price of prices) {
      deliver({ subject: tickSubject("THYAO"), data: bytes({ price }) });
      await world.time.advance(1);
    }
  };
  const hold = (): void => {
    live.hold();
    world.isCatchingUp = true;
  };
  live.open();
  return { world, live, publish, hold };
}

for (const [bufferCapacity, which] of [
  [100, "where all ticks are kept"],
  [5, "where most are left out"],
] as const) {
  test(`a stop-loss that is armed behind a deeper dip is reached by the next one: ${which}`, async () => {
    const { world, live, publish, hold } = setUp(bufferCapacity);
    await publish(100);
    hold();
    await publish(80, 100);
    await world.time.advance(5);
    world.open(1); // The stop-loss is at 90.
    await world.time.advance(5);
    await publish(85, 100, 101, 100, 101, 100, 101, 100);
    live.release();
    await world.settle();
    assert.deepEqual(world.names(), ["abcdefghij-r1"]);
  });

  test(`a stop-loss that is armed behind a dip is not reached by that dip: ${which}`, async () => {
    const { world, live, publish, hold } = setUp(bufferCapacity);
    await publish(100);
    hold();
    await publish(80, 100);
    await world.time.advance(5);
    world.open(1);
    await world.time.advance(5);
    await publish(101, 100, 101, 100, 101, 100, 101, 100);
    live.release();
    await world.settle();
    assert.deepEqual(world.names(), []);
  });
}
