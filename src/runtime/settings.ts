/**
 * Every setting of engine and edge, read from the environment: one schema, one grammar.
 *
 * Owns: names, forms and defaults of the variables, and how mistakes in them are reported.
 * Does not own: what a part makes of its settings (engine/config.ts, edge/config.ts).
 *
 * Invariants:
 * 1. A wrong value stops the start. All mistakes are named together, a line each, contradictions among the valid values
 *    too. Nothing falls back in silence.
 * 2. A variable that is empty or blank counts as not set. A name that looks like a misspelt setting is a mistake.
 * 3. No message repeats a value that may hold a secret.
 */
import { fileURLToPath } from "node:url";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { readNatsAddress } from "../bus/nats/address.ts";
import { EXIT_POLICIES } from "../domain/oco/group.ts";
import { SELL_LEDGERS } from "../domain/order/sell-ledger.ts";
import { isMisspelt, isNeighbour } from "./misspelling.ts";
import { UserError } from "./user-error.ts";
import { givenValue, type Variables } from "./variables.ts";

export type { Variables } from "./variables.ts";

/** 200,000 ticks a second of the simulated market; a recording is played as fast as it can be at 0. */
const FEED_SPEED_MAX = 10_000;

const SWITCH_VALUES: ReadonlyMap<string, boolean> = new Map([
  ["on", true],
  ["true", true],
  ["1", true],
  ["off", false],
  ["false", false],
  ["0", false],
]);

const toggle = z
  .string()
  .toLowerCase()
  .refine((text) => SWITCH_VALUES.has(text), "must be on or off")
  .transform((text) => SWITCH_VALUES.get(text) === true);

function wholeNumber(least: number, most: number) {
  const rule = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^[0-9]{1,9}$/, rule)
    .transform(Number)
    .refine((value) => value >= least && value <= most, rule);
}

function decimal(rule: string, isAllowed: (value: number) => boolean) {
  return z
    .string()
    .regex(/^\d+(\.\d+)?$/, rule)
    .transform(Number)
    .refine(isAllowed, rule);
}

function urlOf(...protocols: readonly string[]) {
  const rule = `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`;
  return z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), rule);
}

/** Whether only this machine reaches `host`, a name or an address. */
export function isLoopback(host: string): boolean {
  if (host === "localhost") return true;
  const address = host.replace(/^\[|\]$/g, "");
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}

/** Transport is HTTPS only; what never leaves the machine needs none. */
function isPublic({ protocol, hostname, origin, href }: URL): boolean {
  const isSafe = protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
  return isSafe && href === `${origin}/`;
}

/** A network of addresses: its first one, and how many bits its addresses share. */
export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];
/** The proxies in front of the edge: how many are in a row, or the networks that they are in. 0: no proxy. */
export type TrustedProxies = number | readonly Network[];

