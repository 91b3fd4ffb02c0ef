/**
 * Every event that the engine, the edge and the connectors log. `npm run log-events` makes docs/log-events.md of it.
 *
 * Invariant: a code, once released, keeps its name and its meaning. The text of a line may change.
 */
import { clusterEvents } from "./cluster-events.ts";
import { connectorEvents } from "./connector-events.ts";
import type { LogEventDeclaration, LogSeverity } from "./declaration.ts";
import { edgeEvents } from "./edge-events.ts";
import { engineEvents } from "./engine-events.ts";
import { orderEvents } from "./order-events.ts";
import { priceEvents } from "./price-events.ts";
import { processEvents } from "./process-events.ts";

export const LOG_EVENTS = {
  ...processEvents,
  ...edgeEvents,
  ...engineEvents,
  ...orderEvents,
  ...priceEvents,
  ...connectorEvents,
  ...clusterEvents,
} as const;

type LogEvents = typeof LOG_EVENTS;

/** The severities that a code is declared with. */
type SeverityOf<Code extends keyof LogEvents> = LogEvents[Code]["severity"] extends infer Severity
  ? Severity extends readonly (infer One)[]
    ? One
    : Severity
  : never;

/** The codes that are declared with one of the severities. */
export type LogEvent<Severity extends LogSeverity = LogSeverity> = {
  [Code in keyof LogEvents]: Extract<SeverityOf<Code>, Severity> extends never ? never : Code;
}[keyof LogEvents];

/** The severities of a declaration, as a list. */
export function severitiesOf({ severity }: LogEventDeclaration): readonly LogSeverity[] {
  return typeof severity === "string" ? [severity] : severity;
}
