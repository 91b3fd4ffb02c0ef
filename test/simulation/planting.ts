/**
 * Planting faults: around the engine (ports) or by replacing a method for the time of one test, never in its code.
 */
import assert from "node:assert/strict";
import { ActorHost } from "../../engine/actor/host.ts";
import type { ActorKind } from "../../engine/actor/kind.ts";
import { actorKinds } from "../../engine/partition/kinds.ts";
import type { ActorEvent } from "../../src/machine/actor-event.ts";
import { runWorld } from "./run.ts";
import type { Plant } from "./world/life.ts";

/** Within how many worlds a fault shows. */
export const SEEDS_MAX = 60;
/** Within how many worlds a fault of a delivery shows: some need a rare order of events. */
const DELIVERY_SEEDS_MAX = 1_200;

/**
 * Runs the world of every `every`-th seed until one shows the fault; returns the message of its violation. Begins with
 * the world `first`, which showed the fault before, and continues from the beginning after the last one.
 */
export async function findOut(seedsMax = SEEDS_MAX, plant: Plant = {}, every = 1, first = every): Promise<string> {
  const count = Math.floor(seedsMax / every);
  for (let tried = 0; tried < count; tried += 1) {
    const seed = ((first / every - 1 + tried) % count) * every + every;
    const { violation } = await runWorld({ seed, plant });
    if (violation !== undefined) return violation.message;
  }
  return assert.fail(`${seedsMax} worlds did not show the fault`);
}

/** Replaces a method while `run` runs. */
export async function replacing<T extends object, K extends keyof T, R>(
  prototype: T,
  name: K,
  make: (original: T[K]) => T[K],
  run: () => Promise<R>,
): Promise<R> {
  const original = prototype[name];
  prototype[name] = make(original);
  try {
    return await run();
  } finally {
    prototype[name] = original;
  }
}

/** The kind of groups, whose `parse` reads them back. */
export function groupKind(): ActorKind {
  const kind = actorKinds.find(({ name }) => name === "group");
  assert.ok(kind !== undefined);
  return kind;
}

/** How the host gives an event to an actor. */
export type Give = (host: ActorHost, id: number, event: ActorEvent) => boolean;

/**
 * Replaces how the host gives events to actors, both to the actors of a kind and to the actors that asked for them.
 * `first`: as in `findOut`.
 */
export function delivering(make: (original: Give) => Give, first?: number): Promise<string> {
  const deliver = (original: ActorHost["deliver"]): ActorHost["deliver"] =>
    function deliver(this: ActorHost, kind, id, event) {
      const give = make((host, to, given) => original.call(host, kind, to, given as typeof event));
      return give(this, id, event);
    };
  const wake = (original: ActorHost["wake"]): ActorHost["wake"] =>
    function wake(this: ActorHost, id, ...events) {
      const give = make((host, to, given) => original.call(host, to, given as (typeof events)[number]));
      return events.map((event) => give(this, id, event)).every((isHeard) => isHeard);
    };
  return replacing(ActorHost.prototype, "deliver", deliver, () =>
    replacing(ActorHost.prototype, "wake", wake, () => findOut(DELIVERY_SEEDS_MAX, {}, 1, first)),
  );
}
