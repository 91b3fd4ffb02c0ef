/**
 * The pending OCO setup: waits for a brokerage buy order to complete and becomes a group (behaviour 5).
 *
 * Owns: what a valid registration is, the group's levels from the fill price, the forms of its end. Does not own: what
 * the order's life changes (`setup-end.ts`), judging the brokerage's reports (`order/execution.ts`), looking the order up
 * at registration, opening the group, uniqueness among registered setups (the claim of `machine/setup.ts`).
 */
import type { Calendar } from "./market/calendar.ts";
import type { ActionPolicy } from "./market/corporate-action.ts";
import type { Renamed } from "./market/rename.ts";
import { type ExitPolicy, type ExitTimes, type Ladder, type TrailingTerms, withActionPolicy } from "./oco/group.ts";
import { checkRungs, type LadderRequest, planLadder } from "./oco/ladder.ts";
import {
  checkQuantities,
  checkTiers,
  exitTerms,
  type GroupPlan,
  planTerms,
  type Tier,
  trailingTerms,
} from "./oco/oco-plan.ts";
import { type ExitRequest, planExitTimes, timedExitOf, withoutPast } from "./oco/timed-exit.ts";
import type { TrailingRequest } from "./oco/trailing.ts";
import { DOUBT_SENTENCES } from "./order/doubt.ts";
import { beginExecution, type Execution } from "./order/execution.ts";
import { BUY, LIMIT, type MARKET, ORDER_OPEN } from "./order/order.ts";
import { filledQuantityOf } from "./order/order-number.ts";
import { type PercentKind, parsePercent, stopLossLevel, takeProfitLevel } from "./price/percent.ts";
import type { Hundredths } from "./price/price.ts";
import { parseQuantity, prorate } from "./price/quantity.ts";
import { parseGridPrice, type TickTable } from "./price/tick-table.ts";
import { accept, type Result, refuse } from "./refusal.ts";
import { groupCorporate, type SetupCorporate } from "./setup-corporate.ts";
import { formatTime } from "./time.ts";

/** What a client sends to register a setup, already of the right shape. Null is as good as absent. */
export interface SetupRequest {
  readonly stopLossQuantity: number;
  readonly stopLossPercent?: number | null | undefined;
  readonly stopLossPrice?: number | null | undefined;
  readonly takeProfitItems: readonly {
    readonly quantity: number;
    readonly percent?: number | null | undefined;
    readonly price?: number | null | undefined;
  }[];
  readonly dueDate?: string | null | undefined;
  readonly notes?: string | null | undefined;
  readonly exit?: ExitRequest | null | undefined;
  readonly stopLossTrailing?: TrailingRequest | null | undefined;
  readonly stopLossLadder?: LadderRequest["stopLossLadder"];
  readonly corporateActions?: ActionPolicy | null | undefined;
  readonly followPosition?: boolean | undefined;
}

/** A level to be: so many percent from the fill price, or a price. */
export type SetupTier =
  | { readonly quantity: number; readonly percent: number }
  | { readonly quantity: number; readonly price: Hundredths };

/** A valid registration without an id. */
export interface SetupPlan {
  readonly stopLoss: SetupTier;
  /** As given: their prices are not known before the fill. */
  readonly takeProfits: readonly SetupTier[];
  readonly dueAtMs: number | null;
  readonly notes: string | null;
  /** The symbol's tick table when the levels were given: percent levels will be on it. */
  readonly tickTable: TickTable;
  /** Of the group to be; absent: the installation's `EXIT_POLICY` at the conversion. */
  readonly exitPolicy?: ExitPolicy;
  /** How the stop-loss of the group to be follows the price; absent: it stays. */
  readonly trailing?: TrailingTerms;
  /** When the stop-loss of the group to be sells by the clock; absent: never. */
  readonly exitTimes?: ExitTimes;
  /** Its entry is the fill to come. */
  readonly ladder?: Ladder;
  /** The group's policy for corporate actions, and the actions that counted (behaviour 28.5). */
  readonly corporate?: SetupCorporate;
  /** True: the group to be shrinks with its position (behaviour 26.5). */
  readonly followsPosition?: true;
}

/** `orderType` of an entry that buys at market once the price has risen to its trigger (behaviour 24.11). */
export const STOP_ENTRY = 3;

