/**
 * What a measure of the exchange does to orders (behaviour 23).
 *
 * Owns: the effects of measures, those that a type has by itself, several measures together, how large an order may be.
 * Does not own: which measures are in force (the engine), when an order is sent (the outbox, the exit of a group).
 *
 * Invariant: an effect that is not known keeps no order back and makes no order smaller.
 */

/** Effects that apply or do not. */
export const EFFECT_FLAGS = [
  "noMarket",
  "noCancel",
  "noReduce",
  "noShort",
  "noCredit",
  "grossSettlement",
  "auctionOnly",
  "noOpenClose",
  "halted",
  "noChannel",
] as const;
export type EffectFlag = (typeof EFFECT_FLAGS)[number];

/** Absent: it does not apply. `valueCap`: the largest value of an order, in currency units; null: not known. */
export type Effects = { readonly [Flag in EffectFlag]?: true } & { readonly valueCap?: number | null };

/** A measure that is in force. */
export interface Measure {
  readonly restrictionType: number;
  readonly effects: Effects;
}

const BY_TYPE: ReadonlyMap<number, Effects> = new Map<number, Effects>([
  [1, { noShort: true }],
  [2, { noCredit: true }],
  [3, { grossSettlement: true }],
  [4, { auctionOnly: true }],
  [5, { noCancel: true, noReduce: true }],
  [6, { noOpenClose: true }],
  [7, { valueCap: null }],
  [8, { halted: true }],
]);

/** The effects of a restriction of a type for which none were given (behaviour 10.6a). */
export function defaultEffectsOf(restrictionType: number): Effects {
  return BY_TYPE.get(restrictionType) ?? {};
}

/** The effects of measures together: each that one of them has, and the smallest cap. */
export function mergeEffects(measures: readonly Pick<Measure, "effects">[]): Effects {
  let merged: Effects = {};
  for (const { effects } of measures) {
    const valueCap = smallerCap(merged.valueCap, effects.valueCap);
    merged = { ...merged, ...effects, ...(valueCap !== undefined && { valueCap }) };
  }
  return merged;
}

function smallerCap(left: number | null | undefined, right: number | null | undefined): number | null | undefined {
  if (typeof left === "number" && typeof right === "number") return Math.min(left, right);
  return left ?? right ?? (left === null || right === null ? null : undefined);
}

/** Whether two sets of effects are the same. */
export function areSameEffects(left: Effects, right: Effects): boolean {
  return textOfEffects(left) === textOfEffects(right);
}

/** Effects in a fixed order, such as `noMarket, valueCap 5000`; empty: none. */
export function textOfEffects(effects: Effects): string {
  const flags: string[] = EFFECT_FLAGS.filter((flag) => effects[flag] === true);
  const { valueCap } = effects;
  if (valueCap !== undefined) flags.push(valueCap === null ? "valueCap" : `valueCap ${valueCap}`);
  return flags.join(", ");
}

/**
 * The most lots that one order may have under a cap at a price in currency units, at least 1. Undefined without a cap, or
 * if cap or price are not known.
 */
export function lotsUnderCap({ valueCap }: Effects, price: number | undefined): number | undefined {
  if (valueCap === undefined || valueCap === null || price === undefined) return undefined;
  return Math.max(1, Math.floor(valueCap / price));
}
