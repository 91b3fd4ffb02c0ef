/** What an example of an operation consists of. */
export interface OperationExample {
  readonly body?: unknown;
  /** `message` of the answer. */
  readonly message: string;
  readonly data?: unknown;
}
