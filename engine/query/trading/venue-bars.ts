/**
 * Bars of brokerages, for times before the own price history.
 *
 * Owns: which brokerage is asked, and how often. Does not own: how its bars are joined with own ones (bars.ts).
 *
 * Invariant: an answer is waited for `WAIT_MS` at most, and asked for once a minute at most for each symbol and interval,
 * except after a refusal.
 */
import type { BrokerReply, Bar as VenueBar } from "../../../src/contract/trading/order.ts";
import { type Bar, type BarInterval, INTERVAL_MS, periodOf } from "../../../src/domain/market/bars.ts";
import { parseTime } from "../../../src/domain/time.ts";
import type { Brokerage } from "../../ports/brokerage.ts";
import type { QueryContext } from "../context.ts";

/** As many as a connector may be asked for. */
const COUNT_MAX = 1_000;
const WAIT_MS = 2_000;
const MINUTE_MS = 60_000;
/** Answers that are remembered. */
const KEPT_MAX = 200;

interface Asked {
  readonly atMs: number;
  readonly bars: Promise<readonly Bar[]>;
}

interface Wanted {
  readonly userId: number;
  readonly symbol: string;
  readonly interval: BarInterval;
}

type World = Pick<QueryContext, "brokerages" | "symbols" | "clock" | "timers">;

export class VenueBars {
  readonly #asked = new Map<string, Asked>();

  /** Bars in order of time; none if no brokerage answers in time. A later call returns bars that arrived late. */
  async read(world: World, wanted: Wanted): Promise<readonly Bar[]> {
    const { clock, timers } = world;
    const key = `${wanted.interval} ${wanted.symbol}`;
    const nowMs = clock.nowMs();
    let asked = this.#asked.get(key);
    if (asked === undefined || Math.abs(nowMs - asked.atMs) >= MINUTE_MS) {
      const next = ask(world, wanted);
      if (next === undefined) return [];
      asked = { atMs: nowMs, bars: this.#orBefore(key, nowMs, next) };
      this.#keep(key, asked);
    }
    const { bars } = asked;
    return new Promise((resolve) => {
      const cancel = timers.after(WAIT_MS, () => resolve([]));
      void bars.then((told) => {
        cancel();
        resolve(told);
      });
    });
  }

  /** The new bars, or else the bars from before. A refusal is not remembered: another user may be answered. */
  async #orBefore(key: string, atMs: number, next: Promise<readonly Bar[] | "refused">): Promise<readonly Bar[]> {
    const before = this.#asked.get(key)?.bars;
    const told = await next;
    // A refusal can arrive after a later question.
    if (told === "refused" && this.#asked.get(key)?.atMs === atMs) this.#asked.delete(key);
    if (told !== "refused" && told.length > 0) return told;
    return (await before) ?? [];
  }

  #keep(key: string, asked: Asked): void {
    this.#asked.delete(key);
    this.#asked.set(key, asked);
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > KEPT_MAX && oldest !== undefined) this.#asked.delete(oldest);
  }
}

/** Undefined if no brokerage can be asked now. */
function ask(world: World, wanted: Wanted): Promise<readonly Bar[] | "refused"> | undefined {
  const brokerages = world.brokerages.all().filter(canTellBars);
  return brokerages.length === 0 ? undefined : askInTurn(brokerages, world, wanted);
}

/** Returns the first accepted answer; a brokerage refuses a user who has no account there. */
async function askInTurn(
  brokerages: readonly Brokerage[],
  { symbols }: World,
  { userId, symbol, interval }: Wanted,
): Promise<readonly Bar[] | "refused"> {
  const request = { userId, symbol, periodMinutes: INTERVAL_MS[interval] / MINUTE_MS, count: COUNT_MAX };
  let isRefused = true;
  for (const brokerage of brokerages) {
    const reply: BrokerReply<readonly VenueBar[]> | undefined = await brokerage.bars?.(request);
    if (reply?.ok) return reply.data.flatMap((bar) => ownForm(bar, interval, symbols.zoneOf(symbol)));
    if (reply?.code !== "REJECTED") isRefused = false;
  }
  return isRefused ? "refused" : [];
}

function canTellBars(brokerage: Brokerage): boolean {
  const session = brokerage.session?.();
  return brokerage.bars !== undefined && session?.state === "up" && session.canTellBars;
}

/** Empty if the bar's time or prices make no sense. */
function ownForm({ time, open, high, low, close }: VenueBar, interval: BarInterval, zone: string): readonly Bar[] {
  const timeMs = parseTime(time, "time");
  if (!timeMs.ok || low > Math.min(open, close) || high < Math.max(open, close)) return [];
  return [{ fromMs: periodOf(timeMs.value, interval, zone), open, high, low, close }];
}
