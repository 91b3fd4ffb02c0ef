/** Every tick on the bus, alone or in a batch, as numbers: for programs that need no more of a feed. */
import type { Bus } from "../../src/bus/port.ts";
import { TICK_BATCH_SUBJECT, tickSubject } from "../../src/contract/subject.ts";
import { decodeTicks, type TickVisitor } from "./decode.ts";

const SYMBOL_START = tickSubject("").length;

/** Subscribes, and passes each readable tick to `visit`; nothing is judged. */
export function subscribeTicks(bus: Pick<Bus, "subscribe">, visit: TickVisitor): void {
  bus.subscribe(tickSubject("*"), ({ subject, data }) => void decodeTicks(data, subject.slice(SYMBOL_START), visit));
  bus.subscribe(TICK_BATCH_SUBJECT, ({ data }) => void decodeTicks(data, undefined, visit));
}
