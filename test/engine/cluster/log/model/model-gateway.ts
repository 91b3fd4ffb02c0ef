/**
 * The surroundings of the model's engines: a seeded clock, the logs of two partitions, and a gateway with the real
 * fence before a brokerage that promises to find orders by their names, and nothing else.
 */

import { FenceKeeper } from "../../../../../engine/connector/host/fence.ts";
import { GuardedOrders } from "../../../../../engine/connector/host/order-gate.ts";
import type { Fence } from "../../../../../src/contract/gateway/fence.ts";
import type { RecallAnswer } from "../../../../../src/contract/gateway/gateway.ts";
import type { BrokerReply, OrderAnswer, OrderRecord } from "../../../../../src/contract/trading/order.ts";
import { FakeTime } from "../../../../support/machine/fake-time.ts";
import { mulberry32 } from "../../../../support/random.ts";
import { type AppendFate, ModelStream } from "./model-stream.ts";

export const LEASE_MS = 2_000;
export const PARTITIONS = [0, 1];
const REQUEST_TIMEOUT_MS = 400;
/** The instance of the connector's process. */
const INSTANCE = "model";
const ACCOUNT = { userId: 1, accountNumber: "1" };
export const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Parts of the design that are left out, to see that the judge notices. */
export interface Plants {
  /** The copy is written before the log has it. */
  readonly isCopyFirst?: boolean;
  /** Requests carry neither epoch nor attempt. */
  readonly hasNoFence?: boolean;
  /** Every attempt is the first. */
  readonly hasNoAttempt?: boolean;
  /** An attempt without an answer is sent again without a lookup. */
  readonly isRepeatBlind?: boolean;
  /** An attempt that is asked back is reported as never received, and let through when it arrives. */
  readonly isRecallBarless?: boolean;
  /** Claims go under one id. */
  readonly isClaimIdReused?: boolean;
  /** A process ends itself if a log gives no answer for a second. */
  readonly isEndedByOutage?: boolean;
  /** A process knows no epoch after a restart, and refuses requests of any other. */
  readonly isEpochForgotten?: boolean;
  /** One partition that is lost takes its process along. */
  readonly isEndedByFence?: boolean;
}

export class ModelGateway {
  readonly time = new FakeTime();
  readonly random: () => number;
  readonly plants: Plants;
  /** The log of each partition. */
  readonly streams: readonly ModelStream[];
  /** How often the brokerage sold each order. */
  readonly sales = new Map<string, number>();
  readonly #orders: GuardedOrders;
  hasFaults = true;

  constructor(seed: number, plants: Plants = {}) {
    this.random = mulberry32(seed);
    this.plants = plants;
    this.streams = PARTITIONS.map(() => new ModelStream(() => this.#fateOfAppend()));
    const calls = {
      place: async ({ clientOrderId }: { readonly clientOrderId: string }) => this.#sell(clientOrderId),
      cancel: async () => ({ ok: false, code: "REJECTED", message: "no" }) as const,
      findOrder: async ({ clientOrderId = "" }) => this.#find(clientOrderId),
    };
    const fence = new FenceKeeper(this.time);
    const resend = () => "query" as const;
    this.#orders = new GuardedOrders(calls, { fence, resend, log: silent, instance: INSTANCE, steadyClock: this.time });
  }

  pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => void this.time.after(delayMs, resolve));
  }

  fence(partition: number, epoch: number): Promise<BrokerReply<{ epoch: number }> | undefined> {
    return this.#request(async () => this.#orders.raiseEpoch({ partition, epoch }));
  }

  place(clientOrderId: string, fence: Fence): Promise<BrokerReply<OrderAnswer> | undefined> {
    const order = { symbol: "A", quantity: 1, buySell: 2, orderType: 2, price: 1, ...ACCOUNT } as const;
    return this.#request(() =>
      this.#orders.place({ ...order, clientOrderId, instance: INSTANCE, ...this.#fenceOf(fence) }),
    );
  }

  /** Asks back about an attempt that has no answer. */
  recall(clientOrderId: string, fence: Fence): Promise<BrokerReply<RecallAnswer> | undefined> {
    return this.#request(async () => {
      if (this.plants.isRecallBarless === true) return { ok: true, data: { attempt: "recalled" } } as const;
      return this.#orders.recall({ clientOrderId, fence, instance: INSTANCE });
    });
  }

  find(clientOrderId: string, fence: Fence): Promise<BrokerReply<OrderRecord> | undefined> {
    return this.#request(() => this.#orders.findOrder({ ...ACCOUNT, clientOrderId, ...this.#fenceOf(fence) }));
  }

  async #fateOfAppend(): Promise<AppendFate> {
    await this.pause(1 + this.random() * 15);
    if (this.#isBadLuck(0.01)) return "lost";
    if (this.#isBadLuck(0.01)) return "unanswered";
    return this.#isBadLuck(0.01) ? { arrival: this.pause(100 + this.random() * 4_000) } : "stored";
  }

  #fenceOf(fence: Fence): { readonly fence?: Fence } {
    const { hasNoFence, hasNoAttempt } = this.plants;
    if (hasNoFence === true) return {};
    // Called when the request arrives: then none is ever under the bar.
    const attempt = hasNoAttempt === true ? Math.floor(this.time.nowMs()) : fence.attempt;
    return { fence: { ...fence, attempt } };
  }

  /** Undefined: no answer in time. The request may be lost, arrive much later, or only its answer may be lost. */
  async #request<T>(call: () => Promise<T>): Promise<T | undefined> {
    const wayMs = 1 + this.random() * 10;
    const isLate = this.#isBadLuck(0.06);
    const hasNoAnswer = this.#isBadLuck(0.03);
    if (this.#isBadLuck(0.03)) {
      await this.pause(REQUEST_TIMEOUT_MS);
      return undefined;
    }
    const answered = this.pause(isLate ? 500 + this.random() * 4_000 : wayMs).then(call);
    const timedOut = this.pause(REQUEST_TIMEOUT_MS).then(() => undefined);
    return isLate || hasNoAnswer ? timedOut : Promise.race([answered, timedOut]);
  }

  #sell(clientOrderId: string): BrokerReply<OrderAnswer> {
    this.sales.set(clientOrderId, (this.sales.get(clientOrderId) ?? 0) + 1);
    return { ok: true, data: { orderNo: clientOrderId } as OrderAnswer };
  }

  #find(clientOrderId: string): BrokerReply<OrderRecord> {
    if (this.sales.has(clientOrderId)) return { ok: true, data: { orderNo: clientOrderId } as OrderRecord };
    return { ok: false, code: "NOT_FOUND", message: "no such order" };
  }

  #isBadLuck(share: number): boolean {
    return this.hasFaults && this.random() < share;
  }
}
