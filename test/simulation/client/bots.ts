/**
 * The bots of a world and their owners, who create, change, switch and delete them and move their addresses; and every
 * order that a stored bot asks for.
 *
 * Owns: what was asked for and answered, which orders were durable, and that no forbidden order leaves: an order that
 * no stored bot asks for, or an order of a bot that is switched off. Does not own: prices (`level-watch.ts`), signals
 * (`signals.ts`), the judgement at the end (`bot-checks.ts`).
 */
import type { Delete, Put } from "../../../engine/ports/storage.ts";
import { COMMANDS, type Reply } from "../../../src/contract/command.ts";
import type { PlaceRequest } from "../../../src/contract/trading/order.ts";
import {
  type AskedOrder,
  askedOrders,
  type BotModel,
  type DetailTerms,
  deletedBot,
  storedBot,
} from "../oracle/bot-model.ts";
import type { GroupOwner } from "../oracle/model.ts";
import { INSTALLATION, plainName } from "../oracle/plain-name.ts";
import type { PlainBot, PlainDisk } from "../oracle/plain-rows.ts";
import type { Life } from "../world/life.ts";
import type { Random } from "../world/random.ts";
import type { Report } from "../world/report.ts";
import type { Requests } from "./requests.ts";

interface BotsOptions {
  readonly requests: Requests;
  readonly disk: PlainDisk;
  readonly random: Random;
  readonly report: Report;
  readonly symbols: readonly [string, ...string[]];
  readonly anyOwner: () => GroupOwner;
  readonly milliOf: (symbol: string) => number;
  readonly life: () => Life;
}

/** The periods of signals that a webhook bot accepts. */
export const PERIODS = ["1H", "4H"] as const;
const BOTS_MAX = 3;
const LOOKS_OUT = "idempotent";

export class Bots {
  readonly #options: BotsOptions;
  readonly bots: BotModel[] = [];
  /** Every order that a bot on the disk ever asked for, by its name without the installation. */
  readonly orders = new Map<string, AskedOrder>();
  readonly #sent = new Set<string>();
  /** Orders that this life of the engine found in its outbox. */
  #recovered: ReadonlySet<string> = new Set();

  constructor(options: BotsOptions) {
    this.#options = options;
  }

  create(): void {
    const { random, requests, report, anyOwner, disk } = this.#options;
    const livingCount = this.bots.filter(({ deletion }) => deletion !== "acknowledged").length;
    if (livingCount >= BOTS_MAX) return;
    const number = requests.nextNumber();
    const kind = random.chance(0.6) ? "levelBot" : "webhookBot";
    const shared = { versions: [], openUpdates: new Set<object>(), leftOut: new Set<string>(), mayLeave: undefined };
    const asked = { isAcknowledged: false, botId: undefined, deletion: "none" as const, givenUp: [] };
    const bot: BotModel = { ...shared, ...asked, number, kind, owner: anyOwner() };
    this.bots.push(bot);
    const { body } = this.#version(bot, true);
    const onReply = (reply: Reply): void => {
      report.note(() => `bot-${number} is answered ${JSON.stringify(reply)}`);
      if (reply.ok) bot.isAcknowledged = true;
      // Asked again under its key, it may have been deleted since.
      if (reply.ok && (storedBot(disk, bot) ?? deletedBot(disk, bot)) === undefined) {
        report.violate(`bot-${number} was acknowledged before it was durable`);
      }
      if (!reply.ok && reply.code === "INVALID") report.violate(`bot-${number} was refused: ${reply.message}`);
    };
    report.count(`${kind}s asked for`);
    report.note(() => `asks for ${kind} ${JSON.stringify(body)}`);
    const command = kind === "levelBot" ? COMMANDS.createLevelBot : COMMANDS.createWebhookBot;
    requests.send(requests.ask(command, bot.owner.userId, body, number, { onReply }));
  }

