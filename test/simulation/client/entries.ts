/**
 * Entries: clients buy together with the exits of what they buy, and take some back before they are filled.
 *
 * Owns: what was asked for and answered, and the groups that may follow: one for every state in which the buy may be
 * found at its end. Does not own: how a group sells (`oracle.ts`), the judgement at the end (`entry-checks.ts`).
 */
import { COMMANDS, type Reply } from "../../../src/contract/command.ts";
import { BUY, ORDER_COMPLETED } from "../../../src/domain/order/order.ts";
import type { Protection } from "../check/protection.ts";
import { type GroupModel, type GroupOwner, type Level, newGroupModel } from "../oracle/model.ts";
import { stopLossMilli, takeProfitMilli } from "../oracle/naive-grid.ts";
import type { Oracle } from "../oracle/oracle.ts";
import { plainName } from "../oracle/plain-name.ts";
import type { PlainDisk, PlainSetup } from "../oracle/plain-rows.ts";
import { TriggerModel } from "../oracle/triggers.ts";
import type { Exchange } from "../world/exchange.ts";
import { type ExchangeOrder, isFilled } from "../world/fills.ts";
import type { Life } from "../world/life.ts";
import type { Random } from "../world/random.ts";
import type { Report } from "../world/report.ts";
import type { StreamTick } from "../world/tick-stream.ts";
import type { VirtualTime } from "../world/virtual-time.ts";
import type { Asked, Requests } from "./requests.ts";

/** A level to be: a price, or tenths of a percent from the fill. */
type Tier = { readonly quantity: number } & ({ readonly price: number } | { readonly percentTenths: number });

/** A possible fill of the buy when its end becomes known, and the group that follows from it. */
interface Candidate {
  readonly filledQuantity: number;
  /** Undefined: its levels are not in order (behaviour 5.4). */
  readonly group: GroupModel | undefined;
}

export interface EntryModel {
  readonly number: number;
  readonly owner: GroupOwner;
  readonly quantity: number;
  /** True: its group is made of the first part, and grows: it is judged by its lots alone (`part-checks.ts`). */
  readonly protectsParts: boolean;
  readonly orderType: 1 | 2 | 3;
  /** 0 for any other than a limit order. */
  readonly price: number;
  /** For a stop entry: its level, and the prices that reached it. */
  readonly triggerPrice: number | undefined;
  readonly trigger: TriggerModel | undefined;
  readonly stopLoss: Tier;
  readonly takeProfits: readonly Tier[];
  readonly dueMs: number | null;
  readonly expiresMs: number | null;
  readonly asked: Asked;
  readonly candidates: Candidate[];
  /** Whether its owner took it back: a removal that was not answered may have happened. */
  removal: "none" | "asked" | "acknowledged";
}

interface EntriesOptions {
  readonly life: () => Life;
  readonly requests: Requests;
  readonly oracle: Oracle;
  readonly disk: PlainDisk;
  readonly exchanges: ReadonlyMap<string, Exchange>;
  readonly time: VirtualTime;
  /** Its own, so that worlds without entries are as they were. */
  readonly random: Random;
  readonly report: Report;
  readonly protection: Protection;
  readonly hasOversellGuard: boolean;
  readonly anyOwner: () => GroupOwner;
  readonly milliOf: (symbol: string) => number;
  readonly lastSequence: () => number;
  readonly lastTick: (symbol: string) => StreamTick | undefined;
}

type EntryTerms = Pick<
  EntryModel,
  "quantity" | "orderType" | "price" | "stopLoss" | "takeProfits" | "dueMs" | "expiresMs" | "triggerPrice"
>;

/** No limit order of a client is below it, at any price of the market. */
const LIMIT_OVER_MARKET = 400;

export class Entries {
  readonly #options: EntriesOptions;
  readonly entries: EntryModel[] = [];

  constructor(options: EntriesOptions) {
    this.#options = options;
  }

