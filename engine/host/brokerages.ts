/**
 * The brokerages of one partition: gateways to connectors, and paper brokerages that live in the partition's folder.
 *
 * Owns: the layers between the outbox and a brokerage: the fence of brokerages in the process, the look-up before
 * sending after a restore. Does not own: which brokerages exist, the folder.
 */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Bus } from "../../src/bus/port.ts";
import type { BrokerageSettings } from "../../src/contract/trading/order.ts";
import { loopTimers, steadyClock, systemClock } from "../../src/runtime/clock.ts";
import type { Fatal, Log } from "../../src/runtime/ports.ts";
import { FenceKeeper } from "../connector/host/fence.ts";
import { GuardedOrders } from "../connector/host/order-gate.ts";
import { openPaperBrokerage, type PaperBrokerage } from "../connector/paper/paper.ts";
import { changedSymbols } from "../connector/paper/symbol-changes.ts";
import { connectGateway } from "../order/gateway/gateway.ts";
import { lookUpBeforeResend } from "../order/gateway/look-up-before-resend.ts";
import { withOrders } from "../order/with-orders.ts";
import type { Brokerage } from "../ports/brokerage.ts";
import type { Prices } from "../ports/price.ts";
import type { SymbolDirectory } from "../reference/symbol-directory.ts";
import type { SideStore } from "../store/backup/backup.ts";
import { isOfLostLife } from "../store/backup/restored.ts";
import type { DataFolder } from "../store/folder/data-folder.ts";
import type { MarketFacts } from "./market-facts.ts";
import { openPaperStore } from "./paper-store.ts";

interface BrokerageOptions {
  readonly bus: Bus;
  readonly log: Log;
  /** The paper brokerages' own log: the only place where their SMS codes go. */
  readonly smsLog: Log;
  readonly fatal: Fatal;
  readonly folder: DataFolder;
  readonly prices: Prices;
  readonly symbols: SymbolDirectory;
  /** What the partition knows of exchanges and corporate actions, for its paper brokerages; used in turns. */
  readonly market: MarketFacts;
}

interface OpenedBrokerages {
  readonly brokerages: readonly Brokerage[];
  /** The brokerages in the process: they need ticks, and are closed with the partition. */
  readonly papers: readonly PaperBrokerage[];
  /** Their stores, for backups. */
  readonly sideStores: readonly SideStore[];
}

/** Opens every brokerage of the file for a partition. Rejects if a paper brokerage's store is damaged. */
export async function openBrokerages(
  settings: readonly BrokerageSettings[],
  options: BrokerageOptions,
): Promise<OpenedBrokerages> {
  const papers: PaperBrokerage[] = [];
  const sideStores: SideStore[] = [];
  const brokerages = await Promise.all(
    settings.map(async (one) => {
      if (one.adapter === "gateway") return openGateway(one, options);
      const name = `paper-${one.code}`;
      const store = await openPaperStore(join(options.folder.folder, name));
      const { prices, symbols, market, smsLog, log, fatal } = options;
      const paper = await openPaperBrokerage({
        settings: one,
        store,
        clock: systemClock,
        timers: loopTimers,
        random: randomBytes,
        prices,
        startPriceOf: (symbol) => symbols.startPriceOf(symbol),
        tickTableOf: (symbol) => symbols.tickTableOf(symbol),
        symbols: changedSymbols(symbols, market),
        exchange: { ...market, calendarOf: (symbol) => symbols.calendarOf(symbol) },
        onSms: ({ accountNumber, code }) =>
          smsLog.info({ event: "paper.sms", accountNumber, code }, "SMS of the paper brokerage"),
        log,
        fatal,
      });
      sideStores.push({ name, store, create: openPaperStore });
      papers.push(paper);
      return behindFence(paper, log);
    }),
  );
  return { brokerages, papers, sideStores };
}

function openGateway(settings: BrokerageSettings, { bus, log, folder: { head } }: BrokerageOptions): Brokerage {
  const gateway = connectGateway({ settings, bus, timers: loopTimers, clock: systemClock, steadyClock, log });
  return head.restoredIds === undefined
    ? gateway
    : lookUpBeforeResend(gateway, systemClock, (clientOrderId) => isOfLostLife(head, clientOrderId));
}

/**
 * A paper brokerage in the process, as it would be over the bus: its fence is kept for as long as the process lives.
 */
function behindFence(paper: PaperBrokerage, log: Log): Brokerage {
  const fence = new FenceKeeper(steadyClock);
  return withOrders(paper, new GuardedOrders(paper, { fence, resend: () => paper.status().resend, log, steadyClock }));
}
