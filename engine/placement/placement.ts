/**
 * Which engine should lead which partition: the same answer at every engine that hears the same others.
 *
 * Invariants:
 * 1. Pure: the names of the engines and the number of partitions decide alone, in whatever order they are given.
 * 2. No engine is first for more than its share, rounded up.
 * 3. An engine that comes or goes moves few other partitions.
 *
 * To be wrong here costs a detour, never an order: who may lead is decided by the log alone.
 */
import { createHash } from "node:crypto";

/** For each partition the engines in the order in which they should lead it. */
export function rankEngines(engines: readonly string[], partitions: number): readonly (readonly string[])[] {
  const names = [...new Set(engines)];
  const shareMax = Math.ceil(partitions / Math.max(1, names.length));
  const shares = new Map<string, number>();
  return Array.from({ length: partitions }, (_, partition) => {
    const byWeight = names
      .map((name) => ({ name, weight: weightOf(name, partition) }))
      .sort((left, right) => right.weight - left.weight || (left.name < right.name ? -1 : 1))
      .map(({ name }) => name);
    const first = byWeight.find((name) => (shares.get(name) ?? 0) < shareMax);
    if (first === undefined) return byWeight;
    shares.set(first, (shares.get(first) ?? 0) + 1);
    return [first, ...byWeight.filter((name) => name !== first)];
  });
}

function weightOf(engine: string, partition: number): number {
  return createHash("sha256").update(`${partition}/${engine}`).digest().readUIntBE(0, 6);
}
