/**
 * Gathers items that come shortly after each other, so that they are handled together: under load each costs far less
 * work then. An item that comes alone is handled immediately.
 */
import type { Cancel, Timers } from "./ports.ts";

interface GatheringOptions<Item> {
  readonly timers: Pick<Timers, "after">;
  /** How long after a handling further items wait for the next one. */
  readonly pauseMs: number;
  /** Takes at least one item, in the order in which they came. */
  readonly handle: (items: readonly Item[]) => void;
}

export class Gathering<Item> {
  readonly #options: GatheringOptions<Item>;
  #items: Item[] = [];
  /** Set while items wait for the next handling. */
  #cancel: Cancel | undefined;

  constructor(options: GatheringOptions<Item>) {
    this.#options = options;
  }

  add(item: Item): void {
    this.#items.push(item);
    if (this.#cancel === undefined) this.#handleAll();
  }

  /** Handles what waits now. */
  flush(): void {
    this.stop();
    this.#take();
  }

  /** Handles nothing that waits, until something more comes. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #handleAll(): void {
    const { timers, pauseMs } = this.#options;
    this.#cancel = timers.after(pauseMs, () => {
      this.#cancel = undefined;
      if (this.#items.length > 0) this.#handleAll();
    });
    this.#take();
  }

  #take(): void {
    const items = this.#items;
    this.#items = [];
    if (items.length > 0) this.#options.handle(items);
  }
}
