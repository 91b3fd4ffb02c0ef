/**
 * The pending OCO setup: waits for a brokerage buy order to complete and becomes a group (behaviour 5).
 *
 * Owns: what a valid registration is, what the brokerage's word on the order means, the group's levels from the fill
 * price, how a setup ended. Does not own: looking the order up at registration, opening the group, uniqueness among
 * registered setups (the claim of `machine/setup.ts`).
 *
 * Invariants:
 * 1. A setup ends once, and how it ended never changes.
 * 2. Only the completed order converts; a part fill changes nothing.
 * 3. Levels follow from the fill price of the whole order, never from a guess: a record that tells the order as
 *    completed and no price ends nothing, and the setup waits for a better one (behaviour 5.2).
 */
import type { ExitPolicy } from "./oco/group.ts";
import { checkQuantities, checkTiers, exitTerms, type GroupPlan, planTerms, type Tier } from "./oco/oco-plan.ts";
import { BUY, isCompletedAtPrice, isUndone, type OrderNotice } from "./order/order.ts";
import { type PercentKind, parsePercent, stopLossLevel, takeProfitLevel } from "./price/percent.ts";
import type { Hundredths } from "./price/price.ts";
import { parseQuantity } from "./price/quantity.ts";
import { parseGridPrice, type TickTable } from "./price/tick-table.ts";
import { accept, type Result, refuse } from "./refusal.ts";

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
  readonly exit?: { readonly stopLoss: ExitPolicy } | null | undefined;
}

/** A level to be: so many percent from the fill price, or a price. */
export type SetupTier =
  | { readonly quantity: number; readonly percent: number }
  | { readonly quantity: number; readonly price: Hundredths };

/** A valid registration without an id. */
interface SetupPlan {
  readonly stopLoss: SetupTier;
  /** As given: their prices are not known before the fill. */
  readonly takeProfits: readonly SetupTier[];
  readonly dueAtMs: number | null;
  readonly notes: string | null;
  /** That of its symbol when it was registered: its percent levels will be on it. */
  readonly tickTable: TickTable;
  /** Of the group to be; absent: as the installation says then (`EXIT_POLICY`). */
  readonly exitPolicy?: ExitPolicy;
}

/** How a setup ended. */
type SetupOutcome =
  | { readonly type: "converted"; readonly groupId: number; readonly timeMs: number }
  | { readonly type: "conversionFailed"; readonly reason: string; readonly timeMs: number }
  | {
      readonly type: "removed";
      readonly isPartFilled: boolean;
      /** True: its owner removed it, and the order goes on without it. */
      readonly isByOwner: boolean;
      readonly timeMs: number;
    };

export interface PendingSetup extends SetupPlan {
  readonly version: 1;
  readonly setupId: number;
  readonly userId: number;
  readonly brokerageCode: string;
  readonly accountNumber: string;
  readonly brokerOrderNo: string;
  readonly symbol: string;
  readonly createdAtMs: number;
  /** The average price of the completed order in currency units; null before. */
  readonly fillPrice: number | null;
  readonly outcome: SetupOutcome | null;
}

/**
 * Checks a registration (behaviour 5.6), its quantities (behaviour 4.2) and the terms of
 * groups. Fixed levels must be in order (behaviour 5.1); whether percent levels are shows only at the fill. Refusals are INVALID.
 */
export function planSetup(
  request: SetupRequest,
  nowMs: number,
  tickTable: TickTable = "BIST",
  zone = "UTC",
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
  return accept({ stopLoss: stopLoss.value, takeProfits, ...terms.value, ...exitTerms(request), tickTable });
}

/** The setup of a plan, registered. */
export function registerSetup(
  plan: SetupPlan,
  owner: Pick<PendingSetup, "setupId" | "userId" | "brokerageCode" | "accountNumber" | "brokerOrderNo" | "symbol">,
  nowMs: number,
): PendingSetup {
  return {
    version: 1,
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
    createdAtMs: nowMs,
    fillPrice: null,
    outcome: null,
  };
}

/** A setup after an event, and the group to be opened, if one is. */
export interface SetupDecision {
  readonly setup: PendingSetup;
  readonly group: GroupPlan | null;
}

/** True while the group of a completed order is asked for and not answered. */
export function isConverting(setup: PendingSetup): boolean {
  return setup.fillPrice !== null && setup.outcome === null;
}

/**
 * What the brokerage's word on an order means: completed, it converts or fails to; cancelled or rejected, the setup is
 * removed, also when a part was filled. Undefined where it changes nothing: another order, also one of the same number, a
 * part fill, a completed one without a price, a repetition.
 */
