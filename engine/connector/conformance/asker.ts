/**
 * Asks a connector over the bus, as an engine would, and returns the answer.
 *
 * Owns: requests with a fence of their own, whether an answer follows the contract, and every record that was seen.
 * Does not own: which questions to ask and their conclusions (checks.ts), whether records agree (records.ts).
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
import type { PlacedOrder, SeenRecord } from "./records.ts";

/** `none`: no process subscribes. `silence`: no answer in time. `nonsense`: an answer that breaks the contract. */
export type Reply<T> =
  | { readonly type: "data"; readonly data: T }
  | { readonly type: "refused"; readonly code: BrokerFailureCode; readonly message: string }
  | { readonly type: "none" | "silence" | "nonsense" };

/** The symbol and terms that are traded to try a connector. */
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
  /** Every record of an update or a look-up, in the order of arrival. */
  readonly seen: SeenRecord[] = [];
  /** Updates that are no order records of the contract. */
  malformedUpdateCount = 0;
  /** Placed orders, by name. */
  readonly placed = new Map<string, PlacedOrder>();

  constructor(bus: Bus, code: string, timeoutMs: number) {
    this.#bus = bus;
    this.#code = code;
    this.#timeoutMs = timeoutMs;
    bus.subscribe(brokerSubject(code, "updates"), ({ data }) => {
      const json = parseJson(data);
      const record = orderRecordSchema.safeParse(json);
      if (!record.success) this.malformedUpdateCount += 1;
      else {
        this.updates.push(record.data);
        this.#see("update", record.data, json);
      }
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
    if (!answer.success) return { type: "nonsense" };
    if (operation === "findOrder") {
      this.#see("lookUp", answer.data.data as OrderRecord, (json as { readonly data: unknown }).data);
    }
    return { type: "data", data: answer.data.data as T };
  }

  /** The schema drops an unknown value of `endedBy`, so the value is read from the raw JSON. */
  #see(from: SeenRecord["from"], record: OrderRecord, json: unknown): void {
    const { endedBy } = json as { readonly endedBy?: unknown };
    this.seen.push({ from, record, endedByAsTold: endedBy });
  }

  place(
    owner: AccountRequest,
    trial: Trial,
    clientOrderId: string,
    fence: Fence,
    more: { readonly buySell?: 1 | 2; readonly expiresAt?: string; readonly instance?: string } = {},
  ): Promise<Reply<OrderAnswer>> {
    const orderType = trial.price === 0 ? 1 : 2;
    const { symbol, quantity, price } = trial;
    this.placed.set(clientOrderId, { symbol, quantity, price, buySell: more.buySell ?? 1 });
    return this.ask("place", { ...owner, ...trial, clientOrderId, buySell: 1, orderType, ...more, fence });
  }

  find(owner: AccountRequest, clientOrderId: string, fence: Fence): Promise<Reply<OrderRecord>> {
    return this.ask("findOrder", { ...owner, clientOrderId, fence });
  }
}

/** Renders a reply as text. */
export function inWords(reply: Reply<unknown>): string {
  if (reply.type === "refused") return reply.message === "" ? reply.code : `${reply.code} (${reply.message})`;
  if (reply.type === "data") return JSON.stringify(reply.data);
  return { none: "no listener", silence: "no answer in time", nonsense: "a malformed answer" }[reply.type];
}
