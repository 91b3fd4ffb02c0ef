/**
 * The entry of a pending OCO: the buy that the setup places itself (behaviour 24).
 *
 * Owns: what a valid entry is, its brokerage's answer, ending it before it is filled. Does not own: its lots
 * (`setup-sizing.ts`), its trigger (`setup-trigger.ts`), what the order's life changes for the setup (`setup-end.ts`), the
 * levels of the group (`setup.ts`), sending and cancelling.
 *
 * Invariants:
 * 1. The buy has one name, which is known before it is sent and never given to another order.
 * 2. An entry that is to end is asked to be cancelled until its end is known; only its fills count, never the asking.
 */
import type { Calendar } from "./market/calendar.ts";
import { awaitAnswer, beginExecution, type ExecutionStep, isUnderWay } from "./order/execution.ts";
import { BUY, LIMIT, MARKET } from "./order/order.ts";
import type { OrderPlaced, OrderRefused } from "./order/order-news.ts";
import { checkOrder, type OrderTerms } from "./order/order-request.ts";
import { numberText, priceToNumber } from "./price/price.ts";
import { prorate, QUANTITY_MIN } from "./price/quantity.ts";
import type { TickTable } from "./price/tick-table.ts";
import { accept, type Refusal, type Result, refuse } from "./refusal.ts";
import {
  type Entry,
  type EntryEnding,
  type EntryTrigger,
  isDue,
  type PendingSetup,
  type Protection,
  planSetup,
  type SetupPlan,
  type SetupRequest,
  STOP_ENTRY,
} from "./setup.ts";
import type { SetupDecision } from "./setup-decision.ts";
import { type SizeRequest, sizeEntry } from "./setup-sizing.ts";
import { planTrigger, waitingTrigger } from "./setup-trigger.ts";
import { parseDeadline } from "./time-zone.ts";

/** A cancel that had no effect yet is asked for again. */
const CANCEL_AGAIN_MS = 10_000;
/** The lots of a hundred percent, in hundredths of a percent. */
const WHOLE = 10_000;

type TakeProfitItem = Omit<SetupRequest["takeProfitItems"][number], "quantity"> & {
  readonly quantity?: number | undefined;
  /** Of the lots of the entry. */
  readonly quantityPercent?: number | undefined;
};

/** What a client sends to enter with exits, already of the right shape. */
interface EntryRequest extends Omit<SetupRequest, "stopLossQuantity" | "takeProfitItems"> {
  readonly symbol: string;
  readonly protectPartial: boolean;
  readonly entry: SizeRequest & {
    readonly orderType: number;
    readonly price?: number | undefined;
    readonly triggerPrice?: number | undefined;
    readonly expiresAt?: string | null | undefined;
  };
  readonly takeProfitItems: readonly TakeProfitItem[];
}

/** A valid entry without an id: its buy, and the plan of its exits. */
export interface EntryPlan {
  /** Of a stop entry the market order that its trigger sends. */
  readonly order: OrderTerms;
  readonly plan: SetupPlan;
  /** Of a stop entry. */
  readonly trigger: EntryTrigger | undefined;
  readonly expiresAtMs: number | undefined;
  /** Whether the group is made of the first part that is filled. */
  readonly protectsParts: boolean;
}

