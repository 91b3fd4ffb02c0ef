import type { Row } from "../../ports/storage.ts";

/** A row that a caller keeps: its key, and the hash of the pair with every change made so far. */
export class KeptRow implements Row {
  readonly key: string;
  pairHash: bigint;

  constructor(key: string, pairHash: bigint) {
    this.key = key;
    this.pairHash = pairHash;
  }

  get hash(): string {
    return this.pairHash.toString(16);
  }
}
