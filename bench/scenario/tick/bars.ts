/**
 * What the price history costs an engine for each tick: the processor time of all threads, at 10,000 ticks a second over
 * all symbols, none of which reaches a level.
 *
 * One engine takes prices into its history and leaves them out, in turns: two engines of the same program differ by more
 * than the history costs. Minutes are written after a turn, perhaps in one of the other kind. So the writes are measured
 * alone, and their share is added to each turn with the history.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PriceHistory } from "../../../engine/history/price-history.ts";
import { openLevelStore } from "../../../engine/store/level-store.ts";
import { quietLog } from "../../harness/ending.ts";
import { latenciesOf } from "../../harness/figure/latency.ts";
import { processorMs } from "../../harness/figure/processor.ts";
import { barsOf } from "../../harness/figure/report.ts";
import { againstFloor, type Figure, type Scenario } from "../../harness/figure/result.ts";
import { sleep } from "../../harness/figure/timing.ts";
import { SYMBOLS, symbolOf } from "../../harness/load/owned-group.ts";
import { idleGroup } from "../../harness/load/ticks.ts";
import { startBenchProgram } from "../../harness/program.ts";
import { World } from "../../harness/world.ts";
import type { HistoryRequest } from "../../process/history-switch.ts";

const TICKS_PER_SECOND = 10_000;
const GROUPS = 6_000;
const IN_FLIGHT = 128;
const MINUTE_MS = 60_000;
/** Longer than an ended minute waits for late prices. */
const WRITTEN_AFTER_MS = 5_000;
/** Until the work of a turn's last ticks is done. */
const SETTLED_MS = 500;

type Turns = Figure & { readonly rounds: number[] };

export const scenario: Scenario = async ({ isQuick, say }) => {
  const [seconds, rounds, minutes] = isQuick ? [2, 1, 3] : [4, 30, 120];
  const writes = await writesOf(minutes);
  say(`writes of minutes: ${writes.toFixed(3)} us a tick`);
  const publisher = await startBenchProgram({ entry: "bench/process/publisher.ts" });
  const world = await World.open();
  try {
    const program = await world.startEngine({ preloads: ["./bench/process/history-switch.ts"] });
    await world.writeSymbols();
    await world.createGroups(GROUPS, IN_FLIGHT, idleGroup);
    const measure = async (takesPrices: boolean): Promise<number> => {
      await program.ask<boolean>({ takesPrices } satisfies HistoryRequest);
      const tickCount = seconds * TICKS_PER_SECOND;
      const load = { ticksPerSecond: TICKS_PER_SECOND, tickCount, ticksPerTrigger: tickCount + 1, firstTrigger: 0 };
      const beforeMs = processorMs(program.pid);
      const pipeline = { program, bus: world.bus, natsUrl: world.server.url };
      await latenciesOf(publisher, pipeline, { kind: "paced", ...load }, false);
      await sleep(SETTLED_MS);
      return ((processorMs(program.pid) - beforeMs) * 1_000) / tickCount + (takesPrices ? writes : 0);
    };
    const own: Turns = { name: "with bars", unit: "us a tick", rounds: [] };
    const base: Turns = { name: "without bars", unit: "us a tick", rounds: [] };
    // The first two rounds warm up and are left out.
    for (let round = -1; round <= rounds; round += 1) {
      for (const figure of round % 2 === 0 ? [own, base] : [base, own]) {
        const microseconds = await measure(figure === own);
        if (round > 0) figure.rounds.push(microseconds);
        say(`${figure.name}: ${microseconds.toFixed(2)} us a tick`);
      }
    }
    const written: Figure = { name: "the writes of minutes", unit: "us a tick", rounds: [writes] };
    return {
      title: `Processor time for a tick that reaches nothing, all threads, at ${TICKS_PER_SECOND} ticks a second`,
      figures: [own, base, written],
      targets: [againstFloor("with bars against without", own, base, "atMost", 1.03)],
      charts: [barsOf("Processor time for a tick", [own, base])],
      notes: [
        `${SYMBOLS} symbols, ${GROUPS} groups; one engine, both in turns of ${seconds} s, the order changes each round`,
        `the writes are measured over ${minutes} minutes of all symbols and are part of "with bars"`,
      ],
    };
  } finally {
    await publisher.end("SIGKILL");
    await world.close();
  }
};

/** Microseconds of a tick that the writes of ended minutes take, all threads, over a store on the disk. */
async function writesOf(minutes: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "bench-bars-"));
  let nowMs = 0;
  let task: (() => void) | undefined;
  const history = new PriceHistory({
    open: () => openLevelStore(folder, true),
    days: 1,
    clock: { nowMs: () => nowMs },
    timers: {
      after: (_delayMs, next) => {
        task = next;
        return () => undefined;
      },
      soon: setImmediate,
    },
    log: quietLog,
  });
  try {
    await history.start();
    let usedUs = 0;
    for (let minute = 0; minute < minutes; minute += 1) {
      for (let symbol = 0; symbol < SYMBOLS; symbol += 1) {
        history.onTick({ symbol: symbolOf(symbol), price: { value: 100 + minute }, timeMs: minute * MINUTE_MS });
      }
      nowMs = (minute + 1) * MINUTE_MS + WRITTEN_AFTER_MS;
      const before = process.cpuUsage();
      const due = task;
      task = undefined;
      due?.();
      while (task === undefined) await sleep(1);
      const { user, system } = process.cpuUsage(before);
      usedUs += user + system;
    }
    return usedUs / (minutes * (MINUTE_MS / 1_000) * TICKS_PER_SECOND);
  } finally {
    await history.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
