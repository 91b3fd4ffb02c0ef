/**
 * The simulation by hand: npm run simulate -- --seeds N [--from K] | --seed S [--ops M]
 *
 * Ctrl-C ends a run of many seeds with what it has found so far.
 */
import { parseArgs } from "node:util";
import { explain, runSeed } from "./run.ts";

const PROGRESS_MS = 2_000;

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1000" },
    seed: { type: "string" },
    from: { type: "string", default: "1" },
    ops: { type: "string" },
  },
});

function wholeNumber(text: string, name: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} must be a whole number, not ${text}`);
  return value;
}

async function runMany(from: number, count: number, operations: number | undefined): Promise<number> {
  const counts = new Map<string, number>();
  const startMs = performance.now();
  let shownMs = startMs;
  let isInterrupted = false;
  process.once("SIGINT", () => {
    isInterrupted = true;
  });
  let done = 0;
  for (let seed = from; seed < from + count && !isInterrupted; seed += 1) {
    const { violation, report } = await runSeed({ seed, operations });
    for (const [what, times] of report.counts) counts.set(what, (counts.get(what) ?? 0) + times);
    if (violation !== undefined) {
      process.stdout.write(`\n${await explain(seed, operations)}\n`);
      return 1;
    }
    done += 1;
    if (performance.now() - shownMs > PROGRESS_MS) {
      shownMs = performance.now();
      process.stdout.write(
        `${done} of ${count} seeds, ${((done / (shownMs - startMs)) * 1_000).toFixed(1)} a second\n`,
      );
    }
  }
  for (const [what, times] of [...counts].sort()) process.stdout.write(`${String(times).padStart(10)}  ${what}\n`);
  process.stdout.write(`${done} seeds from ${from} held every rule.\n`);
  return 0;
}

const operations = values.ops === undefined ? undefined : wholeNumber(values.ops, "ops");
if (values.seed === undefined) {
  process.exitCode = await runMany(wholeNumber(values.from, "from"), wholeNumber(values.seeds, "seeds"), operations);
} else {
  const seed = wholeNumber(values.seed, "seed");
  const { violation } = await runSeed({ seed, operations });
  process.stdout.write(`${await explain(seed, operations)}\n`);
  process.exitCode = violation === undefined ? 0 : 1;
}
