/**
 * Asks a connector over the bus, as an engine would, and says what came back.
 *
 * Owns: requests with a fence of their own, and whether an answer is one of the contract. Does not own: what is to be
 * asked and what follows from it (checks.ts).
 */

import { z } from "zod";
import { type Bus, BusError } from "../../../src/bus/port.ts";
import type { Fence } from "../../../src/contract/gateway/fence.ts";
import { type GatewayOperation, gatewayAnswers, gatewayFailureSchema } from "../../../src/contract/gateway/gateway.ts";
import { brokerSubject } from "../../../src/contract/subject.ts";
import {
  type AccountRequest,
  type BrokerFailureCode,
  type OrderAnswer,
  type OrderRecord,
  orderRecordSchema,
} from "../../../src/contract/trading/order.ts";
import { parseJson } from "../../../src/runtime/json.ts";

/** `none`: nobody listens. `silence`: no answer in time. `nonsense`: an answer that is none of the contract. */
export type Reply<T> =
  | { readonly type: "data"; readonly data: T }
  | { readonly type: "refused"; readonly code: BrokerFailureCode; readonly message: string }
  | { readonly type: "none" | "silence" | "nonsense" };

/** What is traded to try a connector. */
export interface Trial {
  readonly symbol: string;
  readonly quantity: number;
  /** 0: a market order. */
  readonly price: number;
}

export class Asker {
  readonly #bus: Bus;
  readonly #code: string;
  readonly #timeoutMs: number;
  readonly updates: OrderRecord[] = [];

  constructor(bus: Bus, code: string, timeoutMs: number) {
    this.#bus = bus;
    this.#code = code;
    this.#timeoutMs = timeoutMs;
    bus.subscribe(brokerSubject(code, "updates"), ({ data }) => {
      const record = orderRecordSchema.safeParse(parseJson(data));
      if (record.success) this.updates.push(record.data);
    });
  }

  async ask<T>(operation: GatewayOperation, request: object | string): Promise<Reply<T>> {
    const payload = Buffer.from(typeof request === "string" ? request : JSON.stringify(request));
    let bytes: Uint8Array;
    try {
      bytes = await this.#bus.request(brokerSubject(this.#code, operation), payload, this.#timeoutMs);
    } catch (error) {
      return { type: error instanceof BusError && error.isCertainlyNotHandled ? "none" : "silence" };
    }
    const json = parseJson(bytes);
    const failure = gatewayFailureSchema.safeParse(json);
    if (failure.success) return { type: "refused", code: failure.data.code, message: failure.data.message };
    const answer = z.object({ ok: z.literal(true), data: gatewayAnswers[operation] }).safeParse(json);
    return answer.success ? { type: "data", data: answer.data.data as T } : { type: "nonsense" };
  }

  place(
    owner: AccountRequest,
    trial: Trial,
    clientOrderId: string,
    fence: Fence,
    more: { readonly buySell?: 1 | 2; readonly expiresAt?: string; readonly instance?: string } = {},
  ): Promise<Reply<OrderAnswer>> {
    const orderType = trial.price === 0 ? 1 : 2;
    return this.ask("place", { ...owner, ...trial, clientOrderId, buySell: 1, orderType, ...more, fence });
  }

  find(owner: AccountRequest, clientOrderId: string, fence: Fence): Promise<Reply<OrderRecord>> {
    return this.ask("findOrder", { ...owner, clientOrderId, fence });
  }
}

/** A reply in words. */
export function inWords(reply: Reply<unknown>): string {
  if (reply.type === "refused") return reply.message === "" ? reply.code : `${reply.code} (${reply.message})`;
  if (reply.type === "data") return JSON.stringify(reply.data);
  return { none: "no listener", silence: "no answer in time", nonsense: "a malformed answer" }[reply.type];
}
