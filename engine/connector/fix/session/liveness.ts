/**
 * Whether the other side still lives: heartbeats of ours, questions, and the end of patience. All times are monotonic.
 */

interface Liveness {
  readonly lastSentMs: number;
  readonly lastHeardMs: number;
  /** When the peer was asked whether it lives, if it has sent nothing since. */
  readonly askedMs?: number;
}

type LivenessStep = "nothing" | "heartbeat" | "ask" | "down";

const PATIENCE = 1.2;

/** Returns what is due at `nowMs`. Silence counts from the question on: a process that stalled must ask first. */
export function livenessStep(liveness: Liveness, intervalMs: number, nowMs: number): LivenessStep {
  const { lastHeardMs, lastSentMs, askedMs } = liveness;
  const patienceMs = intervalMs * PATIENCE;
  if (askedMs !== undefined && nowMs - askedMs >= patienceMs) return "down";
  if (askedMs === undefined && nowMs - lastHeardMs >= patienceMs) return "ask";
  return nowMs - lastSentMs >= intervalMs ? "heartbeat" : "nothing";
}
