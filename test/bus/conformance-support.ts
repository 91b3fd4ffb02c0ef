/** What the parts of the bus's conformance suite share. */
import type { Bus, BusErrorContext } from "../../src/bus/port.ts";

export interface Reported {
  readonly error: unknown;
  readonly context: BusErrorContext;
}

export type Connect = () => Promise<Bus>;
export type Pair = () => Promise<[Bus, Bus]>;
export type ReportedErrors = () => readonly Reported[];

/** Long enough to never matter. */
export const AMPLE_MS = 30_000;

/** What a subscription has received, as `subject text` lines. */
export function collect(bus: Bus, pattern: string, queue?: string): string[] {
  const lines: string[] = [];
  bus.subscribe(
    pattern,
    ({ subject, data }) => {
      lines.push(`${subject} ${text(data)}`);
    },
    queue === undefined ? {} : { queue },
  );
  return lines;
}

/** All subscriptions made and all messages published on these connections before have taken effect on all of them. */
export async function settle(...buses: Bus[]): Promise<void> {
  for (const bus of buses) await bus.flush();
  for (const bus of buses) await bus.flush();
}

export function bytes(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

export function text(data: Uint8Array): string {
  return new TextDecoder().decode(data);
}
