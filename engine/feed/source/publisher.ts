/**
 * The shared part of the feeds in the engine: they publish ticks like any publisher, over the bus.
 *
 * Owns: the wire form of a tick. Does not own: which ticks, and when.
 */
import type { Bus } from "../../../src/bus/port.ts";
import { tickSubject } from "../../../src/contract/subject.ts";
import { numberText } from "../../../src/domain/price/price.ts";
import type { Clock, Log, Timers } from "../../../src/runtime/ports.ts";

export interface PublisherPorts {
  readonly bus: Pick<Bus, "publish" | "flush" | "status">;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

/** Publishes one tick of a known price, `price` in currency units, with the present time. */
export function publishTick(ports: Pick<PublisherPorts, "bus" | "clock">, symbol: string, price: number): void {
  const tick = `{"price":${numberText(price)},"time":${ports.clock.nowMs()}}`;
  ports.bus.publish(tickSubject(symbol), Buffer.from(tick));
}
