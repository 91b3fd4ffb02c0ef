/**
 * Valid OCO groups: the checks of a create request and the terms it shares with a pending registration.
 *
 * Owns: quantity rule, price order, due date, notes. Does not own: ids, the life after creation (`oco.ts`).
 */
import type { Calendar } from "../market/calendar.ts";
import type { ActionPolicy } from "../market/corporate-action.ts";
import type { Hundredths } from "../price/price.ts";
import { parseQuantity } from "../price/quantity.ts";
import { parseGridPrice, type TickTable } from "../price/tick-table.ts";
import { accept, type Result, refuse } from "../refusal.ts";
import { parseDeadline } from "../time-zone.ts";
import {
  type Corporate,
  type ExitPolicy,
  type Growth,
  type Ladder,
  type TimedExit,
  type TrailingTerms,
  withActionPolicy,
} from "./group.ts";
import { checkRungs, type LadderRequest, planLadder } from "./ladder.ts";
import { type ExitRequest, planExitTimes, timedExitOf } from "./timed-exit.ts";
import { checkActivation, planTrailing, type TrailingRequest } from "./trailing.ts";

/** The longest note, in characters (code points) (behaviour 7). */
export const NOTES_LENGTH_MAX = 500;
/** Most take-profit rows in a group (behaviour 7.4). */
export const TAKE_PROFITS_MAX = 50;

/** A client's request to create a group, already of the right shape. */
export interface GroupRequest extends LadderRequest {
  readonly stopLossPrice: number;
  readonly stopLossQuantity: number;
  readonly takeProfitItems: readonly { readonly price: number; readonly quantity: number }[];
  readonly dueDate?: string | null | undefined;
  readonly notes?: string | null | undefined;
  readonly exit?: ExitRequest | null | undefined;
  readonly stopLossTrailing?: TrailingRequest | null | undefined;
  readonly followPosition?: boolean | undefined;
  readonly corporateActions?: ActionPolicy | null | undefined;
}

/** A valid group without ids. */
export interface GroupPlan {
  readonly stopLoss: Tier;
  /** By price, then as given. */
  readonly takeProfits: readonly Tier[];
  readonly dueAtMs: number | null;
  readonly notes: string | null;
  /** Absent: the policy of the installation (`EXIT_POLICY`). */
  readonly exitPolicy?: ExitPolicy;
  /** Absent: the stop-loss does not move. */
  readonly trailing?: TrailingTerms;
  readonly ladder?: Ladder;
  /** Absent: the stop-loss sells by its price alone. */
  readonly timedExit?: TimedExit;
  /** True: it shrinks with its position (behaviour 26.5). */
  readonly followsPosition?: true;
  /** Present: more can be bought for it. It sells with the oversell guard. */
  readonly growth?: Growth;
  /** Absent: its levels follow corporate actions. */
  readonly corporate?: Corporate;
}

export interface Tier {
  readonly price: Hundredths;
  readonly quantity: number;
}

/**
 * Checks a create request against every rule (behaviour 1.5, 3.6, 4.2, 4.14). `table` is the symbol's tick table. The
 * refusal names the field and the rule.
 */
export function planGroup(
  request: GroupRequest,
  nowMs: number,
  table: TickTable = "BIST",
  zone = "UTC",
  calendar?: Calendar,
): Result<GroupPlan> {
  const stopLossPrice = parseGridPrice(request.stopLossPrice, "stopLossPrice", table);
  if (!stopLossPrice.ok) return stopLossPrice;
  const stopLossQuantity = parseQuantity(request.stopLossQuantity, "stopLossQuantity");
  if (!stopLossQuantity.ok) return stopLossQuantity;
  const takeProfits: Tier[] = [];
  for (const [index, item] of request.takeProfitItems.entries()) {
    const price = parseGridPrice(item.price, `takeProfitItems[${index}].price`, table);
    if (!price.ok) return price;
    const quantity = parseQuantity(item.quantity, `takeProfitItems[${index}].quantity`);
    if (!quantity.ok) return quantity;
    takeProfits.push({ price: price.value, quantity: quantity.value });
  }
  const stopLoss = { price: stopLossPrice.value, quantity: stopLossQuantity.value };
  const tiers = checkTiers(stopLoss, takeProfits);
  if (!tiers.ok) return tiers;
  const terms = planTerms(request, nowMs, zone);
  if (!terms.ok) return terms;
  const times = planExitTimes(request.exit, nowMs, calendar);
  if (!times.ok) return times;
  const timedExit = times.value ? timedExitOf(times.value, nowMs, calendar) : undefined;
  const trailing = trailingTerms(request, table);
  if (!trailing.ok) return trailing;
  const activation = checkActivation(trailing.value.trailing, stopLoss.price);
  if (!activation.ok) return activation;
  const ladder = ladderTerms(request, tiers.value, table);
  if (!ladder.ok) return ladder;
  const corporate = withActionPolicy(undefined, request.corporateActions);
  const moves = { ...trailing.value, ...ladder.value, ...(timedExit !== undefined && { timedExit }), ...corporate };
  const follows = request.followPosition === true ? { followsPosition: true as const } : {};
  return accept({ stopLoss, takeProfits: tiers.value, ...terms.value, ...exitTerms(request), ...moves, ...follows });
}

