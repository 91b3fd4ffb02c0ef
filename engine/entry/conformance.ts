/**
 * Tests a connector of a brokerage, written in any language: `npm run conformance -- <CODE>`.
 *
 * It needs NATS_URL and the running connector, and no engine. It places real orders: give it an account for tests.
 * Exit codes: 0 conforming, 1 not. If it could not be tested: 64 mistyped, 78 a wrong setting, 69 no connector listens,
 * its session is down or it did not come back.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { assert } from "../../src/assert.ts";
import { connectNatsBus, type NatsBus } from "../../src/bus/nats/bus.ts";
import type { GatewayStatus } from "../../src/contract/gateway/gateway.ts";
import { needsNats, readSettings } from "../../src/runtime/settings.ts";
import { exitCodeOf, tellFailure, UserError } from "../../src/runtime/user-error.ts";
import { Asker } from "../connector/conformance/asker.ts";
import { tryConnector } from "../connector/conformance/checks.ts";
import { type Provocation, type ProvokedOrder, provocations } from "../connector/conformance/provocation.ts";
import type { Verdict } from "../connector/conformance/report.ts";
import { brokerageCode } from "../connector/host/config-file.ts";

const USAGE = `npm run conformance -- <CODE> [options]

Places, repeats and looks up orders of a brokerage as an engine would, and reports which resend promise its answers
support. It places REAL orders, ten or so: use an account for tests. NATS_URL is the address of the nats-server.

  --user <id>          whose orders (default 1)
  --account <number>   default: the user's first
  --symbol <symbol>    default THYAO
  --quantity <lots>    default 1
  --price <price>      of limit buys; default 0: market buys
  --timeout <ms>       how long an answer is waited for (default 5000)
  --restart <command>  a shell command that ends the connector and starts it again, and returns
  --provoke <command>  a shell command that makes $PROVOKE happen at the brokerage to the order $ORDER_NO, named
                       $CLIENT_ORDER_ID, and ends with 0, or with 3 where that is not possible there. PROVOKE is one of
                       ${provocations.join(", ")}
  --json               print JSON
`;
/** The exit code of a `--provoke` command that cannot do what was asked. */
const CANNOT = 3;
const READY_WITHIN_MS = 60_000;
const ASK_AGAIN_MS = 250;

const OPTIONS = {
  user: { type: "string", default: "1" },
  account: { type: "string" },
  symbol: { type: "string", default: "THYAO" },
  quantity: { type: "string", default: "1" },
  price: { type: "string", default: "0" },
  timeout: { type: "string", default: "5000" },
  restart: { type: "string" },
  provoke: { type: "string" },
  json: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

/** Refuses a mistyped command line. */
function mistyped(message: string): never {
  throw new UserError(`${message}\n\n${USAGE.trimEnd()}`, { reason: "usage" });
}

function readArguments() {
  try {
    return parseArgs({ options: OPTIONS, allowPositionals: true });
  } catch (cause) {
    return mistyped(cause instanceof Error ? cause.message : String(cause));
  }
}

function readNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value < least) mistyped(`--${name} must be a number of at least ${least}`);
  return value;
}

const wait = (delayMs: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, delayMs));

/** Runs a shell command; resolves with its exit code, null if a signal ended it. */
function runShell(command: string, variables: Readonly<Record<string, string>> = {}): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { stdio: "inherit", shell: true, env: { ...process.env, ...variables } });
    child.once("error", reject);
    child.once("exit", resolve);
  });
}

/** Runs the command that provokes an event at the brokerage. Throws if it fails. */
async function provokeWith(command: string, what: Provocation, order: ProvokedOrder): Promise<boolean> {
  const { orderNo, clientOrderId } = order;
  const code = await runShell(command, { PROVOKE: what, ORDER_NO: orderNo, CLIENT_ORDER_ID: clientOrderId });
  if (code === 0 || code === CANNOT) return code === 0;
  throw new UserError(`--provoke: the command ended with ${code} at ${what}`, { reason: "unavailable" });
}