/** Checks an entry against the rules of an order (behaviour 6.1), of a registration (5.6) and its own (24.2). */
export function planEntry(
  request: EntryRequest,
  { nowMs, table, zone, calendar, lastPrice }: EntryTerms,
): Result<EntryPlan> {
  const { symbol, entry, protectPartial: protectsParts, stopLossPercent, stopLossPrice } = request;
  const trigger = planTrigger(entry, table);
  if (!trigger.ok) return trigger;
  const orderType = trigger.value === undefined ? entry.orderType : MARKET;
  const unsized = checkOrder({ ...entry, orderType, symbol, buySell: BUY, quantity: QUANTITY_MIN }, () => table);
  if (!unsized.ok) return { ...unsized, message: `entry.${unsized.message}` };
  const known = trigger.value === undefined ? unsized.value.price || lastPrice : priceToNumber(trigger.value.level);
  const sized = sizeEntry(entry, { stopLossPercent, stopLossPrice, symbol, price: known, table });
  if (!sized.ok) return sized;
  const expiry = planExpiry(entry.expiresAt, "entry.expiresAt", nowMs, zone);
  if (!expiry.ok) return expiry;
  const quantity = sized.value;
  const order = { ...unsized.value, quantity };
  const quantities = lotsOf(request.takeProfitItems, quantity);
  if (!quantities.ok) return quantities;
  const takeProfitItems = request.takeProfitItems.map(({ percent, price }, index) => {
    return { percent, price, quantity: quantities.value[index] ?? 0 };
  });
  const plan = planSetup({ ...request, stopLossQuantity: quantity, takeProfitItems }, nowMs, table, zone, calendar);
  if (!plan.ok) return plan;
  const around = checkAround({ ...order, trigger: trigger.value }, plan.value);
  const timed = { trigger: trigger.value, expiresAtMs: expiry.value };
  return around ?? accept({ order, plan: plan.value, protectsParts, ...timed });
}

/** The terms with which an entry is planned. */
interface EntryTerms {
  readonly nowMs: number;
  readonly table: TickTable;
  readonly zone: string;
  readonly calendar?: Calendar | undefined;
  /** The last live price in currency units; undefined: none is known that is recent. */
  readonly lastPrice?: number | undefined;
}

/** When the buy of an entry is cancelled; undefined: never. Refusals are INVALID and name `field`. */
export function planExpiry(
  expiresAt: string | null | undefined,
  field: string,
  nowMs: number,
  zone: string,
): Result<number | undefined> {
  if (expiresAt === undefined || expiresAt === null) return accept(undefined);
  const atMs = parseDeadline(expiresAt, field, zone);
  if (!atMs.ok || atMs.value > nowMs) return atMs;
  return refuse("INVALID", `${field} must be in the future`);
}

/** The lots of each take-profit. Shares are rounded down, and the last one has the rest. */
function lotsOf(items: readonly TakeProfitItem[], quantity: number): Result<readonly number[]> {
  const percents: number[] = [];
  for (const [index, item] of items.entries()) {
    const field = `takeProfitItems[${index}]`;
    if ((item.quantity === undefined) === (item.quantityPercent === undefined)) {
      return refuse("INVALID", `exactly one of ${field}.quantity and ${field}.quantityPercent must be given`);
    }
    if (item.quantityPercent === undefined) continue;
    const percent = Math.round(item.quantityPercent * 100);
    if (percent / 100 !== item.quantityPercent) {
      return refuse("INVALID", `${field}.quantityPercent ${item.quantityPercent} has more than two decimals`);
    }
    percents.push(percent);
  }
  const shares = percents.length === 0 ? [] : [...prorate(percents, quantity, WHOLE)];
  const lots = items.map((item) => item.quantity ?? shares.shift() ?? 0);
  const empty = lots.indexOf(0);
  if (empty === -1) return accept(lots);
  return refuse("INVALID", `takeProfitItems[${empty}].quantityPercent of ${quantity} lots is less than one lot`);
}

/** Refuses levels that the limit price, or the trigger, reaches already: they would sell the bought lots immediately. */
export function checkAround(
  { orderType, price, trigger }: Pick<Entry, "orderType" | "price"> & { readonly trigger?: EntryTrigger | undefined },
  { stopLoss, takeProfits }: Pick<SetupPlan, "stopLoss" | "takeProfits">,
): Refusal | undefined {
  if (orderType !== LIMIT && trigger === undefined) return undefined;
  const at = trigger === undefined ? price : priceToNumber(trigger.level);
  const field = `entry.${trigger === undefined ? "price" : "triggerPrice"} (${numberText(at)})`;
  if ("price" in stopLoss && priceToNumber(stopLoss.price) >= at) {
    return refuse("INVALID", `stopLossPrice must be lower than ${field}`);
  }
  const wrong = takeProfits.findIndex((tier) => "price" in tier && priceToNumber(tier.price) <= at);
  return wrong === -1 ? undefined : refuse("INVALID", `takeProfitItems[${wrong}].price must be higher than ${field}`);
}

