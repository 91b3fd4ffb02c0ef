/** Answers of a brokerage that did not take an order, and the life of the engine that received each. */
import type { BrokerFailureCode, BrokerReply, OrderAnswer, PlaceRequest } from "../../../src/contract/trading/order.ts";
import type { Life } from "../world/life.ts";
import { plainName } from "./plain-name.ts";

/** An answer that was given, or would have been, instead of taking the order. */
interface RefusalNote {
  readonly code: BrokerFailureCode;
  readonly atMs: number;
  readonly life: number;
  /** Since when no order of the account was judged, in this life of the engine. */
  readonly awaySinceMs: number;
}

export class Refusals {
  readonly #nowMs: () => number;
  readonly #notes = new Map<string, RefusalNote[]>();
  readonly #awaySinceMs = new Map<string, number>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The refusals of an order's requests, oldest first. */
  of(name: string): readonly RefusalNote[] {
    return this.#notes.get(plainName(name)) ?? [];
  }

  /** Notes an answer that reached the engine, and whether it shows that the account's orders are judged at all. */
  noteAnswer(life: Life, request: PlaceRequest, reply: BrokerReply<OrderAnswer>): void {
    const key = `${life.number}/${request.accountNumber}`;
    if (reply.ok || reply.code === "REJECTED") this.#awaySinceMs.delete(key);
    else if (reply.code !== "UNAVAILABLE" && !this.#awaySinceMs.has(key)) this.#awaySinceMs.set(key, this.#nowMs());
    if (!reply.ok) this.note(life, request, reply.code);
  }

  note(life: Life | undefined, { clientOrderId, accountNumber }: PlaceRequest, code: BrokerFailureCode): void {
    const atMs = this.#nowMs();
    const awaySinceMs = this.#awaySinceMs.get(`${life?.number}/${accountNumber}`) ?? atMs;
    const note = { code, atMs, life: life?.number ?? 0, awaySinceMs };
    this.#notes.set(plainName(clientOrderId), [...this.of(clientOrderId), note]);
  }
}
