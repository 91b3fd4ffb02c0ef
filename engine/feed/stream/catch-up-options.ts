/** What reading back missed ticks needs. */
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
  /** Milliseconds since any moment, never stepping: how long live ticks are held back at most. */
  readonly steadyClock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** Older ticks are not read back. */
  readonly catchUpSeconds: number;
  /** How long every tick that came has been held; absent: from now on. */
  readonly heldForMs?: () => number;
  /**
   * False while no order may leave, as the log is away or another engine may lead: live ticks wait for as long, since
   * nothing would be decided by them. Absent: always true.
   */
  readonly mayAct?: () => boolean;
  readonly onHole: (hole: TickHole) => void;
  /** What was read back, or kept, need not be the last: there was no position to read from, or the stream lacks some. */
  readonly onUnknownPast?: () => void;
  /** The position was first known, or what `memory` says has changed: to be stored now. */
  readonly onMemory?: () => void;
}
