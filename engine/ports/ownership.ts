/** Who may act for a partition. Interfaces only. */

/** Whether this engine is the only one of its partitions. */
export interface Ownership {
  /** False while it does not know: then no order and no answer may leave. */
  mayAct(): boolean;
  /** How many ms ago it last asked what proved it, by the clock that says longer. */
  readonly provenForMs: number;
  /** Resolves once it knows; never where another engine took over. */
  whenMayAct(): Promise<void>;
}
