/**
 * Sells everything that an account holds (behaviour 18.4): trading is halted, open orders are cancelled, and then each
 * symbol is sold at market.
 *
 * Owns: the order of these steps, and when a symbol may be sold. Does not own: selling a symbol until its last lot (the
 * exit of a group that is made for it), the effects of cancelling a group.
 *
 * Invariants:
 * 1. A group is cancelled in the batch that makes the sale of its symbol: a kill leaves each position watched or sold.
 * 2. A symbol is sold only by a holding that the brokerage reported after every order of ours was known, and while none
 *    has changed since: else it could be sold twice. Lots that are not sold are listed, with the reason.
 */
import type { Reply } from "../../../src/contract/command.ts";
import type { EventPayload } from "../../../src/contract/event/event.ts";
import type { OrderRecord } from "../../../src/contract/trading/order.ts";
import { type Flattened, flattenRequest } from "../../../src/contract/trading/trading-state.ts";
import { executionsOf } from "../../../src/domain/bot/bot.ts";
import { isExiting } from "../../../src/domain/oco/exit.ts";
import { canCancel, type OcoGroup } from "../../../src/domain/oco/group.ts";
import { awaitsAnswers, stopLossSellNames } from "../../../src/domain/oco/oco.ts";
import { openSale } from "../../../src/domain/oco/open-group.ts";
import { sellName } from "../../../src/domain/oco/sell-name.ts";
import { type Execution, isUnderWay } from "../../../src/domain/order/execution.ts";
import { BUY, isEnded, SELL } from "../../../src/domain/order/order.ts";
import { lotsBySymbol } from "../../../src/domain/order/sell-ledger.ts";
import { PRICE_MIN } from "../../../src/domain/price/price.ts";
import { type Refusal, refuse } from "../../../src/domain/refusal.ts";
import { waitingTrigger } from "../../../src/domain/setup-trigger.ts";
import { groupClaim } from "../../../src/machine/group.ts";
import type { AccountPlace, Brokerage } from "../../ports/brokerage.ts";
import type { Journal } from "../../ports/storage.ts";
import { type CommandContext, type CommandTurn, checked } from "../context.ts";
import { listOwned, liveGroups, type Owned, pendingOf } from "./owned.ts";
import { haltAccount } from "./trading-state.ts";

/** How often, and for how long, the holding is read: the ends of cancelled orders must be confirmed. */
const LOOK_EVERY_MS = 500;
const LOOKS_FOR_MS = 10_000;

/** The holding of an account, and the open orders that already sell parts of it. */
interface Holding {
  readonly held: ReadonlyMap<string, number>;
  readonly open: readonly OrderRecord[];
}

export const flatten = checked({
  schema: flattenRequest,
  handle: async (context, body, turn) => {
    const { brokerageCode, reason } = body;
    const account = await context.accounts.resolve(turn.userId, brokerageCode, body.accountNumber);
    if (!account.ok) return account;
    const brokerage = context.brokerages.find(brokerageCode);
    if (brokerage === undefined) return refuse("INVALID", "brokerageCode is not known");
    const place = { userId: turn.userId, brokerageCode, accountNumber: account.value.accountNumber };
    const before = await readHolding(context, brokerage, place);
    if (before === undefined) return notKnown("nothing was done");
    const halted = await haltAccount(context, turn, place, reason);
    if (!halted.ok) return halted;
    const cancels: Cancels = { taken: new Set(), refused: new Set() };
    await cancelOpen(context, brokerage, place, before, cancels);
    return sellAll({ reason, context, brokerage, place, turn, cancels });
  },
});

function notKnown(done: string): Refusal {
  return refuse("UNAVAILABLE", `the brokerage does not currently return the holdings of the account: ${done}`);
}

