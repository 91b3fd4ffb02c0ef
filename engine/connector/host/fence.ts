/**
 * The fence of a connector: which requests arrive too late to be passed on.
 *
 * Owns: the highest epoch received of each partition, and for each `clientOrderId` a bar. Does not own: requests to the
 * brokerage (order-gate.ts), the storage of epochs (epoch-file.ts).
 *
 * Invariants:
 * 1. An epoch and a bar are raised, never lowered: a late look-up must not admit a request that a later one excluded.
 * 2. A request is refused if its epoch is below the highest, or if it is at or under its order's bar.
 * 3. A raised epoch is stored before it is relied on.
 * 4. A bar lives for an hour at least after it was last raised: longer than a server stalls unnoticed.
 */
import { type Fence, type FencedEpoch, type FencePoint, isAtOrUnder } from "../../../src/contract/gateway/fence.ts";
import type { Clock } from "../../../src/runtime/ports.ts";

const BAR_LIFE_MS = 3_600_000;

/** Stores the highest epoch of each partition over restarts. */
export interface EpochStore {
  readonly epochs: ReadonlyMap<number, number>;
  /** Returns once it is durable. Throws if it cannot be stored: then nothing can be passed on. */
  keep(partition: number, epoch: number): void;
}

/**
 * Epochs that are forgotten when the process ends: a past leader gets through only if it wakes before the present one.
 */
function forgetfulEpochs(): EpochStore {
  return { epochs: new Map(), keep: () => undefined };
}

interface Bar extends FencePoint {
  readonly raisedMs: number;
}

export class FenceKeeper {
  readonly #steadyClock: Clock;
  readonly #store: EpochStore;
  readonly #epochs: Map<number, number>;
  /** In the order in which they were last raised. */
  readonly #bars = new Map<string, Bar>();

  /** `steadyClock`: milliseconds since any moment, never stepping. */
  constructor(steadyClock: Clock, store: EpochStore = forgetfulEpochs()) {
    this.#steadyClock = steadyClock;
    this.#store = store;
    this.#epochs = new Map(store.epochs);
  }

  /** The number of bars. */
  get barCount(): number {
    return this.#bars.size;
  }

  /**
   * Returns why a request is too late to be passed on, or undefined. Notes its epoch. A request without a fence is from
   * an engine of the first edition and passes. `clientOrderId`: of an order to place; otherwise only the epoch counts.
   */
  refusalOf(fence: Fence | undefined, clientOrderId?: string): string | undefined {
    if (fence === undefined) return undefined;
    const heard = this.raiseEpoch(fence).epoch;
    if (fence.epoch < heard) return `epoch ${fence.epoch} of partition ${fence.partition} ended: ${heard} was received`;
    const bar = clientOrderId === undefined ? undefined : this.#barOf(clientOrderId);
    if (bar === undefined || !isAtOrUnder(fence, bar)) return undefined;
    return `attempt ${fence.attempt} comes too late: attempt ${bar.attempt} of epoch ${bar.epoch} has its answer`;
  }

  /** Notes an epoch; returns the highest of its partition. */
  raiseEpoch({ partition, epoch }: FencedEpoch): FencedEpoch {
    const heard = this.#epochs.get(partition) ?? 0;
    if (epoch <= heard) return { partition, epoch: heard };
    this.#store.keep(partition, epoch);
    this.#epochs.set(partition, epoch);
    return { partition, epoch };
  }

  /**
   * Raises the bar once an attempt was answered, or its order was reported as missing. Neither it nor an earlier one is
   * passed on any more.
   */
  raiseBar(clientOrderId: string, { epoch, attempt }: FencePoint): void {
    const nowMs = this.#steadyClock.nowMs();
    const bar = this.#barOf(clientOrderId);
    const highest = bar === undefined || isAtOrUnder(bar, { epoch, attempt }) ? { epoch, attempt } : bar;
    this.#bars.delete(clientOrderId);
    this.#bars.set(clientOrderId, { epoch: highest.epoch, attempt: highest.attempt, raisedMs: nowMs });
    for (const [name, { raisedMs }] of this.#bars) {
      if (nowMs - raisedMs <= BAR_LIFE_MS) return;
      this.#bars.delete(name);
    }
  }

  #barOf(clientOrderId: string): Bar | undefined {
    const bar = this.#bars.get(clientOrderId);
    return bar !== undefined && this.#steadyClock.nowMs() - bar.raisedMs <= BAR_LIFE_MS ? bar : undefined;
  }
}
