import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type MadeProject, makeProject } from "./made-project.ts";

const RUN = ".scripts/run.mjs";
const NPM_CI = "ci --ignore-scripts --no-audit --no-fund --loglevel=error";
const NPM_CI_RUN = `${NPM_CI} --omit=dev`;

function make(context: TestContext, ...parameters: Parameters<typeof makeProject>): MadeProject {
  const project = makeProject(...parameters);
  context.after(project.remove);
  return project;
}

const printArguments = "const given: string[] = process.argv.slice(2); console.log(JSON.stringify(given));";

test("a clone without packages installs them once, says so on stderr, and runs", async (context) => {
  const project = make(context, { "src/main.ts": printArguments }, { isInstalled: false });
  const first = await project.run([RUN, "src/main.ts", "group", "--all"]);
  assert.deepEqual({ exitCode: first.exitCode, stdout: first.stdout }, { exitCode: 0, stdout: '["group","--all"]\n' });
  assert.match(first.stderr, /Installing packages \(npm ci\): node_modules is missing/);
  assert.match(first.stderr, /npm speaks/);
  const second = await project.run([RUN, "src/main.ts"]);
  assert.deepEqual(second, { exitCode: 0, stdout: "[]\n", stderr: "" });
  assert.deepEqual(project.npmCalls(), [NPM_CI_RUN]);
  assert.equal(existsSync(join(project.root, ".install.lock")), false);
});

test("packages that do not fit the lock file are installed again", async (context) => {
  const project = make(context, { "src/main.ts": printArguments });
  const lockPath = join(project.root, "package-lock.json");
  const lock = { packages: { "node_modules/tsx": { version: "0.0.1" } } };
  writeFileSync(lockPath, JSON.stringify(lock));
  const changed = await project.run([RUN, "src/main.ts"]);
  assert.equal(changed.exitCode, 0);
  assert.match(changed.stderr, /node_modules\/tsx is [\d.]+, the lock file says 0\.0\.1/);
});

test("a missing development package matters to development runs only, a missing optional one to none", async (context) => {
  const project = make(context, { "src/main.ts": printArguments });
  const packages = {
    "node_modules/a": { version: "1.0.0", dev: true },
    "node_modules/b": { version: "1.0.0", optional: true },
  };
  writeFileSync(join(project.root, "package-lock.json"), JSON.stringify({ packages }));
  assert.equal((await project.run([RUN, "src/main.ts"])).stderr, "");
  const development = await project.run([RUN, "--development", "src/main.ts"]);
  assert.match(development.stderr, /node_modules\/a is missing/);
  assert.deepEqual(project.npmCalls(), [NPM_CI]);
});

test("a failed installation ends the run with npm's exit code", async (context) => {
  const project = make(context, { "src/main.ts": printArguments }, { isInstalled: false, npmExitCode: 9 });
  const outcome = await project.run([RUN, "src/main.ts"]);
  assert.deepEqual({ exitCode: outcome.exitCode, stdout: outcome.stdout }, { exitCode: 9, stdout: "" });
  assert.match(outcome.stderr, /npm ci failed with exit code 9/);
  assert.equal(existsSync(join(project.root, ".install.lock")), false);
});

test("two first starts at once install once", async (context) => {
  const project = make(context, { "src/main.ts": printArguments }, { isInstalled: false });
  const outcomes = await Promise.all([project.run([RUN, "src/main.ts", "a"]), project.run([RUN, "src/main.ts", "b"])]);
  assert.deepEqual(
    outcomes.map(({ stdout }) => stdout),
    ['["a"]\n', '["b"]\n'],
  );
  assert.deepEqual(project.npmCalls(), [NPM_CI_RUN]);
});

test("a turn left behind by a process that is gone holds nobody up", async (context) => {
  const project = make(context, { "src/main.ts": printArguments }, { isInstalled: false });
  const gone = spawnSync(process.execPath, ["--version"]).pid;
  writeFileSync(join(project.root, ".install.lock"), `${gone} ${gone}`);
  assert.equal((await project.run([RUN, "src/main.ts"])).exitCode, 0);
});

