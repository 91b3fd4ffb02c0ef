/** Who runs, heard from outside: for a program that may do its work only while no engine does. */
import type { Timers } from "../../../src/runtime/ports.ts";
import { type Presence, TELL_EVERY_MS } from "./presence.ts";

/** Many times as long as an engine takes to say so again: a busy machine may keep it from it for seconds. */
export const LISTEN_MS = 5_000;

/** Once one engine was heard the others are, too. */
const OTHERS_WITHIN_MS = 4 * TELL_EVERY_MS;

/**
 * The engines that were heard, those that end included; sorted. One that falls silent again counts all the same: it may
 * be busy.
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