/** An entry: the buy that a setup places itself (behaviour 24). Its quantity is the stop-loss quantity. */
export interface Entry {
  readonly orderType: typeof MARKET | typeof LIMIT | typeof STOP_ENTRY;
  /** In currency units; 0 for any other than a limit order. */
  readonly price: number;
  /** The command that the brokerage's answer settles; absent: of a stop entry, whose command was answered before. */
  readonly commandId?: string;
  /** Of a stop entry; absent: the buy was sent when it was made. */
  readonly trigger?: EntryTrigger;
  /** When what is not filled is cancelled, in epoch milliseconds; absent: never. */
  readonly expiresAtMs?: number;
  /** Absent: its end was not asked for. */
  readonly ending?: EntryEnding;
  /** Absent: nothing is protected before the buy has ended. */
  readonly protection?: Protection;
}

/** Facts of its buy that the group of an entry has received (behaviour 24.7): repeated facts bring no lots. */
export interface Protection {
  /** Null: no part was filled, or no group could be made of it. */
  readonly groupId: number | null;
  readonly bought: number;
  /** Their average price in currency units; null: not known. */
  readonly price: number | null;
  readonly isBuying: boolean;
  /** Why no group could be made of a part; absent: one could. */
  readonly refusal?: string;
}

/** The level at which a stop entry buys. */
export interface EntryTrigger {
  readonly level: Hundredths;
  /** Since when it counts, in epoch milliseconds; absent: since the setup was made. */
  readonly armedAtMs?: number;
  /** The live price that reached it, in currency units; absent: none did, and no order exists. */
  readonly reachedPrice?: number;
}

/** Why and when an entry is cancelled at the brokerage. */
export interface EntryEnding {
  /** `group`: its stop-loss fired or was cancelled. */
  readonly by: "owner" | "dueDate" | "expiresAt" | "group";
  /** When the cancel is asked for again, in epoch milliseconds. */
  readonly againAtMs: number;
  /** What the brokerage refused a cancel with; absent: it refused none. */
  readonly refusal?: string;
  /** True: it refused a second one, 10 s later, and the owner was notified. */
  readonly isRefusalTold?: true;
}

/** How a setup ended. */
export type SetupOutcome =
  | { readonly type: "converted"; readonly groupId: number; readonly timeMs: number }
  | { readonly type: "conversionFailed"; readonly reason: string; readonly timeMs: number }
  /** The buy of an entry does not exist and never will. */
  | { readonly type: "entryRefused"; readonly reason: string; readonly timeMs: number }
  | {
      readonly type: "removed";
      readonly isPartFilled: boolean;
      /** True: its owner removed it; an order that the owner placed continues without it. */
      readonly isByOwner: boolean;
      readonly timeMs: number;
    };

export interface PendingSetup extends SetupPlan, Renamed {
  readonly version: 2;
  readonly setupId: number;
  readonly userId: number;
  readonly brokerageCode: string;
  readonly accountNumber: string;
  /** Empty while the brokerage has not answered the buy of an entry. */
  readonly brokerOrderNo: string;
  readonly symbol: string;
  readonly createdAtMs: number;
  /** The brokerage order, as it was when it was registered and as the brokerage reported it since. */
  readonly buy: Execution;
  /** The average price of the completed order in currency units; null before. */
  readonly fillPrice: number | null;
  readonly outcome: SetupOutcome | null;
  /** True: it converted after the moment of `exit.at`, which does not count for its group (behaviour 21.5). */
  readonly hasMissedExitAt?: true;
  /** How often its owner changed the plan; absent: never. */
  readonly changes?: number;
  /** Absent: its owner placed the buy. */
  readonly entry?: Entry;
}

/**
 * Checks a registration (behaviour 5.6), its quantities (behaviour 4.2) and the terms of groups. Fixed levels must be
 * in order (behaviour 5.1); whether percent levels are shows only at the fill. Refusals are INVALID.
 */
