/**
 * Compares the effect of every tick on the level bots with the plain rules: the bots are read right before and right
 * after the engine is given the tick, if it acts on it immediately.
 *
 * Owns: that comparison, and which prices a bot may have seen at a moment. Does not own: the rules (`level-twin.ts`).
 */

import type { Bots } from "../client/bots.ts";
import { askedNames, type BotModel } from "../oracle/bot-model.ts";
import { type ExpectedStep, expectedStep } from "../oracle/level-twin.ts";
import type { PlainBot, PlainLevelDetail } from "../oracle/plain-rows.ts";
import type { Life } from "../world/life.ts";
import type { Report } from "../world/report.ts";
import { LAST_PRICE_AGE_MS, LAST_PRICE_AHEAD_MS, type StreamTick } from "../world/tick-stream.ts";

/** A wait ends as of its moment, but by the clock a little later: a price may have grown too old in between. */
const LATE_END_MS = 1_000;

/** A price as the engine got it. */
interface GivenPrice {
  readonly milli: number;
  /** The moment at which it counts. */
  readonly atMs: number;
}

interface Foreseen {
  readonly model: BotModel;
  readonly before: PlainBot;
  readonly step: ExpectedStep;
}

interface LevelWatchOptions {
  readonly bots: Bots;
  readonly report: Report;
}

export class LevelWatch {
  readonly #options: LevelWatchOptions;
  readonly #given = new Map<string, GivenPrice[]>();
  /**
   * Symbols whose last tick may not count for a level: it was caught up in the level's very millisecond, or the clock
   * was set back since.
   */
  readonly #unclear = new Set<string>();

  constructor(options: LevelWatchOptions) {
    this.#options = options;
  }

  /** Gives a tick to the engine by `give` and compares. */
  around(life: Life, tick: StreamTick, timeMs: number, isCaughtUp: boolean, give: () => void): void {
    const price = { milli: tick.milli, atMs: timeMs };
    const given = this.#given.get(tick.symbol);
    if (given === undefined) this.#given.set(tick.symbol, [price]);
    else given.push(price);
    const isFirst = life.partition.inbox.isIdle;
    if (!isCaughtUp) this.#unclear.delete(tick.symbol);
    else if (!isFirst) this.#unclear.add(tick.symbol);
    const foreseen = isFirst ? this.#foresee(life, tick, timeMs, isCaughtUp) : [];
    give();
    if (!life.isAlive || !life.partition.inbox.isIdle) return;
    for (const one of foreseen) this.#compare(life, tick, one);
  }

  /** The clock steps: a level that is created while it is far behind the last prices is not checked against them. */
  stepClock(byMs: number): void {
    if (byMs >= -LAST_PRICE_AHEAD_MS) return;
    for (const symbol of this.#given.keys()) this.#unclear.add(symbol);
  }

  /**
   * The prices that the engine may have acted on at a moment: a price that came then, or the last before it, of any
   * age. The last by their time: a later life may have died while it was given them again. Or the last in their order:
   * a clock may have been set.
   */
  pricesAt(symbol: string, atMs: number): number[] {
    const given = this.#given.get(symbol) ?? [];
    const then = given.filter((price) => price.atMs === atMs);
    const before = given.filter((price) => price.atMs < atMs);
    const newestMs = before.reduce((newest, price) => Math.max(newest, price.atMs), 0);
    const last = before.filter((price) => price.atMs === newestMs);
    return [...then, ...last, ...before.slice(-1)].map(({ milli }) => milli);
  }

  /** The highest price that the engine was given up to a moment. */
  highestUntil(symbol: string, atMs: number): number {
    const before = (this.#given.get(symbol) ?? []).filter((price) => price.atMs <= atMs);
    return before.reduce((highest, { milli }) => Math.max(highest, milli), 0);
  }

  /** At rest, everything that the last price asks for is done, if that price was still fresh for the bot's levels. */
  checkAtRest(life: Life, nowMs: number, last: (symbol: string) => StreamTick | undefined): void {
    const { bots, report } = this.#options;
    for (const model of bots.bots) {
      const bot = this.#read(life, model);
      if (bot === undefined || model.kind !== "levelBot") continue;
      for (const detail of bot.details) {
        const tick = last(detail.symbol);
        const hasWait = detail.pairs.some(({ retryAtMs }) => (retryAtMs ?? null) !== null);
        // A wait that ended while no engine ran ends at the next start, as of its moment.
        const checkedMs = Math.max(bot.levelsChangedAtMs ?? 0, life.startedMs);
        const ageMs = checkedMs - (tick?.atMs ?? 0);
        const isFresh =
          tick !== undefined &&
          !this.#unclear.has(tick.symbol) &&
          ageMs <= LAST_PRICE_AGE_MS - LATE_END_MS &&
          // Ahead of the present clock: a new level was not checked against it, at any time.
          tick.atMs - nowMs <= LAST_PRICE_AHEAD_MS;
        // A first anchor waits for a new tick.
        if (!isFresh || hasWait || (detail as PlainLevelDetail).anchor === null) continue;
        const step = expectedStep(bot, detail, tick.milli);
        const [undone] = step.orders;
        if (undone !== undefined)
          report.violate(`${undone} was never asked for though ${tick.milli / 1000} asks for it`);
        report.count("level bots at rest");
      }
    }
  }

  #foresee(life: Life, { symbol, milli }: StreamTick, timeMs: number, isCaughtUp: boolean): Foreseen[] {
    return this.#options.bots.bots.flatMap((model) => {
      const before = model.kind === "levelBot" ? this.#read(life, model) : undefined;
      const detail = before?.details.find((one) => one.symbol === symbol);
      if (before === undefined || detail === undefined) return [];
      // A wait that ends now ends first, and is then checked against the price before.
      const endsWait = before.details.some(({ pairs }) =>
        pairs.some((pair) => (pair.retryAtMs ?? timeMs + 1) <= timeMs),
      );
      const isBefore = isCaughtUp && timeMs <= (before.levelsChangedAtMs ?? 0);
      if (isBefore) this.#unclear.add(symbol);
      if (endsWait) return [];
      const anchor = (detail as PlainLevelDetail).anchor;
      const step = isBefore ? { orders: [], anchor } : expectedStep(before, detail, milli);
      return [{ model, before, step }];
    });
  }

  #compare(life: Life, tick: StreamTick, { model, before, step }: Foreseen): void {
    const { report } = this.#options;
    const after = this.#read(life, model);
    const detail = after?.details.find(({ symbol }) => symbol === tick.symbol);
    if (after === undefined || detail === undefined) {
      report.violate(`bot-${model.number} is gone`);
      return;
    }
    const known = new Set(askedNames(before));
    const names = askedNames(after)
      .filter((name) => !known.has(name))
      .sort();
    const anchor = (detail as PlainLevelDetail).anchor;
    const isSame = names.join() === [...step.orders].sort().join() && anchor === step.anchor;
    report.count("level bots: ticks compared");
    if (isSame) return;
    const what = `tick ${tick.sequence} at ${tick.milli / 1000}: bot-${model.number}`;
    report.violate(
      `${what} asks for ${names.join()}, anchor ${anchor}; it must: ${step.orders.join()}, ${step.anchor}`,
    );
  }

  /** The bot as the engine has it now, which may not be durable yet. */
  #read(life: Life, model: BotModel): PlainBot | undefined {
    const { botId } = model;
    const found = botId === undefined ? undefined : life.partition.host.find("levelBot", botId);
    return found === undefined ? undefined : { ...found.context, kind: "levelBot" };
  }
}
