/**
 * Runs one seed.
 */
import type { Plant } from "./world/life.ts";
import type { Report } from "./world/report.ts";
import { World, type WorldOptions } from "./world/world.ts";

export interface Outcome {
  readonly seed: number;
  readonly violation: Error | undefined;
  readonly report: Report;
  readonly digest: string;
}

/** Runs a world to its end. Whatever throws in it is its violation. */
export async function runSeed(options: WorldOptions): Promise<Outcome> {
  const world = new World(options);
  const onRejection = (error: unknown): void => world.report.fault(error);
  process.on("unhandledRejection", onRejection);
  try {
    await world.run();
    // A promise that nobody looks after is told of only once the loop turns.
    await new Promise((resolve) => setImmediate(resolve));
  } catch (error) {
    world.report.fault(error);
  } finally {
    process.off("unhandledRejection", onRejection);
  }
  return { seed: options.seed, violation: world.report.violation, report: world.report, digest: world.digest() };
}

/** How to run a failing seed again, and what happened in it. */
export async function explain(seed: number, operations: number | undefined, plant: Plant = {}): Promise<string> {
  const { violation, report } = await runSeed({ seed, operations, plant, isTracing: true });
  const again = `npm run simulate -- --seed ${seed}${operations === undefined ? "" : ` --ops ${operations}`}`;
  return [`seed ${seed}: ${violation?.stack ?? "no violation"}`, ...report.trace, `Run it again: ${again}`].join("\n");
}
