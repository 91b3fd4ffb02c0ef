/**
 * A million idle groups: made through the engine's own commands, held in memory, armed again after a restart.
 */

import { barsOf } from "../harness/figure/report.ts";
import { absolute, type Figure, type Scenario } from "../harness/figure/result.ts";
import { sleep } from "../harness/figure/timing.ts";
import type { OwnedGroup } from "../harness/load/owned-group.ts";
import { symbolOf, userOf } from "../harness/load/owned-group.ts";
import { World } from "../harness/world.ts";

const RESTARTS = 5;
const IN_FLIGHT = 256;
const MEGABYTE = 1_000_000;

export const scenario: Scenario = async ({ isQuick, say }) => {
  const groups = isQuick ? 20_000 : 1_000_000;
  const restarts = isQuick ? 2 : RESTARTS;
  const world = await World.open();
  try {
    let engine = await world.startEngine();
    await world.writeSymbols();
    say(`creates ${groups} groups of three rows`);
    const createdMs = await world.createGroups(groups, IN_FLIGHT, groupAt);
    say(`created in ${Math.round(createdMs / 1_000)} s`);
    await sleep(isQuick ? 500 : 5_000);
    const afterCreation = engine.memory();
    const resident: number[] = [];
    const anonymous: number[] = [];
    const ready: number[] = [];
    for (let restart = 0; restart < restarts; restart += 1) {
      // Killed: a start is a recovery, however the process ended.
      await engine.end("SIGKILL");
      engine = await world.startEngine({ readyWithinMs: 300_000 });
      ready.push(engine.readyMs / 1_000);
      await assertWhole(world, groups);
      await sleep(isQuick ? 500 : 5_000);
      resident.push(engine.memory().residentBytes / MEGABYTE);
      anonymous.push(engine.memory().anonymousBytes / MEGABYTE);
      say(`restart ${restart + 1}: ready after ${ready.at(-1)?.toFixed(1)} s`);
    }
    const created: Figure = {
      name: "process memory after creating them, all resident",
      unit: "MB",
      rounds: [afterCreation.residentBytes / MEGABYTE],
    };
    const restarted: Figure = { name: "process memory after a restart, all resident", unit: "MB", rounds: resident };
    const own: Figure = { name: "of it not mapped from files", unit: "MB", rounds: anonymous };
    const start: Figure = { name: "from SIGKILL's end to ready", unit: "s", rounds: ready };
    const rate: Figure = {
      name: `groups created, ${IN_FLIGHT} in flight`,
      unit: "/s",
      rounds: [(groups / createdMs) * 1_000],
    };
    return {
      title: `${groups.toLocaleString("en-US")} idle groups of three rows`,
      figures: [rate, created, restarted, own, start],
      targets: [
        absolute("process memory after creating them", created, "atMost", 900),
        absolute("process memory after a restart", restarted, "atMost", 900),
        absolute("armed and ready again", start, "atMost", 10),
      ],
      charts: [barsOf("Process memory", [created, restarted, own])],
      notes: [
        "the start includes Node, loading the program, reading and checking every live row and arming it",
        "after each start a second group for a claim that is held was refused, so that ready means armed",
        "LevelDB maps its files: their pages are resident while the system has room, and are given back when it has not",
      ],
    };
  } finally {
    await world.close();
  }
};

function groupAt(index: number): OwnedGroup {
  const step = index % 300;
  return {
    userId: userOf(index),
    body: {
      symbol: symbolOf(index),
      stopLossPrice: (8_000 - step * 5) / 100,
      stopLossQuantity: 10,
      takeProfitItems: [
        { price: (12_000 + step * 10) / 100, quantity: 5 },
        { price: (16_000 + step * 10) / 100, quantity: 5 },
      ],
    },
  };
}

/** The claims of the first and the last group are held, so both were read back. */
async function assertWhole(world: World, groups: number): Promise<void> {
  for (const index of [0, groups - 1]) {
    const again = await world
      .createGroups(1, 1, () => groupAt(index))
      .then(
        () => "taken",
        (error: unknown) => String(error),
      );
    if (!again.includes("already exists")) throw new Error(`group ${index} was not armed again: ${again}`);
  }
}
