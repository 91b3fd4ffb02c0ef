/** What trails costs a tick nothing that moves nothing: no actor is woken (behaviour 19.4). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { COMMANDS } from "../../../src/contract/command.ts";
import { startWorld, type TradingWorld } from "../../support/world/trading-world.ts";

const USERS = 40;
/** At 100 and with a high of 100 each of them lies at or under 95 and rises above 100 only. */
const TERMS = [
  { distance: 5, confirmTicks: 1 },
  { distance: 6 },
  { distancePercent: 7.5, confirmTicks: 1 },
  { distance: 8, step: 2, confirmTicks: 1 },
  { distance: 5, activationPrice: 120 },
] as const;

async function withGroupsThatTrail(): Promise<{ world: TradingWorld; wakes: () => number }> {
  const world = await startWorld();
  await world.tick("THYAO", 100);
  for (let index = 0; index < USERS; index += 1) {
    const userId = index + 1;
    const body = {
      ...{ brokerageCode: "PAPER", accountNumber: `PAPER-${userId}`, symbol: "THYAO" },
      ...{ stopLossPrice: 90, stopLossQuantity: 10, takeProfitItems: [{ price: 150, quantity: 10 }] },
      stopLossTrailing: TERMS[index % TERMS.length],
    };
    await world.done(COMMANDS.createGroup, body, { userId });
  }
  let count = 0;
  const { host } = world.partition;
  const { deliverTicks, deliverReached } = host;
  host.deliverTicks = (...given) => {
    count += 1;
    deliverTicks.apply(host, given);
  };
  host.deliverReached = (...given) => {
    count += 1;
    deliverReached.apply(host, given);
  };
  return { world, wakes: () => count };
}

test("a silent tick wakes no actor, whatever trails: one at a time, and while others wait", async () => {
  const { world, wakes } = await withGroupsThatTrail();
  // The second price in a row confirms the first.
  for (const price of [100, 100, 100]) await world.tick("THYAO", price);
  const before = wakes();
  for (const price of [99, 96.5, 98, 100, 95.5, 99.9, 100]) await world.tick("THYAO", price);
  assert.equal(wakes(), before, "no price above the high, and none at a stop-loss");
  world.partition.inbox.enqueue(() => undefined);
  for (const price of [99, 96.5, 98, 100, 95.5]) world.give("THYAO", price);
  await world.time.advance(1_000);
  assert.equal(wakes(), before, "nor where ticks wait behind other work");
  assert.equal(world.sent.length, 0);
  await world.tick("THYAO", 102);
  const activated = TERMS.filter((terms) => "activationPrice" in terms).length;
  assert.equal(wakes() - before, USERS - (USERS / TERMS.length) * activated, "a new high wakes what it raises");
});
