/** `step` leaves out what XState's own `transition` does around a step; here it is held to give the same. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type AnyMachineSnapshot, type AnyStateMachine, type EventObject, initialTransition, transition } from "xstate";
import { openFamily } from "../../src/domain/family.ts";
import type { Facts } from "../../src/machine/effect.ts";
import { familyFacts, familyMachine } from "../../src/machine/family.ts";
import { groupFacts, groupMachine } from "../../src/machine/group.ts";
import { levelBotFacts, levelBotMachine } from "../../src/machine/level-bot.ts";
import { setupFacts, setupMachine } from "../../src/machine/setup.ts";
import { effectsOf, restore, step } from "../../src/machine/step.ts";
import { webhookBotFacts, webhookBotMachine } from "../../src/machine/webhook-bot.ts";
import fc from "../support/property.ts";
import { chartOf } from "./actor.ts";
import { levelActor, levelPlan, webhookActor, webhookPlan } from "./bot/bot-samples.ts";
import { sampleGroup } from "./group/group-samples.ts";
import { sampleSetup } from "./setup-samples.ts";

/** Four numbers that a chart's row of the table makes an event of. */
type Draw = readonly [number, number, number, number];

/** Facts with the open requests, and the names that events may use. */
interface Scene {
  readonly facts: Facts;
  readonly names: readonly string[];
  readonly timeMs: number;
}

interface Row {
  readonly name: string;
  readonly machine: AnyStateMachine;
  readonly contexts: readonly object[];
  readonly facts: (context: never) => Facts;
  readonly event: (draw: Draw, scene: Scene) => EventObject;
  /** Every type of effect that the chart can ask for. */
  readonly asks: readonly string[];
}

function pickOf<T>(items: readonly T[], index: number, otherwise: T): T {
  return items.length === 0 ? otherwise : (items[index % items.length] ?? otherwise);
}

/** Makes a price, an answer or an order's record: the events that every actor with orders accepts. */
function orderEvent([kind, a, b, c]: Draw, { facts, names, timeMs }: Scene): EventObject {
  const name = pickOf(names, a, "r10");
  if (kind === 0) {
    const { watch, level } = pickOf(facts.watches, a, { watch: 0, symbol: "ACME", side: "above", level: 10_000 });
    const price = c % 3 === 0 ? 80 + (b % 40) : (level + (c % 3) - 1) / 100;
    return { type: "priceReached", watches: [watch, b % 3], price, timeMs } as EventObject;
  }
  if (kind === 1)
    return { type: "orderPlaced", name, orderNo: name, orderStatus: 1 + (b % 2), quantity: 4, timeMs } as EventObject;
  if (kind === 2) return { type: "orderRefused", name, message: "no", timeMs } as EventObject;
  const { orderNo } = pickOf(facts.follows, a, { userId: 1, brokerageCode: "", accountNumber: "", orderNo: "B-1" });
  const buySell = orderNo.includes("s") ? 2 : 1;
  const record = { orderNo, symbol: "ACME", buySell, orderStatus: b % 5, filledQuantity: c % 6, averagePrice: 100 + c };
  return { type: "orderUpdated", record, timeMs } as EventObject;
}

/** Makes news of a setup's buy of 10 lots at 100 at most. */
function buyEvent([, a, b, c]: Draw, { timeMs }: Scene): EventObject {
  if (a % 5 === 0) return { type: "orderMissing", orderNo: "B-1", answer: "notFound", timeMs } as EventObject;
  const record = { orderNo: "B-1", symbol: "ACME", buySell: 1, orderStatus: 1 + (b % 4) };
  const fill = { filledQuantity: 2 * (c % 6), averagePrice: 99 + (c % 3), quantity: 10 };
  const look = a % 2 === 0 ? {} : { look: a % 3 };
  const event: object = { type: "orderUpdated", record: { ...record, ...fill }, ...look, mayReclaim: b > 0, timeMs };
  return event as EventObject;
}

const LEVEL_DETAILS = [
  { symbol: "ACME", buyGap: 1, sellGap: 1, quantity: 5, maxSellPrice: 120 },
  { symbol: "OTHER", buyGap: 2, minBuyPrice: 90 },
];
const SIGNAL_DETAIL = { symbol: "ACME", algoName: "cross", period: "1H", quantity: 5, maxBuyPrice: 105 };