/** Runs the command and waits until the connector reports its status again. */
async function restartWith(command: string, asker: Asker): Promise<void> {
  const code = await runShell(command);
  if (code !== 0) throw new UserError(`--restart: the command ended with ${code}`, { reason: "unavailable" });
  for (let waitedMs = 0; waitedMs < READY_WITHIN_MS; waitedMs += ASK_AGAIN_MS) {
    if ((await asker.ask("status", {})).type === "data") return;
    await wait(ASK_AGAIN_MS);
  }
  throw new UserError("--restart: the connector did not come back within a minute", { reason: "unavailable" });
}

/** Throws if no connector listens under this code or it cannot reach its brokerage: no answer would prove anything. */
async function refuseUntriable(asker: Asker, code: string, userId: number): Promise<void> {
  const refuse = (message: string): never => {
    throw new UserError(`${code}: ${message}`, { reason: "unavailable" });
  };
  const status = await asker.ask<GatewayStatus>("status", {});
  if (status.type === "data" && status.data.session === "down") {
    refuse("its session with the brokerage is down, so nothing can be tried");
  }
  // Connectors of the first edition report no status.
  if (status.type === "none" && (await asker.ask("accounts", { userId })).type === "none") {
    refuse("no connector of this code listens at NATS_URL");
  }
}

function print(code: string, verdict: Verdict): void {
  const mark = { held: "ok    ", breach: "BREACH", note: "note  " };
  const lines = verdict.findings.map(({ type, text }) => `${mark[type]} ${text}`);
  if (verdict.missing.length > 0) lines.push(`Missing operations: ${verdict.missing.join(", ")}`);
  lines.push(
    "",
    `The answers of ${code} support resend ${verdict.supported}; it reports ${verdict.told ?? "nothing"}.`,
  );
  for (const [promise, reasons] of Object.entries(verdict.whyNot)) {
    for (const reason of reasons ?? []) lines.push(`  not ${promise}: ${reason}`);
  }
  lines.push(verdict.isConforming ? "Conforming." : "NOT conforming.");
  process.stdout.write(`${lines.join("\n")}\n`);
}

async function connect(servers: string): Promise<NatsBus> {
  try {
    return await connectNatsBus({ servers, name: "conformance", onError: () => undefined });
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    throw new UserError("NATS_URL: no nats-server answers there", { reason: "unavailable", cause });
  }
}

async function main(): Promise<void> {
  const { values, positionals } = readArguments();
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const [code, ...more] = positionals;
  if (code === undefined || more.length > 0) mistyped("give the CODE of one brokerage");
  const timeoutMs = readNumber("timeout", values.timeout, 1);
  const userId = readNumber("user", values.user, 1);
  const quantity = readNumber("quantity", values.quantity, 1);
  const price = readNumber("price", values.price, 0);
  if (!brokerageCode.safeParse(code).success) mistyped(`${code} is not a code of a brokerage: letters, digits and _`);
  const { restart, provoke } = values;
  const { NATS_URL: servers } = readSettings(process.env, [], [needsNats("connectors are asked over NATS")]);
  assert(servers !== undefined, "the conformance suite demands it");
  const bus = await connect(servers);
  const asker = new Asker(bus, code, timeoutMs);
  await refuseUntriable(asker, code, userId);
  const verdict = await tryConnector({
    ...{ asker, userId, accountNumber: values.account },
    trial: { symbol: values.symbol, quantity, price },
    namePrefix: `conformance-${randomBytes(5).toString("hex")}`,
    epoch: Date.now(),
    restart: restart === undefined ? undefined : () => restartWith(restart, asker),
    provoke: provoke === undefined ? undefined : (what, order) => provokeWith(provoke, what, order),
    wait,
  });
  if (values.json) process.stdout.write(`${JSON.stringify(verdict, null, 2)}\n`);
  else print(code, verdict);
  await bus.drain();
  process.exitCode = verdict.isConforming ? 0 : 1;
}

main().catch((error: unknown) => {
  process.stderr.write(`conformance: ${tellFailure(error)}\n`);
  process.exit(exitCodeOf(error));
});
