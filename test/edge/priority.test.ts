/** The edge's own process lets the engine go first, and never takes a priority that it was not given. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { EDGE_NICENESS, yieldToEngine } from "../../edge/priority.ts";

function processAt(niceness: number) {
  const set: number[] = [];
  return { set, get: () => niceness, setTo: (to: number) => void set.push(to) };
}

const OWN_NICENESS = `
  import { readdirSync } from "node:fs";
  import { getPriority } from "node:os";
  import { yieldToEngine } from "./edge/priority.ts";
  yieldToEngine();
  console.log(JSON.stringify(readdirSync("/proc/self/task").map((thread) => getPriority(Number(thread)))));
`;

describe("an edge in a process of its own", () => {
  test("yields to the engine", () => {
    const { get, setTo, set } = processAt(0);
    assert.equal(yieldToEngine({ get, set: setTo }), true);
    assert.deepEqual(set, [EDGE_NICENESS]);
  });

  test("yields with all of its threads", { skip: process.platform !== "linux" }, () => {
    const run = spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", OWN_NICENESS], {
      cwd: fileURLToPath(new URL("../../", import.meta.url)),
      encoding: "utf8",
    });
    const nicenesses = z.array(z.number()).parse(JSON.parse(run.stdout));
    assert.ok(nicenesses.length > 1);
    assert.ok(Math.min(...nicenesses) >= EDGE_NICENESS, run.stdout);
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
