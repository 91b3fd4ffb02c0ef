/**
 * The order calls of a connector behind its fence.
 *
 * Owns: which request reaches the brokerage, and what its answer does to the bars. Does not own: the bars (fence.ts).
 *
 * Invariants:
 * 1. Requests of one `clientOrderId` go one after the other, each judged when its turn comes: a repeat waits for the
 *    first, and NOT_FOUND is never said while an attempt is on its way.
 * 2. NOT_FOUND raises the bar before it is told, and so does every answer of a brokerage that was or may have been asked,
 *    but for those that promise `idempotent`: a repeat must reach them to get the first answer.
 * 3. What throws may have been taken: UNAVAILABLE.
 * 4. What is meant for another process is not passed on. An attempt that was meant for this one and is asked back is told
 *    not to have been heard only where its bar was lower until then, and is raised before that is told.
 * 5. What was read before the process stood still is not passed on: another process may have been asked meanwhile. A
 *    connector in which a request waits asks again right before the request leaves.
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
import type { Clock, Log } from "../../../src/runtime/ports.ts";
import { AttemptLog } from "./attempt-log.ts";
import { type Failure, failed, type OrderCalls, type RefusalNow } from "./connector.ts";
import type { FenceKeeper } from "./fence.ts";
import { KeyedMutex } from "./keyed-mutex.ts";
import type { Arrival } from "./serving-process.ts";

interface GuardOptions {
  readonly fence: FenceKeeper;
  /** What the connector promises now. */
  readonly resend: () => ResendPromise;
  readonly log: Log;
  /** Names this process, so that attempts can be recalled. Absent: nothing is addressed to it. */
  readonly instance?: string;
  readonly steadyClock: Clock;
  /** A request arrived; absent where engine and connector stand still together. */
  readonly arrive?: () => Arrival;
}

/** Passes an order on to the connector. */
type PassOn = (refusalNow: RefusalNow) => Promise<BrokerReply<OrderAnswer>>;

const STALE = failed("NOT_SENT", "the connector stood still after it read the request, or a younger process serves");

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

  /** Tells what became of an attempt; one that was not heard never will be passed on. */
  recall({ clientOrderId, fence, instance }: RecallRequest): BrokerReply<RecallAnswer> {
    if (instance !== this.#options.instance) return failed("UNAVAILABLE", "another process was asked for it");
    const isLeading = this.#options.fence.refusalOf(fence) === undefined;
    const known = isLeading ? this.#heard.find(clientOrderId, fence) : undefined;
    if (known !== undefined) return { ok: true, data: known };
    // One at or under its bar was answered, so long ago that only the bar is left.
    const refusal = this.#options.fence.refusalOf(fence, clientOrderId);
    if (refusal !== undefined) return this.#fenced(refusal, { clientOrderId });
    this.#options.fence.raiseBar(clientOrderId, fence);
    this.#heard.noteRecalled(clientOrderId, fence);
    return { ok: true, data: { attempt: "recalled" } };
  }

  /** Hears a leader's epoch; one that is not the highest is told so. */
  raiseEpoch(asked: FencedEpoch): BrokerReply<FencedEpoch> {
    const highest = this.#options.fence.raiseEpoch(asked);
    if (highest.epoch === asked.epoch) return { ok: true, data: highest };
    return failed("FENCED", `epoch ${highest.epoch} of partition ${asked.partition} was heard`);
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

  /** Of a request that arrives now. */
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