  /** Changes a bot or switches it. */
  update(): void {
    const { random, requests, report, disk } = this.#options;
    const bot = random.among(this.bots);
    const stored = bot === undefined ? undefined : storedBot(disk, bot);
    if (bot === undefined || stored === undefined) return;
    const isActive = random.chance(0.6);
    const { body: version, details } = this.#version(bot, isActive);
    const update = {};
    const onSend = (): void => {
      bot.openUpdates.add(update);
      if (isActive) bot.mayLeave = undefined;
    };
    const onReply = (reply: Reply): void => {
      report.note(() => `the update of bot-${bot.number} is answered ${JSON.stringify(reply)}`);
      const isOnly = bot.openUpdates.size === 1 && bot.openUpdates.has(update);
      bot.openUpdates.delete(update);
      if (reply.ok && isOnly) this.#onUpdated(bot, isActive, details);
      else if (!reply.ok && (reply.code === "NOT_FOUND" || reply.code === "INVALID")) {
        const isGone = reply.code === "NOT_FOUND" && bot.deletion !== "none";
        if (!isGone) report.violate(`the update of bot-${bot.number} was refused: ${reply.message}`);
      }
    };
    report.count(isActive ? "bots: changed" : "bots: switched off");
    report.note(() => `asks to change bot-${bot.number} ${JSON.stringify(version)}`);
    const command = bot.kind === "levelBot" ? COMMANDS.updateLevelBot : COMMANDS.updateWebhookBot;
    const body = { id: stored.botId, bot: version };
    requests.send(requests.ask(command, bot.owner.userId, body, requests.nextNumber(), { onReply, onSend }, false));
  }

