import type { PriceSlots } from "../../../../engine/feed/last-prices.ts";

/** Slots in memory, as a reader finds them after a kill. */
export class Slots implements PriceSlots {
  bytes = Buffer.alloc(0);
  writes = 0;
  isFull = false;

  read(): Uint8Array {
    return Buffer.from(this.bytes);
  }

  write(bytes: Uint8Array, position: number): void {
    if (this.isFull) throw new Error("no space left on device");
    this.writes += 1;
    const grown = Buffer.alloc(Math.max(this.bytes.length, position + bytes.length));
    this.bytes.copy(grown);
    grown.set(bytes, position);
    this.bytes = grown;
  }

  remove(): void {
    this.bytes = Buffer.alloc(0);
  }
}
