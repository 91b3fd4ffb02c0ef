/**
 * Which engine should lead each partition, and which engines should have copies. Engines that receive the same
 * heartbeats compute the same answer.
 *
 * Invariants:
 * 1. Pure: only the engines and the number of partitions decide, in any order of the input.
 * 2. No engine is first for more than its share, rounded up.
 * 3. An engine that starts or stops moves few other partitions, and an engine that restarts has its former rank.
 * 4. The first ranks of a partition are on different machines, if there are enough machines.
 *
 * An error here costs a detour, never an order: the log alone decides which engine is allowed to lead.
 */
import { createHash } from "node:crypto";

/** An engine that is present. */
export interface PlacedEngine {
  /** The name of this start: its given name, a dot, and a random name. */
  readonly engine: string;
  /** Engines on one machine fail together. */
  readonly machine: string;
}

/** The name that its operator gave an engine, without the random part of its start. */
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

/** Orders engines so that one engine of each machine precedes the second engine of any machine. */
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
