/** What a fault is. */

export type Part =
  | "outbox"
  | "journal"
  | "recovery"
  | "feed"
  | "host"
  | "watch"
  | "deadlines"
  | "groups"
  | "orders"
  | "setups"
  | "bots"
  | "restore"
  | "replica"
  | "seed";

export interface Fault {
  readonly id: string;
  readonly part: Part;
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** What is run where the simulation does not notice: paths of test files or folders. */
  readonly tests: readonly string[];
}