async function readHolding(
  { holdings }: CommandContext,
  brokerage: Brokerage,
  place: AccountPlace,
): Promise<Holding | undefined> {
  const orders = await brokerage.dailyOrders(place);
  const positions = await brokerage.positions({ ...place, includeOrders: false });
  if (!orders.ok || !positions.ok) return undefined;
  holdings.learn(place, positions.data);
  return {
    held: lotsBySymbol(positions.data, ({ quantity }) => quantity),
    open: orders.data.filter((order) => !isEnded(order)),
  };
}

/** The cancels that were asked for, by the numbers of their orders. */
interface Cancels {
  /** The brokerage took the cancel, which may take effect later. */
  readonly taken: Set<string>;
  /** The brokerage does not take the cancel. */
  readonly refused: Set<string>;
}

/**
 * Cancels open orders that it did not ask for yet, except orders of a stop-loss that is being sold: its exit continues.
 * A cancel that did not reach the brokerage is repeated at the next read.
 */
async function cancelOpen(
  context: CommandContext,
  brokerage: Brokerage,
  place: AccountPlace,
  { open }: Holding,
  { taken, refused }: Cancels,
): Promise<void> {
  const unasked = open.filter(({ orderNo }) => !taken.has(orderNo) && !refused.has(orderNo));
  if (unasked.length === 0) return;
  const isOfExit = await exitOrdersOf(context, place);
  const fence = { partition: context.partition, epoch: context.epoch, attempt: 0 };
  for (const { orderNo, symbol } of unasked.filter((order) => !isOfExit(order))) {
    const answer = await brokerage.cancel({ ...place, symbol, orderNo, fence });
    if (answer.ok) taken.add(orderNo);
    else {
      if (answer.code === "REJECTED") refused.add(orderNo);
      context.log.warn(
        { event: "flatten.notCancelled", orderNo, code: answer.code },
        "an order could not be cancelled",
      );
    }
    context.followed.askNow({ ...place, orderNo });
  }
}

/**
 * Recognizes an order of a stop-loss that is being sold, by its number or its name. An order without an answer yet has
 * no number here: if the brokerage shows no name either, each sell of its symbol may be that order.
 */
async function exitOrdersOf(context: CommandContext, place: AccountPlace): Promise<(order: OrderRecord) => boolean> {
  const exiting = liveGroups(context, await listOwned(context, place)).filter(isExiting);
  const followed = exiting.flatMap(executionsOfGroup).flatMap(({ orders }) => orders);
  const numbers = new Set(followed.map(({ orderNo }) => orderNo));
  const names = new Set(
    exiting.flatMap((group) => stopLossSellNames(group).map((name) => context.orderName(group.groupId, name))),
  );
  const unanswered = new Set(exiting.filter(awaitsAnswers).map(({ symbol }) => symbol));
  return ({ orderNo, clientOrderId, symbol, buySell }) =>
    numbers.has(orderNo) ||
    (clientOrderId === null ? buySell === SELL && unanswered.has(symbol) : names.has(clientOrderId));
}

interface Sale {
  /** The reason, in its owner's words. */
  readonly reason: string;
  readonly context: CommandContext;
  readonly brokerage: Brokerage;
  readonly place: AccountPlace;
  readonly turn: CommandTurn;
  readonly cancels: Cancels;
}

/** The result of one read of an account, within a turn. */
interface Look {
  readonly owned: Owned;
  readonly holding: Holding;
  readonly executions: readonly Execution[];
  /** Symbols with an order that waits to be sent or for its answer. */
  readonly pending: ReadonlySet<string>;
  /** True: unconfirmed ends are not waited for any more. */
  readonly isLast: boolean;
}

type Done = { -readonly [Field in keyof Flattened]: Flattened[Field] };

