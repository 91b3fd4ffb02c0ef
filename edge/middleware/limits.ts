/**
 * How often a caller can send requests (behaviour 7).
 *
 * Owns: the windows and which callers share one. Does not own: the pacing of orders at the brokerage, which is the
 * engine's.
 *
 * Invariants:
 * 1. Limits count users, accounts, brokerages, bots and addresses; never tokens.
 * 2. A request that was refused whole was not counted: a batch that does not fit leaves room for smaller ones.
 * 3. Without its Redis an edge counts by itself; it neither stops nor stops counting.
 * 4. A key that a stranger makes up is kept no longer than its request (signals), or is an address.
 */
import type { Redis } from "ioredis";
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import type { BrokerageView } from "../../src/contract/trading/trading.ts";
import type { Refusal } from "../client/engine-client.ts";
import type { Allowance } from "../server/request-state.ts";

const GLOBAL_PER_HOUR = 5_000;
const HOUR_SECONDS = 3_600;
const MINUTE_SECONDS = 60;
const TOKENS_PER_MINUTE = 30;
const SIGNALS_PER_MINUTE = 60;
const TEST_MESSAGES_PER_MINUTE = 6;

interface LimitsOptions {
  /** Counts shared by several edges; undefined: this process counts alone. */
  readonly redis?: Redis | undefined;
  readonly findBrokerage: (code: string) => Promise<BrokerageView | undefined>;
}

/** A window of counts. */
interface Window {
  readonly limiter: RateLimiterAbstract;
  /** As `"orders";q=60;w=60`: name, quota and seconds (draft-ietf-httpapi-ratelimit-headers). */
  readonly policy: string;
}

export class Limits {
  readonly #options: LimitsOptions;
  readonly #windows = new Map<string, Window>();
  readonly #global: Window;

  constructor(options: LimitsOptions) {
    this.#options = options;
    this.#global = this.#window("global", GLOBAL_PER_HOUR, HOUR_SECONDS);
  }

  /** Every request that carries a token: 5000 an hour a user. */
  everything(userId: number): Promise<Allowance> {
    return take(this.#global, String(userId), 1);
  }

  /**
   * Positions and daily orders: one a second for a user and account, or one in `portfolioIntervalSeconds` for a user
   * and brokerage if its settings ask for more than one second. Undefined: the brokerage is not known.
   */
  async portfolio(userId: number, brokerageCode: string, accountNumber: string): Promise<Allowance | undefined> {
    const brokerage = await this.#options.findBrokerage(brokerageCode);
    if (brokerage === undefined) return undefined;
    const { portfolioIntervalSeconds: seconds } = brokerage;
    const key = `${userId}/${brokerageCode}`;
    return take(this.#window("portfolio", 1, seconds), seconds > 1 ? key : `${key}/${accountNumber}`, 1);
  }

  /** Orders: the brokerage's quota a minute for a user. `orderCount` is taken whole or not at all. */
  async orders(userId: number, brokerageCode: string, orderCount: number): Promise<Allowance | undefined> {
    const brokerage = await this.#options.findBrokerage(brokerageCode);
    if (brokerage === undefined) return undefined;
    const window = this.#window("orders", brokerage.ordersPerMinute, MINUTE_SECONDS);
    return take(window, `${userId}/${brokerageCode}`, orderCount);
  }

  /** Token requests: 30 a minute an address. */
  tokens(address: string): Promise<Allowance> {
    return take(this.#window("tokens", TOKENS_PER_MINUTE, MINUTE_SECONDS), address, 1);
  }

  /** Webhook signals: 60 a minute a bot, under any key that is the bot's alone. */
  signals(botKey: string): Promise<Allowance> {
    return take(this.#signalWindow(), botKey, 1);
  }

  /** Takes back the count of a signal that no bot received: keys that a stranger makes up must not fill the memory. */
  async forgetSignal(botKey: string): Promise<void> {
    const { limiter } = this.#signalWindow();
    const { consumedPoints } = await limiter.reward(botKey, 1);
    if (consumedPoints <= 0) await limiter.delete(botKey);
  }

  /**
   * Test messages to notification targets: 6 a minute for their owner, as they use services that the operator pays for.
   */
  testMessages(userId: number): Promise<Allowance> {
    return take(this.#window("testMessages", TEST_MESSAGES_PER_MINUTE, MINUTE_SECONDS), String(userId), 1);
  }

  #signalWindow(): Window {
    return this.#window("signals", SIGNALS_PER_MINUTE, MINUTE_SECONDS);
  }

  #window(name: string, points: number, duration: number): Window {
    const keyPrefix = `limit:${name}:${points}:${duration}`;
    const known = this.#windows.get(keyPrefix);
    if (known !== undefined) return known;
    const alone = new RateLimiterMemory({ keyPrefix, points, duration });
    const { redis } = this.#options;
    const limiter =
      redis === undefined
        ? alone
        : new RateLimiterRedis({ storeClient: redis, keyPrefix, points, duration, insuranceLimiter: alone });
    const window = { limiter, policy: `"${name}";q=${points};w=${duration}` };
    this.#windows.set(keyPrefix, window);
    return window;
  }
}

/**
 * The refusal of a request over its limit. A request larger than the whole limit gets no advice to retry it unchanged.
 */
export function limited(allowance: Allowance, what: string): Refusal {
  const { cost, limit, resetSeconds } = allowance;
  const why =
    cost > limit
      ? `${cost} together are above the limit of ${limit} and never fit; send at most ${limit}`
      : `the limit of ${limit} is reached; try again in ${resetSeconds} s`;
  const message = `${what}: ${why}`;
  return { ok: false, code: "LIMITED", message, retryAfterSeconds: resetSeconds };
}

function take(window: Window, key: string, points: number): Promise<Allowance> {
  return window.limiter.consume(key, points).then(
    (counted) => allowanceOf(window, points, counted, true),
    (refused: unknown) => giveBack(window, key, points, refused),
  );
}

async function giveBack(window: Window, key: string, points: number, refused: unknown): Promise<Allowance> {
  if (!(refused instanceof RateLimiterRes)) throw refused;
  const { limiter } = window;
  const remaining = limiter.points - (refused.consumedPoints - points);
  if (points > 1) await limiter.reward(key, points);
  return { ...allowanceOf(window, points, refused, false), remaining: Math.max(0, remaining) };
}

function allowanceOf(
  { limiter, policy }: Window,
  cost: number,
  counted: RateLimiterRes,
  isAllowed: boolean,
): Allowance {
  return {
    isAllowed,
    cost,
    limit: limiter.points,
    remaining: Math.max(0, counted.remainingPoints),
    resetSeconds: Math.max(1, Math.ceil(counted.msBeforeNext / 1000)),
    policy,
  };
}