/** The setup of an entry whose buy is named `clientOrderId`, and is asked for now or once its trigger is reached. */
export function enter(
  { order, plan, protectsParts, trigger, expiresAtMs }: EntryPlan,
  owner: Pick<PendingSetup, "setupId" | "userId" | "brokerageCode" | "accountNumber">,
  { clientOrderId, commandId }: { readonly clientOrderId: string; readonly commandId?: string },
  nowMs: number,
): PendingSetup {
  const { symbol, quantity, orderType, price } = order;
  const limitPrice = orderType === LIMIT ? price : null;
  const wish = {
    clientOrderId,
    symbol,
    buySell: BUY,
    quantity,
    limitPrice,
    needsPrice: true,
    createdDate: null,
  } as const;
  return {
    ...{ version: 2, ...owner, brokerOrderNo: "", symbol, ...plan, createdAtMs: nowMs },
    buy: awaitAnswer(wish, nowMs),
    fillPrice: null,
    outcome: null,
    entry: {
      ...{ orderType: trigger === undefined ? orderType : STOP_ENTRY, price },
      ...(commandId !== undefined && { commandId }),
      ...(trigger !== undefined && { trigger }),
      ...(expiresAtMs !== undefined && { expiresAtMs }),
      ...(protectsParts && { protection: UNTOLD }),
    },
  };
}

const UNTOLD: Protection = { groupId: null, bought: 0, price: null, isBuying: true };

/** The name of the buy of an entry among the orders of its setup. */
export function entryName({ setupId }: Pick<PendingSetup, "setupId">): string {
  return `e${setupId}`;
}

/** Whether the brokerage has not answered the buy of an entry. */
export function isUnanswered({ entry, buy, outcome }: PendingSetup): boolean {
  return entry !== undefined && outcome === null && buy.orders.length === 0;
}

/** Whether an answer is that to the buy of this entry. */
export function isAnswerToEntry(setup: PendingSetup, { name }: OrderPlaced | OrderRefused): boolean {
  return isUnanswered(setup) && name === entryName(setup);
}

/** The brokerage took the buy of an entry. */
export function placeEntry(
  setup: PendingSetup,
  { orderNo, orderStatus, timeMs }: OrderPlaced,
): { readonly setup: PendingSetup; readonly step: ExecutionStep } {
  const step = beginExecution(setup.buy, orderNo, orderStatus, timeMs);
  return { setup: { ...setup, brokerOrderNo: orderNo, buy: step.execution }, step };
}

/** The buy of an entry does not exist: nothing of it is followed. */
export function refuseEntry(setup: PendingSetup, { message, timeMs }: OrderRefused): PendingSetup {
  const { ending } = setup.entry ?? {};
  const outcome =
    ending === undefined
      ? ({ type: "entryRefused", reason: message, timeMs } as const)
      : ({ type: "removed", isPartFilled: false, isByOwner: ending.by === "owner", timeMs } as const);
  return { ...forget(setup), outcome };
}

/** The entry that waits for its trigger is over: no order of it exists. Undefined if it does not wait. */
export function endWaiting(setup: PendingSetup, isByOwner: boolean, timeMs: number): SetupDecision | undefined {
  if (waitingTrigger(setup) === undefined) return undefined;
  const outcome = { type: "removed", isPartFilled: false, isByOwner, timeMs } as const;
  return { setup: { ...forget(setup), outcome }, group: null, notices: [], told: [] };
}

