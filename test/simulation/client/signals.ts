/**
 * The senders of signals for webhook bots: they repeat themselves, change their minds under an old id, and get no
 * answer when the engine dies.
 *
 * Owns: what was signalled when, and its required effect on an engine with nothing else to do (behaviour 9), by plain
 * rules. Does not own: the bots and their orders (`bots.ts`), the judgement at the end (`bot-checks.ts`).
 */
import type { LastPrice } from "../../../engine/ports/price.ts";
import { COMMANDS, type Reply } from "../../../src/contract/command.ts";
import { type BotModel, buyName, sellName, storedBot } from "../oracle/bot-model.ts";
import type { PlainBot, PlainDetail, PlainDisk } from "../oracle/plain-rows.ts";
import type { Life } from "../world/life.ts";
import type { Random } from "../world/random.ts";
import type { Report } from "../world/report.ts";
import type { VirtualTime } from "../world/virtual-time.ts";
import { type Bots, PERIODS } from "./bots.ts";

const REPEAT_MS = 60_000;

interface Content {
  readonly symbol: string;
  readonly algoName: string;
  readonly period: string;
  readonly side: "buy" | "sell";
  readonly price: number | null;
  readonly id: string | null;
}

/** One sending of a signal. */
export interface Hearing {
  readonly bot: BotModel;
  readonly content: Content;
  /** The same for a signal and its repetitions. */
  readonly identity: string;
  /** Moments that the engine's clock may have shown when it received the signal. */
  readonly moments: number[];
  readonly atSteadyMs: number;
  readonly life: Life;
  isAnswered: boolean;
  /** Whether the bot remembers it from here on; undefined if an observer cannot know. */
  isRemembered: boolean | undefined;
}

/** A sell signal that came while the buy of its pair was on its way. */
interface KeptSell {
  readonly bot: BotModel;
  readonly pairId: number;
  /**
   * How many versions of the bot had been asked for and answered by then: a later one may have switched it off since.
   */
  readonly versionCount: number;
}

interface Foreseen {
  readonly before: PlainBot;
  readonly matched: number;
  readonly isRepeated: boolean;
  /** If the clock is set by as much in between, it is not a repetition any more. */
  readonly isRepeatedUntilMs: number;
  readonly order: string | undefined;
  /** The pair whose sell must be kept until its buy has completed. */
  readonly keeps: number | undefined;
  /** The last price when it was sent: if a tick comes first, a signal without a price is received at another price. */
  readonly last: LastPrice | undefined;
}

interface SignalsOptions {
  readonly bots: Bots;
  readonly disk: PlainDisk;
  readonly time: VirtualTime;
  readonly random: Random;
  readonly report: Report;
  readonly symbols: readonly [string, ...string[]];
  readonly milliOf: (symbol: string) => number;
  readonly life: () => Life;
}

export class Signals {
  readonly #options: SignalsOptions;
  readonly hearings: Hearing[] = [];
  readonly keptSells: KeptSell[] = [];
  #givenCount = 0;

  constructor(options: SignalsOptions) {
    this.#options = options;
  }

