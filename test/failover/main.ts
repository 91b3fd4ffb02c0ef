/**
 * How long no order reaches the brokerage when something dies: npm run failover -- [--rounds N] [--groups N]
 * [--seconds N] [--only NAME]
 *
 * Exit code 1: an order was lost or doubled. A missed promise is only reported: on a busy machine it means little.
 */
import { parseArgs } from "node:util";
import { FailoverWorld } from "../support/world/failover-world.ts";
import { FAULTS, type Fault } from "./faults.ts";
import { FailoverRounds, type Round } from "./rounds.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "20" },
    groups: { type: "string", default: "100000" },
    /** No round begins after this time. */
    seconds: { type: "string", default: "86400" },
    only: { type: "string", multiple: true },
  },
});

function wholeNumber(text: string, name: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} must be a whole number, not ${text}`);
  return value;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function chosen(): readonly Fault[] {
  const { only } = values;
  const found = FAULTS.filter(({ name }) => only === undefined || only.includes(name));
  if (found.length === 0) throw new Error(`--only: there are ${FAULTS.map(({ name }) => name).join(", ")}`);
  return found;
}

function rowOf({ name, promised }: Fault, rounds: readonly Round[]): string {
  const gaps = rounds.map(({ gapMs }) => gapMs).sort((left, right) => left - right);
  const half = gaps[Math.ceil(gaps.length / 2) - 1] ?? 0;
  const each = gaps.at(-1) ?? 0;
  const isKept = each <= promised.each && half <= (promised.half ?? promised.each);
  const lost = rounds.reduce((sum, round) => sum + round.lost, 0);
  const doubled = rounds.reduce((sum, round) => sum + round.doubled, 0);
  const latest = Math.max(0, ...rounds.map(({ latestMs }) => latestMs));
  const numbers = [gaps[0] ?? 0, half, each, latest].map((ms) => `${Math.round(ms)} ms`);
  const promise = `${promised.half === undefined ? "" : `${promised.half} / `}${promised.each} ms`;
  return `| ${[name, rounds.length, ...numbers, promise, isKept ? "kept" : "missed", lost, doubled].join(" | ")} |`;
}

const [count, groups] = [wholeNumber(values.rounds, "rounds"), wholeNumber(values.groups, "groups")];
const endMs = performance.now() + wholeNumber(values.seconds, "seconds") * 1_000;
const world = await FailoverWorld.open();
let closing: Promise<void> | undefined;
const close = (): Promise<void> => {
  closing ??= world.close();
  return closing;
};
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void close().finally(() => process.exit(2)));
}
const results = new Map<Fault, Round[]>(chosen().map((fault) => [fault, []]));
try {
  const rounds = await FailoverRounds.begin(world, groups);
  // The faults take turns, so that a busy minute of the machine does not affect one fault alone.
  for (let round = 1; round <= count; round += 1) {
    for (const [fault, done] of results) {
      if (performance.now() > endMs) break;
      const result = await rounds.run(fault);
      done.push(result);
      process.stderr.write(
        `${fault.name}, round ${round}: ${Math.round(result.gapMs)} ms, the latest order ${Math.round(result.latestMs)} ms\n`,
      );
    }
  }
} catch (error) {
  // An error of a round whose world was closed early is expected.
  if (closing === undefined) throw error;
} finally {
  await close();
}
print(`${groups} groups, a tick every 20 ms; the longest time without an order:\n`);
print(
  "| fault | rounds | least | half of them | longest | latest order | promised | | lost | doubled |\n|---|---|---|---|---|---|---|---|---|---|",
);
for (const [fault, done] of results) if (done.length > 0) print(rowOf(fault, done));
const isHarmed = [...results.values()].flat().some(({ lost, doubled }) => lost > 0 || doubled > 0);
process.exit(isHarmed ? 1 : 0);
