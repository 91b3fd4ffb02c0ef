/** The options for reading missed ticks back. */
import type { Bus } from "../../../src/bus/port.ts";
import type { Clock, Log, Timers } from "../../../src/runtime/ports.ts";
import type { HeldTicks } from "../live.ts";
import type { TickHole } from "./missed-ticks.ts";
import type { TickStream } from "./tick-stream.ts";

/** Why ticks are read back. `found`: the stream did not answer before. */
export type Reason = "start" | "reconnect" | "stall" | "unheard" | "clock" | "found";

export interface CatchUpOptions {
  readonly bus: Pick<Bus, "onStatus" | "status">;
  readonly stream: TickStream;
  readonly live: HeldTicks;
  readonly clock: Clock;
  /** Milliseconds since any moment, never stepping. Bounds the time for which live ticks are held back. */
  readonly steadyClock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** Older ticks are not read back. */
  readonly catchUpSeconds: number;
  /** How long every received tick has been held; absent: from now on. */
  readonly heldForMs?: () => number;
  /**
   * False while no order can be sent, because the log is unavailable or another engine can lead. Live ticks wait for as
   * long, since nothing would be decided by them. Absent: always true.
   */
  readonly mayAct?: () => boolean;
  readonly onHole: (hole: TickHole) => void;
  /**
   * Called when the last tick read back or kept is not certainly the last: no position to read from, or a gap in the
   * stream.
   */
  readonly onUnknownPast?: () => void;
  /** Called when the position is first known, or when `memory` has changed: store it now. */
  readonly onMemory?: () => void;
}
