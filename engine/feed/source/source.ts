/** The price source named by `FEED`: a simulated market, a recording, or none. */

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

/** Throws, with a line for the operator, if `feed` names a recording that cannot be read. */
export async function checkSource(feed: string): Promise<void> {
  if (feed.startsWith(REPLAY)) await (await openRecording(feed.slice(REPLAY.length))).close();
}

/**
 * Starts the source and returns a function that stops it. Rejects, with a line for the operator, if a file cannot be
 * read.
 */
export async function startSource(options: SourceOptions): Promise<() => void> {
  const { feed, speed } = options;
  if (feed === "sim") return startSimulatedFeed({ ...options, seed: SEED }).stop;
  if (!feed.startsWith(REPLAY)) return () => undefined;
  const replay = await startReplay({ ...options, path: feed.slice(REPLAY.length), speed });
  return () => replay.stop();
}
