// tier: real
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { makeProject, type Outcome } from "./made-project.ts";

const passing = 'import { test } from "node:test";\ntest("holds", () => {});\n';
const failing = 'import { test } from "node:test";\ntest("breaks", () => { throw new Error("broken"); });\n';
const skipping = 'import { test } from "node:test";\ntest("waits", { skip: "no server" }, () => {});\n';
const empty = "export const nothing = 1;\n";
const hanging =
  'import { test } from "node:test";\ntest("hangs", async () => {\n  setInterval(() => {}, 1000);\n  await new Promise(() => {});\n});\n';

function runTests(
  context: TestContext,
  files: Readonly<Record<string, string>>,
  args: string[] = [],
): Promise<Outcome> {
  const project = makeProject(files);
  context.after(project.remove);
  return project.run([".scripts/test.mjs", ...args]);
}

function listRun({ stdout }: Outcome): string[] {
  return [...stdout.matchAll(/✔ (\w+)/g)].map(([, name]) => name ?? "").sort();
}

test("all test files are found however deep they lie, and node's summary ends the output", async (context) => {
  const deeper = passing.replace("holds", "deeper");
  const outcome = await runTests(context, {
    "test/a.test.ts": passing,
    "test/b/c/d.test.ts": deeper,
    "test/b/other.ts": empty,
  });
  assert.equal(outcome.exitCode, 0, outcome.stderr);
  assert.deepEqual(listRun(outcome), ["deeper", "holds"]);
  assert.match(outcome.stdout, /tests 2\n.*suites 0\n.*pass 2\n.*fail 0\n[^✔]*$/);
});

test("a failing test fails the run", async (context) => {
  const outcome = await runTests(context, { "test/a.test.ts": passing, "test/b.test.ts": failing });
  assert.equal(outcome.exitCode, 1);
  assert.match(outcome.stdout, /breaks/);
});

test("with --repeat-failed a file with real processes that fails once is repeated and named, one of the fast tier is not", async (context) => {
  const once = `import { existsSync, writeFileSync } from "node:fs";
import { test } from "node:test";
test("steadies", () => {
  if (existsSync("tried")) return;
  writeFileSync("tried", "");
  throw new Error("not yet");
});
`;
  const outcomeOf = (text: string) =>
    runTests(context, { "test/a.test.ts": text, "test/b.test.ts": passing }, ["--no-install", "--repeat-failed"]);
  const steadied = await outcomeOf(`// tier: real\n${once}`);
  assert.equal(steadied.exitCode, 0, steadied.stderr);
  assert.match(steadied.stderr, /unsteady: test\/a\.test\.ts failed once and passed when repeated/);
  const fast = await outcomeOf(once);
  assert.equal(fast.exitCode, 1);
  assert.doesNotMatch(fast.stdout, /repeated/);
  const shared = `import { describe } from "node:test";\nexport const suite = (run: () => void) => describe("own", run);\n`;
  const nested = `// tier: real\n${once.replace('test("steadies"', 'suite(() => test("steadies"').replace(/\);\n$/, "));\n")}import { suite } from "./shared.ts";\n`;
  const inSuite = await runTests(context, { "test/shared.ts": shared, "test/a.test.ts": nested }, ["--repeat-failed"]);
  assert.equal(inSuite.exitCode, 0, inSuite.stdout);
  const always = await outcomeOf(`// tier: real\n${failing}`);
  assert.equal(always.exitCode, 1);
  assert.doesNotMatch(always.stderr, /unsteady/);
});

test("a file that reports no test fails the run, though node calls it a pass", async (context) => {
  const outcome = await runTests(context, { "test/a.test.ts": passing, "test/b.test.ts": empty });
  assert.equal(outcome.exitCode, 1);
  assert.equal(outcome.stderr, "not ok: test/b.test.ts reported no test\n");
});

test("a suite that files share counts for each file that calls it, and a shared suite called by none for none", async (context) => {
  const shared = 'import { test } from "node:test";\nexport const run = () => test("shared", () => {});\n';
  const calling = 'import { describe } from "node:test";\nimport { run } from "./shared.ts";\ndescribe("own", run);\n';
  const files = { "test/shared.ts": shared, "test/a.test.ts": calling, "test/b.test.ts": calling };
  const good = await runTests(context, files);
  assert.equal(good.exitCode, 0, good.stderr);
  const bad = await runTests(context, { ...files, "test/c.test.ts": 'import "./shared.ts";\n' });
  assert.equal(bad.stderr, "not ok: test/c.test.ts reported no test\n");
});

test("a run of skipped tests only is none, and a skipped test beside a run one is fine", async (context) => {
  const alone = await runTests(context, { "test/a.test.ts": skipping });
  assert.deepEqual(
    { exitCode: alone.exitCode, stderr: alone.stderr },
    { exitCode: 1, stderr: "not ok: no test ran\n" },
  );
  const beside = await runTests(context, { "test/a.test.ts": skipping, "test/b.test.ts": passing });
  assert.equal(beside.exitCode, 0);
  assert.match(beside.stdout, /waits.*no server/);
});