  /** Asks for a buy with its exits. */
  enter(): void {
    const { random, requests, report } = this.#options;
    const owner = this.#options.anyOwner();
    const number = requests.nextNumber();
    const terms = this.#terms(owner.symbol, number);
    const { orderType, price, triggerPrice, stopLoss, takeProfits, dueMs, expiresMs, quantity } = terms;
    const isShared = random.chance(0.5);
    // Without a draw, because a draw would change all worlds.
    const protectsParts = number % 2 === 0;
    const { userId, ...place } = owner;
    const body = {
      ...place,
      entry: {
        ...{ orderType, ...sizeOf(terms, number) },
        ...(orderType === 2 && { price }),
        ...(triggerPrice !== undefined && { triggerPrice }),
        ...(expiresMs !== null && { expiresAt: new Date(expiresMs).toISOString() }),
      },
      protectPartial: protectsParts,
      ...("price" in stopLoss ? { stopLossPrice: stopLoss.price } : { stopLossPercent: stopLoss.percentTenths / 10 }),
      takeProfitItems: takeProfits.map(({ quantity: lots, ...tier }) => ({
        ...("price" in tier ? { price: tier.price } : { percent: tier.percentTenths / 10 }),
        ...(isShared ? { quantityPercent: (lots * 100) / quantity } : { quantity: lots }),
      })),
      dueDate: dueMs === null ? null : new Date(dueMs).toISOString(),
      notes: `n${number}`,
    };
    const onReply = (reply: Reply): void => this.#onReply(entry, reply);
    const trigger = triggerPrice === undefined ? undefined : new TriggerModel(triggerPrice * 1000);
    const onSend = (): void => trigger?.ask(this.#options.lastSequence(), this.#options.lastTick(owner.symbol));
    const asked = requests.ask(COMMANDS.enter, userId, body, number, { onReply, onSend }, random.chance(0.6));
    const entry: EntryModel = {
      ...{ ...terms, protectsParts, number, owner, asked, trigger },
      ...{ candidates: [], removal: "none" },
    };
    this.entries.push(entry);
    report.count(trigger === undefined ? "entries asked for" : "entries asked for with a trigger");
    report.note(() => `asks for entry n${number} ${JSON.stringify(body)}`);
    requests.send(asked);
  }

  /** A price as the engine gets it, before it is given. */
  tick(tick: StreamTick, timeMs: number, isCaughtUp: boolean): void {
    const { oracle } = this.#options;
    for (const entry of this.entries) {
      if (entry.trigger === undefined || entry.owner.symbol !== tick.symbol) continue;
      entry.trigger.tick(tick, timeMs, isCaughtUp, {
        stored: this.#storedOf(entry),
        wasTakenBack: entry.removal !== "none",
        endsMs: Math.min(entry.dueMs ?? Number.POSITIVE_INFINITY, entry.expiresMs ?? Number.POSITIVE_INFINITY),
        hold: oracle.held.stateOf(tick.symbol, tick.sequence, isCaughtUp),
        hasSteppedClock: oracle.stepCount > 0,
      });
    }
  }

  /** The engine starts again from the disk, and will be given `missed`. */
  recover(position: number, missed: readonly StreamTick[]): void {
    const hasSteppedClock = this.#options.oracle.stepCount > 0;
    for (const entry of this.entries) entry.trigger?.recover(this.#storedOf(entry), position, missed, hasSteppedClock);
  }

  /** The owner takes an entry back, which may be on its way, filled or over. */
  remove(): void {
    const { random, requests, report } = this.#options;
    const recent = this.entries.slice(-4);
    const open = recent.filter((one) => this.#storedOf(one)?.outcome === null);
    const entry = random.among(random.chance(0.8) ? open : recent);
    const stored = entry === undefined ? undefined : this.#storedOf(entry);
    if (entry === undefined || stored === undefined) return;
    const onSend = (): void => {
      if (entry.removal === "none") entry.removal = "asked";
    };
    const onReply = (reply: Reply): void => {
      report.note(() => `the removal of entry n${entry.number} is answered ${JSON.stringify(reply)}`);
      if (reply.ok) entry.removal = "acknowledged";
      else if (reply.code !== "NOT_FOUND") {
        report.violate(`the removal of entry n${entry.number} was refused: ${reply.message}`);
      } else if (this.#storedOf(entry)?.outcome === null) {
        report.violate(`entry n${entry.number} is open and was not found for its removal`);
      }
    };
    report.count("entries: removals asked for");
    report.note(() => `asks to remove entry n${entry.number}`);
    const { userId, brokerageCode } = entry.owner;
    const body = { id: stored.setupId, brokerageCode };
    requests.send(requests.ask(COMMANDS.removeSetup, userId, body, requests.nextNumber(), { onReply, onSend }, false));
  }

  /** An order has ended, or was filled after its end. */
  orderEnded(order: ExchangeOrder): void {
    const { filledQuantity, averagePrice } = order.record;
    const entry = this.ofOrder(order);
    if (entry === undefined || filledQuantity === 0 || averagePrice === 0) return;
    this.#expectGroup(entry, filledQuantity, averagePrice);
    const stored = this.#storedOf(entry);
    if (stored?.outcome === null && stored.brokerOrderNo !== "") {
      this.#options.protection.filled({ ...entry, orderNo: order.record.orderNo });
    }
  }

  /** The engine has started. */
  started(): void {
    for (const entry of this.entries) {
      const stored = this.#storedOf(entry);
      const order = this.#orderOf(entry, stored);
      if (stored?.outcome !== null || stored.brokerOrderNo === "" || order === undefined) continue;
      const { filledQuantity, orderStatus, orderNo } = order.record;
      if (order.endedMs === Number.POSITIVE_INFINITY || filledQuantity === 0) continue;
      // The end of a cancelled order is confirmed first, and a missing price is asked for.
      if (isFilled(order.record)) this.#options.protection.started({ ...entry, orderNo });
      else if (orderStatus !== ORDER_COMPLETED) this.#options.protection.filled({ ...entry, orderNo });
    }
  }

  /** The entry whose buy an order is. */
  ofOrder({ request }: ExchangeOrder): EntryModel | undefined {
    const [, id] = /-e(\d+)$/.exec(request.clientOrderId) ?? [];
    if (id === undefined) return undefined;
    return this.entries.find((entry) => this.#storedOf(entry)?.setupId === Number(id));
  }

  /** Whether the buy of an entry is an order that its pending OCO, as stored, waits for. */
  isWaitedFor(order: ExchangeOrder): boolean {
    const entry = this.ofOrder(order);
    return entry !== undefined && this.#storedOf(entry)?.outcome === null;
  }

  #storedOf({ number }: EntryModel): PlainSetup | undefined {
    return storedEntries(this.#options.disk, number)[0];
  }

  #orderOf({ owner }: EntryModel, stored: PlainSetup | undefined): ExchangeOrder | undefined {
    const orders = this.#options.exchanges
      .get(owner.brokerageCode)
      ?.orders.get(plainName(`0123456789-e${stored?.setupId}`));
    return orders?.[0];
  }

  /** `number`: what worlds of before did not have follows from it, without a draw. */
  #terms(symbol: string, number: number): EntryTerms {
    const { random, time, milliOf } = this.#options;
    const near = Math.round(milliOf(symbol) / 1000);
    // So that a tenth of it is whole lots.
    const quantity = random.whole(3, 9) * 10;
    const isLimit = random.chance(0.5);
    const stopLoss = random.chance(0.6)
      ? { quantity, percentTenths: random.whole(1, 50) }
      : { quantity, price: near - random.whole(0, 5) };
    const tierCount = random.whole(1, 3);
    const takeProfits = Array.from({ length: tierCount }, () => {
      const lots = (quantity / 10) * random.whole(1, Math.floor(10 / tierCount));
      // An exit at a price must lie over the limit price.
      return isLimit || random.chance(0.6)
        ? { quantity: lots, percentTenths: random.whole(1, 60) }
        : { quantity: lots, price: near + random.whole(0, 6) };
    });
    const dueMs = random.chance(0.2) ? time.wallClock.nowMs() + random.whole(500, 90_000) : null;
    const price = isLimit ? near + LIMIT_OVER_MARKET : 0;
    const expiresMs = number % 4 === 1 ? time.wallClock.nowMs() + 500 + ((number * 7_919) % 60_000) : null;
    const terms = { quantity, price, stopLoss, takeProfits, dueMs, expiresMs, triggerPrice: undefined };
    if (isLimit || number % 3 === 0) return { ...terms, orderType: isLimit ? 2 : 1 };
    // Some are reached already; fixed levels must lie around it.
    const triggerPrice = near + (number % 6) - 1;
    const shift = (tier: Tier, least: number): Tier =>
      "price" in tier ? { ...tier, price: triggerPrice + least + (tier.price - near) } : tier;
    return {
      ...{ ...terms, orderType: 3, triggerPrice },
      stopLoss: shift(stopLoss, -1),
      takeProfits: takeProfits.map((tier) => shift(tier, 1)),
    };
  }

  #onReply(entry: EntryModel, reply: Reply): void {
    const { report, exchanges } = this.#options;
    const { number, owner } = entry;
    report.note(() => `entry n${number} is answered ${JSON.stringify(reply)}`);
    if (!reply.ok) {
      report.count(`entries: answered ${reply.code}`);
      return;
    }
    report.count("entries: answered");
    entry.trigger?.acknowledge(this.#options.lastSequence());
    const { setupId, orderNo } = reply.data as { readonly setupId: number; readonly orderNo: string | null };
    const stored = this.#storedOf(entry);
    if (stored?.setupId !== setupId)
      report.violate(`entry n${number} was answered as ${setupId} before it was durable`);
    if (orderNo === null) return;
    const order = exchanges.get(owner.brokerageCode)?.numbered(orderNo);
    if (order === undefined || order !== this.#orderOf(entry, stored)) {
      report.violate(`entry n${number} was answered with order ${orderNo}, which is not its buy`);
    }
  }

  /** From now on, the group of so many lots may come to exist. */
  #expectGroup(entry: EntryModel, filledQuantity: number, averagePrice: number): void {
    const { oracle, lastSequence, lastTick, hasOversellGuard: hasGuard } = this.#options;
    const { number, owner, dueMs } = entry;
    const levels = levelsOf(entry, filledQuantity, Math.round(averagePrice * 1000));
    const terms = { number, owner, dueMs, hasGuard, isOfSetup: true, isOneOfSeveral: true };
    const group = levels && newGroupModel(terms, levels.stopLoss, levels.takeProfits);
    entry.candidates.push({ filledQuantity, group });
    if (group === undefined || entry.protectsParts) return;
    oracle.groups.push(group);
    oracle.ask(group, lastSequence(), lastTick(owner.symbol));
  }
}

/** The size of an entry: lots, or an amount that comes to as many. */
function sizeOf({ quantity, price, triggerPrice, stopLoss }: EntryTerms, number: number): object {
  const at = triggerPrice ?? price;
  if (at > 0 && number % 5 === 0) return { cashAmount: at * quantity + at / 2 };
  if (at > 0 && number % 5 === 1 && "price" in stopLoss) return { riskAmount: (at - stopLoss.price) * quantity + 0.5 };
  return { quantity };
}

/**
 * The stored states of an entry. An entry that was not sent in time is refused, and its key may bring another after it.
 */
export function storedEntries(disk: PlainDisk, number: number): readonly PlainSetup[] {
  const stored = disk.setupsByNotes(`n${number}`);
  const [first] = stored;
  const others = stored.filter(({ outcome }) => outcome?.type !== "entryRefused");
  return others.length > 0 || first === undefined ? others : [first];
}

/** The levels of so many lots; undefined if they are not in order (behaviour 5.4, 24.4). */
function levelsOf(
  { quantity, stopLoss, takeProfits, protectsParts }: EntryModel,
  filledQuantity: number,
  fillMilli: number,
): { readonly stopLoss: Level; readonly takeProfits: readonly Level[] } | undefined {
  const priceOf = (tier: Tier, byPercent: typeof stopLossMilli): number =>
    "price" in tier ? tier.price : byPercent(fillMilli, tier.percentTenths) / 1000;
  const shareOf = (lots: number): number => Math.floor((lots * filledQuantity) / quantity);
  const together = Math.max(1, shareOf(takeProfits.reduce((sum, { quantity: lots }) => sum + lots, 0)));
  let left = together;
  const levels = takeProfits.flatMap((tier, index) => {
    const isLast = index === takeProfits.length - 1;
    const lots = isLast ? Math.max(left, protectsParts ? 1 : 0) : shareOf(tier.quantity);
    left -= lots;
    return lots === 0 ? [] : [{ price: priceOf(tier, takeProfitMilli), quantity: lots }];
  });
  const stop = { price: priceOf(stopLoss, stopLossMilli), quantity: filledQuantity };
  return levels.every(({ price }) => price > stop.price) ? { stopLoss: stop, takeProfits: levels } : undefined;
}

/** Whether a request is the buy that an entry asked for. */
export function isBuyOf({ owner, quantity, orderType, price }: EntryModel, { request }: ExchangeOrder): boolean {
  return (
    request.buySell === BUY &&
    request.symbol === owner.symbol &&
    request.userId === owner.userId &&
    request.accountNumber === owner.accountNumber &&
    request.quantity === quantity &&
    request.orderType === (orderType === 3 ? 1 : orderType) &&
    request.price === price
  );
}
