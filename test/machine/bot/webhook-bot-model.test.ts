/** Random lives of webhook bots: every order has a signal of its own that asked for it, inside the limits. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { webhookBotSnapshot } from "../../../src/contract/stored/bot-snapshot.ts";
import type { WebhookBot } from "../../../src/domain/bot/webhook-bot.ts";
import type { WebhookBotEvent } from "../../../src/machine/webhook-bot.ts";
import fc from "../../support/property.ts";
import { webhookActor, webhookPlan } from "./bot-samples.ts";
import { BotWorld, units } from "./bot-world.ts";

const LOW = 98_000;
const HIGH = 102_000;
const PERIODS = ["1H", "4H"] as const;
const DETAILS = PERIODS.map((period) => ({
  symbol: "ACME",
  algoName: "cross",
  period,
  quantity: 4,
  minBuyPrice: units(LOW),
  maxSellPrice: units(HIGH),
}));

const pick = fc.nat(20);
const move = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant("signal" as const),
      period: fc.constantFrom(...PERIODS, "1D"),
      side: fc.constantFrom("buy" as const, "sell" as const),
      price: fc.option(fc.integer({ min: 96_000, max: 104_000 }), { freq: 6 }),
      fingerprint: fc.nat(40).map(String),
    }),
  },
  { weight: 5, arbitrary: fc.record({ type: fc.constant("answer" as const), pick, isTaken: fc.boolean() }) },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant("report" as const),
      pick,
      status: fc.integer({ min: 1, max: 4 }),
      filled: fc.nat(3),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("switch" as const), isActive: fc.boolean(), pick }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("wait" as const), ms: fc.constantFrom(20_000, 60_000) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("repeat" as const), pick }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("reload" as const) }) },
);

type Move = typeof move extends fc.Arbitrary<infer T> ? T : never;

/** What one detail holds, as the brokerage knows it: the sum of its fills. */
class WebhookLife {
  readonly world: BotWorld<WebhookBot, WebhookBotEvent>;
  readonly #heard = new Map<string, number>();
  readonly #held = new Map<string, number>();
  readonly #periodOf = new Map<string, string>();
  /** Periods whose sell waits for the buy that is on its way. */
  readonly #deferred = new Set<string>();
  /** Lots and period of a sell that must be asked for because its buy has completed. */
  #due: { readonly period: string; readonly quantity: number } | undefined;
  #isActive = true;
  #periods: readonly string[] = PERIODS;

  constructor() {
    this.world = new BotWorld<WebhookBot, WebhookBotEvent>(webhookActor(webhookPlan(true, ...DETAILS)), (bot) => {
      webhookBotSnapshot.parse(bot);
    });
  }

  play(given: Move): void {
    const { world } = this;
    world.timeMs += 5;
    switch (given.type) {
      case "signal":
        this.#signal(given);
        return;
      case "answer": {
        const name = [...world.waiting.keys()][given.pick % Math.max(1, world.waiting.size)];
        if (name === undefined) break;
        if (!given.isTaken && name.endsWith("b")) this.#deferred.delete(this.#periodOf.get(name) ?? "");
        world.answer(name, given.isTaken);
        break;
      }
      case "report":
        this.#report(given);
        break;
      case "switch": {
        this.#isActive = given.isActive;
        if (!given.isActive) this.#deferred.clear();
        const details = given.pick % 3 === 0 ? DETAILS.slice(0, 1) : DETAILS;
        this.#periods = details.map(({ period }) => period);
        world.deliver({ type: "update", plan: webhookPlan(given.isActive, ...details), timeMs: world.timeMs });
        break;
      }
      case "wait":
        world.timeMs += given.ms;
        break;
      case "repeat": {
        const event = world.told[given.pick % Math.max(1, world.told.length)];
        if (event !== undefined) world.tell(event);
        break;
      }
      case "reload":
        world.actor.reload();
    }
    const due = this.#due;
    this.#due = undefined;
    const submitted = world.takeSubmitted();
    const expected = due === undefined ? [] : [[2, due.quantity]];
    const asked = submitted.map(({ buySell, quantity }) => [buySell, quantity]);
    assert.deepEqual(asked, expected, "only a signal asks for an order, and a sell that was kept");
    for (const { name } of submitted) this.#periodOf.set(name, due?.period ?? "");
  }

  #signal(given: Move & { type: "signal" }): void {
    const { world } = this;
    const { period, side, price, fingerprint } = given;
    const busy = this.#isBusy(period);
    const held = this.#held.get(period) ?? 0;
    const isInside = price !== null && (side === "buy" ? price >= LOW : price <= HIGH);
    const isDetail =
      side === "buy" ? this.#periods.includes(period) : this.#periods.includes(period) || held > 0 || busy;
    const isMatched = this.#isActive && isDetail && period !== "1D";
    const heardMs = this.#heard.get(fingerprint);
    const isRepeated = heardMs !== undefined && world.timeMs - heardMs < 60_000;
    const isFree = !busy && (side === "buy" ? held === 0 : held > 0);
    const isAsked = isMatched && !isRepeated && isInside && isFree;
    if (isMatched && !isRepeated) this.#heard.set(fingerprint, world.timeMs);
    const isKept = isMatched && !isRepeated && isInside && side === "sell" && busy && held === 0;
    if (isKept) this.#deferred.add(period);

    const target = { symbol: "ACME", algoName: "cross", period, side };
    const known = price === null ? null : units(price);
    world.deliver({ type: "signal", ...target, price: known, fingerprint, timeMs: world.timeMs });

    const submitted = world.takeSubmitted();
    const quantity = side === "buy" ? 4 : held;
    assert.deepEqual(
      submitted.map((order) => [order.buySell, order.quantity]),
      isAsked ? [[side === "buy" ? 1 : 2, quantity]] : [],
    );
    for (const { name } of submitted) this.#periodOf.set(name, period);
  }

  #isBusy(period: string): boolean {
    const names = [...this.world.waiting.keys(), ...[...this.world.placed.values()].map(({ name }) => name)];
    return names.some((name) => this.#periodOf.get(name) === period);
  }

  #report(given: Move & { type: "report" }): void {
    const { world } = this;
    const orderNo = [...world.placed.keys()][given.pick % Math.max(1, world.placed.size)];
    const order = orderNo === undefined ? undefined : world.placed.get(orderNo);
    if (orderNo === undefined || order === undefined) return;
    const part = Math.max(world.filledOf(orderNo), Math.min(given.filled, order.quantity - 1));
    const quantity = given.status === 2 ? order.quantity : part;
    if (given.status >= 2) {
      const period = this.#periodOf.get(order.name) ?? "";
      const sign = order.buySell === 1 ? 1 : -1;
      this.#held.set(period, (this.#held.get(period) ?? 0) + sign * quantity);
      const isKept = sign === 1 && this.#deferred.delete(period);
      if (isKept && quantity > 0) this.#due = { period, quantity };
    }
    const averagePrice = quantity === 0 ? 0 : 100;
    world.report(orderNo, { orderStatus: given.status, filledQuantity: quantity, averagePrice });
  }
}

test("a bot orders exactly what a signal of its own asks for, and never holds more than one pair a detail", () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 100, size: "max" }), (moves) => {
      const life = new WebhookLife();
      for (const one of moves) life.play(one);
    }),
    { numRuns: 500 },
  );
});
