/** One closed table names the events of every kind, and the charts accept exactly the events of that table. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { actorKinds } from "../../engine/partition/kinds.ts";
import type { Actors } from "../../engine/ports/actor.ts";
import { EVENTS_HEARD, isActorEvent, isHeardBy } from "../../src/machine/actor-event.ts";
import { clientOrderMachine } from "../../src/machine/client-order.ts";
import { familyMachine } from "../../src/machine/family.ts";
import { groupMachine } from "../../src/machine/group.ts";
import { levelBotMachine } from "../../src/machine/level-bot.ts";
import { setupMachine } from "../../src/machine/setup.ts";
import { webhookBotMachine } from "../../src/machine/webhook-bot.ts";

const ANY = "*";
const CHARTS = { group: groupMachine, setup: setupMachine, levelBot: levelBotMachine, webhookBot: webhookBotMachine };

describe("the events of actors", () => {
  test("are heard by some state of the kind's chart, and no chart waits for another", () => {
    for (const [kind, chart] of Object.entries({ ...CHARTS, clientOrder: clientOrderMachine, family: familyMachine })) {
      const named: readonly string[] = chart.events;
      const heard = Object.keys(EVENTS_HEARD[kind as keyof typeof EVENTS_HEARD]);
      if (!named.includes(ANY)) assert.deepEqual([...named].sort(), heard.sort(), kind);
      else assert.deepEqual([...new Set([...named, ...heard])].sort(), [...new Set([ANY, ...heard])].sort(), kind);
    }
    assert.deepEqual(actorKinds.map(({ name }) => name).sort(), Object.keys(EVENTS_HEARD).sort());
  });

  test("do not compile when they are misspelt, misdirected or half told", () => {
    const compiled = (actors: Actors): void => {
      // @ts-expect-error misspelt
      actors.deliver("group", 1, { type: "cancle", timeMs: 1 });
      // @ts-expect-error a webhook bot watches no price
      actors.deliver("webhookBot", 1, { type: "priceReached", watches: [1], price: 1, timeMs: 1 });
      // @ts-expect-error without its time
      actors.deliver("group", 1, { type: "cancel" });
      // @ts-expect-error an event of one kind only is delivered to that kind
      actors.wake(1, { type: "cancel", timeMs: 1 });
      // @ts-expect-error misspelt
      actors.wake(1, { type: "orderPlacd", name: "r1", orderNo: "1", orderStatus: 1, timeMs: 1 });
    };
    assert.equal(typeof compiled, "function");
  });

  test("are known by their types where they were stored", () => {
    assert.ok(isActorEvent({ type: "orderRefused" }));
    assert.ok(!isActorEvent({ type: "orderRefusd" }));
    assert.ok(!isActorEvent({ type: "toString" }));
    assert.ok(isHeardBy("levelBot", "deadline"));
    assert.ok(!isHeardBy("webhookBot", "priceReached"));
  });
});
