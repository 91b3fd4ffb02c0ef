/**
 * The settings that differ from world to world: the promises of its brokerages, and the share of each kind of trouble.
 */
import { UNHURRIED_MS } from "../../../engine/partition/partition.ts";
import { type BrokerageSettings, brokerageSettingsSchema } from "../../../src/contract/trading/order.ts";
import type { ExitPolicy } from "../../../src/domain/oco/group.ts";
import type { GroupOwner } from "../oracle/model.ts";
import type { Trouble } from "./exchange.ts";
import type { Random } from "./random.ts";

export const PROMISES = ["idempotent", "expiry", "query", "none"] as const;
export type Promised = (typeof PROMISES)[number];

/** One of so many seeds has an operator who holds symbols. */
export const HOLDS_EVERY = 4;
/** One of so many seeds has an exchange that takes measures. */
export const MEASURES_EVERY = 3;

/** One of so many seeds has no entries. */
const ENTRIES_EVERY = 5;
const ENTRIES_NOT_AT = 2;

export interface WorldSettings {
  /** Count of operations. */
  readonly operationCount: number;
  readonly hasOversellGuard: boolean;
  readonly exitPolicy: ExitPolicy;
  /** How often a chance to die is taken, and how often a write fails. */
  readonly dieShare: number;
  readonly failShare: number;
  readonly stepsClock: boolean;
  readonly hasSetups: boolean;
  /** Clients buy together with exits. */
  readonly hasEntries: boolean;
  /** Clients change running groups. */
  readonly hasChanges: boolean;
  readonly hasBots: boolean;
  /** An operator holds and releases symbols. */
  readonly hasHolds: boolean;
  /** The exchange takes measures on symbols. */
  readonly hasMeasures: boolean;
  /** How long changes that are unhurried let triggers pass them. */
  readonly unhurriedMs: number;
}

/** Draws the settings of a world; not every world has everything. */
export function worldSettingsOf(random: Random, seed: number, operations: number | undefined): WorldSettings {
  const settings = {
    operationCount: operations ?? random.whole(40, 160),
    hasOversellGuard: random.chance(0.25),
    exitPolicy: random.pick<ExitPolicy>(["untilSold", "once"]),
    dieShare: random.pick([0, 0.002, 0.01, 0.03]),
    failShare: random.pick([0, 0, 0.005]),
    stepsClock: random.chance(0.2),
    hasSetups: random.chance(0.4),
    hasBots: random.chance(0.4),
    hasChanges: random.chance(0.6),
    // The longer, the more passes, and the more is lost when the process dies.
    unhurriedMs: random.pick([UNHURRIED_MS, UNHURRIED_MS, 200, 1_000]),
  };
  // By the seed, so that worlds without it are unchanged. Events that a bot misses under it are not modelled.
  const { hasBots, hasSetups } = settings;
  return {
    ...settings,
    hasEntries: hasSetups && seed % ENTRIES_EVERY !== ENTRIES_NOT_AT,
    hasHolds: seed % HOLDS_EVERY === 0 && !hasBots,
    hasMeasures: seed % MEASURES_EVERY === 0 && !hasBots,
  };
}

/** Draws the trouble, from a calm world to a wild one. */
export function troubleOf(random: Random): Trouble {
  const level = random.pick([0, 0.3, 1, 2]);
  const share = (): number => random.next() * level * 0.2;
  return {
    lostRequest: share(),
    lostReply: share(),
    lateAccept: share(),
    unreachable: share(),
    rejected: share() / 2,
    unauthorized: share() / 4,
    nonsense: share(),
    lying: share(),
    slow: share(),
    cutDown: random.pick([0.15, 0.6]),
  };
}

/** A brokerage that is named after what it promises. */
export function settingsOf(resend: Promised, random: Random): BrokerageSettings {
  const timeoutMs = random.pick([1_000, 3_000]);
  return brokerageSettingsSchema.parse({
    code: resend,
    name: resend,
    adapter: "gateway",
    resend,
    timeoutMs,
    settleMs: timeoutMs * random.whole(2, 4),
    expiryMs: timeoutMs * 3,
    ordersPerMinute: random.pick([30, 60, 500]),
  });
}

/** Draws a user, and the account and symbol of a request. */
export function anyOwner(
  random: Random,
  brokerageCodes: readonly [string, ...string[]],
  symbols: readonly [string, ...string[]],
): GroupOwner {
  const userId = random.whole(1, 2);
  const accountNumber = `A${userId}-${random.chance(0.8) ? 1 : 2}`;
  return { userId, brokerageCode: random.pick(brokerageCodes), accountNumber, symbol: random.pick(symbols) };
}
