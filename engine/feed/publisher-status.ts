/**
 * The status that the processes report that publish a venue's prices.
 *
 * Owns: the last status of each, and the detection of a publisher that stopped sending. Does not own: whether ticks
 * arrive, and which count (acceptance.ts).
 *
 * Invariant: a publisher that sends no status is shown as gone for a day, then forgotten; the number kept is bounded.
 */

import { type FeedStatus, feedStatusSchema, type PublisherStats } from "../../src/contract/operator/feed-status.ts";
import { parseJson } from "../../src/runtime/json.ts";
import type { Clock } from "../../src/runtime/ports.ts";

/** Publishers send a status every five seconds. */
const GONE_AFTER_MS = 15_000;
const FORGOTTEN_AFTER_MS = 86_400_000;
const PUBLISHERS_MAX = 100;

export class FeedPublishers {
  readonly #steadyClock: Clock;
  readonly #byName = new Map<string, { readonly status: FeedStatus; readonly atMs: number }>();

  /** `steadyClock`: milliseconds since any moment, never stepping. */
  constructor(steadyClock: Clock) {
    this.#steadyClock = steadyClock;
  }

  /** Reads a message of `feed.<NAME>.status`; an invalid one is ignored. */
  read(data: Uint8Array): void {
    const read = feedStatusSchema.safeParse(parseJson(data));
    if (!read.success || (this.#byName.size >= PUBLISHERS_MAX && !this.#byName.has(read.data.name))) return;
    this.#byName.set(read.data.name, { status: read.data, atMs: this.#steadyClock.nowMs() });
  }

  /** Returns the stats, ordered by name. */
  stats(): PublisherStats[] {
    const nowMs = this.#steadyClock.nowMs();
    for (const [name, { atMs }] of this.#byName) if (nowMs - atMs > FORGOTTEN_AFTER_MS) this.#byName.delete(name);
    return [...this.#byName.values()]
      .map(({ status: { connected, silent, ...told }, atMs }) => {
        const isGone = nowMs - atMs > GONE_AFTER_MS;
        return { ...told, state: isGone ? "gone" : connected ? stateOf(silent, told.behindMs) : "down" } as const;
      })
      .sort((left, right) => (left.name < right.name ? -1 : 1));
  }
}

function stateOf(isSilent: boolean, behindMs: number | undefined): PublisherStats["state"] {
  if (behindMs !== undefined) return "delayed";
  return isSilent ? "silent" : "connected";
}
