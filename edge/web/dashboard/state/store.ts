/** Values that views follow. What changes within one frame of the screen is shown once, all of it together. */
import { useEffect, useState } from "preact/hooks";

interface Telling {
  tell(): void;
}

/** What changed since the last frame. */
let changed: Set<Telling> | undefined;

function tellWithNextFrame(store: Telling): void {
  if (changed === undefined) {
    changed = new Set();
    requestAnimationFrame(() => {
      const told = changed ?? [];
      changed = undefined;
      for (const each of told) each.tell();
    });
  }
  changed.add(store);
}

export class Store<S> {
  #value: S;
  readonly #listeners = new Set<() => void>();
  readonly #onShown: (() => void) | undefined;

  /** `onShown` is called when a first view follows the store. */
  constructor(value: S, onShown?: () => void) {
    this.#value = value;
    this.#onShown = onShown;
  }

  /** Whether a view follows it. */
  get isShown(): boolean {
    return this.#listeners.size > 0;
  }

  get value(): S {
    return this.#value;
  }

  set(value: S): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    if (this.#listeners.size > 0) tellWithNextFrame(this);
  }

  /** Has the views look again. */
  tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  update(change: (value: S) => S): void {
    this.set(change(this.#value));
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#onShown?.();
    return () => this.#listeners.delete(listener);
  }
}

/** The store's value; the view is drawn again when it changes. */
export function useStore<S>(store: Store<S>): S {
  const [value, setValue] = useState(store.value);
  useEffect(() => {
    setValue(() => store.value);
    return store.subscribe(() => setValue(() => store.value));
  }, [store]);
  return value;
}