test("exit code, stdin and errors are the entry's own", async (context) => {
  const project = make(context, {
    "src/exit.ts": "process.exitCode = 7;",
    "src/echo.ts": "for await (const part of process.stdin) process.stdout.write(part);",
    "src/fail.ts":
      "type Money = { lira: number };\n\n\nconst f = (money: Money): never => {\n  throw new Error('no ' + money.lira);\n};\nf({ lira: 3 });\n",
  });
  assert.equal((await project.run([RUN, "src/exit.ts"])).exitCode, 7);
  assert.equal((await project.run([RUN, "src/echo.ts"], "piped")).stdout, "piped");
  const failed = await project.run([RUN, "src/fail.ts"]);
  assert.equal(failed.exitCode, 1);
  assert.match(failed.stderr, /Error: no 3\n\s+at f \(.*src\/fail\.ts:5:9\)/);
});

test("a signal reaches the entry, which is this very process", async (context) => {
  const script =
    'process.on("SIGTERM", () => { console.log("ending"); process.exit(0); }); setInterval(() => {}, 1000); console.log(process.pid);';
  const project = make(context, { "src/main.ts": script });
  const child = spawn(process.execPath, [RUN, "src/main.ts"], {
    cwd: project.root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  context.after(() => child.kill("SIGKILL"));
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    stdout += part;
    if (stdout.endsWith("\n")) child.kill("SIGTERM");
  });
  const [exitCode] = await once(child, "close");
  assert.equal(exitCode, 0);
  assert.equal(stdout, `${child.pid}\nending\n`);
});

test("an entry that does not exist and a missing one are said", async (context) => {
  const project = make(context, {});
  const absent = await project.run([RUN, "src/main.ts"]);
  assert.deepEqual(absent, { exitCode: 64, stdout: "", stderr: "There is no src/main.ts.\n" });
  assert.equal((await project.run([RUN])).exitCode, 64);
});

for (const shell of ["dash", "bash"]) {
  test(`what ends npm ends the entry, whether or not its shell (${shell}) hands signals on`, async (context) => {
    const script = ["SIGTERM", "SIGINT"]
      .map(
        (name) => `process.on("${name}", () => { console.log("${name}"); setTimeout(() => process.exit(0), 500); });`,
      )
      .concat('setInterval(() => {}, 1000); console.log("up");')
      .join("\n");
    const project = make(context, { "src/main.ts": script });
    rmSync(join(project.root, "npm"), { recursive: true });
    const run = async (end: (processId: number) => void): Promise<string> => {
      // A process group of its own, as a terminal gives to what it runs.
      const child = spawn("npm", ["start", "--silent", `--script-shell=${shell}`], {
        cwd: project.root,
        stdio: ["ignore", "pipe", "ignore"],
        detached: true,
      });
      let stdout = "";
      child.stdout.setEncoding("utf8").on("data", (part: string) => {
        stdout += part;
        if (part.startsWith("up")) end(child.pid ?? 0);
      });
      // Its output closes only when the entry has ended too.
      await once(child, "close");
      return stdout;
    };
    assert.equal(await run((processId) => process.kill(processId, "SIGTERM")), "up\nSIGTERM\n");
    // Ctrl-C reaches the whole group; npm then hands it to its shell once more.
    assert.match(await run((processId) => process.kill(-processId, "SIGINT")), /^up\n(SIGINT\n)+$/);
  });
}

test("settings of .env are read with a byte order mark, go behind the environment, and are refused in another encoding", async (context) => {
  const print = "console.log(JSON.stringify([process.env.FIRST_OF_ENV, process.env.SECOND_OF_ENV]));";
  const project = make(context, { "src/main.ts": print });
  const path = join(project.root, ".env");
  writeFileSync(path, "\uFEFFFIRST_OF_ENV=Ş\nSECOND_OF_ENV=2\n");
  assert.equal((await project.run([RUN, "src/main.ts"])).stdout, '["Ş","2"]\n');
  writeFileSync(path, Buffer.from([...Buffer.from("FIRST_OF_ENV="), 0xde, 0x0a]));
  const refused = await project.run([RUN, "src/main.ts"]);
  assert.equal(refused.exitCode, 65);
  assert.match(refused.stderr, /\.env is not UTF-8: save it as UTF-8/);
});