const TABLE: readonly Row[] = [
  {
    name: "group",
    machine: groupMachine,
    contexts: [sampleGroup({}), sampleGroup({ hasOversellGuard: true, dueAtMs: 3_000 })],
    facts: groupFacts,
    asks: ["emit", "submit", "tell"],
    event: (draw, scene) => {
      if (draw[0] === 4) return { type: "cancel", timeMs: scene.timeMs } as EventObject;
      if (draw[0] === 5) return { type: "deadline", timeMs: scene.timeMs } as EventObject;
      return orderEvent(draw, scene);
    },
  },
  {
    name: "setup",
    machine: setupMachine,
    contexts: [sampleSetup({}), sampleSetup({ dueAtMs: 1_500 }), sampleSetup({ dueAtMs: 2_200 })],
    facts: setupFacts,
    asks: ["emit", "openGroup", "tell"],
    event: (draw, scene) => {
      if (draw[0] === 4) return { type: "groupOpened", groupId: 1 + draw[1], timeMs: scene.timeMs } as EventObject;
      if (draw[0] === 5) return { type: "groupRefused", message: "no", timeMs: scene.timeMs } as EventObject;
      if (draw[0] === 0 && draw[1] % 3 === 0) return { type: "deadline", timeMs: scene.timeMs } as EventObject;
      return buyEvent(draw, scene);
    },
  },
  {
    name: "level bot",
    machine: levelBotMachine,
    contexts: [true, false].map(
      (isActive) => levelActor(levelPlan({ isActive, levelBotDetails: LEVEL_DETAILS })).context,
    ),
    facts: levelBotFacts,
    asks: ["emit", "keep", "submit", "tell"],
    event: (draw, scene) => {
      const { timeMs } = scene;
      if (draw[0] === 4) return { type: "deadline", timeMs } as EventObject;
      if (draw[0] !== 5) return orderEvent(draw, scene);
      const levelBotDetails = LEVEL_DETAILS.slice(draw[1] % 2);
      return { type: "update", plan: levelPlan({ isActive: draw[2] % 3 > 0, levelBotDetails }), timeMs } as EventObject;
    },
  },
  {
    name: "webhook bot",
    machine: webhookBotMachine,
    contexts: [true, false].map((isActive) => webhookActor(webhookPlan(isActive, SIGNAL_DETAIL)).context),
    facts: webhookBotFacts,
    asks: ["emit", "keep", "submit", "tell"],
    event: (draw, scene) => {
      const [kind, a, b, c] = draw;
      const { timeMs } = scene;
      if (kind === 4) return { type: "update", plan: webhookPlan(a % 3 > 0, SIGNAL_DETAIL), timeMs } as EventObject;
      if (kind !== 0 && kind !== 5) return orderEvent(draw, scene);
      const { symbol, algoName, period } = SIGNAL_DETAIL;
      const target = { symbol, algoName, period, side: b % 2 === 0 ? "buy" : "sell" };
      return { type: "signal", ...target, price: 100 + (c % 8), fingerprint: String(a), timeMs } as EventObject;
    },
  },
  {
    name: "family",
    machine: familyMachine,
    contexts: [
      openFamily({ familyId: 7, userId: 3, keyId: 5, scopes: ["read"] }, { tokenHash: "t0", proofHash: "p" }, 1_000),
    ],
    facts: familyFacts,
    asks: ["emit"],
    event: ([kind, a], { facts, timeMs }) => {
      if (kind === 4 && a % 4 === 0) return { type: "revoke", timeMs } as EventObject;
      if (kind === 5) return { type: "deadline", timeMs: (facts.deadlineMs ?? 0) - (a % 4) } as EventObject;
      // Each event has a moment of its own, so that the next token is always another one.
      const presented = {
        presentedHash: `t${a % 3 === 0 ? 0 : timeMs - 50}`,
        presentedProofHash: a % 5 === 0 ? "q" : "p",
      };
      return { type: "refresh", ...presented, nextHash: `t${timeMs}`, timeMs } as EventObject;
    },
  },
];

const draws = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.nat(99), fc.nat(99), fc.nat(99)), {
  maxLength: 40,
  size: "max",
});

function seen(snapshot: AnyMachineSnapshot): unknown {
  return { value: snapshot.value, context: snapshot.context, status: snapshot.status };
}

describe("step gives what XState's transition gives", () => {
  for (const row of TABLE) {
    test(`${row.name}: value, context, status and effects over random events`, () => {
      const asked = new Set<string>();
      fc.assert(
        fc.property(fc.constantFrom(...row.contexts), draws, (context, given) => {
          const chart = chartOf(row.machine);
          let [theirs] = initialTransition(row.machine, context);
          let ours = restore(chart, String(theirs.value), theirs.context, false);
          assert.deepEqual(seen(ours), seen(theirs));
          const names: string[] = [];
          for (const [index, draw] of given.entries()) {
            const facts = row.facts(ours.context as never);
            const event = row.event(draw, { facts, names, timeMs: 2_000 + index * 50 });
            const stepped = step(chart, ours, event);
            const [next, actions] = transition(row.machine, theirs, event);
            assert.deepEqual(seen(stepped.snapshot), seen(next), event.type);
            assert.deepEqual(stepped.effects, effectsOf(actions), event.type);
            for (const effect of stepped.effects) {
              asked.add(effect.type);
              if (effect.type === "submit") names.push(effect.name);
            }
            ours = stepped.snapshot;
            theirs = next;
            // An actor that is stored and read back continues in the same way.
            if (index % 7 === 6 && ours.status === "active") {
              ours = restore(chart, String(ours.value), JSON.parse(JSON.stringify(ours.context)), false);
            }
          }
        }),
        { numRuns: 150 },
      );
      assert.deepEqual([...asked].sort(), row.asks, "the events were no empty ones");
    });
  }
});
