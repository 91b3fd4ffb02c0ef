/** Helpers that the parts of the bus's conformance suite share. */
import type { Bus, BusErrorContext } from "../../src/bus/port.ts";

export interface Reported {
  readonly error: unknown;
  readonly context: BusErrorContext;
}

/** The form of the bus that a test runs on. */
export interface BusForm {
  /** A new connection. */
  connect(): Promise<Bus>;
  /** Two new connections. */
  pair(): Promise<[Bus, Bus]>;
  /** The errors that the connections of this test have reported so far. */
  reported(): readonly Reported[];
}

/** Long enough to never matter. */
export const AMPLE_MS = 30_000;

/** Collects the messages of a subscription, as `subject text` lines. */
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

/** Resolves once all subscriptions and messages made before on these connections have taken effect on all of them. */
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

/** A promise that another part of the test settles. */
export function signal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}
