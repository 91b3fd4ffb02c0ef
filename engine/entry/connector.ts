/**
 * A real brokerage behind the gateway contract: `npm run connector -- fix|alpaca|algolab <config.json>`.
 * Needs NATS_URL. Before that, `new <config.json>` makes its folder.
 *
 * `check <config.json>` logs on, reports faults and trades nothing. It ends with 0, or with the code of the first
 * fault: 69 not reached, 75 not now, 77 refused, 78 configuration.
 */

import { join } from "node:path";
import { z } from "zod";
import { assert } from "../../src/assert.ts";
import { connectNatsBus } from "../../src/bus/nats/bus.ts";
import { loopTimers, steadyClock, systemClock } from "../../src/runtime/clock.ts";
import { createLog } from "../../src/runtime/log.ts";
import { atMost, endPolitely, exitFatally, explainFailedStart, tellBusErrors } from "../../src/runtime/process.ts";
import { needsNats, readSettings } from "../../src/runtime/settings.ts";
import { UserError } from "../../src/runtime/user-error.ts";
import { algolabConnector } from "../connector/algolab/start.ts";
import { alpacaConnector } from "../connector/alpaca/start.ts";
import { fixConnector } from "../connector/fix/start.ts";
import { readConfigFile } from "../connector/host/config-file.ts";
import { LastPrices } from "../connector/host/price/last-prices.ts";
import type { ConnectorProgram, ProgramPorts } from "../connector/host/program.ts";
import { beginServing } from "../connector/host/serve.ts";
import { subscribeTicks } from "../feed/subscribe-ticks.ts";

const KINDS = { fix: fixConnector, alpaca: alpacaConnector, algolab: algolabConnector } as const;
const COMMANDS = { new: make, check } as const;
const USAGE = `usage: npm run connector -- new|check|${Object.keys(KINDS).join("|")} <config.json>`;
const ANSWER_WITHIN_MS = 2_000;

const isNameOf = <Table extends object>(table: Table, name: string | undefined): name is Extract<keyof Table, string> =>
  name !== undefined && Object.hasOwn(table, name);

async function main(): Promise<void> {
  const [what, path, ...more] = process.argv.slice(2);
  const isCommand = isNameOf(COMMANDS, what);
  if ((!isCommand && !isNameOf(KINDS, what)) || path === undefined || more.length > 0) {
    throw new UserError(USAGE, { reason: "usage" });
  }
  const program = readConfigFile(path, process.env, (value, folder, variables) => {
    const kind = kindOf(value);
    if (!isCommand && what !== kind) throw new UserError(`type: it is ${kind}, not ${what}`);
    return KINDS[kind].program(value, folder, variables);
  });
  await (isCommand ? COMMANDS[what](program) : run(program));
}

/** Returns the kind of a configuration; without a type it is FIX. */
function kindOf(value: unknown): keyof typeof KINDS {
  const { type } = z.object({ type: z.unknown().optional() }).catch({}).parse(value);
  if (type === undefined) return "fix";
  if (typeof type === "string" && isNameOf(KINDS, type)) return type;
  throw new UserError(`type: must be one of ${Object.keys(KINDS).join(", ")}`);
}

function quietPorts(): ProgramPorts {
  const log = createLog({ level: "silent" }, "connector");
  const fatal = exitFatally(log);
  return { clock: systemClock, steadyClock, timers: loopTimers, log, fatal, lastPriceOf: () => undefined };
}

async function make(program: ConnectorProgram): Promise<void> {
  await program.make(quietPorts());
  process.stdout.write(`${program.folder} is made\n`);
}

async function check(program: ConnectorProgram): Promise<void> {
  const note = (text: string): void => void process.stdout.write(`${program.code}: ${text}\n`);
  const faults = await program.check({ ...quietPorts(), note });
  const [first] = faults;
  if (first !== undefined) throw new UserError(faults.map(({ text }) => text).join("\n"), { reason: first.reason });
  process.stdout.write(`${program.code}: the counterparty accepted the logon\n`);
}

async function run(program: ConnectorProgram): Promise<void> {
  const { code } = program;
  const { NATS_URL, LOG_LEVEL, LOG_TIMES } = readSettings(
    process.env,
    [],
    [needsNats("a connector answers over NATS")],
  );
  assert(NATS_URL !== undefined, "a connector answers over NATS");
  const log = createLog({ level: LOG_LEVEL, times: LOG_TIMES }, `connector-${code}`);
  const whenStopped = endPolitely(log);
  const bus = await connectNatsBus({
    servers: NATS_URL,
    name: `connector-${code}`,
    waitOnFirstConnect: true,
    onError: tellBusErrors(log),
  });
  const prices = new LastPrices(systemClock);
  if (program.needsPrices) subscribeTicks(bus, (symbol, price, timeMs) => prices.hear(symbol, price, timeMs));
  const fatal = exitFatally(log);
  const ports = { clock: systemClock, steadyClock, timers: loopTimers, log, fatal };
  const serve = await beginServing({ code, bus, ...ports });
  const started = await program.start({ ...ports, lastPriceOf: (symbol) => prices.of(symbol) });
  const stopServing = serve(started.connector, join(program.folder, "epochs"));
  log.info({ event: "connector.ready", code }, "the connector is ready");
  whenStopped(
    async () => {
      stopServing();
      await atMost(ANSWER_WITHIN_MS, bus.drain());
      await started.stop();
    },
    async () => undefined,
  );
}

main().catch(explainFailedStart("connector"));
