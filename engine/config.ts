/** The engine's configuration, derived from its settings. */
import { hostname } from "node:os";
import { join } from "node:path";
import type { ExitPolicy } from "../src/domain/oco/group.ts";
import type { SellLedgerRule } from "../src/domain/order/sell-ledger.ts";
import type { LogSettings } from "../src/runtime/log.ts";
import { feedOf, readSettings, type Settings, type Variables } from "../src/runtime/settings.ts";
import type { AlertSettings, EventRetention } from "./ports/event.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

export interface EngineConfig {
  readonly dataFolder: string;
  /** Backups are made below this folder and nowhere else. */
  readonly backupFolder: string;
  readonly natsUrl: string | undefined;
  readonly feed: string;
  readonly feedSpeed: number;
  readonly partitions: number;
  readonly ownPartitions: readonly number[];
  /** Undefined: partition 0 has the key of access tokens in its folder. */
  readonly signingKeyFile: string | undefined;
  /** Undefined: this engine alone keeps its partitions. */
  readonly replication: ReplicationConfig | undefined;
  readonly catchUpSeconds: number;
  readonly brokeragesFile: string;
  /** False: every exchange is traded as if it had no calendar. */
  readonly hasCalendars: boolean;
  /** Calendars in addition to the program's own; undefined: no others. */
  readonly calendarsFolder: string | undefined;
  readonly hasOversellGuard: boolean;
  readonly exitPolicy: ExitPolicy;
  readonly sellLedger: SellLedgerRule;
  /** In percent. 0: no guard; undefined: each exchange has its percent of behaviour 16.2. */
  readonly guardPercent: number | undefined;
  readonly tickMovePercentMax: number | undefined;
  /** Undefined: ticks of any age count (behaviour 3.2). */
  readonly tickAgeMsMax: number | undefined;
  /** The days for which the price history is kept; 0: no history. */
  readonly barsDays: number;
  readonly eventRetention: EventRetention;
  readonly alerts: AlertSettings;
  readonly log: LogSettings;
}

/** The configuration of engines that share all partitions. */
export interface ReplicationConfig {
  /** For people: engines distinguish each other by more than the name. */
  readonly engineName: string;
  /** Engines of one machine die together. */
  readonly machine: string;
  /** The number of engines that keep each partition, its leader included. */
  readonly copies: number;
  readonly leaseMs: number;
  /** The bytes of each partition's log that are kept although every copy has them on its disk. */
  readonly keptLogBytes: number;
  /** The monitoring addresses of the log's nats-servers. */
  readonly monitorUrls: readonly string[];
}

/** Reads the engine's configuration. Throws an `UserError` that names every mistake. */
export function readEngineConfig(variables: Variables): EngineConfig {
  return engineConfigOf(readSettings(variables, ["engine"]));
}

export function engineConfigOf(settings: Settings): EngineConfig {
  const feed = feedOf(settings);
  const all = Array.from({ length: settings.PARTITIONS }, (_, index) => index);
  return {
    dataFolder: settings.DATA_DIR,
    backupFolder: settings.BACKUP_DIR ?? join(settings.DATA_DIR, "backups"),
    natsUrl: settings.NATS_URL,
    feed,
    feedSpeed: settings.FEED_SPEED,
    partitions: settings.PARTITIONS,
    ownPartitions: settings.ENGINE_PARTITIONS ?? all,
    signingKeyFile: settings.SIGNING_KEY_FILE,
    replication: replicationOf(settings),
    catchUpSeconds: settings.CATCH_UP_SECONDS,
    brokeragesFile: settings.BROKERAGES_FILE,
    // A simulated market never closes.
    hasCalendars: settings.CALENDARS ?? feed !== "sim",
    calendarsFolder: settings.CALENDARS_DIR,
    hasOversellGuard: settings.OCO_OVERSELL_GUARD,
    exitPolicy: settings.EXIT_POLICY,
    sellLedger: settings.SELL_LEDGER,
    // A simulated market starts again at each start: its jump is not a corporate action.
    guardPercent: settings.BASE_PRICE_GUARD_PERCENT ?? (feed === "sim" ? 0 : undefined),
    tickMovePercentMax: settings.MAX_TICK_MOVE_PERCENT,
    tickAgeMsMax: settings.MAX_TICK_AGE_SECONDS === 0 ? undefined : settings.MAX_TICK_AGE_SECONDS * 1_000,
    alerts: {
      smtpUrl: settings.SMTP_URL,
      smtpFrom: settings.SMTP_FROM,
      telegramUrl: settings.TELEGRAM_URL.replace(/\/+$/, ""),
      arePrivateAllowed: settings.ALERT_PRIVATE_ADDRESSES,
    },
    barsDays: settings.BARS_DAYS,
    eventRetention: { ageMsMax: settings.EVENT_HISTORY_DAYS * DAY_MS, countMax: settings.EVENT_HISTORY_COUNT },
    log: { level: settings.LOG_LEVEL, times: settings.LOG_TIMES },
  };
}

function replicationOf(settings: Settings): ReplicationConfig | undefined {
  const {
    REPLICATION,
    ENGINE_NAME,
    ENGINE_MACHINE,
    REPLICAS,
    LEASE_MS,
    LOG_RETENTION_MIB,
    NATS_MONITOR_URLS = [],
  } = settings;
  if (!REPLICATION) return undefined;
  return {
    engineName: ENGINE_NAME ?? hostname(),
    machine: ENGINE_MACHINE ?? hostname(),
    copies: REPLICAS,
    leaseMs: LEASE_MS,
    keptLogBytes: LOG_RETENTION_MIB * 1024 * 1024,
    monitorUrls: NATS_MONITOR_URLS,
  };
}
