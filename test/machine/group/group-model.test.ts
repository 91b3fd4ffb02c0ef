/**
 * Random lives of groups with `EXIT_POLICY=once`: in any order of events, no row sells twice and nothing is oversold.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { groupSnapshot, packGroup, parseGroup } from "../../../src/contract/stored/snapshot.ts";
import { ACTIVE, CANCELLED, type OcoGroup, TRIGGER_FAILED, TRIGGERED } from "../../../src/domain/oco/group.ts";
import type { Effect, SubmitEffect } from "../../../src/machine/effect.ts";
import type { GroupEvent } from "../../../src/machine/group.ts";
import fc from "../../support/property.ts";
import { CREATED_MS, groupActor, sampleGroup } from "./group-samples.ts";
import { lookOf } from "./group-steps.ts";

const DUE_MS = 1_060;

const move = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant("tick" as const), price: fc.integer({ min: 80, max: 130 }) }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant("answer" as const), pick: fc.nat(9), isTaken: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant("end" as const), pick: fc.nat(9), filled: fc.nat(8), status: fc.nat(2) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("cancel" as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("repeat" as const), pick: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("reload" as const) }) },
);

const life = fc.record({
  hasOversellGuard: fc.boolean(),
  spareQuantity: fc.nat(3),
  quantities: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
  isDue: fc.boolean(),
  moves: fc.array(move, { maxLength: 60, size: "max" }),
});

type Life = typeof life extends fc.Arbitrary<infer T> ? T : never;

/** Returns the index of the row that a sell's name contains: `r10` and `r10-12` belong to the stop-loss. */
function rowOf(name: string): number {
  return Number(name.slice(1).split("-")[0]) - 10;
}

function sellOf(orderNo: string | undefined): string {
  return orderNo?.slice("B-".length) ?? "";
}

class GroupLife {
  readonly actor: ReturnType<typeof groupActor>;
  readonly open = new Map<string, SubmitEffect>();
  /** Sells taken and not ended, by name. */
  readonly live = new Map<string, SubmitEffect>();
  readonly names = new Set<string>();
  readonly soldByRow = new Map<number, number>();
  readonly sent: GroupEvent[] = [];
  #timeMs = CREATED_MS;
  readonly #stopLossQuantity: number;

  constructor(given: Life) {
    const sum = given.quantities.reduce((left, right) => left + right, 0);
    this.#stopLossQuantity = sum + given.spareQuantity;
    this.actor = groupActor(
      sampleGroup({
        stopLossQuantity: this.#stopLossQuantity,
        takeProfits: given.quantities.map((quantity, index) => ({ price: 10_500 + index * 500, quantity })),
        hasOversellGuard: given.hasOversellGuard,
        exitPolicy: "once",
        dueAtMs: given.isDue ? DUE_MS : null,
      }),
    );
  }

