/** Steps that the tests of groups share: a group is given, prices reach it, the brokerage answers. */
import assert from "node:assert/strict";
import type { OcoGroup } from "../../../src/domain/oco/group.ts";
import type { Effect } from "../../../src/machine/effect.ts";
import type { GroupEvent } from "../../../src/machine/group.ts";
import type { TestActor } from "../actor.ts";
import { groupActor, sampleGroup } from "./group-samples.ts";

export type Actor = TestActor<OcoGroup, GroupEvent>;

export function given(options: Parameters<typeof sampleGroup>[0] = {}): Actor {
  return groupActor(sampleGroup(options));
}

export function reach(actor: Actor, price: number, timeMs = 2_000): readonly Effect[] {
  return actor.send({ type: "priceReached", watches: actor.reachedBy("ACME", price), price, timeMs });
}

/** The brokerage took the order. It has completed, unless `quantity` gives the lots that it is still to sell. */
export function placed(actor: Actor, name: string, quantity?: number): readonly Effect[] {
  const order = { orderNo: `B-${name}`, orderStatus: quantity === undefined ? 2 : 1, quantity: quantity ?? 1 };
  const clientOrderId = `4k2j9x1abc-${name}`;
  const effects = actor.send({ type: "orderPlaced", name, clientOrderId, ...order, timeMs: 3_000 });
  if (quantity !== undefined) return effects;
  return [...effects, ...told(actor, name, { orderStatus: 2, filledQuantity: 1, timeMs: 3_000 })];
}

interface End {
  readonly orderStatus: number;
  readonly filledQuantity: number;
  readonly message?: string;
  readonly symbol?: string;
  readonly buySell?: 1 | 2;
  readonly clientOrderId?: string;
  readonly endedBy?: "owner" | "exchange" | "brokerage";
  readonly mayReclaim?: boolean;
  readonly timeMs?: number;
}

/** The brokerage reports how an order ended, or that it continues. */
export function told(
  actor: Actor,
  name: string,
  { mayReclaim = true, timeMs = 4_000, ...end }: End,
): readonly Effect[] {
  const record = { orderNo: `B-${name}`, symbol: "ACME", buySell: 2 as const, averagePrice: 90, ...end };
  const reported = actor.send({ type: "orderUpdated", record, timeMs });
  const look = lookOf(reported);
  if (look === undefined) return reported.filter(({ type }) => type !== "tell");
  const confirmed = actor.send({ type: "orderUpdated", record, look, timeMs, mayReclaim });
  return [...reported, ...confirmed].filter(({ type }) => type !== "tell");
}

/** The number of the look-up that effects ask for. */
export function lookOf(effects: readonly Effect[]): number | undefined {
  const facts = effects.flatMap((effect) => (effect.type === "tell" ? effect.facts : []));
  return facts.flatMap((fact) => (fact.type === "lookUp" ? [fact.look] : [])).at(-1);
}

/** Lets the hour pass in which the brokerage is asked again for what it ended (behaviour 13.5). */
export function passHour(actor: Actor): void {
  for (let deadline = actor.facts.deadlineMs; deadline !== null; deadline = actor.facts.deadlineMs) {
    actor.send({ type: "deadline", timeMs: deadline });
  }
}

export function refused(actor: Actor, name: string, mayReclaim = true): readonly Effect[] {
  return actor.send({ type: "orderRefused", name, message: "no such position", timeMs: 3_000, mayReclaim });
}

/** The sells among effects, as `name quantity urgency`. */
export function sells(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) => {
    if (effect.type !== "submit") return [];
    assert.equal(effect.symbol, "ACME");
    assert.equal(effect.buySell, 2);
    return [`${effect.name} ${effect.quantity} ${effect.urgency}`];
  });
}

/** The events among effects, as `type row`. */
export function events(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) => (effect.type === "emit" ? [`${effect.event} ${effect.data.row}`] : []));
}

export function statuses(actor: Actor): number[] {
  return actor.context.rows.map((row) => row.status);
}

export function watched(actor: Actor): number[] {
  return actor.facts.watches.map(({ watch }) => watch);
}

/** The exchange ended an order after `filledQuantity`, and a look-up confirms it. */
export function ended(
  actor: Actor,
  name: string,
  filledQuantity: number,
  fields: Partial<Parameters<typeof told>[2]> = {},
) {
  return told(actor, name, { orderStatus: 3, filledQuantity, ...fields });
}

/** The stop-loss of ten lots has fired, and its first order is open. */
export function stopped(options: Parameters<typeof given>[0] = {}): Actor {
  const actor = given(options);
  reach(actor, 90);
  placed(actor, "r10", 10);
  return actor;
}
