/**
 * The price source that `FEED` names: a simulated market, a recording, or none.
 */

import type { PublisherPorts } from "./publisher.ts";
import { openRecording, startReplay } from "./replay.ts";
import { type SimulatedSymbol, startSimulatedFeed } from "./sim.ts";

const SEED = 1;
const REPLAY = "replay:";

interface SourceOptions extends PublisherPorts {
  /** `sim`, `replay:<file>` or `none`. */
  readonly feed: string;
  readonly speed: number;
  readonly symbols: readonly SimulatedSymbol[];
}

/** Throws, with a line for the operator, where `feed` names a recording that cannot be read. */
export async function checkSource(feed: string): Promise<void> {
  if (feed.startsWith(REPLAY)) await (await openRecording(feed.slice(REPLAY.length))).close();
}

/** Starts it and returns the way to stop it. Rejects, with a line for the operator, on a file that cannot be read. */
export async function startSource(options: SourceOptions): Promise<() => void> {
  const { feed, speed } = options;
  if (feed === "sim") return startSimulatedFeed({ ...options, seed: SEED }).stop;
  if (!feed.startsWith(REPLAY)) return () => undefined;
  const replay = await startReplay({ ...options, path: feed.slice(REPLAY.length), speed });
  return () => replay.stop();
}
