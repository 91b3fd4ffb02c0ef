/**
 * The outcomes of attempts that this process of a connector recently received, or was asked back about.
 *
 * Owns: that memory. Does not own: which requests are passed on (order-gate.ts), the bars (fence.ts).
 *
 * Invariants:
 * 1. An attempt is noted before anything is done about it. While in progress it is not forgotten until a later one is
 *    asked about; after its answer, not before an engine stops waiting for one.
 * 2. A repeat, and an attempt that arrives late, changes nothing: a recall asks about the last one.
 * 3. An attempt that can be sent again under its number is forgotten with its answer: that answer does not belong to
 *    the next one.
 */
import { type FencePoint, isAtOrUnder } from "../../../src/contract/gateway/fence.ts";
import type { RecallAnswer } from "../../../src/contract/gateway/gateway.ts";
import { type BrokerReply, isSentAgain, type OrderAnswer } from "../../../src/contract/trading/order.ts";
import type { Clock } from "../../../src/runtime/ports.ts";

/** Twice the longest `timeoutMs`. */
const LIFE_MS = 60_000;

interface Ended extends FencePoint {
  readonly told: RecallAnswer;
  readonly endedMs: number;
}

export class AttemptLog {
  readonly #steadyClock: Clock;
  /** By `clientOrderId`. */
  readonly #underWay = new Map<string, FencePoint>();
  /** By `clientOrderId`, in the order in which they ended. */
  readonly #ended = new Map<string, Ended>();

  /** `steadyClock`: milliseconds since any moment, never stepping. */
  constructor(steadyClock: Clock) {
    this.#steadyClock = steadyClock;
  }

  get size(): number {
    return this.#underWay.size + this.#ended.size;
  }

  /** Notes an attempt that arrived; the returned function receives its answer. */
  note(clientOrderId: string, { epoch, attempt }: FencePoint): (answer: BrokerReply<OrderAnswer>) => void {
    const last = this.#lastOf(clientOrderId);
    const heard = { epoch, attempt };
    if (last !== undefined && isAtOrUnder(heard, last)) return () => undefined;
    this.#ended.delete(clientOrderId);
    this.#underWay.set(clientOrderId, heard);
    return (answer) => {
      if (this.#underWay.get(clientOrderId) !== heard) return;
      this.#underWay.delete(clientOrderId);
      if (!isSentAgain(answer)) this.#end(clientOrderId, heard, { attempt: "answered", answer });
    };
  }

  /** Notes an attempt that was not received: it will not be passed on. */
  noteRecalled(clientOrderId: string, attempt: FencePoint): void {
    const underWay = this.#underWay.get(clientOrderId);
    if (underWay !== undefined && isAtOrUnder(underWay, attempt)) this.#underWay.delete(clientOrderId);
    this.#end(clientOrderId, attempt, { attempt: "recalled" });
  }

  /** Undefined: it was not received, or certainly not passed on, or so long ago that it is forgotten. */
  find(clientOrderId: string, { epoch, attempt }: FencePoint): RecallAnswer | undefined {
    const last = this.#lastOf(clientOrderId);
    if (last?.epoch !== epoch || last.attempt !== attempt) return undefined;
    return "told" in last ? last.told : { attempt: "underWay" };
  }

  #lastOf(clientOrderId: string): FencePoint | Ended | undefined {
    return this.#underWay.get(clientOrderId) ?? this.#ended.get(clientOrderId);
  }

  #end(clientOrderId: string, { epoch, attempt }: FencePoint, told: RecallAnswer): void {
    const endedMs = this.#steadyClock.nowMs();
    this.#ended.delete(clientOrderId);
    this.#ended.set(clientOrderId, { epoch, attempt, told, endedMs });
    for (const [name, ended] of this.#ended) {
      if (endedMs - ended.endedMs <= LIFE_MS) return;
      this.#ended.delete(name);
    }
  }
}