/** Reads the account again and sells what can be sold, until no order of ours is awaited or it takes too long. */
async function sellAll(sale: Sale) {
  const { context, brokerage, place, turn, cancels } = sale;
  const done: Done = { orders: [], left: [], cancelledOrders: 0, cancelledGroups: 0, removedSetups: 0 };
  /** The rests of symbols that were sold in part. */
  const rests: Flattened["left"] = [];
  const endMs = context.steadyClock.nowMs() + LOOKS_FOR_MS;
  for (;;) {
    const owned = await listOwned(context, place);
    const seen = ordersOf(context, place, owned);
    const holding = await readHolding(context, brokerage, place);
    const isLast = context.steadyClock.nowMs() >= endMs;
    if (holding === undefined) {
      if (isLast) return endUnknown(sale, done);
      await pause(context);
      continue;
    }
    // An order that left before trading was halted may be open only now.
    if (!isLast) await cancelOpen(context, brokerage, place, holding, cancels);
    let isOver = isLast;
    const reply = await turn.decide(() => {
      const pending = new Set(pendingOf(context, place).map(({ symbol }) => symbol));
      const look = { owned, holding, executions: executionsIn(context, owned), pending, isLast };
      const isMoved = seen !== ordersOf(context, place, owned);
      done.left = [];
      done.cancelledOrders = cancels.taken.size;
      for (const [symbol, quantity] of holding.held) {
        if (quantity === 0 || done.orders.some((order) => order.symbol === symbol)) continue;
        const reason = isMoved ? HAS_CHANGED : whyNot(sale, look, symbol);
        if (reason === IS_ON_ITS_WAY && !isLast) takeBack(sale, look, symbol);
        if (reason !== undefined) done.left.push({ symbol, quantity, reason });
        else sell(sale, done, rests, look, symbol);
      }
      if (!isMoved) endRest(sale, done, look);
      done.left.push(...rests);
      isOver = isLast || done.left.every(({ reason }) => FINAL.has(reason));
      if (isOver) tell(sale, done, leftText(done));
      return { ok: true, data: done };
    });
    if (!reply.ok || isOver) return reply;
    await pause(context);
  }
}

/** The brokerage no longer reports the holding: the result so far is reported anyway. */
function endUnknown(sale: Sale, done: Done): Promise<Reply> {
  const unknown = notKnown("trading is halted, nothing more was sold, and the groups that are left watch on");
  return sale.turn.decide(() => {
    tell(sale, done, unknown.message);
    return unknown;
  });
}

/** In the last turn: emits the result as an event, as the answer may come after its client has given up. */
function tell({ context, turn, place }: Sale, done: Done, message: string | undefined): void {
  const { brokerageCode, accountNumber } = place;
  const payload = { brokerageCode, accountNumber, ...done, ...(message !== undefined && { message }) };
  context.events.emit(turn.userId, "account.flattened", payload satisfies EventPayload<"account.flattened">);
}

function leftText({ left }: Done): string | undefined {
  if (left.length === 0) return undefined;
  const parts = left.map(({ symbol, quantity, reason }) => `${quantity} ${symbol} (${reason})`);
  return `not sold: ${parts.join(", ")}`;
}

const pause = ({ timers }: CommandContext): Promise<void> =>
  new Promise((resolve) => void timers.after(LOOK_EVERY_MS, resolve));

const IS_SHORT = "it is sold short: buy it back by hand";
const IS_UNKNOWN = "the symbol is not known here";
const IS_QUARANTINED = "its group is in quarantine: an operator must release it";
const IS_SELLING = "it is being sold already";
const IS_OPEN = "open orders that could not be cancelled sell it";
const IS_BOUGHT = "an open order that could not be cancelled buys it";
const IS_IN_DOUBT = "an order of it is in doubt: an operator decides";
const HAS_CHANGED = "an order of the account has just changed";
const IS_ON_ITS_WAY = "an order of it is on its way";
const NOT_CONFIRMED = "the end of an order of it is not confirmed";
/** Reasons that waiting does not change. */
const FINAL: ReadonlySet<string> = new Set([
  ...[IS_SHORT, IS_UNKNOWN, IS_QUARANTINED, IS_IN_DOUBT, IS_SELLING, IS_OPEN, IS_BOUGHT],
]);