/** Reads `10.0.0.0/8` or one address; undefined if it is neither. */
function readNetwork(text: string): Network | undefined {
  // The library also reads `10` as an address.
  if (!/\d\.\d+\.\d+\.\d|:/.test(text)) return undefined;
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (!ipaddr.isValid(text)) return undefined;
  const address = ipaddr.process(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

const PROXIES_MAX = 9;

/** Reads `on` (one proxy), `off`, a number of proxies, or networks; undefined for any other text. */
function readProxies(text: string): TrustedProxies | undefined {
  const isOn = SWITCH_VALUES.get(text);
  if (isOn !== undefined) return isOn ? 1 : 0;
  if (/^\d$/.test(text)) return Number(text);
  const networks = text.split(",").map((one) => readNetwork(one.trim()));
  return networks.every((network) => network !== undefined) ? networks : undefined;
}

const trustedProxies = z
  .string()
  .toLowerCase()
  .transform(readProxies)
  .refine(
    (proxies) => proxies !== undefined,
    `must be on, off, the number of proxies in a row (1 to ${PROXIES_MAX}), or their addresses and networks like 10.0.0.0/8, separated by commas`,
  )
  .transform((proxies): TrustedProxies => proxies ?? 0);

/** An address without a path: a slash at its end means nothing. */
const publicUrl = z
  .string()
  .transform((text) => (URL.canParse(text) ? new URL(text) : undefined))
  .refine(
    (url) => url !== undefined && isPublic(url),
    "must be an address like https://api.example.com, without a path",
  )
  .transform((url) => url?.origin ?? "");

const origins = z
  .string()
  .transform((text) => text.split(",").map((one) => one.trim()))
  .refine(
    (list) => list.every((one) => URL.canParse(one) && new URL(one).origin === one),
    "must be origins like https://desk.example.com, separated by commas",
  );

const natsUrl = z.string().refine((text) => {
  try {
    readNatsAddress(text);
    return true;
  } catch {
    return false;
  }
}, "must be a NATS address like nats://127.0.0.1:4222");

/** The monitoring addresses of nats-servers, their `http_port`. */
const monitorUrls = z
  .string()
  .transform((text) => text.split(",").map((one) => one.trim()))
  .refine(
    (list) => list.every((one) => URL.canParse(one) && ["http:", "https:"].includes(new URL(one).protocol)),
    "must be addresses like http://10.0.0.1:8222, separated by commas",
  );

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

const settingsSchema = z.object({
  HOST: z.string().max(255).default("127.0.0.1"),
  PORT: wholeNumber(0, 65_535).default(8_080),
  DATA_DIR: z.string().default("./data"),
  BACKUP_DIR: z.string().optional(),
  NATS_URL: natsUrl.optional(),
  FEED: z
    .string()
    .regex(/^(sim|none|replay:.+)$/, "must be sim, none or replay:<file>")
    .optional(),
  FEED_SPEED: decimal(`must be a number from 0 to ${FEED_SPEED_MAX}`, (speed) => speed <= FEED_SPEED_MAX).default(1),
  PARTITIONS: wholeNumber(1, 1_024).default(1),
  ENGINE_PARTITIONS: z
    .string()
    .regex(/^\d{1,4}(,\d{1,4})*$/, "must be partition numbers separated by commas, like 0,2")
    .transform((text) => [...new Set(text.split(",").map(Number))])
    .optional(),
  REPLICATION: toggle.default(false),
  LEASE_MS: wholeNumber(1_000, 10_000).default(2_000),
  LOG_RETENTION_MIB: wholeNumber(0, 1_048_576).default(1_024),
  NATS_MONITOR_URLS: monitorUrls.optional(),
  REPLICAS: wholeNumber(2, 100).default(3),
  ENGINE_NAME: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, "must be a name of letters, digits, - and _")
    .optional(),
  ENGINE_MACHINE: z.string().min(1).max(255).optional(),
  SIGNING_KEY_FILE: z.string().optional(),
  CATCH_UP_SECONDS: wholeNumber(1, 86_400).default(300),
  BROKERAGES_FILE: z.string().default(fileURLToPath(new URL("../../fixtures/brokerages.json", import.meta.url))),
  CALENDARS: toggle.optional(),
  CALENDARS_DIR: z.string().optional(),
  OCO_OVERSELL_GUARD: toggle.default(false),
  EXIT_POLICY: z.enum(EXIT_POLICIES).default("untilSold"),
  SELL_LEDGER: z.enum(SELL_LEDGERS).default("warn"),
  MAX_TICK_MOVE_PERCENT: decimal("must be a number above 0", (percent) => percent > 0).optional(),
  BASE_PRICE_GUARD_PERCENT: decimal("must be 0 or a number above it", (percent) => percent >= 0).optional(),
  MAX_TICK_AGE_SECONDS: wholeNumber(0, 86_400).default(60),
  BARS_DAYS: wholeNumber(0, 3_650).default(30),
  EVENT_HISTORY_DAYS: wholeNumber(1, 3_650).default(7),
  EVENT_HISTORY_COUNT: wholeNumber(1_000, 100_000_000).default(200_000),
  SMTP_URL: urlOf("smtp:", "smtps:").optional(),
  SMTP_FROM: z.string().max(254).default("trading-developer-api@localhost"),
  TELEGRAM_URL: urlOf("https:", "http:").default("https://api.telegram.org"),
  ALERT_PRIVATE_ADDRESSES: toggle.default(false),
  EVENT_STREAMS_PER_USER: wholeNumber(1, 1_000).default(10),
  EVENT_STREAMS_MAX: wholeNumber(1, 100_000).default(5_000),
  RATE_LIMIT_REDIS_URL: urlOf("redis:", "rediss:").optional(),
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  TRUST_PROXY: trustedProxies.default(0),
  KEEP_ALIVE_SECONDS: wholeNumber(1, 3_600).optional(),
  PUBLIC_URL: publicUrl.optional(),
  CORS_ORIGINS: origins.default([]),
  MCP_TRADING: toggle.default(false),
  MAX_CONNECTIONS: wholeNumber(1, 1_000_000).optional(),
  MAX_CONNECTIONS_PER_ADDRESS: wholeNumber(1, 1_000_000).optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`).default("info"),
  LOG_TIMES: z.enum(["epoch", "iso"], "must be epoch or iso").default("epoch"),
});

/** Names of before, by which settings are still taken. */
const FORMER_NAMES: Readonly<Record<string, keyof Settings>> = {
  KEPT_LOG_MIB: "LOG_RETENTION_MIB",
  COPIES: "REPLICAS",
};

export type Settings = z.infer<typeof settingsSchema>;

/** The names of all settings. */
export const SETTING_NAMES: readonly string[] = Object.keys(settingsSchema.shape);

/** The parts of the service: each is held to what it needs. */
export type Part = "engine" | "edge";

/** What contradicts itself, or lacks something, with the settings that it follows from. */
interface Contradiction {
  readonly of: readonly (keyof Settings)[];
  readonly mistake: string;
}

/** What a program asks of the settings together. */
export type Demand = (settings: Settings) => readonly Contradiction[];

/** The mistakes that were found, and settings in which a wrong value counts as not set. */
interface ExaminedSettings {
  readonly settings: Settings;
  /** False if the value is wrong or the name misspelt: a mistake that follows from it is not reported. */
  readonly isSound: (name: keyof Settings) => boolean;
  /** Throws an {@link UserError} that names every mistake, a line each. */
  readonly refuse: () => void;
}

/** Reads all settings, and checks combinations for the parts and the program that are to run. */
export function examineSettings(
  variables: Variables,
  parts: readonly Part[],
  demands: readonly Demand[] = [],
): ExaminedSettings {
  const { given, doubled } = underNewNames(variables);
  const misspelt = given.flatMap(([name, value]) => explainMisspelling(name, value));
  const parsed = settingsSchema.safeParse(Object.fromEntries(given));
  const issues = parsed.error?.issues ?? [];
  const unsound = new Set([...misspelt.map(({ meant }) => meant), ...issues.map(({ path }) => String(path[0]))]);
  // Every setting may be left out.
  const settings =
    parsed.data ?? settingsSchema.parse(Object.fromEntries(given.filter(([name]) => !unsound.has(name))));
  const contradictions = [...parts.map((part) => CONTRADICTIONS[part]), ...demands]
    .flatMap((find) => find(settings))
    .filter(({ of }) => !of.some((name) => unsound.has(name)));
  const mistakes = [
    ...misspelt.map(({ mistake }) => mistake),
    ...doubled,
    ...issues.map(({ path, message }) => `${path.join(".")}: ${message}`),
    ...contradictions.map(({ mistake }) => mistake),
  ];
  return {
    settings,
    isSound: (name) => !unsound.has(name),
    refuse: () => {
      if (mistakes.length > 0) throw new UserError(mistakes.join("\n"));
    },
  };
}

/** The given variables, each under the name of today. A variable that is given under both names is a mistake. */
function underNewNames(variables: Variables): {
  readonly given: readonly (readonly [string, string | undefined])[];
  readonly doubled: readonly string[];
} {
  const all = Object.entries(variables).filter(([name]) => givenValue(variables, name) !== undefined);
  const former = all.flatMap(([name]) => {
    const today = FORMER_NAMES[name];
    return today === undefined ? [] : [{ name, today, isDoubled: givenValue(variables, today) !== undefined }];
  });
  for (const { name, today } of former) {
    process.emitWarning(`${name} is called ${today} now; the old name will not be accepted forever`, {
      ...{ type: "DeprecationWarning", code: `FORMER_NAME_${name}` },
    });
  }
  return {
    given: all.map(([name, value]) => [FORMER_NAMES[name] ?? name, value]),
    doubled: former
      .filter(({ isDoubled }) => isDoubled)
      .map(({ name, today }) => `${name}: is the former name of ${today}, which is set as well; leave ${name} out`),
  };
}

/** As {@link examineSettings}, for callers with nothing else to check. Throws an {@link UserError}. */
export function readSettings(variables: Variables, parts: readonly Part[], demands: readonly Demand[] = []): Settings {
  const { settings, refuse } = examineSettings(variables, parts, demands);
  refuse();
  return settings;
}

/** The source of prices: without a NATS server, on which others could publish them, a simulated market. */
export function feedOf({ FEED, NATS_URL }: Pick<Settings, "FEED" | "NATS_URL">): string {
  return FEED ?? (NATS_URL === undefined ? "sim" : "none");
}

/** The demand of a program that meets the others on NATS. */
export function needsNats(why: string): Demand {
  return ({ NATS_URL }) =>
    NATS_URL === undefined ? [{ of: ["NATS_URL"], mistake: `NATS_URL: is not set, and ${why}` }] : [];
}

/**
 * The environment holds variables of other programs, so only a name that is nearly the name of a setting is a mistake.
 * FEED takes values that hardly any other variable has: a name near it, with such a value, was meant to be FEED.
 */
function explainMisspelling(
  name: string,
  value: string | undefined,
): readonly { readonly meant: string; readonly mistake: string }[] {
  if (SETTING_NAMES.includes(name)) return [];
  const option = SETTING_NAMES.find((known) => name === `npm_config_${known.toLowerCase()}`);
  if (option !== undefined) {
    const given = `--${option.toLowerCase().replaceAll("_", "-")}`;
    return [
      {
        meant: option,
        mistake: `${option}: npm took ${given} for an option of its own; set ${option} in the environment`,
      },
    ];
  }
  const isFeed = isNeighbour(name, "FEED") && settingsSchema.shape.FEED.safeParse(value).success;
  const meant = isFeed ? "FEED" : SETTING_NAMES.find((known) => isMisspelt(name, known));
  return meant === undefined ? [] : [{ meant, mistake: `${name} is not a setting; did you mean ${meant}?` }];
}

const CONTRADICTIONS: Readonly<Record<Part, Demand>> = {
  engine: (settings) => [...findAbsentPartitions(settings), ...findReplicationContradictions(settings)],
  edge: findEdgeContradictions,
};

function findAbsentPartitions({ ENGINE_PARTITIONS: own = [], PARTITIONS }: Settings): readonly Contradiction[] {
  return own
    .filter((partition) => partition >= PARTITIONS)
    .map((partition) => ({
      of: ["ENGINE_PARTITIONS", "PARTITIONS"],
      mistake: `ENGINE_PARTITIONS: names partition ${partition}, but PARTITIONS is ${PARTITIONS}`,
    }));
}

function findReplicationContradictions({ REPLICATION, ENGINE_PARTITIONS, FEED }: Settings): readonly Contradiction[] {
  if (!REPLICATION) return [];
  const found: Contradiction[] = [];
  if (ENGINE_PARTITIONS !== undefined) {
    const mistake = "ENGINE_PARTITIONS: leave it out, REPLICATION=on gives out the partitions";
    found.push({ of: ["ENGINE_PARTITIONS"], mistake });
  }
  if (FEED === "sim") {
    const mistake = "FEED: sim would run in every engine, and the market with it; publish prices with npm run feed";
    found.push({ of: ["FEED"], mistake });
  }
  return found;
}

function findEdgeContradictions({
  HOST,
  TLS_CERT_FILE,
  TLS_KEY_FILE,
  TRUST_PROXY,
}: Settings): readonly Contradiction[] {
  if ((TLS_CERT_FILE === undefined) !== (TLS_KEY_FILE === undefined)) {
    return [{ of: ["TLS_CERT_FILE", "TLS_KEY_FILE"], mistake: "TLS_CERT_FILE and TLS_KEY_FILE: set both or neither" }];
  }
  if (TLS_CERT_FILE !== undefined || TRUST_PROXY !== 0 || isLoopback(HOST)) return [];
  const mistake =
    `HOST: ${HOST} is not a loopback address and transport is HTTPS only; set TLS_CERT_FILE and TLS_KEY_FILE, or ` +
    "TRUST_PROXY=on behind a proxy that ends TLS";
  return [{ of: ["HOST", "TRUST_PROXY", "TLS_CERT_FILE", "TLS_KEY_FILE"], mistake }];
}
