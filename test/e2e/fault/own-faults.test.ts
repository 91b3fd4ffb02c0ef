/**
 * An engine with an unexpected fault: a throw in a timer, an unhandled rejection, no memory, no file handles. It ends
 * immediately and loudly, and its next life sells the reached rows, once (catalogue 91, 94).
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { EXIT_CODES } from "../../../src/runtime/user-error.ts";
import { LossyBrokerage } from "../../support/brokerage/lossy-brokerage.ts";
import { natsSuite } from "../../support/machine/nats-server.ts";
import { EngineWorld, groupOf } from "../../support/world/engine-world.ts";
import { until } from "../../support/world/stack.ts";

interface Fault {
  readonly name: string;
  /** Code that runs inside the engine when it gets SIGWINCH. */
  readonly planted: string;
  readonly options?: string;
  /** Acts on the running engine from outside. */
  readonly act?: (pid: number) => void;
  readonly code: number | null;
  readonly said: RegExp;
}

const FAULTS: readonly Fault[] = [
  {
    name: "a throw in a timer",
    planted: 'setTimeout(() => { throw new Error("planted fault") }, 1)',
    code: EXIT_CODES.software,
    said: /an unexpected fault/,
  },
  {
    name: "a promise that nobody caught",
    planted: 'void Promise.reject(new Error("planted fault"))',
    code: EXIT_CODES.software,
    said: /an unexpected fault/,
  },
  {
    name: "a heap that is full",
    planted: "const kept = []; for (;;) kept.push(new Array(1000).fill(kept.length))",
    options: "--max-old-space-size=160",
    code: null,
    said: /heap out of memory/,
  },
  {
    name: "no file handle left",
    planted: "",
    act: (pid) => assert.equal(spawnSync("prlimit", ["--pid", String(pid), "--nofile=8:8"]).status, 0),
    code: EXIT_CODES.temporary,
    said: /"msg":"this process has too many files open \([^"]+\)\. Raise its limit/,
  },
];

/** Returns the options with which node runs the planted code before the engine. */
function nodeOptions({ planted, options = "" }: Fault): string {
  const script = `process.on("SIGWINCH", () => { ${planted} });`;
  return `${options} --import=data:text/javascript,${encodeURIComponent(script)}`.trim();
}

const hasPrlimit = spawnSync("prlimit", ["--version"]).status === 0;

natsSuite("an engine in which something breaks", () => {
  for (const fault of FAULTS) {
    test(`by ${fault.name} ends at once, and what was reached is sold once`, async (context) => {
      if (fault.act !== undefined && !hasPrlimit) return context.skip("prlimit is not installed");
      const brokerage = { code: "FAR", name: "Far", adapter: "gateway", resend: "idempotent", timeoutMs: 1_000 };
      const world = await EngineWorld.open({
        brokerages: [brokerage],
        environment: { NODE_OPTIONS: nodeOptions(fault) },
      });
      const far = new LossyBrokerage(world.nats, {
        ...{ code: "FAR", promise: "idempotent", accounts: ["A1"], lateMs: 1 },
        ...{ fate: () => "accept", answersLookUp: () => true },
      });
      const statuses = async (): Promise<string> =>
        (await world.client.rows("FAR", "A1")).map(({ status }) => status).join();
      try {
        const engine = await world.startEngine();
        const made = await world.client.createGroup(groupOf("FAR", "A1", "THYAO"), "first");
        assert.ok("groupId" in made, JSON.stringify(made));
        fault.act?.(engine.pid);
        if (fault.act === undefined) process.kill(engine.pid, "SIGWINCH");
        await world.tick("THYAO", 111);
        const hasEnded = await until(
          async () => engine.hasEnded(),
          (isOver) => isOver,
        );
        assert.ok(hasEnded, engine.output());
        assert.equal(await engine.end("SIGTERM"), fault.code, engine.output());
        assert.match(engine.output(), fault.said);

        await world.startEngine();
        assert.equal(await until(statuses, (one) => one === "1,2,1"), "1,2,1");
        await world.tick("THYAO", 121);
        assert.equal(await until(statuses, (one) => one === "1,2,2"), "1,2,2");
        assert.deepEqual(
          far.orders.map(({ quantity }) => quantity),
          [3, 4],
        );
      } finally {
        far.stop();
        await world.close();
      }
    });
  }
});
