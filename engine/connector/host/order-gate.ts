/**
 * The order calls of a connector behind its fence.
 *
 * Owns: which request reaches the brokerage, and how its answer changes the bars. Does not own: the bars (fence.ts).
 *
 * Invariants:
 * 1. Requests of one `clientOrderId` run one after the other, each judged in its turn: a repeat waits for the first,
 *    and NOT_FOUND is never returned while an attempt is in progress.
 * 2. NOT_FOUND raises the bar before it is returned. So does every answer of a brokerage that was or can have been
 *    asked, unless it promises `idempotent`: a repeat must reach such a brokerage to get the first answer.
 * 3. After a throw the order can have been accepted: UNAVAILABLE.
 * 4. A request addressed to another process is not passed on. A recall of an attempt addressed to this process returns
 *    "not received" only if its bar was lower until then. The bar is raised before the answer.
 * 5. A request read before the process stalled is not passed on: another process can have received it since. A
 *    connector that queues requests asks again right before a request leaves.
 */
import type { Fence, FencedEpoch } from "../../../src/contract/gateway/fence.ts";
import type { RecallAnswer, RecallRequest } from "../../../src/contract/gateway/gateway.ts";
import {
  type BrokerReply,
  type CancelRequest,
  type ChainRequest,
  type FindOrderRequest,
  isSentAgain,
  type OrderAnswer,
  type OrderRecord,
  type PlaceRequest,
  type ResendPromise,
} from "../../../src/contract/trading/order.ts";
import { KeyedMutex } from "../../../src/runtime/keyed-mutex.ts";
import type { Clock, Log } from "../../../src/runtime/ports.ts";
import { AttemptLog } from "./attempt-log.ts";
import { type Failure, failed, type OrderCalls, type RefusalNow } from "./connector.ts";
import type { FenceKeeper } from "./fence.ts";
import type { Arrival } from "./serving-process.ts";

interface GuardOptions {
  readonly fence: FenceKeeper;
  /** The present promise of the connector. */
  readonly resend: () => ResendPromise;
  readonly log: Log;
  /** The name of this process, so that attempts can be recalled. Absent: nothing is addressed to it. */
  readonly instance?: string;
  readonly steadyClock: Clock;
  /** Notes that a request arrived; absent if engine and connector share one process and stall together. */
  readonly arrive?: () => Arrival;
}

/** Passes an order on to the connector. */
type PassOn = (refusalNow: RefusalNow) => Promise<BrokerReply<OrderAnswer>>;

const STALE = failed("NOT_SENT", "the connector was paused after it read the request, or a younger process serves");

export class GuardedOrders {
  readonly #calls: OrderCalls;
  readonly #options: GuardOptions;
  readonly #turns = new KeyedMutex();
  readonly #heard: AttemptLog;

  constructor(calls: OrderCalls, options: GuardOptions) {
    this.#calls = calls;
    this.#options = options;
    this.#heard = new AttemptLog(options.steadyClock);
  }

  place(request: PlaceRequest): Promise<BrokerReply<OrderAnswer>> {
    return this.#send(request, (refusalNow) => this.#calls.place(request, refusalNow));
  }

  chain(request: ChainRequest): Promise<BrokerReply<OrderAnswer>> {
    const { chain } = this.#calls;
    if (chain === undefined) return Promise.resolve(failed("REJECTED", "chain orders are not supported"));
    return this.#send(request, () => chain.call(this.#calls, request));
  }

  async cancel(request: CancelRequest): Promise<BrokerReply<OrderAnswer>> {
    const refusalNow = this.#refusalOf(request.fence, { orderNo: request.orderNo });
    return refusalNow() ?? this.#call("cancel", () => this.#calls.cancel(request, refusalNow));
  }

