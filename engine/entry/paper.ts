/**
 * The paper brokerage alone, behind the gateway protocol: `npm run paper`. Needs NATS_URL.
 *
 * Serves every entry of BROKERAGES_FILE that has a `paper` section; the engine reaches them as `"adapter": "gateway"`.
 */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { assert } from "../../src/assert.ts";
import { connectNatsBus } from "../../src/bus/nats/bus.ts";
import type { BrokerageSettings } from "../../src/contract/trading/order.ts";
import { loopTimers, steadyClock, systemClock } from "../../src/runtime/clock.ts";
import { createLog } from "../../src/runtime/log.ts";
import { atMost, endPolitely, exitFatally, explainFailedStart, tellBusErrors } from "../../src/runtime/process.ts";
import { examineSettings, needsNats } from "../../src/runtime/settings.ts";
import { refuseArguments, refuseTogether, UserError } from "../../src/runtime/user-error.ts";
import { engineConfigOf } from "../config.ts";
import { beginServing } from "../connector/host/serve.ts";
import { openPaperBrokerage, type PaperBrokerage } from "../connector/paper/paper.ts";
import { changedSymbols } from "../connector/paper/symbol-changes.ts";
import { createTickFeed } from "../feed/feed.ts";
import { openPaperStore } from "../host/paper-store.ts";
import { readBrokeragesFile } from "../order/registry.ts";
import { readCalendars } from "../reference/calendars.ts";
import { SymbolDirectory } from "../reference/symbol-directory.ts";
import { SymbolFollower } from "../reference/symbol-follower.ts";
import { checkFolder } from "../store/folder/usable-folder.ts";

const ANSWER_WITHIN_MS = 2_000;
const NO_ACTIONS: readonly never[] = [];

async function main(): Promise<void> {
  refuseArguments();
  // 1. Configuration.
  const examined = examineSettings(process.env, ["engine"], [needsNats("the paper brokerage answers over NATS")]);
  const config = engineConfigOf(examined.settings);
  const settings: BrokerageSettings[] = [];
  await refuseTogether([
    examined.refuse,
    () => checkFolder("DATA_DIR", config.dataFolder),
    () => {
      settings.push(...readBrokeragesFile(config.brokeragesFile).filter((one) => one.paper !== undefined));
      if (settings.length === 0) throw new UserError("BROKERAGES_FILE: has no entry with a paper section");
    },
  ]);
  assert(config.natsUrl !== undefined, "the paper brokerage demands it");
  const log = createLog(config.log, "paper");
  const whenStopped = endPolitely(log);
  // 2. The bus, and live prices: prices that were missed while it was down fill nothing.
  const bus = await connectNatsBus({
    servers: config.natsUrl,
    name: "paper",
    waitOnFirstConnect: true,
    onError: tellBusErrors(log),
  });
  const fatal = exitFatally(log);
  const symbols = new SymbolDirectory(undefined, readCalendars(config, log));
  const follower = SymbolFollower.begin({ bus, directory: symbols, timers: loopTimers, log });
  const papers: PaperBrokerage[] = [];
  const feed = await createTickFeed({
    bus,
    connection: undefined,
    clock: systemClock,
    steadyClock,
    timers: loopTimers,
    log,
    symbols,
    tickMovePercentMax: config.tickMovePercentMax,
    tickAgeMsMax: config.tickAgeMsMax,
    catchUpSeconds: config.catchUpSeconds,
    onTick: ({ symbol, price, timeMs }) => {
      for (const paper of papers) paper.onTick(symbol, price, timeMs);
    },
    onHole: () => undefined,
  });
  // 3. A check for another process that serves them; then the books, prices, questions.
  const serves = new Map<string, Awaited<ReturnType<typeof beginServing>>>();
  for (const { code } of settings) {
    const ports = { clock: systemClock, steadyClock, timers: loopTimers, log, fatal };
    serves.set(code, await beginServing({ code, bus, ...ports }));
  }
  for (const one of settings) {
    papers.push(
      await openPaperBrokerage({
        settings: one,
        store: await openPaperStore(join(config.dataFolder, `paper-${one.code}`)),
        clock: systemClock,
        timers: loopTimers,
        random: randomBytes,
        prices: feed.prices,
        startPriceOf: (symbol) => symbols.startPriceOf(symbol),
        tickTableOf: (symbol) => symbols.tickTableOf(symbol),
        // Bands, measures, holds and corporate actions are known to engines only.
        symbols: changedSymbols(symbols, { actions: () => NO_ACTIONS, areKnown: () => follower.isKnown }),
        exchange: {
          calendarOf: (symbol) => symbols.calendarOf(symbol),
          bandOf: () => undefined,
          effectsOf: () => ({}),
          isHeld: () => false,
        },
        onSms: ({ accountNumber, code }) =>
          log.info({ event: "paper.sms", accountNumber, code }, "SMS of the paper brokerage"),
        log,
        fatal,
      }),
    );
  }
  await feed.start(null);
  const stops = papers.map((paper) => {
    const { code } = paper.settings;
    const serve = serves.get(code);
    assert(serve !== undefined, "each brokerage was asked for");
    return serve(paper, join(config.dataFolder, `paper-${code}.epochs`));
  });
  log.info({ event: "paper.ready", codes: settings.map(({ code }) => code) }, "the paper brokerage is ready");
  whenStopped(
    async () => {
      for (const stop of stops) stop();
      feed.stop();
      follower.stop();
      // Earlier requests are answered by then, and their answers are durable.
      await atMost(ANSWER_WITHIN_MS, bus.drain());
      for (const paper of papers) await paper.close();
    },
    async () => undefined,
  );
}

main().catch(explainFailedStart("paper"));
