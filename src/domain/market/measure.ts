/**
 * The effects of a measure of the exchange on orders (behaviour 23).
 *
 * Owns: the effects of measures, the effects that a type has by itself, several measures together, the largest size of
 * an order.
 * Does not own: which measures are in force (the engine), when an order is sent (the outbox, the exit of a group).
 *
 * Invariant: an effect that is not known keeps no order back and makes no order smaller.
 */
import { auctionEndMs, type Calendar } from "./calendar.ts";

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
type EffectFlag = (typeof EFFECT_FLAGS)[number];

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

/** Merges the effects of measures: each effect that one of them has, and the smallest cap. */
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

/** Why a sell waits under a measure. */
export interface MeasureWait {
  readonly reason: string;
  /** When it ends by the calendar; null: once the measure ends. */
  readonly untilMs: number | null;
}

/** Whether a triggered sell of a symbol waits at `timeMs` (behaviour 23.4); undefined: it leaves. */
export function waitUnder(effects: Effects, calendar: Calendar | undefined, timeMs: number): MeasureWait | undefined {
  if (effects.halted === true) return { reason: "a measure of the exchange closed its order book", untilMs: null };
  if (effects.noChannel === true)
    return { reason: "a measure of the exchange closed this way of orders", untilMs: null };
  if (effects.noOpenClose !== true || calendar === undefined) return undefined;
  const untilMs = auctionEndMs(calendar, timeMs);
  return untilMs === undefined
    ? undefined
    : { reason: "a measure of the exchange takes it out of this session", untilMs };
}

/** How a sell is sent: with a limit, in currency units, or at market. */
export interface SellTerms {
  /** Undefined: at market. */
  readonly limit: number | undefined;
  /** True: market orders are refused, and it leaves at market as the floor is not known (behaviour 23.3). */
  readonly isFloorMissing: boolean;
}

/** How a sell leaves that asks for the floor of the day or not; `floorOf` looks today's up, undefined: not known (17.2, 23.3). */
export function sellTerms({ noMarket }: Effects, isAtFloor: boolean, floorOf: () => number | undefined): SellTerms {
  const isForced = noMarket === true;
  const limit = isForced || isAtFloor ? floorOf() : undefined;
  return { limit, isFloorMissing: isForced && limit === undefined };
}

/** How many ms a wait still lasts, as far as a calendar states it; null: nothing waits. */
export function heldForMs(wait: MeasureWait | undefined, nowMs: number): number | null {
  if (wait === undefined) return null;
  return wait.untilMs === null ? Number.POSITIVE_INFINITY : wait.untilMs - nowMs;
}

/** The effects on a sell of a group, as the end of a sentence. */
export function consequenceOf({ halted, noChannel, noMarket, noOpenClose, auctionOnly, valueCap }: Effects): string {
  const parts: string[] = [];
  if (halted === true || noChannel === true) parts.push("sells of reached levels wait until the measure ends");
  else if (noOpenClose === true) parts.push("sells of reached levels wait for continuous trading");
  if (noMarket === true) parts.push("sells are limit orders at the floor of the day if it is known");
  if (typeof valueCap === "number") parts.push(`a stop-loss is sold in orders of at most ${valueCap}`);
  if (valueCap === null) parts.push("the largest value of an order is not known, and a stop-loss is sold as before");
  if (auctionOnly === true) parts.push("a market order fills in an auction, and its rest is sold on");
  return parts.length === 0 ? "stop-losses and take-profits sell as before" : parts.join("; ");
}

/**
 * The most lots that one order may have under a cap at a price in currency units, at least 1. Undefined without a cap,
 * or if cap or price are not known.
 */
export function lotsUnderCap({ valueCap }: Effects, price: number | undefined): number | undefined {
  if (valueCap === undefined || valueCap === null || price === undefined) return undefined;
  return Math.max(1, Math.floor(valueCap / price));
}
