/**
 * The ticks of the scenarios on real processes, and which groups they reach.
 *
 * Every group has its stop-loss under 90.00 and its take-profits from 120.00 up; silent ticks lie between 95.00 and
 * 99.95. Firing group number k waits on symbol k modulo 600 at the level that is k / 600 steps under 90.00. So a tick
 * at that level reaches it and no other, if the groups before it have fired. Its quantity names it, so that the
 * receiver of the order knows which tick it came from.
 */
import { tickSubject } from "../../../src/contract/subject.ts";
import { type OwnedGroup, SYMBOLS, symbolOf, userOf } from "./owned-group.ts";

const FIRST_LEVEL = 9_000;
const LEVEL_STEP = 5;
const QUANTITY_MIN = 10;

/** As many ticks as the server takes, then `last`. */
export interface FloodPlan {
  readonly kind: "flood";
  readonly natsUrl: string;
  readonly count: number;
  readonly last: Uint8Array;
}

/** Ticks at a rate; every `ticksPerTrigger`-th reaches one group, from group number `firstTrigger` on. */
export interface PacedPlan {
  readonly kind: "paced";
  readonly natsUrl: string;
  readonly ticksPerSecond: number;
  readonly tickCount: number;
  readonly ticksPerTrigger: number;
  readonly firstTrigger: number;
}

export type PublisherPlan = FloodPlan | PacedPlan;

/** The level in hundredths at which a group fires. */
function levelOf(trigger: number): number {
  return FIRST_LEVEL - Math.floor(trigger / SYMBOLS) * LEVEL_STEP;
}

/** The price at and under which a tick is meant to fire something. */
export const FIRING_PRICE_MAX = FIRST_LEVEL / 100;

/** The price that reaches the group that fires as number `trigger`. */
export function firingPrice(trigger: number): number {
  return levelOf(trigger) / 100;
}

/** A group that fires as number `trigger`. */
export function firingGroup(trigger: number): OwnedGroup {
  return groupOf(trigger, levelOf(trigger), trigger + QUANTITY_MIN);
}

/** A group that no tick here reaches; `index` continues after the firing groups. */
export function idleGroup(index: number): OwnedGroup {
  return groupOf(index, 7_000 - (index % 300) * 5, QUANTITY_MIN);
}

function groupOf(index: number, level: number, quantity: number): OwnedGroup {
  return {
    userId: userOf(index),
    body: {
      symbol: symbolOf(index),
      stopLossPrice: level / 100,
      stopLossQuantity: quantity,
      takeProfitItems: [
        { price: (12_000 + (index % 300) * 10) / 100, quantity: 5 },
        { price: (16_000 + (index % 300) * 10) / 100, quantity: 5 },
      ],
    },
  };
}

/** Which group an order of this quantity belongs to. */
export function triggerOf(quantity: number): number {
  return quantity - QUANTITY_MIN;
}

/** The quantity of the group that a firing tick reaches: the bare pipeline uses it in place of groups. */
export function quantityOf(symbol: string, price: number): number {
  const step = Math.round((FIRST_LEVEL - price * 100) / LEVEL_STEP);
  return step * SYMBOLS + Number(symbol.slice(1)) + QUANTITY_MIN;
}

/** The tick that fires group number `trigger`, as a NATS frame. */
export function firingFrame(trigger: number): Buffer {
  return frame(symbolOf(trigger), firingPrice(trigger));
}

/** Tick number `index` of a plan, as a NATS frame. */
export function pacedFrame({ ticksPerTrigger, firstTrigger }: PacedPlan, index: number): Buffer {
  const isFiring = index % ticksPerTrigger === ticksPerTrigger - 1;
  return isFiring ? firingFrame(firstTrigger + Math.floor(index / ticksPerTrigger)) : silentFrame(index);
}

/** Silent ticks of all symbols in one piece of about 100 kB. */
export function floodFrames(): { readonly bytes: Buffer; readonly count: number } {
  const count = 2 * SYMBOLS;
  return { bytes: Buffer.concat(Array.from({ length: count }, (_, index) => silentFrame(index))), count };
}

function silentFrame(index: number): Buffer {
  return frame(symbolOf(index * 7), (9_500 + (index % 100) * 5) / 100);
}

function frame(symbol: string, price: number): Buffer {
  const payload = JSON.stringify({ price });
  return Buffer.from(`PUB ${tickSubject(symbol)} ${payload.length}\r\n${payload}\r\n`);
}
