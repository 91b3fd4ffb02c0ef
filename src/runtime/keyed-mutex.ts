/** Runs calls of one name one after the other, and calls of different names concurrently. */

/** The most calls that wait behind a call that hangs; a query repeated in that time must not pile up. */
const WAITING_MAX = 32;

interface Queue {
  last: Promise<unknown>;
  count: number;
}

export class KeyedMutex {
  readonly #queues = new Map<string, Queue>();

  /** Runs `work` after all earlier work of that name. Undefined, and nothing is run, if too many wait. */
  run<T>(name: string, work: () => Promise<T>): Promise<T> | undefined {
    const queue = this.#queues.get(name) ?? { last: Promise.resolve(), count: 0 };
    if (queue.count > WAITING_MAX) return undefined;
    this.#queues.set(name, queue);
    queue.count += 1;
    const done = queue.last.then(work).finally(() => {
      queue.count -= 1;
      if (queue.count === 0) this.#queues.delete(name);
    });
    queue.last = done.catch(() => undefined);
    return done;
  }
}
