/** Random lives of exits: in any order of events, a stop-loss is sold once, one order at a time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { packGroup, parseGroup } from "../../../src/contract/stored/snapshot.ts";
import type { Effect } from "../../../src/machine/effect.ts";
import type { GroupEvent } from "../../../src/machine/group.ts";
import fc from "../../support/property.ts";
import { groupActor, sampleGroup } from "./group-samples.ts";
import { lookOf } from "./group-steps.ts";

const LOTS = 10;

interface Order {
  readonly name: string;
  readonly quantity: number;
  state: "asked" | "open" | "ended" | "refused";
  filled: number;
}

const move = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant("answer" as const), way: fc.constantFrom("taken", "taken", "unreached") }),
  },
  { weight: 6, arbitrary: fc.record({ type: fc.constant("end" as const), filled: fc.nat(LOTS) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("late" as const),
      pick: fc.nat(9),
      filled: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ type: fc.constant("wait" as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("reload" as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("stop" as const) }) },
);

class ExitLife {
  readonly actor = groupActor(sampleGroup({ stopLossQuantity: LOTS }));
  readonly orders: Order[] = [];
  timeMs = 2_000;
  lateLots = 0;
  isStopped = false;

  fire(): void {
    this.send({ type: "priceReached", watches: this.actor.reachedBy("ACME", 90), price: 90, timeMs: this.timeMs });
    this.answer("taken");
  }

  get sold(): number {
    return this.orders.reduce((sum, { filled }) => sum + filled, 0);
  }

  /** The order that is not over. */
  get alive(): Order | undefined {
    return this.orders.find(({ state }) => state === "asked" || state === "open");
  }

  play(given: typeof move extends fc.Arbitrary<infer T> ? T : never): void {
    this.timeMs += 100;
    switch (given.type) {
      case "answer":
        this.answer(given.way);
        return;
      case "end":
        this.end(given.filled);
        return;
      case "late": {
        const { followed } = this.actor.context;
        const isFollowed = (name: string) =>
          followed.some(({ execution }) => execution.orders[0]?.orderNo === `B-${name}`);
        const over = this.orders.filter(
          ({ name, state, filled, quantity }) => state === "ended" && filled < quantity && isFollowed(name),
        );
        const order = over[given.pick % Math.max(1, over.length)];
        if (order === undefined || this.actor.isDone) return;
        const lots = Math.min(given.filled, order.quantity - order.filled);
        order.filled += lots;
        this.lateLots += lots;
        this.send({ type: "orderUpdated", record: this.record(order, 3), timeMs: this.timeMs });
        return;
      }
      case "wait": {
        const { deadlineMs } = this.actor.facts;
        if (deadlineMs === null) return;
        this.timeMs = Math.max(this.timeMs, deadlineMs);
        this.send({ type: "deadline", timeMs: this.timeMs });
        return;
      }
      case "reload":
        this.actor.reload();
        return;
      case "stop":
        this.isStopped = true;
        this.send({ type: "stopExit", timeMs: this.timeMs, mayReclaim: false });
    }
  }

  answer(way: string): void {
    const order = this.orders.find(({ state }) => state === "asked");
    if (order === undefined) return;
    const { name, quantity } = order;
    // The first order is always taken: its refusal would not be part of an exit.
    if (way === "unreached" && this.orders.length > 1) {
      order.state = "refused";
      this.send({ type: "orderRefused", name, message: "away", timeMs: this.timeMs, isUnreached: true });
      return;
    }
    order.state = "open";
    this.send({ type: "orderPlaced", name, orderNo: `B-${name}`, orderStatus: 1, quantity, timeMs: this.timeMs });
  }

  end(filled: number): void {
    const order = this.orders.find(({ state }) => state === "open");
    if (order === undefined) return;
    order.filled = Math.min(filled, order.quantity);
    const record = this.record(order, order.filled === order.quantity ? 2 : 3);
    const look = lookOf(this.send({ type: "orderUpdated", record, timeMs: this.timeMs }));
    order.state = "ended";
    if (look !== undefined) this.send({ type: "orderUpdated", record, look, timeMs: this.timeMs, mayReclaim: false });
  }

  record({ name, filled }: Order, orderStatus: number) {
    const order = { orderNo: `B-${name}`, symbol: "ACME", buySell: 2, orderStatus } as const;
    return { ...order, filledQuantity: filled, averagePrice: 90 };
  }

  send(event: GroupEvent): readonly Effect[] {
    const effects = this.actor.send(event);
    for (const effect of effects) {
      if (effect.type !== "submit") continue;
      const { name, quantity } = effect;
      assert.equal(this.alive, undefined, "one order at a time");
      assert.ok(!this.orders.some((order) => order.name === name), `${name} is asked for once`);
      assert.equal(this.isStopped, false, "nothing leaves after the owner stopped it");
      assert.equal(quantity, LOTS - this.sold, "an order sells what is left");
      this.orders.push({ name, quantity, state: "asked", filled: 0 });
    }
    const { context } = this.actor;
    assert.deepEqual(parseGroup(JSON.parse(JSON.stringify(packGroup(context)))), context);
    return effects;
  }
}

test("an exit has one order at a time, each sells what is left, and in the end all is sold or a reason is given", () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 60, size: "max" }), (moves) => {
      const life = new ExitLife();
      life.fire();
      for (const one of moves) life.play(one);
      for (let round = 0; round < 400 && !life.actor.isDone; round += 1) {
        life.timeMs += 100;
        life.answer("taken");
        life.end(LOTS);
        life.play({ type: "wait" });
      }
      assert.equal(life.actor.isDone, true);
      const [row] = life.actor.context.rows;
      if (!life.isStopped) assert.ok(life.sold >= LOTS, `sold ${life.sold}: ${row?.triggerErrorMessage}`);
      assert.ok(life.sold <= LOTS + life.lateLots);
      assert.equal(life.actor.context.stopLossSoldQuantity, life.sold);
    }),
    { numRuns: 500 },
  );
});
