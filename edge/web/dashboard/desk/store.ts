/** A value that views follow. What changes within one frame of the screen is shown once. */
import { useEffect, useState } from "preact/hooks";

export class Store<S> {
  #value: S;
  readonly #listeners = new Set<() => void>();
  #isScheduled = false;

  constructor(value: S) {
    this.#value = value;
  }

  get value(): S {
    return this.#value;
  }

  set(value: S): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => {
      this.#isScheduled = false;
      for (const listener of [...this.#listeners]) listener();
    });
  }

  update(change: (value: S) => S): void {
    this.set(change(this.#value));
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
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