export function planSetup(
  request: SetupRequest,
  nowMs: number,
  tickTable: TickTable = "BIST",
  zone = "UTC",
  calendar?: Calendar,
): Result<SetupPlan> {
  const { stopLossQuantity, stopLossPercent, stopLossPrice, takeProfitItems } = request;
  const stopLoss = planTier(
    { quantity: stopLossQuantity, percent: stopLossPercent, price: stopLossPrice },
    { quantity: "stopLossQuantity", percent: "stopLossPercent", price: "stopLossPrice" },
    "stopLoss",
    tickTable,
  );
  if (!stopLoss.ok) return stopLoss;
  const takeProfits: SetupTier[] = [];
  for (const [index, item] of takeProfitItems.entries()) {
    const field = `takeProfitItems[${index}]`;
    const fields = { quantity: `${field}.quantity`, percent: `${field}.percent`, price: `${field}.price` };
    const takeProfit = planTier(item, fields, "takeProfit", tickTable);
    if (!takeProfit.ok) return takeProfit;
    takeProfits.push(takeProfit.value);
  }
  const quantities = checkQuantities(
    stopLoss.value.quantity,
    takeProfits.map((tier) => tier.quantity),
  );
  if (!quantities.ok) return quantities;
  const order = checkFixedOrder(stopLoss.value, takeProfits);
  if (!order.ok) return order;
  const terms = planTerms(request, nowMs, zone);
  if (!terms.ok) return terms;
  const times = planExitTimes(request.exit, nowMs, calendar);
  if (!times.ok) return times;
  const trailing = trailingTerms(request, tickTable);
  if (!trailing.ok) return trailing;
  const { stopLossLadder } = request;
  const ladder = planLadder(
    { stopLossLadder },
    { takeProfitCount: takeProfits.length, isEntryKnownLater: true, table: tickTable },
  );
  if (!ladder.ok) return ladder;
  const whole = { stopLoss: stopLoss.value, takeProfits, ...terms.value, ...exitTerms(request), ...trailing.value };
  const exitTimes = times.value ? { exitTimes: times.value } : {};
  const corporate = withActionPolicy(undefined, request.corporateActions);
  return accept({
    ...whole,
    ...exitTimes,
    ...corporate,
    ...(request.followPosition === true && { followsPosition: true as const }),
    tickTable,
    ...(ladder.value !== undefined && { ladder: ladder.value }),
  });
}

/** The setup of a plan, registered. */
export function registerSetup(
  plan: SetupPlan,
  owner: Pick<PendingSetup, "setupId" | "userId" | "brokerageCode" | "accountNumber" | "brokerOrderNo" | "symbol">,
  order: RegisteredOrder,
  nowMs: number,
): PendingSetup {
  return {
    version: 2,
    setupId: owner.setupId,
    userId: owner.userId,
    brokerageCode: owner.brokerageCode,
    accountNumber: owner.accountNumber,
    brokerOrderNo: owner.brokerOrderNo,
    symbol: owner.symbol,
    stopLoss: plan.stopLoss,
    takeProfits: plan.takeProfits,
    dueAtMs: plan.dueAtMs,
    notes: plan.notes,
    tickTable: plan.tickTable,
    ...(plan.exitPolicy !== undefined && { exitPolicy: plan.exitPolicy }),
    ...(plan.trailing !== undefined && { trailing: plan.trailing }),
    ...(plan.ladder !== undefined && { ladder: plan.ladder }),
    ...(plan.exitTimes !== undefined && { exitTimes: plan.exitTimes }),
    ...(plan.corporate !== undefined && { corporate: plan.corporate }),
    ...(plan.followsPosition && { followsPosition: true as const }),
    createdAtMs: nowMs,
    buy: beginBuy(owner, order, nowMs),
    fillPrice: null,
    outcome: null,
  };
}

/** The order of a registration: what contradicts it later is another order (behaviour 13.1). */
interface RegisteredOrder {
  readonly clientOrderId: string | null;
  readonly quantity: number;
  readonly orderType: number;
  readonly price: number;
  readonly createdDate: string;
}

function beginBuy(
  { brokerOrderNo, symbol }: Pick<PendingSetup, "brokerOrderNo" | "symbol">,
  { clientOrderId, quantity, orderType, price, createdDate }: RegisteredOrder,
  nowMs: number,
): Execution {
  const limitPrice = orderType === LIMIT && price > 0 ? price : null;
  const wish = { clientOrderId, symbol, buySell: BUY, quantity, limitPrice, needsPrice: true, createdDate } as const;
  return beginExecution(wish, brokerOrderNo, ORDER_OPEN, nowMs).execution;
}

/** True while the group of a completed order is asked for and not answered. */
export function isConverting(setup: PendingSetup): boolean {
  return setup.fillPrice !== null && setup.outcome === null;
}

/** True while the setup waits for its order. */
export function isRegistered(setup: PendingSetup): boolean {
  return setup.fillPrice === null && setup.outcome === null;
}

/** True if the end of the order removed the setup, and not its owner. */
export function isRemovedByEnd({ outcome }: PendingSetup): boolean {
  return outcome?.type === "removed" && !outcome.isByOwner;
}

/** True while a late fill of the order that ended counts (behaviour 5.7); of an entry's however it ended (24.5). */
export function isAfterEnd(setup: PendingSetup): boolean {
  const isOver = setup.entry === undefined ? isRemovedByEnd(setup) : setup.outcome !== null;
  return isOver && setup.buy.phase !== "settled";
}