  async findOrder(request: FindOrderRequest): Promise<BrokerReply<OrderRecord>> {
    const { clientOrderId, fence } = request;
    if (clientOrderId === undefined) return this.#find(request);
    const turn = this.#turns.run(clientOrderId, async () => {
      const reply = await this.#find(request);
      if (reply.ok) this.#noteAnswered(clientOrderId, fence);
      else if (reply.code === "NOT_FOUND" && fence !== undefined) this.#options.fence.raiseBar(clientOrderId, fence);
      return reply;
    });
    return turn ?? failed("UNAVAILABLE", "too many requests for this order wait");
  }

  /** Returns the outcome of an attempt; an attempt that was not received is never passed on. */
  recall({ clientOrderId, fence, instance }: RecallRequest): BrokerReply<RecallAnswer> {
    if (instance !== this.#options.instance) return failed("UNAVAILABLE", "another process was asked for it");
    const isLeading = this.#options.fence.refusalOf(fence) === undefined;
    const known = isLeading ? this.#heard.find(clientOrderId, fence) : undefined;
    if (known !== undefined) return { ok: true, data: known };
    // An attempt at or under its bar was answered so long ago that only the bar remains.
    const refusal = this.#options.fence.refusalOf(fence, clientOrderId);
    if (refusal !== undefined) return this.#fenced(refusal, { clientOrderId });
    this.#options.fence.raiseBar(clientOrderId, fence);
    this.#heard.noteRecalled(clientOrderId, fence);
    return { ok: true, data: { attempt: "recalled" } };
  }

  /** Notes a leader's epoch; the answer contains the highest one. */
  raiseEpoch(asked: FencedEpoch): BrokerReply<FencedEpoch> {
    const highest = this.#options.fence.raiseEpoch(asked);
    if (highest.epoch === asked.epoch) return { ok: true, data: highest };
    return failed("FENCED", `epoch ${highest.epoch} of partition ${asked.partition} was received`);
  }

  async #send(request: PlaceRequest, call: PassOn): Promise<BrokerReply<OrderAnswer>> {
    const { clientOrderId, fence, instance } = request;
    if (instance === undefined || fence === undefined) return this.#sendInTurn(request, call);
    if (instance !== this.#options.instance)
      return failed("NOT_SENT", "it is meant for another process of the connector");
    const noteAnswer = this.#heard.note(clientOrderId, fence);
    try {
      const reply = await this.#sendInTurn(request, call);
      noteAnswer(reply);
      return reply;
    } catch (err) {
      noteAnswer(failed("UNAVAILABLE", "the connector failed"));
      throw err;
    }
  }

  async #sendInTurn({ clientOrderId, fence }: PlaceRequest, call: PassOn): Promise<BrokerReply<OrderAnswer>> {
    const refusalNow = this.#refusalOf(fence, { clientOrderId });
    const turn = this.#turns.run(clientOrderId, async () => {
      const refusal = refusalNow();
      if (refusal !== undefined) return refusal;
      const reply = await this.#call("place", () => call(refusalNow));
      if (!isSentAgain(reply)) this.#noteAnswered(clientOrderId, fence);
      return reply;
    });
    return turn ?? failed("NOT_SENT", "too many requests for this order wait");
  }

  /** The refusal of a request that arrives now. */
  #refusalOf(fence: Fence | undefined, fields: { clientOrderId?: string; orderNo?: string }): RefusalNow {
    const isStale = this.#options.arrive?.();
    return () => {
      if (isStale?.() === true) return STALE;
      const refusal = this.#options.fence.refusalOf(fence, fields.clientOrderId);
      return refusal === undefined ? undefined : this.#fenced(refusal, fields);
    };
  }

  async #find(request: FindOrderRequest): Promise<BrokerReply<OrderRecord>> {
    const refusal = this.#options.fence.refusalOf(request.fence);
    if (refusal !== undefined) return this.#fenced(refusal, { clientOrderId: request.clientOrderId });
    return this.#call("findOrder", () => this.#calls.findOrder(request));
  }

  #noteAnswered(clientOrderId: string, fence: Fence | undefined): void {
    if (fence === undefined || this.#options.resend() === "idempotent") return;
    this.#options.fence.raiseBar(clientOrderId, fence);
  }

  #fenced(refusal: string, fields: object): Failure {
    this.#options.log.warn({ event: "connector.requestFenced", ...fields }, `a request was not passed on: ${refusal}`);
    return failed("FENCED", refusal);
  }

  async #call<T>(operation: string, call: () => Promise<BrokerReply<T>>): Promise<BrokerReply<T>> {
    try {
      return await call();
    } catch (err) {
      this.#options.log.error(
        { event: "connector.callFailed", err, operation },
        "the connector failed: the outcome is unknown",
      );
      return failed("UNAVAILABLE", "the connector failed");
    }
  }
}
