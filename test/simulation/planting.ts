/**
 * Planting faults: around the engine (ports) or by replacing a method for the time of one test, never in its code.
 */
import assert from "node:assert/strict";
import { runWorld } from "./run.ts";
import type { Plant } from "./world/life.ts";

/** Within how many worlds a fault shows. */
export const SEEDS_MAX = 60;

/** Runs worlds until one is found out; what its violation says. */
export async function findOut(seedsMax = SEEDS_MAX, plant: Plant = {}): Promise<string> {
  for (let seed = 1; seed <= seedsMax; seed += 1) {
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
