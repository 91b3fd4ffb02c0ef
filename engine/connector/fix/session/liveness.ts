/** Whether the other side still lives: heartbeats of ours, questions, and the end of patience. All of it monotonic time. */

interface Liveness {
  readonly lastSentMs: number;
  readonly lastHeardMs: number;
  /** When the peer was asked whether it lives, and has said nothing since. */
  readonly askedMs?: number;
}

type LivenessStep = "nothing" | "heartbeat" | "ask" | "down";

const PATIENCE = 1.2;

/** What is due at `nowMs`. Silence is counted from the question on: a process that stood still must ask first. */
export function livenessStep(liveness: Liveness, intervalMs: number, nowMs: number): LivenessStep {
  const { lastHeardMs, lastSentMs, askedMs } = liveness;
  const patienceMs = intervalMs * PATIENCE;
  if (askedMs !== undefined && nowMs - askedMs >= patienceMs) return "down";
  if (askedMs === undefined && nowMs - lastHeardMs >= patienceMs) return "ask";
  return nowMs - lastSentMs >= intervalMs ? "heartbeat" : "nothing";
}
