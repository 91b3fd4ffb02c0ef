// A second reporter beside the readable one: counts, per test file, the tests that were reported and how long
// they took together, as one JSON line.
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

/** Gives `{[file]: {reported, skipped, durationMs}}` at the end of the run. */
export default async function* countTests(source) {
  const census = {};
  const count = (file, more) => {
    census[file] ??= { reported: 0, skipped: 0, durationMs: 0 };
    census[file].reported += more.reported;
    census[file].skipped += more.skipped;
  };
  let nested = { reported: 0, skipped: 0 };
  const noteAlive = makeWatchdog();
  for await (const { type, data } of source) {
    noteAlive();
    if (type !== "test:pass" && type !== "test:fail") continue;
    const isSuite = data.details?.type === "suite";
    const isSkipped = data.skip !== undefined && data.skip !== false;
    const isCounted = data.file !== undefined && resolve(data.name) !== data.file && (!isSuite || isSkipped);
    if (isCounted) {
      const one = { reported: 1, skipped: isSkipped ? 1 : 0 };
      count(data.file, one);
      nested = { reported: nested.reported + 1, skipped: nested.skipped + one.skipped };
    }
    if (data.nesting > 0) continue;
    if (isSuite) count(data.file, nested);
    if (census[data.file] !== undefined) census[data.file].durationMs += data.details?.duration_ms ?? 0;
    nested = { reported: 0, skipped: 0 };
  }
  yield `${JSON.stringify(census)}\n`;
}
