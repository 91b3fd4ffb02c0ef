/**
 * Owns: a binary heap, the smallest item first. Does not own: what "smaller" means.
 */
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #isBefore: (a: T, b: T) => boolean;

  /** `isBefore` must be a strict order that does not change while an item is held. */
  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#items.length;
  }

  /** Returns the smallest item, or undefined if the heap is empty. O(1). */
  peek(): T | undefined {
    return this.#items[0];
  }

  /** Adds an item. O(log n). */
  push(item: T): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = items[parentAt];
      if (parent === undefined || !this.#isBefore(item, parent)) break;
      items[at] = parent;
      at = parentAt;
    }
    items[at] = item;
  }

  /** Removes and returns the smallest item, or undefined if the heap is empty. O(log n). */
  pop(): T | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (last !== undefined && items.length > 0) this.#sink(last);
    return top;
  }

  /** Puts `item` at the top and moves it down to its place. */
  #sink(item: T): void {
    const items = this.#items;
    let at = 0;
    for (;;) {
      const leftAt = 2 * at + 1;
      const left = items[leftAt];
      if (left === undefined) break;
      const right = items[leftAt + 1];
      const isRight = right !== undefined && this.#isBefore(right, left);
      const child = isRight ? right : left;
      if (!this.#isBefore(child, item)) break;
      items[at] = child;
      at = isRight ? leftAt + 1 : leftAt;
    }
    items[at] = item;
  }
}