function ladderTerms(
  request: LadderRequest,
  takeProfits: readonly Tier[],
  table: TickTable,
): Result<{ readonly ladder?: Ladder }> {
  const ladder = planLadder(request, { takeProfitCount: takeProfits.length, isEntryKnownLater: false, table });
  if (!ladder.ok) return ladder;
  const rungs = checkRungs(ladder.value, takeProfits);
  if (!rungs.ok) return rungs;
  return accept(ladder.value === undefined ? {} : { ladder: ladder.value });
}

/** How the stop-loss follows the price, if the request states it (behaviour 19.1). */
export function trailingTerms(
  { stopLossTrailing }: Pick<GroupRequest, "stopLossTrailing">,
  table: TickTable,
): Result<{ readonly trailing?: TrailingTerms }> {
  if (!stopLossTrailing) return accept({});
  const trailing = planTrailing(stopLossTrailing, table);
  return trailing.ok ? accept({ trailing: trailing.value }) : trailing;
}

/** How the stop-loss is sold, if the request states it (behaviour 14.1). */
export function exitTerms({ exit }: { readonly exit?: ExitRequest | null | undefined }): {
  readonly exitPolicy?: ExitPolicy;
} {
  return exit?.stopLoss === undefined ? {} : { exitPolicy: exit.stopLoss };
}

/** The count of take-profits, the quantity rule (behaviour 4.2) and stop-loss under every take-profit. */
export function checkTiers(stopLoss: Tier, takeProfits: readonly Tier[]): Result<readonly Tier[]> {
  const quantities = checkQuantities(
    stopLoss.quantity,
    takeProfits.map((tier) => tier.quantity),
  );
  if (!quantities.ok) return quantities;
  for (const [index, tier] of takeProfits.entries()) {
    if (tier.price <= stopLoss.price) {
      return refuse("INVALID", `takeProfitItems[${index}].price must be higher than stopLossPrice`);
    }
  }
  return accept([...takeProfits].sort((left, right) => left.price - right.price));
}

/** 1 to 50 take-profits whose quantities together are not above the stop-loss quantity (behaviour 4.2, 7.4). */
export function checkQuantities(stopLossQuantity: number, takeProfitQuantities: readonly number[]): Result<void> {
  if (takeProfitQuantities.length === 0) return refuse("INVALID", "takeProfitItems must have at least 1 element");
  if (takeProfitQuantities.length > TAKE_PROFITS_MAX) {
    return refuse("INVALID", `takeProfitItems must have at most ${TAKE_PROFITS_MAX} elements`);
  }
  const total = takeProfitQuantities.reduce((sum, quantity) => sum + quantity, 0);
  if (total > stopLossQuantity) {
    return refuse(
      "INVALID",
      `takeProfitItems quantities together (${total}) must not be above stopLossQuantity (${stopLossQuantity})`,
    );
  }
  return accept(undefined);
}

/**
 * `dueDate` in the future, as a date the end of that day in `zone`, and `notes` of at most 500 characters
 * (behaviour 1.5; behaviour 7).
 */
export function planTerms(
  request: { readonly dueDate?: string | null | undefined; readonly notes?: string | null | undefined },
  nowMs: number,
  zone: string,
): Result<{ readonly dueAtMs: number | null; readonly notes: string | null }> {
  const notes = request.notes ?? null;
  if (notes !== null && [...notes].length > NOTES_LENGTH_MAX) {
    return refuse("INVALID", `notes must have at most ${NOTES_LENGTH_MAX} characters`);
  }
  if (request.dueDate === undefined || request.dueDate === null) return accept({ dueAtMs: null, notes });
  const dueAtMs = parseDeadline(request.dueDate, "dueDate", zone);
  if (!dueAtMs.ok) return dueAtMs;
  if (dueAtMs.value <= nowMs) return refuse("INVALID", "dueDate must be in the future");
  return accept({ dueAtMs: dueAtMs.value, notes });
}
