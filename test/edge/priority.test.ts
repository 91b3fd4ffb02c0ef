/** The edge's own process lets the engine go first, and never takes a priority that it was not given. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { EDGE_NICENESS, yieldToEngine } from "../../edge/priority.ts";

function processAt(niceness: number) {
  const set: number[] = [];
  return { set, get: () => niceness, setTo: (to: number) => void set.push(to) };
}

describe("an edge in a process of its own", () => {
  test("yields to the engine", () => {
    const { get, setTo, set } = processAt(0);
    assert.equal(yieldToEngine({ get, set: setTo }), true);
    assert.deepEqual(set, [EDGE_NICENESS]);
  });

  test("stays lower where it was started lower", () => {
    const { get, setTo, set } = processAt(EDGE_NICENESS + 1);
    assert.equal(yieldToEngine({ get, set: setTo }), true);
    assert.deepEqual(set, []);
  });

  test("goes on where the system forbids it", () => {
    const forbidden = (): never => {
      throw new Error("EPERM");
    };
    assert.equal(yieldToEngine({ get: () => 0, set: forbidden }), false);
  });
});