  /** From the start, or since its refused stop-loss was sent once more with the lots that the take-profits left. */
  get #hasGuard(): boolean {
    return this.actor.context.hasOversellGuard;
  }

  play(given: Life["moves"][number]): void {
    this.#timeMs += 2;
    const timeMs = this.#timeMs;
    const { deadlineMs } = this.actor.facts;
    if (deadlineMs !== null && deadlineMs <= timeMs) this.send({ type: "deadline", timeMs: deadlineMs });
    switch (given.type) {
      case "reload":
        this.actor.reload();
        break;
      case "cancel":
        this.send({ type: "cancel", timeMs });
        break;
      case "tick": {
        const watches = this.actor.reachedBy("ACME", given.price);
        if (watches.length > 0) this.send({ type: "priceReached", watches, price: given.price, timeMs });
        break;
      }
      case "repeat": {
        const event = this.sent[given.pick % Math.max(1, this.sent.length)];
        // A guarded stop-loss counts its open sells, so it relies on the outbox to report each outcome once.
        const isAnswer = event?.type === "orderPlaced" || event?.type === "orderRefused";
        if (event !== undefined && !(isAnswer && this.#hasGuard)) this.send(event);
        break;
      }
      case "end": {
        const name = [...this.live.keys()][given.pick % Math.max(1, this.live.size)];
        if (name !== undefined) this.end(name, 2 + given.status, given.filled);
        break;
      }
      case "answer": {
        const name = [...this.open.keys()][given.pick % Math.max(1, this.open.size)];
        if (name !== undefined) this.answer(name, given.isTaken);
      }
    }
  }

  answer(name: string, isTaken: boolean): void {
    const order = this.open.get(name);
    assert.ok(order !== undefined);
    this.open.delete(name);
    const timeMs = this.#timeMs;
    if (isTaken) this.soldByRow.set(rowOf(name), (this.soldByRow.get(rowOf(name)) ?? 0) + order.quantity);
    if (!isTaken) {
      this.send({ type: "orderRefused", name, message: "no", timeMs, mayReclaim: true });
      return;
    }
    const orderStatus = timeMs % 3 === 0 ? 2 : 1;
    this.live.set(name, order);
    this.send({ type: "orderPlaced", name, orderNo: `B-${name}`, orderStatus, quantity: order.quantity, timeMs });
    if (orderStatus === 2) this.end(name, 2, order.quantity);
  }

  end(name: string, orderStatus: number, filled: number): void {
    const order = this.live.get(name);
    assert.ok(order !== undefined);
    const filledQuantity = orderStatus === 2 ? order.quantity : Math.min(filled, order.quantity);
    const row = rowOf(name);
    const record = { orderNo: `B-${name}`, symbol: "ACME", buySell: 2, orderStatus, filledQuantity } as const;
    const news = { ...record, averagePrice: 100 };
    const reported = this.send({ type: "orderUpdated", record: news, timeMs: this.#timeMs });
    // Its sold lots are final once a look-up confirms them.
    this.live.delete(name);
    this.soldByRow.set(row, (this.soldByRow.get(row) ?? 0) - order.quantity + filledQuantity);
    const look = lookOf(reported);
    if (look !== undefined) {
      this.send({ type: "orderUpdated", record: news, look, timeMs: this.#timeMs, mayReclaim: true });
    }
  }

  send(event: GroupEvent): readonly Effect[] {
    const before = this.actor.context;
    const { isDone } = this.actor;
    const effects = this.actor.send(event);
    this.sent.push(event);
    this.#check(before, event, effects, isDone);
    return effects;
  }

  #check(before: OcoGroup, event: GroupEvent, effects: readonly Effect[], wasDone: boolean): void {
    const { context } = this.actor;
    groupSnapshot.parse(context);
    assert.deepEqual(parseGroup(JSON.parse(JSON.stringify(packGroup(context)))), context);
    if (wasDone) assert.deepEqual([effects, context], [[], before]);
    for (const effect of effects) {
      if (effect.type !== "submit") continue;
      assert.ok(!this.names.has(effect.name), `${effect.name} is asked for once`);
      assert.ok(event.type === "priceReached" || this.#hasGuard, "only a price asks for a sell, but for extra ones");
      this.names.add(effect.name);
      this.open.set(effect.name, effect);
    }
    for (const [index, row] of context.rows.entries()) {
      const was = before.rows[index];
      const isEnd = event.type === "orderUpdated" || event.type === "orderRefused";
      if (isEnd) this.#checkEnd(context, index, was?.status);
      else if (was?.status !== ACTIVE) assert.equal(row.status, was?.status, "a row leaves Active once");
      if (row.status === TRIGGERED && index > 0) {
        assert.equal(this.soldByRow.get(index), row.quantity - row.unsoldQuantity);
        assert.ok(row.unsoldQuantity < row.quantity, "a row that sold nothing is not Triggered");
      }
      if (row.status === CANCELLED || row.status === TRIGGER_FAILED) assert.equal(this.soldByRow.get(index) ?? 0, 0);
      if (row.isInFlight) assert.equal(row.status, ACTIVE);
    }
    const sold = [...this.soldByRow].reduce((sum, [, quantity]) => sum + quantity, 0);
    for (const [index, quantity] of this.soldByRow) {
      assert.ok(quantity <= (context.rows[index]?.quantity ?? 0), `row ${index} sells its quantity at most once`);
    }
    if (this.#hasGuard) assert.ok(sold <= this.#stopLossQuantity, "the group is not oversold");
    const isActive = context.rows.some((row) => row.status === ACTIVE);
    for (const { execution } of context.followed) {
      if (!this.live.has(sellOf(execution.orders[0]?.orderNo))) assert.equal(execution.phase, "ended");
    }
    const isOver = !isActive && this.open.size === 0 && context.followed.length === 0;
    assert.equal(this.actor.isDone, isOver, "closed: no Active row, no open sell");
  }

  /**
   * The end of a sell, or its refusal, fails a row that sold nothing, and brings take-profits back only where the
   * stop-loss failed.
   */
  #checkEnd({ rows }: OcoGroup, index: number, was: number | undefined): void {
    const status = rows[index]?.status;
    if (was === status || was === ACTIVE) return;
    if (was === TRIGGERED) assert.equal(status, TRIGGER_FAILED);
    else assert.deepEqual([was, status, rows[0]?.status], [CANCELLED, ACTIVE, TRIGGER_FAILED]);
  }
}

test("whatever comes in which order, every row sells at most once and a guarded group is never oversold", () => {
  fc.assert(
    fc.property(life, (given) => {
      const group = new GroupLife(given);
      for (const one of given.moves) group.play(one);
    }),
    { numRuns: 1_000 },
  );
});

test("once everything is answered nothing is left in flight, and a sold stop-loss leaves no Active row", () => {
  fc.assert(
    fc.property(life, fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), (given, answers) => {
      const group = new GroupLife(given);
      for (const one of given.moves) group.play(one);
      for (const isTaken of answers) {
        const [name] = group.open.keys();
        if (name !== undefined) group.answer(name, isTaken);
      }
      assert.equal(group.open.size, 0);
      // With the guard a stop-loss waits for the end of what take-profits are selling.
      for (const name of [...group.live.keys()]) group.end(name, 2, 0);
      const { rows } = group.actor.context;
      assert.deepEqual(
        rows.filter((row) => row.isInFlight),
        [],
      );
      const statuses = rows.map(({ status }) => status);
      if (statuses[0] === TRIGGERED) assert.equal(statuses.includes(ACTIVE), false, "a sold stop-loss ends the group");
    }),
    { numRuns: 500 },
  );
});
