// A second reporter beside the readable one: counts, per test file, the tests that were reported and how long they took
// together, and lists the files of each failure, as one JSON line.
// Node reports a file without any test as one passed test that bears the file's name, or its path from the folder of
// the run; such a one is not counted.
// A test counts for the file where `test` was called, and, as files share suites, also for the file of its outermost
// suite. Node reports a suite after its tests, and those of no other file in between.
// A run in which nothing is reported for longer than any test may take is ended: node 26 waits for ever for a file whose
// tests are over and whose process is not.
import { resolve } from "node:path";

const TIMEOUT_FLAG = "--test-timeout=";
const GRACE_MS = 10_000;

/** Ends the run, and the files that it started, unless it is called again in time. */
function makeWatchdog() {
  const flag = process.execArgv.findLast((argument) => argument.startsWith(TIMEOUT_FLAG));
  if (flag === undefined) return () => undefined;
  const quietMs = Number(flag.slice(TIMEOUT_FLAG.length)) + GRACE_MS;
  const timer = setTimeout(() => process.kill(process.pid, "SIGTERM"), quietMs).unref();
  return () => timer.refresh();
}

/**
 * Gives `{counts: {[file]: {reported, skipped, durationMs}}, failures: [[file, ...], ...]}` at the end of the run. A failure
 * has the files of the failed outermost suite or test and of all that failed in it.
 */
export default async function* countTests(source) {
  const counts = {};
  const failures = [];
  const count = (file, more) => {
    counts[file] ??= { reported: 0, skipped: 0, durationMs: 0 };
    counts[file].reported += more.reported;
    counts[file].skipped += more.skipped;
  };
  let nested = { reported: 0, skipped: 0 };
  let failing = new Set();
  const noteAlive = makeWatchdog();
  for await (const { type, data } of source) {
    noteAlive();
    if (type !== "test:pass" && type !== "test:fail") continue;
    if (type === "test:fail") failing.add(data.file ?? data.name);
    const isSuite = data.details?.type === "suite";
    const isSkipped = data.skip !== undefined && data.skip !== false;
    const isCounted = data.file !== undefined && resolve(data.name) !== data.file && (!isSuite || isSkipped);
    if (isCounted) {
      const one = { reported: 1, skipped: isSkipped ? 1 : 0 };
      count(data.file, one);
      nested = { reported: nested.reported + 1, skipped: nested.skipped + one.skipped };
    }
    if (data.nesting > 0) continue;
    if (failing.size > 0) failures.push([...failing]);
    failing = new Set();
    if (isSuite) count(data.file, nested);
    if (counts[data.file] !== undefined) counts[data.file].durationMs += data.details?.duration_ms ?? 0;
    nested = { reported: 0, skipped: 0 };
  }
  yield `${JSON.stringify({ counts, failures })}\n`;
}
