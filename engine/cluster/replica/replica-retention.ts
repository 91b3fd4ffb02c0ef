/** Whether this engine keeps a copy of a partition. A copy that is no longer kept is set aside once it is closed. */
import type { Log } from "../../../src/runtime/ports.ts";
import { retireReplica } from "./retired-replica.ts";

interface KeepingOptions {
  readonly number: number;
  readonly folder: string;
  readonly isKept: boolean;
  readonly log: Log;
}

export class ReplicaRetention {
  readonly #options: KeepingOptions;
  #isKept: boolean;
  #wake: () => void = () => undefined;

  constructor(options: KeepingOptions) {
    this.#options = options;
    this.#isKept = options.isKept;
  }

  get isKept(): boolean {
    return this.#isKept;
  }

  keep(isKept: boolean): void {
    this.#isKept = isKept;
    this.#wake();
  }

  /** Sets the closed copy aside, and resolves once a copy must be kept again, or when `signal` ends everything. */
  async leave(signal: AbortSignal): Promise<void> {
    const { folder, number: partition, log } = this.#options;
    try {
      const isLeft = await retireReplica(folder);
      if (isLeft)
        log.info(
          { event: "replica.retired", partition },
          "the copy of the partition is put aside: other engines have it",
        );
    } catch (err) {
      log.warn(
        { event: "replica.notRetired", partition, folder, err },
        "the copy of the partition cannot be put aside: it lies there unused",
      );
    }
    const wake = (): void => this.#wake();
    signal.addEventListener("abort", wake);
    while (!this.#isKept && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    signal.removeEventListener("abort", wake);
  }
}
