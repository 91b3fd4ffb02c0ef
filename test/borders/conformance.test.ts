/**
 * `npm run conformance` against the paper brokerage, the sample of the documentation and the Python connector: each
 * conforms. A connector that repeats orders and ignores fences receives the reasons why it does not.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { connect, type Msg, type NatsConnection } from "nats";
import { type NatsServer, natsSuite, startNatsServer } from "../support/machine/nats-server.ts";
import { runProgram, startProgram, temporaryFolder } from "../support/machine/process.ts";
import { until } from "../support/world/stack.ts";
import { ScriptedConnector } from "./support/connector.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const ENTRY = "engine/entry/conformance.ts";
const PYTHON = "/usr/bin/python3";

interface Verdict {
  readonly findings: readonly { readonly type: string; readonly text: string }[];
  readonly missing: readonly string[];
  readonly told: string | null;
  readonly supported: string;
  readonly whyNot: Readonly<Record<string, readonly string[]>>;
  readonly isConforming: boolean;
}

natsSuite("the conformance command", () => {
  let server: NatsServer;
  let nats: NatsConnection;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const ends: (() => unknown)[] = [];

  before(async () => {
    server = await startNatsServer();
    nats = await connect({ servers: server.url });
    folder = await temporaryFolder();
  });
  after(async () => {
    for (const end of ends) await end();
    await nats.close();
    await server.stop();
    await folder.remove();
  });

  async function conformance(...args: readonly string[]): Promise<{ code: number | null; verdict: Verdict }> {
    // A busy machine answers late: only tests about silence use a short timeout.
    const patience = args.includes("--timeout") ? [] : ["--timeout", "20000"];
    const run = await runProgram(ENTRY, { NATS_URL: server.url }, { arguments: [...args, ...patience, "--json"] });
    assert.ok(run.output.includes("{"), run.output);
    return { code: run.code, verdict: JSON.parse(run.output.slice(run.output.indexOf("{"))) as Verdict };
  }

  /** Starts another program and resolves once it answers status requests. */
  async function run(code: string, command: string, args: readonly string[]): Promise<void> {
    const child = spawn(command, args, { cwd: ROOT, env: { ...process.env, NATS_URL: server.url }, stdio: "ignore" });
    ends.push(() => {
      child.kill("SIGKILL");
      return child.exitCode ?? once(child, "exit");
    });
    const isThere = async (): Promise<boolean> => {
      const reply = await nats.request(`broker.${code}.status`, "{}", { timeout: 500 }).catch(() => undefined);
      return reply !== undefined;
    };
    await until(isThere, (isAnswering) => isAnswering);
  }

  const breaches = ({ findings }: Verdict): string[] =>
    findings.flatMap(({ type, text }) => (type === "breach" ? [text] : []));

  test("the paper brokerage keeps the strongest promise, over a restart too", async () => {
    const brokerage = { code: "PAPER", name: "Paper", adapter: "gateway", paper: {} };
    await writeFile(join(folder.path, "brokerages.json"), JSON.stringify([brokerage]));
    const environment = {
      NATS_URL: server.url,
      BROKERAGES_FILE: join(folder.path, "brokerages.json"),
      DATA_DIR: join(folder.path, "data"),
    };
    const paper = await startProgram("engine/entry/paper.ts", environment, /the paper brokerage is ready/);
    ends.push(() => paper.end("SIGKILL"));
    nats.publish("ticks.THYAO", JSON.stringify({ price: 100 }));
    await nats.flush();
    // Limit buys below the market rest, so that no price is needed for them.
    const cannot = 'test -n "$PROVOKE" && exit 3';
    const { code, verdict } = await conformance("PAPER", "--price", "90", "--provoke", cannot);
    assert.deepEqual(breaches(verdict), []);
    assert.deepEqual([code, verdict.supported, verdict.told, verdict.missing], [0, "idempotent", "idempotent", []]);
    const texts = verdict.findings.map(({ text }) => text).join("\n");
    assert.match(texts, /endedBy: an order that ended by a cancel request names owner/);
    assert.match(texts, /replaces was not tried: replace cannot be made to happen there/);
    const failing = await runProgram(
      ENTRY,
      { NATS_URL: server.url },
      { arguments: ["PAPER", "--price", "90", "--provoke", "exit 4"] },
    );
    assert.equal(failing.code, 69, failing.output);
    assert.match(failing.output, /^conformance: --provoke: the command ended with 4 at exchangeEnd\n$/);
  });

  test("the sample of the documentation conforms", async () => {
    const [, sample] = /```js\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, "docs/brokerage.md"), "utf8")) ?? [];
    assert.ok(sample !== undefined);
    await run("ACME", process.execPath, ["--input-type=module", "--eval", sample]);
    const { code, verdict } = await conformance("ACME");
    assert.deepEqual(breaches(verdict), []);
    assert.deepEqual([code, verdict.supported], [0, "idempotent"]);
  });

  test("a connector in Python conforms", async () => {
    await run("PYTHON", PYTHON, ["docs/examples/connector.py", "127.0.0.1", String(server.port)]);
    const { code, verdict } = await conformance("PYTHON");
    assert.deepEqual(breaches(verdict), []);
    assert.deepEqual([code, verdict.supported], [0, "idempotent"]);
  });

  test("one that doubles a repeat and knows no fence is told why it supports nothing, and what is missing", async () => {
    const connector: ScriptedConnector = new ScriptedConnector(nats, {
      ...{ code: "BAD", resend: "idempotent" },
      place: (ask) => connector.accept(ask, 2, ask.quantity),
    });
    ends.push(() => connector.stop());
    const { code, verdict } = await conformance("BAD");
    assert.deepEqual([code, verdict.supported, verdict.isConforming], [1, "none", false]);
    assert.match(breaches(verdict).join("\n"), /reports resend idempotent, and its answers support none/);
    assert.match(String(verdict.whyNot.idempotent), /a known clientOrderId gets/);
    assert.match(String(verdict.whyNot.query), /a frozen server makes two orders of it/);
  });

  test("what could not be tried is no breach: 64 mistyped, 69 nobody there, session down or not back", async () => {
    const supports = { orderStatus: true, positions: false };
    const status = { protocol: 2, session: "down", since: "2026-01-05T09:00:00.000Z", resend: "query", supports };
    const callback = (_error: unknown, message: Msg): void => {
      message.respond(JSON.stringify({ ok: true, data: status }));
    };
    const down = nats.subscribe("broker.DOWN.status", { callback });
    const sole: ScriptedConnector = new ScriptedConnector(nats, {
      ...{ code: "SOLE", resend: "query" },
      place: (ask) => sole.accept(ask, 2, ask.quantity),
    });
    ends.push(
      () => down.unsubscribe(),
      () => sole.stop(),
    );
    const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
      [["no.body"], 64, /^conformance: no\.body is not a code of a brokerage/],
      [["NOBODY"], 69, /^conformance: NOBODY: no connector of this code listens at NATS_URL\n$/],
      [["DOWN"], 69, /^conformance: DOWN: its session with the brokerage is down/],
      [["SOLE", "--restart", "exit 3"], 69, /^conformance: --restart: the command ended with 3\n$/],
    ];
    for (const [args, code, told] of cases) {
      const run = await runProgram(ENTRY, { NATS_URL: server.url }, { arguments: [...args, "--timeout", "500"] });
      assert.equal(run.code, code, run.output);
      assert.match(run.output, told);
    }
  });
});
