/**
 * Which engine should lead which partition, and which should have copies: the same answer at every engine that hears the
 * same others.
 *
 * Invariants:
 * 1. Pure: the engines and the number of partitions decide alone, in whatever order they are given.
 * 2. No engine is first for more than its share, rounded up.
 * 3. An engine that comes or goes moves few other partitions, and one that starts again has the rank that it had.
 * 4. The first ranks of a partition are on different machines, as far as there are any.
 *
 * To be wrong here costs a detour, never an order: who may lead is decided by the log alone.
 */
import { createHash } from "node:crypto";

/** An engine that is there. */
export interface PlacedEngine {
  /** Of this start: its given name, a dot, and a random one. */
  readonly engine: string;
  /** Engines of one machine die together. */
  readonly machine: string;
}

/** The name that its operator gave an engine, without that of its start. */
export function givenName(engine: string): string {
  return engine.replace(/\.[^.]*$/, "");
}

/** For each partition the engines in the order in which they should lead it. */
export function rankEngines(engines: readonly PlacedEngine[], partitions: number): readonly (readonly string[])[] {
  const placed = [...new Map(engines.map((one) => [one.engine, one])).values()];
  const shareMax = Math.ceil(partitions / Math.max(1, placed.length));
  const shares = new Map<string, number>();
  return Array.from({ length: partitions }, (_, partition) => {
    const byWeight = placed
      .map((one) => ({ one, weight: weightOf(givenName(one.engine), partition) }))
      .sort((left, right) => right.weight - left.weight || (left.one.engine < right.one.engine ? -1 : 1))
      .map(({ one }) => one);
    const first = byWeight.find(({ engine }) => (shares.get(engine) ?? 0) < shareMax);
    if (first === undefined) return [];
    shares.set(first.engine, (shares.get(first.engine) ?? 0) + 1);
    return apart([first, ...byWeight.filter((one) => one !== first)]);
  });
}

/** One engine of each machine goes before the second of any. */
function apart(ranked: readonly PlacedEngine[]): readonly string[] {
  const counts = new Map<string, number>();
  return ranked
    .map(({ engine, machine }) => {
      const before = counts.get(machine) ?? 0;
      counts.set(machine, before + 1);
      return { engine, before };
    })
    .sort((left, right) => left.before - right.before)
    .map(({ engine }) => engine);
}

function weightOf(name: string, partition: number): number {
  return createHash("sha256").update(`${partition}/${name}`).digest().readUIntBE(0, 6);
}