/** In the turn: returns why a symbol cannot be sold now; undefined if it can. */
function whyNot({ context, place, cancels }: Sale, look: Look, symbol: string): string | undefined {
  const { owned, holding, executions, pending, isLast } = look;
  const groups = liveGroups(context, owned).filter((group) => group.symbol === symbol);
  if (!context.symbols.isKnown(symbol)) return IS_UNKNOWN;
  if ((holding.held.get(symbol) ?? 0) < 0) return IS_SHORT;
  if (groups.some(({ groupId }) => context.actors.isQuarantined(groupId))) return IS_QUARANTINED;
  if (executions.some((one) => one.symbol === symbol && one.phase === "inDoubt")) return IS_IN_DOUBT;
  if (groups.some(isExiting)) return IS_SELLING;
  // A group that was made since the groups were listed.
  const holder = context.actors.holderOf(groupClaim({ ...place, symbol }));
  if (holder !== undefined && !owned.groups.includes(holder)) return HAS_CHANGED;
  if (groups.some(awaitsAnswers) || pending.has(symbol)) return IS_ON_ITS_WAY;
  const open = new Set(holding.open.map(({ orderNo }) => orderNo));
  const isUnsure = executions.some(
    (one) => one.symbol === symbol && isUnderWay(one) && !one.orders.some(({ orderNo }) => open.has(orderNo)),
  );
  const isEnding = holding.open.some((order) => order.symbol === symbol && !cancels.refused.has(order.orderNo));
  if (isUnsure || (isEnding && !isLast)) return NOT_CONFIRMED;
  return sellable(holding, symbol) > 0 ? undefined : IS_OPEN;
}

/** In the turn: withdraws take-profits that wait for the market and certainly do not exist, for the symbol's sale. */
function takeBack({ context, reason }: Sale, { owned }: Look, symbol: string): void {
  for (const group of liveGroups(context, owned)) {
    if (group.symbol === symbol) context.outbox.withdrawOf(group.groupId, `the account is being sold: ${reason}`);
  }
}

/** Returns the held lots that no open order sells. */
function sellable({ held, open }: Holding, symbol: string): number {
  const sells = open.filter((order) => order.symbol === symbol && order.buySell === SELL);
  const selling = sells.reduce((sum, { quantity, filledQuantity }) => sum + Math.max(0, quantity - filledQuantity), 0);
  return Math.floor(Math.max(0, (held.get(symbol) ?? 0) - selling));
}

/** In the turn: ends a symbol's group, and makes a group that sells the symbol until its last lot (behaviour 18.5). */
function sell(
  { context, place, reason }: Sale,
  done: Done,
  rests: Flattened["left"],
  look: Look,
  symbol: string,
): void {
  const { owned, holding } = look;
  const quantity = sellable(holding, symbol);
  cancelGroups(
    context,
    done,
    liveGroups(context, owned).filter((group) => group.symbol === symbol),
  );
  const [id = 0] = context.journal.allocateIds(1);
  const price = Math.max(PRICE_MIN, context.prices.last(symbol)?.price.floor ?? PRICE_MIN);
  const timeMs = context.clock.nowMs();
  const sale = openSale({ price, quantity, notes: reason }, { ...place, symbol }, id, timeMs);
  context.actors.create("group", id, sale);
  context.actors.deliver("group", id, { type: "sellNow", timeMs });
  done.orders.push({ symbol, quantity, clientOrderId: context.orderName(id, sellName(id)) });
  salesOf(context).set(keyOf(place), saleCountOf(context, place) + 1);
  const rest = (holding.held.get(symbol) ?? 0) - quantity;
  if (rest > 0) rests.push({ symbol, quantity: rest, reason: IS_OPEN });
}

function cancelGroups(context: CommandContext, done: Done, groups: readonly OcoGroup[]): void {
  for (const group of groups.filter(canCancel)) {
    context.actors.deliver("group", group.groupId, { type: "cancel", timeMs: context.clock.nowMs() });
    done.cancelledGroups += 1;
  }
}

