/** The table of promises: what is printed for a row, and what the figures of a run change in it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  type PromiseRow,
  parsePromises,
  parseRun,
  recordRun,
  renderPromises,
  renderTable,
  replaceTable,
} from "../../../../bench/harness/figure/promises.ts";
import { absolute, againstFloor, type Figure } from "../../../../bench/harness/figure/result.ts";

const ROW: PromiseRow = {
  promise: "work",
  page: "trigger-work",
  target: { bound: "atMost", limit: "1.10" },
  median: { value: "1,048", unit: "us", low: "971", high: "1,059" },
  baseline: { value: "445", unit: "us", note: "bare pipeline" },
  ratio: { value: "2.33", note: "once" },
  date: "2026-11-30",
  isBusy: true,
  source: { scenario: "work", target: "against the floor" },
};
const FRAMES: PromiseRow = {
  promise: "frames",
  target: { bound: "atLeast", limit: "59", unit: "/s" },
  median: { value: "60.0" },
  baseline: { note: "none" },
  date: "2026-11-23",
};
const OWN: Figure = { name: "own", unit: "us a trigger", rounds: [1_000, 1_100, 900] };
const FLOOR: Figure = { name: "floor", unit: "us a trigger", rounds: [1_000, 1_000, 1_000] };
const TARGETS = [
  againstFloor("against the floor", OWN, FLOOR, "atMost", 1.1),
  absolute("frames", { name: "frames", unit: "/s", rounds: [58.9] }, "atLeast", 58),
];

function runOf(targets: readonly object[], loadAtStart = 0, isQuick = false): string {
  const machine = { at: "2027-01-02T03:04:05.678Z", cores: 2, loadAtStart };
  return JSON.stringify({ machine, isQuick, results: { work: { title: "work", targets } } });
}

function bodyOf(...rows: readonly PromiseRow[]): readonly string[] {
  return renderTable(rows).split("\n").slice(2);
}

const read = (name: string): string => readFileSync(new URL(`../../../../bench/${name}`, import.meta.url), "utf8");

test("bench/README.md has the table of bench/promises.json: npm run bench -- --table", () => {
  const [promises, document] = [read("promises.json"), read("README.md")];
  const rows = parsePromises(promises);
  const isSame = renderPromises(rows) === promises && replaceTable(document, renderTable(rows)) === document;
  assert.ok(isSame, "bench/README.md is not the table of bench/promises.json: npm run bench -- --table");
});

test("a target is on the ratio, or without one on the median; what misses it is bold", () => {
  const missed = { ...FRAMES, median: { value: "58.9", low: "57", high: "60", note: "once" } };
  assert.deepEqual(bodyOf(ROW, { ...ROW, ratio: { value: "1.10" } }, FRAMES, missed), [
    "| [work](../docs/performance/trigger-work.md) | ≤ 1.10 | 1,048 us (971–1,059) | 445 us, bare pipeline | **2.33**, once | **no** | 2026-11-30, busy |",
    "| [work](../docs/performance/trigger-work.md) | ≤ 1.10 | 1,048 us (971–1,059) | 445 us, bare pipeline | 1.10 | yes | 2026-11-30, busy |",
    "| frames | ≥ 59/s | 60.0 | none | | yes | 2026-11-23 |",
    "| frames | ≥ 59/s | **58.9** (57–60), once | none | | **no** | 2026-11-23 |",
  ]);
});

test("a run gives its figures to the rows that name its targets, and keeps texts and all other rows", () => {
  const frames = { ...FRAMES, source: { scenario: "work", target: "frames" } };
  const other = { ...ROW, source: { scenario: "other", target: "against the floor" } };
  const rows = recordRun([ROW, frames, FRAMES, other], parseRun(runOf(TARGETS)));
  assert.deepEqual(bodyOf(...rows), [
    "| [work](../docs/performance/trigger-work.md) | ≤ 1.10 | 1,000 us (900–1,100) | 1,000 us (1,000–1,000), bare pipeline | 1.00 (0.90–1.10), once | yes | 2027-01-02 |",
    "| frames | ≥ 58/s | 58.9 | none | | yes | 2027-01-02 |",
    ...bodyOf(FRAMES, other),
  ]);
  assert.deepEqual(parsePromises(renderPromises(rows)), rows);
});

test("a run on a machine with more load than cores is marked", () => {
  assert.deepEqual(
    [2, 2.1].map((load) => recordRun([ROW], parseRun(runOf(TARGETS, load)))[0]?.isBusy),
    [undefined, true],
  );
});

test("neither a quick run nor a run without the target of a row is recorded", () => {
  assert.throws(() => parseRun(runOf(TARGETS, 0, true)), /a quick run shows no speed/);
  assert.throws(() => recordRun([ROW], parseRun(runOf([]))), /"work": work has no target "against the floor"/);
});

test("a document without the comments around the table is refused", () => {
  assert.throws(() => replaceTable("# Measurements\n", renderTable([ROW])), /comments around the table/);
});