/**
 * A warning about a stop-loss that sells more lots than the order buys (behaviour 5.3a); null if it does not, or if the
 * order's quantity is not known. An entry's sells what was bought. `filledQuantity` lots count once something was filled.
 */
export function excessText({ stopLoss, buy, entry }: Pick<PendingSetup, "stopLoss" | "buy" | "entry">): string | null {
  if (entry !== undefined) return null;
  const bought = filledQuantityOf(buy) || buy.quantity;
  if (bought === 0 || stopLoss.quantity <= bought) return null;
  return `the stop-loss sells ${stopLoss.quantity} lots, and the order buys ${bought}`;
}

/** Whether the moment of `exit.at` has passed: a group that is made now must not immediately sell the bought lots. */
export function missesExitAt({ exitTimes }: Pick<PendingSetup, "exitTimes">, nowMs: number): boolean {
  return exitTimes !== undefined && exitTimes.atMs !== null && exitTimes.atMs <= nowMs;
}

/** A warning that `exit.at` had passed before the group was made (behaviour 21.5); null if it had not. */
export function missedExitText({ exitTimes, hasMissedExitAt }: PendingSetup): string | null {
  if (hasMissedExitAt !== true || exitTimes === undefined || exitTimes.atMs === null) return null;
  return `exit.at ${formatTime(exitTimes.atMs)} had passed before the group was made, so it does not sell at that time`;
}

/** Why the order is in doubt, as text; null if it is not (behaviour 5.8). */
export function lostText({ buy, brokerOrderNo }: Pick<PendingSetup, "buy" | "brokerOrderNo">): string | null {
  if (buy.phase !== "inDoubt") return null;
  const { doubt = "notFound" } = buy;
  const why =
    doubt === "notFound"
      ? `the brokerage does not know order ${brokerOrderNo} any more`
      : `order ${brokerOrderNo} is in doubt, as ${DOUBT_SENTENCES[doubt]}`;
  return `${why}; the pending OCO waits until it is found or removed`;
}

/**
 * Plans the group of a completed order. Refused (INVALID) with the reason that the setup keeps: a level is not a price,
 * the levels are not in order (behaviour 5.4), or `dueDate` has passed, so that the group would end as it starts.
 */
export function planConversion(
  setup: PendingSetup,
  fillPrice: number,
  nowMs: number,
  calendar?: Calendar,
): Result<GroupPlan> {
  if (isDue(setup, nowMs)) return refuse("INVALID", DUE_DATE_PASSED);
  const bought = boughtTiers(setup);
  const stopLoss = tierAt(bought.stopLoss, fillPrice, stopLossLevel, setup.tickTable);
  if (!stopLoss.ok) return stopLoss;
  const takeProfits: Tier[] = [];
  for (const { level, quantity } of bought.takeProfits) {
    const takeProfit = tierAt({ ...level, quantity }, fillPrice, takeProfitLevel, setup.tickTable);
    if (!takeProfit.ok) return takeProfit;
    takeProfits.push(takeProfit.value);
  }
  const tiers = checkTiers(stopLoss.value, takeProfits);
  if (!tiers.ok) return tiers;
  const { dueAtMs, notes, exitPolicy, trailing, followsPosition } = setup;
  const ladder = ladderOver(setup.ladder, takeProfits.length);
  const exitTimes = withoutPast(setup.exitTimes, nowMs);
  const hasTimes = exitTimes !== undefined && (exitTimes.atMs !== null || exitTimes.beforeCloseMinutes !== null);
  const climbs = ladder === undefined ? undefined : { ...ladder, entryPrice: fillPrice };
  const rungs = checkRungs(climbs, tiers.value);
  if (!rungs.ok) return rungs;
  const terms = {
    ...{ dueAtMs, notes },
    ...(exitPolicy !== undefined && { exitPolicy }),
    ...(trailing !== undefined && { trailing }),
    ...(climbs !== undefined && { ladder: climbs }),
    ...(hasTimes && { timedExit: timedExitOf(exitTimes, nowMs, calendar) }),
    ...groupCorporate(setup, fillPrice),
    ...(followsPosition && { followsPosition }),
  };
  const growth = growthOf(setup, tiers.value, takeProfits, bought.takeProfits);
  return accept({ stopLoss: stopLoss.value, takeProfits: tiers.value, ...terms, ...growth });
}

/** `sorted` are the take-profits by price, `given` those in the order of `bought`. */
function growthOf(
  setup: PendingSetup,
  sorted: readonly Tier[],
  given: readonly Tier[],
  bought: readonly { readonly tier: number }[],
): Pick<GroupPlan, "growth"> {
  if (setup.entry?.protection === undefined) return {};
  const tiers = sorted.map((tier) => bought[given.indexOf(tier)]?.tier ?? 0);
  return { growth: { setupId: setup.setupId, ...boughtBy(setup), tiers } };
}

