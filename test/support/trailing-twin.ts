/** The naive twin of a trailing stop-loss: for each tick it looks at all ticks again (behaviour 19). */
import assert from "node:assert/strict";
import type { TrailingTerms } from "../../src/domain/oco/group.ts";
import { stopAt } from "../../src/domain/oco/trailing.ts";
import { livePrice } from "../../src/domain/price/price.ts";

export interface TrailingEnd {
  readonly stop: number;
  /** The price that fired the stop-loss; null: none did. */
  readonly firedAt: number | null;
}

/** Returns the stop-loss after all ticks since it was armed, in currency units, and the price that fired it, if any. */
export function endOf(stopLossPrice: number, terms: TrailingTerms, values: readonly number[]): TrailingEnd {
  let stop = Math.round(stopLossPrice * 100);
  for (const [index, value] of values.entries()) {
    const price = livePrice(value);
    assert.ok(price !== undefined);
    if (price.ceil <= stop) return { stop: stop / 100, firedAt: value };
    const floors = values.slice(0, index + 1).map((one) => livePrice(one)?.floor ?? 0);
    const counted =
      terms.confirmTicks === 1 ? floors : floors.slice(1).map((floor, at) => Math.min(floor, floors[at] ?? 0));
    const begun = counted.findIndex((floor) => floor >= (terms.activationPrice ?? 0));
    if (begun < 0) continue;
    const first = counted[begun] ?? 0;
    const highest = Math.max(...counted.slice(begun));
    const step = terms.step ?? 1;
    const high = first + Math.floor((highest - first) / step) * step;
    stop = Math.max(stop, stopAt(terms, terms.step === null ? highest : high) ?? 0);
  }
  return { stop: stop / 100, firedAt: null };
}
