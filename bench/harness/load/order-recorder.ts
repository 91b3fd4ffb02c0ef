/** Reports when orders of a partition in this process are durable. */
import type { Store } from "../../../engine/ports/storage.ts";
import type { Operations } from "../bare-level.ts";

/** A part of the key of every order's row, and of no other key. */
export const ORDER_PREFIX = "o/0";

/** Watches the batches that pass to the store. */
export class OrderRecorder {
  #written: Operations[] = [];
  #orders = 0;
  #wanted = Number.POSITIVE_INFINITY;
  #onWanted: () => void = () => undefined;

  around(store: Store): Store {
    return {
      read: (key) => store.read(key),
      scan: (range) => store.scan(range),
      close: () => store.close(),
      write: async (operations) => {
        await store.write(operations);
        if (this.#orders >= this.#wanted) return;
        this.#written.push(operations);
        for (const { type, key } of operations) if (type === "put" && key.startsWith(ORDER_PREFIX)) this.#orders += 1;
        if (this.#orders >= this.#wanted) this.#onWanted();
      },
    };
  }

  /** Resolves once `count` orders are durable. */
  async orders(count: number): Promise<void> {
    this.#written = [];
    this.#orders = 0;
    this.#wanted = count;
    await new Promise<void>((resolve) => {
      this.#onWanted = resolve;
    });
  }

  get written(): Operations {
    return this.#written.flat();
  }
}
