/** The right to act for a partition. Interfaces only. */

/** Whether this engine is the only one of its partitions. */
export interface Ownership {
  /** False while it does not know: then no order and no answer can leave. */
  mayAct(): boolean;
  /** How many ms ago its last successful proof was requested, by the clock that shows more. */
  readonly provenForMs: number;
  /** Resolves once it knows; never if another engine took over. */
  whenMayAct(): Promise<void>;
}
