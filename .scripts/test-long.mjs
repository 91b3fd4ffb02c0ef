// Runs what takes too long for every change, by hand: node .scripts/test-long.mjs [chaos] [kills] [mutate] [seeds] [algolab] [soak] [node]
//   chaos   engines and servers killed for ten minutes, on every nats-server that is there
//   kills   an engine killed 200 times under a stream of ticks, and a leader that returns from the dead 20 times
//   mutate  planted faults, each of which a test has to find
//   seeds   5,000 more worlds of the simulation
//   algolab 2,000 seeds of lost answers at an AlgoLab server, and 200 kills of its connector: about an hour
//   soak    an hour of steady load: the engine's memory must be flat in the second half
//   node    the fast tier on newer versions of Node, which npx downloads
import { isStartedFile, runChild } from "./install.mjs";
import { endWithShell } from "./shell.mjs";

const CHAOS = { FAILOVER_CHAOS_ALL: "on", FAILOVER_CHAOS_SECONDS: "600" };
const KILLS = { ENGINE_KILLS: "200", ZOMBIE_ROUNDS: "20" };
const KILLED_FILES = ["test/e2e/fault/engine-kill.test.ts", "test/e2e/cluster/failover.test.ts"];
/** The usual tiers run five of each. */
const ALGOLAB = { ALGOLAB_SEEDS: "2000", ALGOLAB_KILLS: "200" };
const ALGOLAB_FILES = ["test/engine/connector/algolab/lost-answers.test.ts", "test/e2e/fault/algolab-kill.test.ts"];
/** Chaos takes ten minutes on each server version, and their starts; each file of AlgoLab about half an hour. */
const LONG_TIMEOUT = "--test-timeout=7200000";
const OTHER_NODES = ["22", "26"];

const script = (name, ...args) => ({ command: process.execPath, args: [`.scripts/${name}`, ...args] });
/** The commands of each part, in order, with what is added to the environment. */
export const PARTS = {
  chaos: [{ ...script("test.mjs", LONG_TIMEOUT, "test/e2e/cluster/failover-chaos.test.ts"), environment: CHAOS }],
  kills: [{ ...script("test.mjs", LONG_TIMEOUT, ...KILLED_FILES), environment: KILLS }],
  mutate: [script("run.mjs", "--development", "test/mutate/main.ts")],
  seeds: [script("run.mjs", "--development", "test/simulation/main.ts", "--seeds", "5000")],
  algolab: [{ ...script("test.mjs", LONG_TIMEOUT, ...ALGOLAB_FILES), environment: ALGOLAB }],
  soak: [script("run.mjs", "--development", "test/soak/main.ts")],
  node: OTHER_NODES.map((version) => ({
    ...{ command: "npx", args: ["--yes", `node@${version}`, ".scripts/test.mjs", "--tiers=fast"] },
  })),
};

async function main() {
  endWithShell();
  const given = process.argv.slice(2);
  const unknown = given.filter((name) => !Object.hasOwn(PARTS, name));
  if (unknown.length > 0) {
    process.stderr.write(`There is no part ${unknown.join(", ")}; there are ${Object.keys(PARTS).join(", ")}.\n`);
    process.exit(64);
  }
  const failed = [];
  for (const name of given.length > 0 ? given : Object.keys(PARTS)) {
    for (const { command, args, environment = {} } of PARTS[name]) {
      process.stdout.write(`test:long: ${name}: ${command} ${args.join(" ")}\n`);
      const env = { ...process.env, ...environment };
      if ((await runChild(command, args, { stdio: ["ignore", "inherit", "inherit"], env })) !== 0) failed.push(name);
    }
  }
  process.stdout.write(failed.length === 0 ? "test:long: all ok\n" : `test:long: FAILED: ${failed.join(", ")}\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

if (isStartedFile(import.meta.url)) await main();