/** How many lots the buy has filled, and whether it may fill more. */
export function boughtBy({ buy }: Pick<PendingSetup, "buy">): { readonly bought: number; readonly isBuying: boolean } {
  return { bought: filledQuantityOf(buy), isBuying: buy.phase !== "settled" };
}

/**
 * Returns the levels with the lots that they sell. The stop-loss of an entry sells the filled lots, each take-profit
 * its share of them (behaviour 24.4).
 */
function boughtTiers({ entry, buy, stopLoss, takeProfits }: PendingSetup) {
  const tiers = takeProfits.map((level, tier) => ({ level, tier, quantity: level.quantity }));
  if (entry === undefined) return { stopLoss, takeProfits: tiers };
  const filled = filledQuantityOf(buy);
  const shares = prorate(
    takeProfits.map(({ quantity }) => quantity),
    filled,
    stopLoss.quantity,
  );
  // The last one keeps a lot, so that take-profits do not appear and disappear while more is filled.
  const isLast = (tier: number): boolean => entry.protection !== undefined && tier === tiers.length - 1;
  const shared = tiers.map((one) => ({ ...one, quantity: Math.max(shares[one.tier] ?? 0, isLast(one.tier) ? 1 : 0) }));
  return {
    stopLoss: { ...stopLoss, quantity: filled },
    takeProfits: shared.filter(({ quantity }) => quantity > 0),
  };
}

/** The ladder without rungs that count more take-profits than there are: a part fill may leave fewer. */
function ladderOver(ladder: Ladder | undefined, takeProfitCount: number): Ladder | undefined {
  const rungs = ladder?.rungs.filter(({ afterTakeProfits }) => afterTakeProfits <= takeProfitCount) ?? [];
  return ladder === undefined || rungs.length === 0 ? undefined : { ...ladder, rungs };
}

export const DUE_DATE_PASSED = "dueDate has passed";

/** From its due date on a setup makes no group (behaviour 5.4). */
export function isDue({ dueAtMs }: PendingSetup, timeMs: number): boolean {
  return dueAtMs !== null && dueAtMs <= timeMs;
}

/** Fixed levels must be in order (behaviour 5.1). */
export function checkFixedOrder(stopLoss: SetupTier, takeProfits: readonly SetupTier[]): Result<void> {
  if (!("price" in stopLoss)) return accept(undefined);
  const wrong = takeProfits.findIndex((tier) => "price" in tier && tier.price <= stopLoss.price);
  if (wrong === -1) return accept(undefined);
  return refuse("INVALID", `takeProfitItems[${wrong}].price must be higher than stopLossPrice`);
}

/** The names of a level's fields, for refusals. */
export interface TierFields {
  readonly quantity: string;
  readonly percent: string;
  readonly price: string;
}

/** A level of a registration: exactly one of percent and price is given (behaviour 5.6). */
export function planTier(
  given: SetupRequest["takeProfitItems"][number],
  fields: TierFields,
  kind: PercentKind,
  table: TickTable,
): Result<SetupTier> {
  const quantity = parseQuantity(given.quantity, fields.quantity);
  if (!quantity.ok) return quantity;
  const givenPercent = given.percent ?? undefined;
  const givenPrice = given.price ?? undefined;
  if (givenPercent !== undefined && givenPrice === undefined) {
    const percent = parsePercent(givenPercent, fields.percent, kind);
    return percent.ok ? accept({ quantity: quantity.value, percent: percent.value }) : percent;
  }
  if (givenPrice !== undefined && givenPercent === undefined) {
    const price = parseGridPrice(givenPrice, fields.price, table);
    return price.ok ? accept({ quantity: quantity.value, price: price.value }) : price;
  }
  return refuse("INVALID", `exactly one of ${fields.percent} and ${fields.price} must be given`);
}

/** A level at a fill price in currency units. Refused (INVALID) if the fill is not a price. */
export function tierAt(
  tier: SetupTier,
  fillPrice: number,
  levelOf: (fillPrice: number, percent: number, table: TickTable) => Result<Hundredths>,
  table: TickTable,
): Result<Tier> {
  if ("price" in tier) return accept({ price: tier.price, quantity: tier.quantity });
  const level = levelOf(fillPrice, tier.percent, table);
  return level.ok ? accept({ price: level.value, quantity: tier.quantity }) : level;
}