  /** Deletes a bot, which may have a pair open. */
  delete(): void {
    const { disk, report } = this.#options;
    this.#undo({ levelBot: COMMANDS.deleteLevelBot, webhookBot: COMMANDS.deleteWebhookBot }, (bot) => {
      if (bot.deletion === "none") bot.deletion = "asked";
      return (reply) => {
        if (reply.ok) {
          report.count("bots: deleted");
          bot.deletion = "acknowledged";
          const deleted = deletedBot(disk, bot);
          if (deleted === undefined || storedBot(disk, bot) !== undefined) {
            report.violate(`the deletion of bot-${bot.number} was acknowledged and it lives on`);
          }
          if (deleted?.webhookSecret !== undefined) bot.givenUp.push(deleted.webhookSecret);
          bot.mayLeave = this.#underWay(bot);
        } else if (reply.code === "CONFLICT") {
          report.count("bots: not deleted, as a pair is open");
          const stored = storedBot(disk, bot);
          if (stored?.lastPairNumber === 0) report.violate(`bot-${bot.number} never had a pair and was not deleted`);
        } else if (reply.code === "NOT_FOUND" && storedBot(disk, bot) !== undefined) {
          report.violate(`bot-${bot.number} exists and was not found for its deletion`);
        }
      };
    });
  }

  /** Gives a webhook bot another address. */
  rotate(): void {
    const { disk, report } = this.#options;
    this.#undo({ webhookBot: COMMANDS.rotateWebhookSecret }, (bot) => {
      const before = storedBot(disk, bot)?.webhookSecret;
      return (reply) => {
        if (!reply.ok) return;
        report.count("bots: moved to another address");
        const secret = storedBot(disk, bot)?.webhookSecret;
        if (secret === before) report.violate(`bot-${bot.number} was moved and its address is the one before`);
        else if (before !== undefined) bot.givenUp.push(before);
      };
    });
  }

  /** Sends a request that names one bot and nothing else; `begin` returns the handler of the answer. */
  #undo(types: Partial<Record<BotModel["kind"], string>>, begin: (bot: BotModel) => (reply: Reply) => void): void {
    const { random, requests, report, disk } = this.#options;
    const bot = random.among(this.bots.filter(({ kind }) => types[kind] !== undefined));
    const type = bot === undefined ? undefined : types[bot.kind];
    const stored = bot === undefined ? undefined : storedBot(disk, bot);
    if (bot === undefined || type === undefined || stored === undefined) return;
    const onAnswer = begin(bot);
    const onReply = (reply: Reply): void => {
      report.note(() => `${type} of bot-${bot.number} is answered ${JSON.stringify(reply)}`);
      onAnswer(reply);
    };
    report.note(() => `asks for ${type} of bot-${bot.number}`);
    const body = { id: stored.botId };
    requests.send(requests.ask(type, bot.owner.userId, body, requests.nextNumber(), { onReply }, false));
  }

  /** A batch is durable. */
  onDurable(operations: readonly (Put | Delete)[]): void {
    if (this.bots.length === 0) return;
    for (const { type, key } of operations) {
      if (type === "put" && key.startsWith("a/")) this.#note(this.#options.disk.botUnder(key));
    }
  }

  /** The engine starts again from the disk, which decides the outcome of its unanswered requests. */
  recover(): void {
    const { disk } = this.#options;
    if (this.bots.length === 0) return;
    for (const stored of disk.bots()) this.#note(stored);
    this.#recovered = new Set(disk.outbox().map(({ name }) => name));
    for (const bot of this.bots) {
      bot.openUpdates.clear();
      if (storedBot(disk, bot)?.isActive === false) bot.mayLeave = this.#underWay(bot);
    }
  }

  /** A request leaves the engine. */
  onSent({ clientOrderId }: PlaceRequest): void {
    const name = plainName(clientOrderId).slice(INSTALLATION.length + 1);
    if (!/^p\d/.test(name)) return;
    const { report } = this.#options;
    const asked = this.orders.get(name);
    this.#sent.add(name);
    if (asked === undefined) report.violate(`order ${name} leaves and no stored bot asks for it`);
    else if (asked.bot.mayLeave?.has(name) === false) {
      report.violate(`order ${name} leaves after bot-${asked.bot.number} was switched off`);
    }
  }

  #onUpdated(bot: BotModel, isActive: boolean, details: readonly DetailTerms[]): void {
    const { disk, report } = this.#options;
    const stored = storedBot(disk, bot);
    if (stored === undefined && bot.deletion !== "none") return;
    const shown = stored?.details.filter(({ isRemoved }) => !isRemoved) ?? [];
    const isSame = shown.length === details.length && stored?.isActive === isActive;
    if (!isSame) report.violate(`the update of bot-${bot.number} was acknowledged and is not on the disk`);
    if (!isActive) bot.mayLeave = this.#underWay(bot);
  }

  /**
   * Orders of a bot that were sent, or count as sent because a process that died may have sent them: they cannot be
   * taken back.
   */
  #underWay(bot: BotModel): ReadonlySet<string> {
    const waiting = this.#options.disk.outbox().filter(({ name }) => this.orders.get(name)?.bot === bot);
    const gone = waiting.filter(({ name, attempt, promise }) => {
      return attempt > 0 || this.#sent.has(name) || (promise === LOOKS_OUT && this.#recovered.has(name));
    });
    return new Set(gone.map(({ name }) => name));
  }

  #note(stored: PlainBot | undefined): void {
    if (stored === undefined) return;
    const bot = this.bots.find(({ kind, number }) => kind === stored.kind && stored.name === `bot-${number}`);
    if (bot === undefined) {
      this.#options.report.violate(`${stored.kind} ${stored.name} exists and nobody asked for it`);
      return;
    }
    bot.botId = stored.botId;
    for (const order of askedOrders(bot, stored)) {
      if (this.orders.has(order.name)) continue;
      this.orders.set(order.name, order);
      this.#options.report.count(`${bot.kind}s: ${order.side}s asked for`);
    }
  }

  /** A new version of a bot, as a request's body. */
  #version(bot: BotModel, isActive: boolean) {
    const { random, symbols } = this.#options;
    const { userId: _, symbol: __, ...account } = bot.owner;
    const isAll = random.chance(0.8);
    const traded = isAll ? symbols : symbols.slice(0, 1);
    for (const symbol of symbols) if (!traded.includes(symbol)) bot.leftOut.add(symbol);
    const targets = bot.kind === "levelBot" ? [{}] : PERIODS.slice(0, isAll ? 2 : 1).map(targetOf);
    const details = traded.flatMap((symbol) => targets.map((target) => ({ ...this.#terms(bot, symbol), ...target })));
    bot.versions.push({ isActive, details });
    const field = bot.kind === "levelBot" ? "levelBotDetails" : "webhookBotDetails";
    return { body: { ...account, name: `bot-${bot.number}`, isActive, [field]: details }, details };
  }

  #terms(bot: BotModel, symbol: string): DetailTerms {
    const { random, milliOf } = this.#options;
    const near = Math.round(milliOf(symbol) / 1000);
    const limit = (price: number): number => (random.chance(0.25) ? price : 0);
    const shared = {
      symbol,
      quantity: random.whole(1, 6),
      minBuyPrice: limit(near - random.whole(2, 8)),
      maxBuyPrice: limit(near + random.whole(0, 4)),
      minSellPrice: limit(near - random.whole(0, 4)),
      maxSellPrice: limit(near + random.whole(4, 9)),
    };
    if (bot.kind === "webhookBot") return shared;
    const gaps = { buyGap: random.whole(1, 6) / 2, sellGap: random.whole(0, 6) / 2 };
    const profit = random.chance(0.1) ? random.whole(2, 20) : 0;
    return {
      ...shared,
      ...gaps,
      targetProfit: random.chance(0.3) ? random.whole(1, 20) / 10 : 0,
      profit,
      // By its number, so that the worlds of earlier seeds stay as they are.
      ...(bot.number % 5 < 2 && { confirmTicks: 2 }),
    } as DetailTerms;
  }
}

function targetOf(period: string) {
  return { algoName: "cross", period };
}