/** In the turn: ends groups without a holding and pending OCOs without a buy under way; lists what is still bought. */
function endRest({ context, cancels }: Sale, done: Done, { owned, holding, pending, isLast }: Look): void {
  const isFree = ({ symbol, groupId }: OcoGroup): boolean =>
    (holding.held.get(symbol) ?? 0) === 0 && !context.actors.isQuarantined(groupId) && !pending.has(symbol);
  const buys = holding.open.filter(({ buySell }) => buySell === BUY);
  const isBuying = (symbol: string): boolean => buys.some((order) => order.symbol === symbol);
  cancelGroups(
    context,
    done,
    liveGroups(context, owned).filter((group) => isFree(group) && !isBuying(group.symbol)),
  );
  for (const { symbol, quantity, filledQuantity, orderNo } of buys) {
    const isEnding = cancels.taken.has(orderNo) || (!isLast && !cancels.refused.has(orderNo));
    const reason = isEnding ? NOT_CONFIRMED : IS_BOUGHT;
    done.left.push({ symbol, quantity: quantity - filledQuantity, reason });
  }
  for (const id of owned.setups) {
    const found = context.actors.find("setup", id);
    if (found?.isEnded !== false || context.actors.isQuarantined(id)) continue;
    // No group would watch the lots that it buys after its end.
    const { buy, entry, outcome } = found.context;
    // An entry that is over is followed for its late fills only.
    if (entry !== undefined && outcome !== null) continue;
    if (isUnderWay(buy) && waitingTrigger(found.context) === undefined) {
      if (!isBuying(buy.symbol)) done.left.push({ symbol: buy.symbol, quantity: buy.quantity, reason: NOT_CONFIRMED });
      continue;
    }
    context.actors.deliver("setup", id, { type: "remove", timeMs: context.clock.nowMs() });
    done.removedSetups += 1;
  }
}

function executionsOfGroup({ followed }: OcoGroup): Execution[] {
  return followed.map(({ execution }) => execution);
}

function executionsIn(context: CommandContext, owned: Owned): Execution[] {
  const { actors } = context;
  const ofBots = owned.bots.flatMap(({ kind, id }) => {
    const bot = actors.find(kind, id);
    return bot === undefined ? [] : executionsOf(bot.context);
  });
  const ofSetups = owned.setups.flatMap((id) => {
    const setup = actors.find("setup", id);
    const pending = setup?.context;
    // Before its trigger is reached an entry has no order.
    return pending === undefined || waitingTrigger(pending) !== undefined ? [] : [pending.buy];
  });
  const ofClients = owned.groups.flatMap((id) => {
    const order = actors.find("clientOrder", id);
    return order === undefined ? [] : [order.context.execution];
  });
  return [...liveGroups(context, owned).flatMap(executionsOfGroup), ...ofBots, ...ofSetups, ...ofClients];
}

/**
 * How often flatten sold lots of an account since the process started. A sale may begin and end during one request to a
 * slow brokerage: another flatten that made the request must see that its answer is outdated.
 */
const saleCounts = new WeakMap<Journal, Map<string, number>>();

function salesOf({ journal }: CommandContext): Map<string, number> {
  const counts = saleCounts.get(journal) ?? new Map<string, number>();
  saleCounts.set(journal, counts);
  return counts;
}

function saleCountOf(context: CommandContext, place: AccountPlace): number {
  return salesOf(context).get(keyOf(place)) ?? 0;
}

function keyOf({ userId, brokerageCode, accountNumber }: AccountPlace): string {
  return JSON.stringify([userId, brokerageCode, accountNumber]);
}

/** Returns all that is known of the account's orders, to detect changes. */
function ordersOf(context: CommandContext, place: AccountPlace, owned: Owned): string {
  const pending = pendingOf(context, place).map(({ sequence }) => sequence);
  const rows = liveGroups(context, owned).map(({ groupId, rows: all, stopLossOrdersOpen }) => {
    return [groupId, stopLossOrdersOpen, all.map(({ status, isInFlight }) => [status, isInFlight])];
  });
  return JSON.stringify([pending, rows, executionsIn(context, owned), saleCountOf(context, place)]);
}
