/**
 * A small world around one bot: live prices, a brokerage that answers on request, and the host's way of giving prices
 * to watched levels.
 */
import assert from "node:assert/strict";
import type { OrderEvent } from "../../../src/domain/bot/pair.ts";
import type { OrderNotice } from "../../../src/domain/order/order.ts";
import { orderNoOf } from "../../../src/domain/order/order-number.ts";
import type { Effect, KeepEffect, SubmitEffect, Watch } from "../../../src/machine/effect.ts";
import type { TestActor } from "../actor.ts";

/** Prices are thousandths of a currency unit here: exact as integers, finer than the grid. */
export type Thousandths = number;

export function units(price: Thousandths): number {
  return Number((price / 1_000).toFixed(3));
}

export class BotWorld<C extends object, E extends { readonly type: string }> {
  readonly actor: TestActor<C, E>;
  readonly last = new Map<string, Thousandths>();
  /** Orders submitted and not answered, by name. */
  readonly waiting = new Map<string, SubmitEffect>();
  /** Orders placed and not ended, by order number. */
  readonly placed = new Map<string, SubmitEffect>();
  readonly kept: KeepEffect[] = [];
  readonly told: OrderEvent[] = [];
  timeMs = 10_000;
  readonly #names = new Set<string>();
  readonly #check: (context: C) => void;
  readonly #known = new Map<string, OrderNotice>();
  readonly #asked: { readonly orderNo: string; readonly look: number }[] = [];
  #submitted: SubmitEffect[] = [];
  #lastOrderNo = 0;

  constructor(actor: TestActor<C, E>, check: (context: C) => void) {
    this.actor = actor;
    this.#check = check;
  }

  /** The orders asked for since the last call. */
  takeSubmitted(): SubmitEffect[] {
    const taken = this.#submitted;
    this.#submitted = [];
    return taken;
  }

  /** A new price: one event for all levels that it reaches. */
  tick(symbol: string, price: Thousandths): void {
    this.last.set(symbol, price);
    const watches = this.#reached(this.actor.facts.watches, symbol).map(({ watch }) => watch);
    if (watches.length > 0) this.#deliverPrice(symbol, watches);
  }

  /** Any other event; newly armed levels are then checked against the last prices, each in a turn of its own. */
  deliver(event: E): void {
    const before = new Map(this.actor.facts.watches.map((watch) => [watch.watch, watch]));
    this.#takeEffects(this.actor.send(event));
    this.#check(this.actor.context);
    const after = this.actor.facts.watches;
    assert.equal(new Set(after.map(({ watch }) => watch)).size, after.length, "a watch number is used once");
    assert.ok(after.every(({ watch }) => watch >= 0 && watch <= 65_535));
    const armed = after.filter((watch) => {
      const was = before.get(watch.watch);
      const isSame = was?.level === watch.level && was.side === watch.side && was.symbol === watch.symbol;
      return !isSame && watch.onlyNewTicks !== true;
    });
    for (const watch of armed) {
      const isStillArmed = this.actor.facts.watches.some(
        (now) => now.watch === watch.watch && now.level === watch.level && now.side === watch.side,
      );
      if (isStillArmed && this.#reached([watch], watch.symbol).length > 0) {
        this.#deliverPrice(watch.symbol, [watch.watch]);
      }
    }
  }

  /** The brokerage takes or refuses the order `name`. */
  answer(name: string, isTaken: boolean): void {
    const order = this.waiting.get(name);
    assert.ok(order !== undefined);
    this.waiting.delete(name);
    const { timeMs } = this;
    if (!isTaken) {
      this.tell({ type: "orderRefused", name, message: "no", timeMs });
      return;
    }
    this.#lastOrderNo += 1;
    const orderNo = String(this.#lastOrderNo);
    this.placed.set(orderNo, order);
    const { quantity } = order;
    this.tell({ type: "orderPlaced", name, clientOrderId: `i-${name}`, orderNo, orderStatus: 1, quantity, timeMs });
  }

  /** Returns the filled lots that the brokerage has reported of a placed order: they never decrease. */
  filledOf(orderNo: string): number {
    return this.#known.get(orderNo)?.filledQuantity ?? 0;
  }

  /** Reports a placed order as the brokerage does. An order that ended is reported again only by repetition. */
  report(orderNo: string, change: Pick<OrderNotice, "orderStatus" | "filledQuantity" | "averagePrice">): void {
    const order = this.placed.get(orderNo);
    assert.ok(order !== undefined);
    if (change.orderStatus >= 2) this.placed.delete(orderNo);
    const { symbol, buySell, name } = order;
    const record = { orderNo, clientOrderId: `i-${name}`, symbol, buySell, ...change };
    this.#known.set(orderNo, record);
    this.tell({ type: "orderUpdated", record, timeMs: this.timeMs });
  }

  /** Delivers an event. Look-ups are answered immediately, with the brokerage's latest report. */
  tell(event: OrderEvent): void {
    this.told.push(event);
    this.deliver(event as unknown as E);
    for (const { orderNo, look } of this.#asked.splice(0)) {
      const record = this.#known.get(orderNo);
      if (record !== undefined) this.tell({ type: "orderUpdated", record, look, timeMs: this.timeMs });
    }
  }

  #reached(watches: readonly Watch[], symbol: string): Watch[] {
    const price = this.last.get(symbol);
    if (price === undefined) return [];
    return watches.filter(
      (watch) =>
        watch.symbol === symbol && (watch.side === "above" ? price >= watch.level * 10 : price <= watch.level * 10),
    );
  }

  #deliverPrice(symbol: string, watches: readonly number[]): void {
    const price = units(this.last.get(symbol) ?? 0);
    this.deliver({ type: "priceReached", watches, price, timeMs: this.timeMs } as unknown as E);
  }

  #takeEffects(effects: readonly Effect[]): void {
    for (const effect of effects) {
      if (effect.type === "keep") this.kept.push(effect);
      if (effect.type === "tell") {
        const orderNo = orderNoOf(effect.execution);
        for (const fact of effect.facts) if (fact.type === "lookUp") this.#asked.push({ orderNo, look: fact.look });
      }
      if (effect.type !== "submit") continue;
      assert.ok(!this.#names.has(effect.name), `${effect.name} is asked for once`);
      this.#names.add(effect.name);
      this.waiting.set(effect.name, effect);
      this.#submitted.push(effect);
    }
  }
}
