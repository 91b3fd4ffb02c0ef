/**
 * A real brokerage behind the gateway contract: `npm run connector -- fix <config.json>`. Needs NATS_URL. Before that,
 * `new <config.json>` makes the session's folder, and `check <config.json>` logs on, says what is wrong, trades nothing.
 */

import { connectNatsBus } from "../../src/bus/nats/bus.ts";
import { ALL_TICKS_SUBJECT } from "../../src/contract/subject.ts";
import { OperatorMistake } from "../../src/operator-mistake.ts";
import { loopTimers, steadyClock, systemClock } from "../../src/runtime/clock.ts";
import { createLog } from "../../src/runtime/log.ts";
import { atMost, endPolitely, exitFatally, explainFailedStart } from "../../src/runtime/process.ts";
import { readSettings } from "../../src/runtime/settings.ts";
import { type FixConnectorConfig, readFixConfig } from "../connector/fix/config.ts";
import { checkFixConnector, explainCheck, makeSessionFolder, startFixConnector } from "../connector/fix/start.ts";
import { openEpochFile } from "../connector/host/epoch-file.ts";
import { LastPrices } from "../connector/host/last-prices.ts";
import { serveConnector } from "../connector/host/serve.ts";

const USAGE = "usage: npm run connector -- new <config.json> | check <config.json> | fix <config.json>";
const COMMANDS = { new: make, check, fix: run } as const;
const ANSWER_WITHIN_MS = 2_000;

async function main(): Promise<void> {
  const [what, path, ...more] = process.argv.slice(2);
  const isKnown = (name: string | undefined): name is keyof typeof COMMANDS => name !== undefined && name in COMMANDS;
  if (!isKnown(what) || path === undefined || more.length > 0) throw new OperatorMistake(USAGE, { reason: "usage" });
  await COMMANDS[what](readFixConfig(path, process.env));
}

async function make(config: FixConnectorConfig): Promise<void> {
  await makeSessionFolder(config, systemClock, exitFatally(createLog("silent", "new")));
  process.stdout.write(`${config.folder} is made\n`);
}

async function check(config: FixConnectorConfig): Promise<void> {
  const log = createLog("silent", "check");
  const fatal = exitFatally(log);
  const shared = { clock: systemClock, steadyClock, timers: loopTimers, log, fatal, lastPriceOf: () => undefined };
  explainCheck(await checkFixConnector({ config, ...shared }));
  process.stdout.write(`${config.code}: the counterparty took the logon\n`);
}

async function run(config: FixConnectorConfig): Promise<void> {
  const { NATS_URL, LOG_LEVEL } = readSettings(process.env, []);
  if (NATS_URL === undefined) throw new OperatorMistake("NATS_URL: is not set, and a connector answers over NATS");
  const log = createLog(LOG_LEVEL, `connector-${config.code}`);
  const whenStopped = endPolitely(log);
  const bus = await connectNatsBus({
    servers: NATS_URL,
    name: `connector-${config.code}`,
    waitOnFirstConnect: true,
    onError: (err, context) => log.warn({ err, ...context }, "bus"),
  });
  const prices = new LastPrices(systemClock);
  // Prices are only needed to set the limit of a market order.
  if (config.orders.marketAs === "limitIOC")
    bus.subscribe(ALL_TICKS_SUBJECT, ({ subject, data }) => prices.read(subject, data));
  const started = await startFixConnector({
    ...{ config, clock: systemClock, steadyClock, timers: loopTimers, log, fatal: exitFatally(log) },
    lastPriceOf: (symbol) => prices.of(symbol),
  });
  const epochs = openEpochFile(started.epochsFile);
  const stopServing = serveConnector(started.desk, { code: config.code, bus, log, steadyClock, epochs });
  log.info({ code: config.code }, "the connector is ready");
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