export function followOrder(setup: PendingSetup, notice: OrderNotice, timeMs: number): SetupDecision | undefined {
  const isWaiting = setup.outcome === null && setup.fillPrice === null;
  if (!isWaiting || notice.orderNo !== setup.brokerOrderNo) return undefined;
  if (isUndone(notice)) {
    if (notice.symbol !== setup.symbol || notice.buySell !== BUY) return undefined;
    return ended(setup, { type: "removed", isPartFilled: notice.filledQuantity > 0, isByOwner: false, timeMs });
  }
  if (!isCompletedAtPrice(notice)) return undefined;
  const plan = planConversion(setup, notice, timeMs);
  if (!plan.ok) return ended(setup, { type: "conversionFailed", reason: plan.message, timeMs });
  return { setup: { ...setup, fillPrice: notice.averagePrice }, group: plan.value };
}

/** The owner removes a registered setup; undefined where it has ended or converts. */
export function removeSetup(setup: PendingSetup, timeMs: number): SetupDecision | undefined {
  if (setup.outcome !== null || setup.fillPrice !== null) return undefined;
  return ended(setup, { type: "removed", isPartFilled: false, isByOwner: true, timeMs });
}

/**
 * Ends a registered setup whose `dueDate` has passed (behaviour 5.4): its group would end as it starts. Undefined where
 * it has ended, converts, has no `dueDate`, or has one that lies ahead.
 */
export function endDue(setup: PendingSetup, timeMs: number): SetupDecision | undefined {
  if (setup.outcome !== null || setup.fillPrice !== null || !isDue(setup, timeMs)) return undefined;
  return ended(setup, { type: "conversionFailed", reason: DUE_DATE_PASSED, timeMs });
}

/** The group was opened; undefined where none was asked for. */
export function endConverted(setup: PendingSetup, groupId: number, timeMs: number): SetupDecision | undefined {
  return isConverting(setup) ? ended(setup, { type: "converted", groupId, timeMs }) : undefined;
}

/** The group could not be opened, e.g. because one is active (behaviour 5.4); undefined where none was asked for. */
export function endRefused(setup: PendingSetup, reason: string, timeMs: number): SetupDecision | undefined {
  return isConverting(setup) ? ended(setup, { type: "conversionFailed", reason, timeMs }) : undefined;
}

/**
 * The group of a completed order. Refused (INVALID) with the reason that the setup keeps: the order is not the buy that
 * was registered, a level is no price, the levels are not in order (behaviour 5.4), or `dueDate`
 * has passed, so that the group would end as it starts.
 */
export function planConversion(setup: PendingSetup, notice: OrderNotice, nowMs: number): Result<GroupPlan> {
  if (notice.buySell !== BUY) return refuse("INVALID", "the brokerage order is not a buy order");
  if (notice.symbol !== setup.symbol) {
    return refuse("INVALID", `the brokerage order is for symbol ${notice.symbol}, not ${setup.symbol}`);
  }
  if (isDue(setup, nowMs)) return refuse("INVALID", DUE_DATE_PASSED);
  const stopLoss = tierAt(setup.stopLoss, notice.averagePrice, stopLossLevel, setup.tickTable);
  if (!stopLoss.ok) return stopLoss;
  const takeProfits: Tier[] = [];
  for (const item of setup.takeProfits) {
    const takeProfit = tierAt(item, notice.averagePrice, takeProfitLevel, setup.tickTable);
    if (!takeProfit.ok) return takeProfit;
    takeProfits.push(takeProfit.value);
  }
  const tiers = checkTiers(stopLoss.value, takeProfits);
  if (!tiers.ok) return tiers;
  const { dueAtMs, notes, exitPolicy } = setup;
  const terms = { dueAtMs, notes, ...(exitPolicy !== undefined && { exitPolicy }) };
  return accept({ stopLoss: stopLoss.value, takeProfits: tiers.value, ...terms });
}

const DUE_DATE_PASSED = "dueDate has passed";

function isDue({ dueAtMs }: PendingSetup, timeMs: number): boolean {
  return dueAtMs !== null && dueAtMs <= timeMs;
}

function ended(setup: PendingSetup, outcome: SetupOutcome): SetupDecision {
  return { setup: { ...setup, outcome }, group: null };
}

function checkFixedOrder(stopLoss: SetupTier, takeProfits: readonly SetupTier[]): Result<void> {
  if (!("price" in stopLoss)) return accept(undefined);
  const wrong = takeProfits.findIndex((tier) => "price" in tier && tier.price <= stopLoss.price);
  if (wrong === -1) return accept(undefined);
  return refuse("INVALID", `takeProfitItems[${wrong}].price must be higher than stopLossPrice`);
}

function planTier(
  given: SetupRequest["takeProfitItems"][number],
  fields: { readonly quantity: string; readonly percent: string; readonly price: string },
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

function tierAt(
  tier: SetupTier,
  fillPrice: number,
  levelOf: (fillPrice: number, percent: number, table: TickTable) => Result<Hundredths>,
  table: TickTable,
): Result<Tier> {
  if ("price" in tier) return accept({ price: tier.price, quantity: tier.quantity });
  const level = levelOf(fillPrice, tier.percent, table);
  return level.ok ? accept({ price: level.value, quantity: tier.quantity }) : level;
}
