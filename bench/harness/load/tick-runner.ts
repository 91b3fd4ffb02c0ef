/** Ticks given to an engine in this very process, from the bytes of their messages on. */

import { TickAcceptance } from "../../../engine/feed/acceptance.ts";
import { TickIntake } from "../../../engine/feed/tick-intake.ts";
import type { BusMessage } from "../../../src/bus/port.ts";
import { tickSubject } from "../../../src/contract/subject.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { quietLog } from "../ending.ts";
import { SYMBOLS, symbolOf } from "./owned-group.ts";

type OnTick = ConstructorParameters<typeof TickAcceptance>[0]["onTick"];

const PRICES = 97;

/** An intake of its own that hands accepted ticks to `onTick`: takes the tick of a symbol's price. */
export function intakeOf(onTick: OnTick): (message: BusMessage, nowMs: number) => void {
  const acceptance = new TickAcceptance({
    symbols: { isKnown: () => true },
    clock: systemClock,
    tickMovePercentMax: undefined,
    tickAgeMsMax: 60_000,
    log: quietLog,
    onTick,
  });
  const intake = new TickIntake(acceptance);
  return (message, nowMs) => intake.take(message, nowMs);
}

/** Gives `count` prepared messages, over and over; their prices, 95.00 to 99.80, are to reach nothing. */
export function silentTicks(onTick: OnTick): (count: number) => void {
  const take = intakeOf(onTick);
  const messages = Array.from({ length: 2 * SYMBOLS }, (_, index) =>
    tickMessage(symbolOf(index), 95 + (index % PRICES) / 20),
  );
  return (count) => {
    const nowMs = Date.now();
    for (let done = 0, at = 0; done < count; done += 1) {
      const message = messages[at];
      if (message !== undefined) take(message, nowMs);
      at = at + 1 === messages.length ? 0 : at + 1;
    }
  };
}

/** As the bus gives it: among other bytes. */
export function tickMessage(symbol: string, price: number): BusMessage {
  const subject = tickSubject(symbol);
  const data = JSON.stringify({ price });
  const head = `MSG ${subject} 1 ${data.length}\r\n`;
  const bytes = Buffer.from(`${head}${data}\r\n`);
  const subjectStart = "MSG ".length;
  const dataEnd = head.length + data.length;
  return {
    subject,
    data: bytes.subarray(head.length, dataEnd),
    frame: { bytes, subjectStart, subjectEnd: subjectStart + subject.length, dataStart: head.length, dataEnd },
  };
}
