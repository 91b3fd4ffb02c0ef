/** An anchor that follows the price only once a second price confirms it (behaviour 8.1a). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { livePrice } from "../../../src/domain/price/price.ts";
import { levelActorOf, sendAndConfirm } from "./bot-samples.ts";

const DETAIL = { symbol: "ACME", buyGap: 5, quantity: 1, confirmTicks: 2 };

/** A price, or a print that its publisher gave a time. */
type Given = number | readonly [price: number, ownTimeMs: number];

/** The anchor in hundredths and the buys of a bot that was given these prices one by one. */
function outcomeOf(given: readonly Given[], detail = DETAIL) {
  const actor = levelActorOf(detail);
  let buys = 0;
  for (const [index, one] of given.entries()) {
    const [value, ownTimeMs] = typeof one === "number" ? [one, null] : one;
    const price = livePrice(value);
    assert.ok(price !== undefined);
    if (actor.reachedBy("ACME", value).length === 0) continue;
    const tick = { symbol: "ACME", price, timeMs: 2_000 + index, isCaughtUp: false, ownTimeMs };
    const effects = sendAndConfirm(actor, { type: "ticksPassed", ticks: [tick] });
    buys += effects.filter(({ type }) => type === "submit").length;
  }
  return [actor.context.details[0]?.anchor, buys];
}

describe("an anchor that two prices in a row confirm", () => {
  for (const [what, prices, anchor, buys] of [
    ["waits for the second price", [100], null, 0],
    ["is the lower one of the first two", [100, 102], 10_000, 0],
    ["is the lower one of the first two, also if the price falls", [102, 100], 10_000, 0],
    ["follows a rise one price behind", [100, 102, 104, 106], 10_400, 0],
    ["is not moved by one bad print", [100, 100, 120, 100], 10_000, 0],
    ["is not moved by two bad prints with another price between them", [100, 100, 120, 100, 120, 100], 10_000, 0],
    ["is moved by two high prices, to the lower one", [100, 100, 120, 121], 12_000, 0],
    ["buys no higher than a gap under the confirmed price", [100, 100, 120, 121, 116], 12_000, 0],
    ["buys a gap under it, without a second price", [100, 100, 120, 121, 115], 11_500, 1],
    ["is not confirmed by the same print sent twice", [100, 100, [120, 7], [120, 7], 100], 10_000, 0],
    ["is confirmed by an equal price with another time", [100, 100, [120, 7], [120, 8]], 12_000, 0],
  ] as const) {
    test(what, () => assert.deepEqual(outcomeOf(prices), [anchor, buys]));
  }

  test("is moved by every price without confirmTicks", () => {
    assert.deepEqual(outcomeOf([100, 120, 115], { ...DETAIL, confirmTicks: 1 }), [11_500, 1]);
    const { confirmTicks: _, ...rest } = DETAIL;
    assert.equal(levelActorOf(rest).context.details[0]?.confirmTicks, 1);
  });
});