test("no test file at all fails the run", async (context) => {
  const outcome = await runTests(context, { "test/a.ts": passing });
  assert.deepEqual(
    { exitCode: outcome.exitCode, stderr: outcome.stderr },
    { exitCode: 1, stderr: "not ok: there is no test file\n" },
  );
});

test("a file that hangs is ended and fails the run", async (context) => {
  const outcome = await runTests(context, { "test/a.test.ts": hanging }, ["--test-timeout=2000"]);
  assert.equal(outcome.exitCode, 1);
  assert.match(outcome.stdout, /✖ (hangs|.*a\.test\.ts)/, "says what hangs");
});

test("a file, a folder or a part of a path chooses what runs, and one that fits nothing fails", async (context) => {
  const files = {
    "test/price.test.ts": passing.replace("holds", "price"),
    "test/watch/price-index.test.ts": passing.replace("holds", "index"),
    "test/watch/queue.test.ts": passing.replace("holds", "queue"),
  };
  const project = makeProject(files);
  context.after(project.remove);
  const choose = (...patterns: string[]) => project.run([".scripts/test.mjs", ...patterns]);
  assert.deepEqual(listRun(await choose("test/price.test.ts")), ["price"]);
  assert.deepEqual(listRun(await choose("test/watch/")), ["index", "queue"]);
  assert.deepEqual(listRun(await choose("price")), ["index", "price"]);
  assert.deepEqual(listRun(await choose("queue", "./test/price.test.ts")), ["price", "queue"]);
  const lost = await choose("nowhere");
  assert.deepEqual(lost, { exitCode: 1, stdout: "", stderr: "not ok: no test file fits nowhere\n" });
});

const spawning =
  'import { spawnSync } from "node:child_process";\nimport { test } from "node:test";\ntest("spawns", () => void spawnSync("true"));\n';

test("a tier chooses the files that belong to it by their imports or by their line", async (context) => {
  const project = makeProject({
    "test/a.test.ts": passing.replace("holds", "fast"),
    "test/b.test.ts": `// tier: real\n${passing.replace("holds", "real")}`,
    "test/c.test.ts": spawning,
  });
  context.after(project.remove);
  const choose = (...args: string[]) => project.run([".scripts/test.mjs", "--no-install", ...args]);
  assert.deepEqual(listRun(await choose("--tiers=fast")), ["fast"]);
  assert.deepEqual(listRun(await choose()), ["fast", "real"]);
  assert.deepEqual(listRun(await choose("--tiers=full")), ["spawns"]);
  const unknown = await choose("--tiers=quick");
  assert.deepEqual(
    [unknown.exitCode, unknown.stderr],
    [1, "not ok: no tier is called quick; there are fast, real, full\n"],
  );
});

test("with --changed runs what imports a changed file, and each test that reads the text of all sources", async (context) => {
  const importing = `import "../src/a.ts";\n${passing.replace("holds", "importing")}`;
  const project = makeProject({
    "src/a.ts": empty,
    "test/a.test.ts": importing,
    "test/b.test.ts": passing,
    "test/mutate/c.test.ts": passing.replace("holds", "reading"),
  });
  context.after(project.remove);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: project.root, stdio: "ignore" });
  git("init");
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@localhost", "commit", "--no-verify", "-m", "first");
  writeFileSync(join(project.root, "src/a.ts"), "export const something = 1;\n");
  const outcome = await project.run([".scripts/test.mjs", "--no-install", "--changed"]);
  assert.equal(outcome.exitCode, 0, outcome.stderr);
  assert.deepEqual(listRun(outcome), ["importing", "reading"]);
});

test("a test of the fast tier that listens on a port or starts a process fails, whatever path led there", async (context) => {
  const hidden = (module: string, deed: string): string =>
    `import { test } from "node:test";\nconst name = "node:${module}";\ntest("hidden", async () => { const it = await import(name); ${deed}; });\n`;
  const outcome = await runTests(context, {
    "test/a.test.ts": hidden("net", "it.createServer().listen(0)"),
    "test/b.test.ts": hidden("child_process", 'it.spawn("true")'),
    "test/c.test.ts": passing,
  });
  assert.equal(outcome.exitCode, 1);
  assert.match(outcome.stdout, /fast tier listens on a port/);
  assert.match(outcome.stdout, /fast tier starts a child process/);
  assert.deepEqual(listRun(outcome), ["holds"]);
});

test("a file of a shared process that cannot be loaded fails by its name, and the others still run", async (context) => {
  const outcome = await runTests(context, {
    "test/a.test.ts": 'throw new Error("broken at its top");\n',
    "test/b.test.ts": passing,
    "test/c.test.ts": passing.replace("holds", "other"),
  });
  assert.equal(outcome.exitCode, 1);
  assert.match(outcome.stdout, /✖ test\/a\.test\.ts/);
  assert.deepEqual(listRun(outcome), ["holds", "other"]);
});
