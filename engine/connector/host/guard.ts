/**
 * The order calls of a connector behind its fence.
 *
 * Owns: which request reaches the brokerage, and what its answer does to the bars. Does not own: the bars (fence.ts).
 *
 * Invariants:
 * 1. Requests of one `clientOrderId` go one after the other, each judged when its turn comes: a repeat waits for the
 *    first, and NOT_FOUND is never said while an attempt is on its way.
 * 2. NOT_FOUND raises the bar before it is told, and so does every acceptance, but for brokerages that promise
 *    `idempotent`: a repeat must reach those to get the first answer.
 * 3. What throws may have been taken: UNAVAILABLE.
 */
import type { Fence, FencedEpoch } from "../../../src/contract/gateway/fence.ts";
import type {
  BrokerReply,
  CancelRequest,
  ChainRequest,
  FindOrderRequest,
  OrderAnswer,
  OrderRecord,
  PlaceRequest,
  ResendPromise,
} from "../../../src/contract/trading/order.ts";
import type { Log } from "../../../src/runtime/ports.ts";
import { failed, type OrderCalls } from "./connector.ts";
import type { FenceKeeper } from "./fence.ts";
import { OneAtATime } from "./one-at-a-time.ts";

interface GuardOptions {
  readonly fence: FenceKeeper;
  /** What the connector promises now. */
  readonly resend: () => ResendPromise;
  readonly log: Log;
}

export class GuardedOrders {
  readonly #calls: OrderCalls;
  readonly #options: GuardOptions;
  readonly #turns = new OneAtATime();

  constructor(calls: OrderCalls, options: GuardOptions) {
    this.#calls = calls;
    this.#options = options;
  }

  place(request: PlaceRequest): Promise<BrokerReply<OrderAnswer>> {
    return this.#send(request, () => this.#calls.place(request));
  }

  chain(request: ChainRequest): Promise<BrokerReply<OrderAnswer>> {
    const { chain } = this.#calls;
    if (chain === undefined) return Promise.resolve(failed("REJECTED", "chain orders are not supported"));
    return this.#send(request, () => chain.call(this.#calls, request));
  }

  async cancel(request: CancelRequest): Promise<BrokerReply<OrderAnswer>> {
    const refusal = this.#options.fence.refusalOf(request.fence);
    if (refusal !== undefined) return this.#fenced(refusal, { orderNo: request.orderNo });
    return this.#call("cancel", () => this.#calls.cancel(request));
  }

  async findOrder(request: FindOrderRequest): Promise<BrokerReply<OrderRecord>> {
    const { clientOrderId, fence } = request;
    if (clientOrderId === undefined) return this.#find(request);
    const turn = this.#turns.run(clientOrderId, async () => {
      const reply = await this.#find(request);
      if (reply.ok) this.#noteAccepted(clientOrderId, fence);
      else if (reply.code === "NOT_FOUND" && fence !== undefined) this.#options.fence.raiseBar(clientOrderId, fence);
      return reply;
    });
    return turn ?? failed("UNAVAILABLE", "too many requests for this order wait");
  }

  /** Hears a leader's epoch; one that is not the highest is told so. */
  raiseEpoch(asked: FencedEpoch): BrokerReply<FencedEpoch> {
    const highest = this.#options.fence.raiseEpoch(asked);
    if (highest.epoch === asked.epoch) return { ok: true, data: highest };
    return failed("FENCED", `epoch ${highest.epoch} of partition ${asked.partition} was heard`);
  }

  async #send(request: PlaceRequest, call: () => Promise<BrokerReply<OrderAnswer>>): Promise<BrokerReply<OrderAnswer>> {
    const { clientOrderId, fence } = request;
    const turn = this.#turns.run(clientOrderId, async () => {
      const refusal = this.#options.fence.refusalOf(fence, clientOrderId);
      if (refusal !== undefined) return this.#fenced(refusal, { clientOrderId });
      const reply = await this.#call("place", call);
      if (reply.ok) this.#noteAccepted(clientOrderId, fence);
      return reply;
    });
    return turn ?? failed("NOT_SENT", "too many requests for this order wait");
  }

  async #find(request: FindOrderRequest): Promise<BrokerReply<OrderRecord>> {
    const refusal = this.#options.fence.refusalOf(request.fence);
    if (refusal !== undefined) return this.#fenced(refusal, { clientOrderId: request.clientOrderId });
    return this.#call("findOrder", () => this.#calls.findOrder(request));
  }

  #noteAccepted(clientOrderId: string, fence: Fence | undefined): void {
    if (fence === undefined || this.#options.resend() === "idempotent") return;
    this.#options.fence.raiseBar(clientOrderId, fence);
  }

  #fenced(refusal: string, fields: object): BrokerReply<never> {
    this.#options.log.warn(fields, `a request was not passed on: ${refusal}`);
    return failed("FENCED", refusal);
  }

  async #call<T>(operation: string, call: () => Promise<BrokerReply<T>>): Promise<BrokerReply<T>> {
    try {
      return await call();
    } catch (err) {
      this.#options.log.error({ err, operation }, "the connector failed: the outcome is unknown");
      return failed("UNAVAILABLE", "the connector failed");
    }
  }
}
