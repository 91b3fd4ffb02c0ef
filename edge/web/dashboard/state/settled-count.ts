/**
 * A count that others read lists again for: many changes that come together count as one, so that a busy bot does not use
 * up the requests that its user has.
 */
import { Store } from "./store.ts";

const SETTLE_MS = 1_000;
const COUNT_EVERY_MS = 3_000;

export class SettledCount {
  readonly count = new Store(0);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #countedMs = Number.NEGATIVE_INFINITY;

  /** Something changed. */
  note(): void {
    if (this.#timer !== undefined) return;
    const waitMs = Math.max(SETTLE_MS, this.#countedMs + COUNT_EVERY_MS - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#countedMs = performance.now();
      this.count.update((count) => count + 1);
    }, waitMs);
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