/**
 * Marks the entry for a cancel at the brokerage; undefined if it is marked already, or its buy is over or lost. On
 * behalf of its group a lost buy is marked too, and cancelled once it is found.
 */
export function endEntry(setup: PendingSetup, by: EntryEnding["by"], timeMs: number): PendingSetup | undefined {
  const { entry, outcome } = setup;
  if (entry === undefined || entry.ending !== undefined || outcome !== null) return undefined;
  const isNow = canCancel(setup);
  if (!isNow && by !== "group") return undefined;
  return { ...setup, entry: { ...entry, ending: { by, againAtMs: isNow ? timeMs + CANCEL_AGAIN_MS : timeMs } } };
}

/** The entry, to be cancelled once more, if that is due. */
export function endAgain(setup: PendingSetup, timeMs: number): PendingSetup | undefined {
  const againAtMs = endAgainMs(setup);
  if (againAtMs === null || againAtMs > timeMs || setup.entry?.ending === undefined) return undefined;
  const ending = { ...setup.entry.ending, againAtMs: timeMs + CANCEL_AGAIN_MS };
  return { ...setup, entry: { ...setup.entry, ending } };
}

/** When the cancel of an entry is asked for, or asked for again; null: it is not. */
export function cancelAtMs(setup: PendingSetup): number | null {
  const { entry, dueAtMs } = setup;
  if (entry?.ending !== undefined || !canCancel(setup)) return endAgainMs(setup);
  return dueAtMs === null ? (entry?.expiresAtMs ?? null) : Math.min(dueAtMs, entry?.expiresAtMs ?? dueAtMs);
}

/** Which of its moments has passed for an entry; undefined: none. */
export function passedMoment(setup: PendingSetup, timeMs: number): "dueDate" | "expiresAt" | undefined {
  if (isDue(setup, timeMs)) return "dueDate";
  const { expiresAtMs } = setup.entry ?? {};
  return expiresAtMs !== undefined && expiresAtMs <= timeMs ? "expiresAt" : undefined;
}

/**
 * The brokerage refused to cancel the buy of an entry. A first refusal may mean that the buy has just ended; after a second
 * one, 10 s later, the owner is notified, once (behaviour 24.3).
 */
export function refuseCancel(setup: PendingSetup, message: string): SetupDecision | undefined {
  const { entry } = setup;
  if (entry?.ending === undefined || !canCancel(setup) || entry.ending.isRefusalTold === true) return undefined;
  const { refusal } = entry.ending;
  const told = refusal === undefined ? {} : { isRefusalTold: true as const };
  const next = { ...setup, entry: { ...entry, ending: { ...entry.ending, refusal: message, ...told } } };
  const notice = { type: "setup.cancelRefused", message: cancelRefusedText(next) } as const;
  return { setup: next, group: null, notices: refusal === undefined ? [] : [notice], told: [] };
}

/** That the brokerage does not cancel the buy of an entry, as text; null: it may. */
export function cancelRefusedText({ entry }: PendingSetup): string | null {
  if (entry?.ending?.isRefusalTold !== true) return null;
  return `the brokerage refuses to cancel the buy, which stays open: ${entry.ending.refusal ?? ""}`;
}

function endAgainMs(setup: PendingSetup): number | null {
  const { entry } = setup;
  if (entry?.ending === undefined || !canCancel(setup) || isUnanswered(setup)) return null;
  return entry.ending.againAtMs;
}

/** The setup without its order: no news of it counts any more. */
export function forget(setup: PendingSetup): PendingSetup {
  const { unpriced: _, ...buy } = setup.buy;
  return { ...setup, buy: { ...buy, phase: "settled", askAtMs: null } };
}

/** One in doubt is not known to its brokerage: it is cancelled once it is found. */
export function canCancel({ outcome, fillPrice, buy }: PendingSetup): boolean {
  return outcome === null && fillPrice === null && isUnderWay(buy) && buy.phase !== "inDoubt";
}
