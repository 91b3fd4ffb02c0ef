// A second reporter beside the readable one: counts, per test file, the tests that were reported, as one JSON line.
// Node reports a file without any test as one passed test that bears the file's name; such a one is not counted.

/** Gives `{[file]: {reported, skipped}}` at the end of the run. */
export default async function* countTests(source) {
  const census = {};
  for await (const { type, data } of source) {
    if (type !== "test:pass" && type !== "test:fail") continue;
    if (data.details?.type === "suite" || data.file === undefined || data.name === data.file) continue;
    census[data.file] ??= { reported: 0, skipped: 0 };
    census[data.file].reported += 1;
    if (data.skip !== undefined && data.skip !== false) census[data.file].skipped += 1;
  }
  yield `${JSON.stringify(census)}\n`;
}