  /** Signals a bot: with a new signal, or one sent before. */
  send(): void {
    const { random, bots, disk, report, time, life } = this.#options;
    const bot = random.among(bots.bots.filter(({ kind }) => kind === "webhookBot"));
    const stored = bot === undefined ? undefined : storedBot(disk, bot);
    if (bot === undefined || stored === undefined || !life().isAlive) return;
    const content = this.#content(bot, stored);
    const identity = content.id ?? JSON.stringify(content);
    const foreseen = this.#foresee(bot, stored, content, identity);
    const atSteadyMs = time.steadyClock.nowMs();
    const moments = [time.wallClock.nowMs()];
    const hearing: Hearing = {
      bot,
      content,
      identity,
      moments,
      atSteadyMs,
      life: life(),
      isAnswered: false,
      isRemembered: undefined,
    };
    const isRepeat = this.hearings.some((other) => other.bot === bot && other.identity === identity);
    report.count(isRepeat ? "signals: sent again" : "signals: sent");
    report.note(() => `signals bot-${bot.number} ${JSON.stringify(content)}`);
    this.hearings.push(hearing);
    const secret = stored.webhookSecret ?? "";
    this.#give(secret, content, (reply) => {
      const isMoved = storedBot(disk, bot)?.webhookSecret !== secret;
      hearing.isAnswered = true;
      if (!reply.ok && reply.code === "NOT_FOUND" && isMoved) hearing.isRemembered = false;
      else this.#onReply(hearing, reply, foreseen);
    });
  }

  /** Signals an address that leads nowhere: its bot has another one, or is deleted. */
  sendToGivenUp(): void {
    const { random, bots, report, symbols, life } = this.#options;
    const bot = random.among(bots.bots.filter(({ givenUp }) => givenUp.length > 0));
    const secret = random.among(bot?.givenUp ?? []);
    if (bot === undefined || secret === undefined || !life().isAlive) return;
    const period = random.pick(PERIODS);
    const side = random.pick(["buy", "sell"] as const);
    const target = { symbol: random.pick(symbols), algoName: "cross", period, side };
    report.count("signals: sent to an address that is given up");
    report.note(() => `signals a given-up address of bot-${bot.number}`);
    this.#give(secret, { ...target, price: null, id: `old-${random.whole(1, 1_000_000)}` }, (reply) => {
      const isRefused = !reply.ok && reply.code === "NOT_FOUND";
      if (!isRefused) report.violate(`a given-up address of bot-${bot.number} answered ${JSON.stringify(reply)}`);
    });
  }

  #give(webhookSecret: string, content: Content, onReply: (reply: Reply) => void): void {
    const { report } = this.#options;
    const life = this.#options.life();
    this.#givenCount += 1;
    const envelope = {
      type: COMMANDS.hearSignal,
      userId: null,
      requestId: `signal-${this.#givenCount}`,
      body: { webhookSecret, signal: bodyOf(content), bodyHash: JSON.stringify(content) },
    };
    life.partition.handleCommand(envelope).then(
      (reply) => {
        if (life.isAlive) onReply(reply);
      },
      (error: unknown) => {
        if (life.isAlive) report.fault(error);
      },
    );
  }

  /** The clock steps: a signal that was not received yet may be received at another moment than it was sent at. */
  stepClock(): void {
    const nowMs = this.#options.time.steadyClock.nowMs();
    for (const { atSteadyMs, moments } of this.hearings) {
      if (atSteadyMs === nowMs) moments.push(this.#options.time.wallClock.nowMs());
    }
  }

  #content(bot: BotModel, { details }: PlainBot): Content {
    const { random, symbols, milliOf } = this.#options;
    const sent = this.hearings.filter((hearing) => hearing.bot === bot);
    const earlier = random.chance(0.35) ? random.among(sent.slice(-3))?.content : undefined;
    if (earlier !== undefined && (earlier.id === null || random.chance(0.9))) return earlier;
    const symbol = random.pick(symbols);
    const price = random.chance(0.3) ? null : (milliOf(symbol) + random.whole(-40, 40) * 50) / 1000;
    const period = random.chance(0.95) ? random.pick(PERIODS) : "1D";
    const isHeld = details.some((detail) => {
      return detail.symbol === symbol && detail.period === period && detail.pairs.length > 0;
    });
    const side = random.chance(isHeld ? 0.2 : 0.8) ? "buy" : "sell";
    // A changed signal under an old id is still a repetition.
    const id = earlier?.id ?? (random.chance(0.8) ? `s${this.hearings.length}` : null);
    return { symbol, algoName: "cross", period, side, price, id };
  }

  /** Predicts its effect; undefined if the effect depends on something that an observer cannot know. */
  #foresee(bot: BotModel, stored: PlainBot, content: Content, identity: string): Foreseen | undefined {
    const { time } = this.#options;
    const life = this.#options.life();
    const mine = this.hearings.filter((hearing) => hearing.bot === bot);
    const isAlone = life.partition.inbox.isIdle && mine.every((one) => one.isAnswered || one.life !== life);
    const same = mine.filter((hearing) => hearing.identity === identity);
    if (!isAlone || same.some(({ isAnswered, moments }) => !isAnswered || moments.length > 1)) return undefined;
    const found = life.partition.host.find("webhookBot", stored.botId);
    if (found === undefined) return undefined;
    const before: PlainBot = { ...found.context, kind: "webhookBot" };
    const nowMs = time.wallClock.nowMs();
    const matches = before.details.filter((detail) => isMatched(before, detail, content));
    // Received by a clock that was set back since: it may have been forgotten by then, or not.
    if (same.some(({ moments }) => moments.some((atMs) => atMs > nowMs))) return undefined;
    // A bot remembers only signals that matched and were not repetitions themselves.
    const recent = same.filter(({ moments }) => moments.some((atMs) => nowMs - atMs < REPEAT_MS));
    if (recent.some(({ isRemembered }) => isRemembered === undefined)) return undefined;
    const isRepeated = recent.some(({ isRemembered }) => isRemembered === true);
    const isRepeatedUntilMs = Math.min(...recent.flatMap(({ moments }) => moments)) + REPEAT_MS;
    const [detail] = matches;
    const heard = detail === undefined || isRepeated ? undefined : detail;
    const order = heard === undefined ? undefined : this.#orderOf(before, heard, content);
    const keeps = heard === undefined ? undefined : this.#keptBy(heard, content);
    return {
      before,
      matched: matches.length,
      isRepeated,
      isRepeatedUntilMs,
      order,
      keeps,
      last: life.feed.last(content.symbol),
    };
  }

  /** The pair whose sell is kept: its buy is on its way, and the price at the signal is inside the sell limits. */
  #keptBy({ pairs, limits, deferredSellAtMs }: PlainDetail, content: Content): number | undefined {
    const [pair] = pairs;
    const isOnItsWay = pair !== undefined && pair.buy.completedAtMs === null && deferredSellAtMs === null;
    const isSell = content.side === "sell" && this.#isAllowed(content, limits.minSellPrice, limits.maxSellPrice);
    return isOnItsWay && isSell ? pair.pairId : undefined;
  }

  /** Whether the signal's price, else the last live one, lies between limits. */
  #isAllowed({ symbol, price }: Content, low: number | null, high: number | null): boolean {
    const known = price ?? this.#options.life().feed.last(symbol)?.price.value;
    if (known === undefined) return low === null && high === null;
    const milli = Math.round(known * 1000);
    return (low === null || milli >= low * 10) && (high === null || milli <= high * 10);
  }

  #orderOf(bot: PlainBot, { pairs, limits }: PlainDetail, content: Content): string | undefined {
    const [pair] = pairs;
    if (content.side === "buy") {
      const isFree = pair === undefined && this.#isAllowed(content, limits.minBuyPrice, limits.maxBuyPrice);
      return isFree ? buyName({ pairId: bot.botId * 1_000_000 + bot.lastPairNumber + 1 }) : undefined;
    }
    if (pair === undefined || pair.buy.completedAtMs === null || pair.sell.sentAtMs !== null) return undefined;
    if (!this.#isAllowed(content, limits.minSellPrice, limits.maxSellPrice)) return undefined;
    return sellName({ pairId: pair.pairId, sellAttempts: pair.sellAttempts + 1 });
  }

  #onReply(hearing: Hearing, reply: Reply, foreseenWhenSent: Foreseen | undefined): void {
    const { report, disk, time } = this.#options;
    const isPast =
      foreseenWhenSent?.isRepeated === true && time.wallClock.nowMs() >= foreseenWhenSent.isRepeatedUntilMs;
    const foreseen = isPast ? undefined : foreseenWhenSent;
    const { bot, content } = hearing;
    report.note(() => `the signal to bot-${bot.number} is answered ${JSON.stringify(reply)}`);
    if (!reply.ok) {
      report.violate(`a signal to bot-${bot.number} was refused: ${reply.message}`);
      return;
    }
    const matched = Number(Reflect.get(Object(reply.data), "matched"));
    hearing.isRemembered = matched === 0 ? false : foreseen === undefined ? undefined : !foreseen.isRepeated;
    if (foreseen === undefined || this.hearings.at(-1) !== hearing) return;
    if (content.price === null && hearing.life.feed.last(content.symbol) !== foreseen.last) return;
    report.count("signals: answers compared");
    const { before, order, keeps } = foreseen;
    if (keeps !== undefined) {
      report.count("signals: kept until the buy completed");
      this.keptSells.push({ bot, pairId: keeps, versionCount: bot.versions.length - bot.openUpdates.size });
    }
    if (matched !== foreseen.matched) report.violate(`a signal matched ${matched}, and must ${foreseen.matched}`);
    const after = storedBot(disk, bot);
    if (after === undefined) return;
    const bought = after.lastPairNumber - before.lastPairNumber;
    const sells = after.details
      .flatMap(({ pairs }) => pairs)
      .filter((pair) => {
        const was = before.details.flatMap(({ pairs }) => pairs).find(({ pairId }) => pairId === pair.pairId);
        // A kept sell is done when its buy completes, whichever signal is received then.
        const wasBought = was !== undefined && was.buy.completedAtMs !== null;
        return wasBought && was.sellAttempts !== pair.sellAttempts;
      });
    const isBuy = order?.endsWith("b") === true;
    const isSell = order !== undefined && !isBuy;
    const isSold = sells.some((pair) => sellName(pair) === order) || (isSell && this.#options.bots.orders.has(order));
    const isAsAsked = bought === (isBuy ? 1 : 0) && (isSell ? isSold : sells.length === 0);
    if (isAsAsked) return;
    const what = `${content.side} signal ${hearing.identity} to bot-${bot.number}`;
    report.violate(`${what} made ${bought} buys and ${sells.length} sells; it must make ${order ?? "none"}`);
  }
}

/** Returns the body as it is sent: without the price if it is null. */
function bodyOf({ price, ...content }: Content): object {
  return price === null ? content : { ...content, price };
}

function isMatched(bot: PlainBot, detail: PlainDetail, content: Content): boolean {
  const { symbol, algoName, period, isRemoved } = detail;
  const isSame = symbol === content.symbol && algoName === content.algoName && period === content.period;
  return bot.isActive && isSame && (content.side === "sell" || !isRemoved);
}
