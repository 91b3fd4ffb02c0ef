/** What is declared of a log event. */

/** The levels of a line, the gravest first. */
export type LogSeverity = "fatal" | "error" | "warn" | "info" | "debug";

type Ordinary = {
  readonly severity: "info" | "debug" | readonly ["info", "debug"];
  /** What happened, as one sentence. */
  readonly meaning: string;
};

type Notable = {
  /** Several if the line's circumstances decide. */
  readonly severity: "fatal" | "error" | "warn" | readonly ["warn", "info"];
  /** What happened, as one sentence. */
  readonly meaning: string;
  /** What an operator does. */
  readonly action: string;
};

export type LogEventDeclaration = Ordinary | Notable;

/** Declarations by code. A code is `topic.whatHappened` and never changes. */
export type LogEventTable = Readonly<Record<`${string}.${string}`, LogEventDeclaration>>;
