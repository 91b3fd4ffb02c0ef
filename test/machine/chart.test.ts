/** The common part of all charts: how a verdict becomes a context and effects. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type EventObject, initialTransition, transition } from "xstate";
import { chartSetup, type Verdict } from "../../src/machine/chart.ts";
import { effectsOf, restore, step } from "../../src/machine/step.ts";
import { chartOf } from "./actor.ts";

interface Tally {
  readonly count: number;
  readonly note: string | null;
}

/** Emits three numbers from the old count on, and ignores any other event. `asked` lists the events it was given. */
function tallyChart() {
  const asked: string[] = [];
  const decide = (tally: Tally, event: EventObject): Verdict<Tally> | undefined => {
    asked.push(`${event.type} at ${tally.count}`);
    if (event.type !== "count") return undefined;
    const effects = [0, 1, 2].map(
      (more) => ({ type: "emit", event: "counted", data: { at: tally.count + more } }) as const,
    );
    return { context: { count: tally.count + 3, note: null }, effects };
  };
  const machine = chartSetup(decide)
    .extend({ guards: { isFull: ({ context }) => context.count >= 6 } })
    .createMachine({
      id: "tally",
      context: ({ input }) => input,
      initial: "open",
      states: {
        open: { always: { guard: "isFull", target: "full" }, on: { "*": { actions: "act" } } },
        full: { type: "final" },
      },
    });
  return { machine, asked };
}

describe("a chart's verdict", () => {
  test("becomes the context, and its effects come in the order in which they were decided", () => {
    const { machine } = tallyChart();
    const chart = chartOf(machine);
    const { snapshot, effects } = step(chart, restore(chart, "open", { count: 0, note: "old" }, false), {
      type: "count",
    });
    assert.deepEqual(snapshot.context, { count: 3, note: null });
    assert.deepEqual(
      effects,
      [0, 1, 2].map((at) => ({ type: "emit", event: "counted", data: { at } })),
    );
  });

  test("is asked for once for each event, with the context as the event found it", () => {
    const { machine, asked } = tallyChart();
    const chart = chartOf(machine);
    const first = step(chart, restore(chart, "open", { count: 0, note: null }, false), { type: "count" });
    const second = step(chart, first.snapshot, { type: "count" });
    assert.deepEqual([second.snapshot.value, second.snapshot.status], ["full", "done"]);
    assert.deepEqual(asked, ["count at 0", "count at 3"]);
  });

  test("takes away a field that it no longer has", () => {
    const machine = chartSetup<{ readonly count: number; readonly mark?: string }, EventObject>(({ count }) => {
      return { context: { count: count + 1 }, effects: [] };
    }).createMachine({
      id: "marked",
      context: ({ input }) => input,
      initial: "open",
      states: { open: { on: { "*": { actions: "act" } } } },
    });
    const chart = chartOf(machine);
    const { snapshot } = step(chart, restore(chart, "open", { count: 0, mark: "old" }, false), { type: "count" });
    assert.deepEqual(Object.entries(snapshot.context), [["count", 1]]);
  });

  test("leaves the very snapshot where there is none", () => {
    const { machine } = tallyChart();
    const chart = chartOf(machine);
    const before = restore(chart, "open", { count: 0, note: null }, false);
    const { snapshot, effects } = step(chart, before, { type: "other" });
    assert.equal(snapshot, before);
    assert.deepEqual(effects, []);
  });

  test("leaves XState in one executed action, whatever it asks for", () => {
    const { machine } = tallyChart();
    const [start] = initialTransition(machine, { count: 0, note: null });
    const [, actions] = transition(machine, start, { type: "count" });
    assert.equal(actions.length, 1);
    assert.equal(effectsOf(actions).length, 3);
    // A step that acted more than once would lose nothing.
    assert.equal(effectsOf([...actions, ...actions]).length, 6);
  });
});
