/**
 * Runs one seed: a world of the whole partition, one of the feed's modules, and now and then one of several days, one
 * whose folder is set back and a crowd of level bots.
 */
import { CrowdWorld } from "./client/crowd.ts";
import { SetBackWorld } from "./client/set-back.ts";
import { DaysWorld } from "./days/days-world.ts";
import { FeedWorld } from "./feed/world.ts";
import type { Plant } from "./world/life.ts";
import { Report } from "./world/report.ts";
import { World, type WorldOptions } from "./world/world.ts";

const SET_BACK_EVERY = 5;
/** One seed in so many has a world of several days. */
const DAYS_EVERY = 3;
/** A crowd costs as much as a world, a large one as much as a dozen: one seed in so many has one. */
const CROWD_EVERY = 25;
const LARGE_CROWD_EVERY = 500;
const CROWD_OWNERS = 3;
const LARGE_CROWD_OWNERS = 200;

export interface Outcome {
  readonly seed: number;
  readonly violation: Error | undefined;
  readonly report: Report;
  readonly digest: string;
}

/** Runs every world of the seed, each to its end. An error that one throws is its violation. */
export function runSeed(options: WorldOptions): Promise<Outcome> {
  const { seed } = options;
  return run(options, async ({ report }) => {
    await runFeed(seed, report);
    if (seed % DAYS_EVERY === 0) await new DaysWorld({ seed, report }).run();
    if (seed % SET_BACK_EVERY === 0) await runSetBack(seed, report);
    if (seed % CROWD_EVERY === 0) await runCrowd(seed, CROWD_OWNERS, report);
    if (seed % LARGE_CROWD_EVERY === 0) await runCrowd(seed, LARGE_CROWD_OWNERS, report);
  });
}

/** Runs the seed's world of the whole partition alone. */
export function runWorld(options: WorldOptions): Promise<Outcome> {
  return run(options, async () => undefined);
}

/** Runs the seed's world of several days alone. */
export async function runDays({ seed, isTracing = false, plant = {} }: WorldOptions): Promise<Outcome> {
  const report = new Report(isTracing);
  try {
    await new DaysWorld({ seed, report, plant }).run();
  } catch (error) {
    report.fault(error);
  }
  return { seed, violation: report.violation, report, digest: "" };
}

async function run(options: WorldOptions, companions: (world: World) => Promise<void>): Promise<Outcome> {
  const world = new World(options);
  const onRejection = (error: unknown): void => world.report.fault(error);
  process.on("unhandledRejection", onRejection);
  try {
    await world.run();
    if (world.report.violation === undefined) await companions(world);
    // Node reports an unhandled rejection only once the loop turns.
    await new Promise((resolve) => setImmediate(resolve));
  } catch (error) {
    world.report.fault(error);
  } finally {
    process.off("unhandledRejection", onRejection);
  }
  return { seed: options.seed, violation: world.report.violation, report: world.report, digest: world.digest() };
}

async function runFeed(seed: number, report: Report): Promise<void> {
  const feed = new FeedWorld(seed);
  await feed.run();
  report.count("feed: worlds of its modules");
  if (feed.violation !== undefined) report.violate(`the feed: ${feed.violation}`);
}

async function runSetBack(seed: number, report: Report): Promise<void> {
  const { violation, setBackCount } = await SetBackWorld.run(seed);
  for (let times = setBackCount; times > 0; times -= 1) report.count("disk: set back with its witness");
  if (violation !== undefined) report.violate(`a folder set back: ${violation}`);
}

async function runCrowd(seed: number, ownerCount: number, report: Report): Promise<void> {
  const { violation } = await CrowdWorld.run({ seed, ownerCount, loadSeed: 1 });
  report.count(`level bots: crowds of ${ownerCount} owners`);
  if (violation !== undefined) report.violate(`a crowd of ${ownerCount}: ${violation}`);
}

/** Explains how to run a failing seed again, and what happened in it. */
export async function explain(seed: number, operations: number | undefined, plant: Plant = {}): Promise<string> {
  const { violation, report } = await runSeed({ seed, operations, plant, isTracing: true });
  const again = `npm run simulate -- --seed ${seed}${operations === undefined ? "" : ` --ops ${operations}`}`;
  return [`seed ${seed}: ${violation?.stack ?? "no violation"}`, ...report.trace, `Run it again: ${again}`].join("\n");
}
