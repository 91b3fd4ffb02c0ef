/** The engines that run, as seen from outside: for a program that can work only while no engine runs. */
import type { Timers } from "../../../src/runtime/ports.ts";
import { type Presence, TELL_EVERY_MS } from "./presence.ts";

/** Many times the interval between heartbeats: a busy machine can delay an engine's heartbeat for seconds. */
export const LISTEN_MS = 5_000;

/** After the first engine was received, the others are received within this time. */
const OTHERS_WITHIN_MS = 4 * TELL_EVERY_MS;

/**
 * Returns the engines received, including ending ones; sorted. An engine that falls silent again still
 * counts: it can be busy.
 */
export async function heardEngines(presence: Presence, own: string, timers: Timers): Promise<readonly string[]> {
  const heard = new Set<string>();
  let endMs = LISTEN_MS;
  for (let listenedMs = TELL_EVERY_MS; listenedMs <= endMs; listenedMs += TELL_EVERY_MS) {
    await new Promise<void>((resolve) => void timers.after(TELL_EVERY_MS, resolve));
    for (const { engine } of presence.words()) if (engine !== own) heard.add(engine);
    if (heard.size > 0) endMs = Math.min(endMs, listenedMs + OTHERS_WITHIN_MS);
  }
  return [...heard].sort();
}
