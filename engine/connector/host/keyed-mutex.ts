/**
 * Calls of one name, one after the other; those of different names go side by side.
 */

/** So many may wait behind one that hangs; a question that is repeated meanwhile must not pile up. */
const WAITING_MAX = 32;

interface Queue {
  last: Promise<unknown>;
  count: number;
}

export class KeyedMutex {
  readonly #queues = new Map<string, Queue>();

  /** Runs `work` once all earlier work of that name is over. Undefined, and nothing is run, where too many wait. */
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
