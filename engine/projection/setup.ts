/**
 * Pending OCO setups as their owners see them: a row while one is registered, and events.
 *
 * A setup that ended leaves its group, the event with the reason why no group exists, and the answer to a query.
 */
import type { SetupView } from "../../src/contract/trading/setup.ts";
import { versionOf } from "../../src/domain/oco/group.ts";
import { requestedRungs } from "../../src/domain/oco/ladder.ts";
import { requestedTrailing } from "../../src/domain/oco/trailing.ts";
import { averagePriceOf, filledQuantityOf } from "../../src/domain/order/order-number.ts";
import { priceToNumber } from "../../src/domain/price/price.ts";
import { accept, type Refusal, type Result, refuse } from "../../src/domain/refusal.ts";
import { excessText, lostText, missedExitText, type PendingSetup, type SetupTier } from "../../src/domain/setup.ts";
import { cancelRefusedText } from "../../src/domain/setup-entry.ts";
import { formatTime } from "../../src/domain/time.ts";
import type { Actors, ViewRow } from "../ports/actor.ts";
import { padded } from "../table/tables.ts";

/** Where the registered setups of an account are listed, by id. */
export function setupListPrefix(userId: number, brokerageCode: string, accountNumber: string): string {
  return `setups/${padded(userId)}/${brokerageCode}/${encodeURIComponent(accountNumber)}/`;
}

/** The stored row of a registered setup. */
export function setupViews(setup: PendingSetup): readonly ViewRow[] {
  if (setup.outcome !== null) return [];
  const { userId, brokerageCode, accountNumber, setupId } = setup;
  const key = setupListPrefix(userId, brokerageCode, accountNumber) + padded(setupId);
  return [{ key, json: JSON.stringify(setupView(setup)) }];
}

/** A setup as it is shown. */
export function setupView(setup: PendingSetup): SetupView {
  const { setupId, brokerageCode, accountNumber, symbol, stopLoss, takeProfits, notes } = setup;
  const { quantity: stopLossQuantity, percent: stopLossPercent, price: stopLossPrice } = tierView(stopLoss);
  return {
    setupId,
    brokerageCode,
    accountNumber,
    brokerOrderNo: setup.brokerOrderNo || null,
    symbol,
    stopLossQuantity,
    stopLossPercent,
    stopLossPrice,
    takeProfitItems: takeProfits.map(tierView),
    dueDate: setup.dueAtMs === null ? null : formatTime(setup.dueAtMs),
    notes,
    exit: exitView(setup),
    stopLossTrailing: setup.trailing === undefined ? null : requestedTrailing(setup.trailing),
    stopLossLadder: requestedRungs(setup.ladder) ?? null,
    followPosition: setup.followsPosition === true,
    createdDate: formatTime(setup.createdAtMs),
    version: versionOf(setup),
    entry: entryView(setup),
    orderMessage: lostText(setup) ?? cancelRefusedText(setup) ?? setup.entry?.protection?.refusal ?? null,
  };
}

function entryView({ entry, stopLoss, buy }: PendingSetup): SetupView["entry"] {
  if (entry === undefined) return null;
  const { orderType, price, trigger, expiresAtMs } = entry;
  const moments = {
    triggerPrice: trigger === undefined ? null : priceToNumber(trigger.level),
    triggeredPrice: trigger?.reachedPrice ?? null,
    expiresAt: expiresAtMs === undefined ? null : formatTime(expiresAtMs),
  };
  const filled = { filledQuantity: filledQuantityOf(buy), averagePrice: averagePriceOf(buy) };
  const parts = { protectPartial: entry.protection !== undefined, groupId: entry.protection?.groupId ?? null };
  const isEnding = entry.ending !== undefined;
  return { orderType, price, ...moments, quantity: stopLoss.quantity, ...filled, ...parts, isEnding };
}

function exitView({ exitPolicy, exitTimes }: PendingSetup): SetupView["exit"] {
  if (exitPolicy === undefined && exitTimes === undefined) return null;
  const { atMs = null, beforeCloseMinutes = null } = exitTimes ?? {};
  return { stopLoss: exitPolicy ?? null, at: atMs === null ? null : formatTime(atMs), beforeCloseMinutes };
}

/** The user's setup of this id, even if it is over. NOT_FOUND if it is not at the named brokerage. */
export function findNamedSetup(
  actors: Pick<Actors, "find">,
  userId: number,
  { id, brokerageCode }: { readonly id: number; readonly brokerageCode?: string | undefined },
): Result<PendingSetup> {
  const setup = actors.find("setup", id)?.context;
  const isMeant = brokerageCode === undefined || setup?.brokerageCode === brokerageCode;
  return setup?.userId === userId && isMeant ? accept(setup) : refuseEnded(id, undefined);
}

/** CONFLICT with the result of a setup that is over, for a change that came too late (behaviour 5.9). */
export function refuseOver(setup: PendingSetup): Refusal {
  return refuse("CONFLICT", refuseEnded(setup.setupId, setup).message);
}

/** Refuses with NOT_FOUND and how a setup ended; `setup` is undefined if the user has no setup of this id. */
export function refuseEnded(id: number, setup: PendingSetup | undefined): Refusal {
  const end = setup === undefined ? undefined : endOf(setup);
  return refuse(
    "NOT_FOUND",
    end === undefined ? `pending OCO ${id} was not found` : `pending OCO ${id} is over: ${end}`,
  );
}

function endOf({ outcome, entry }: PendingSetup): string | undefined {
  switch (outcome?.type) {
    case undefined:
      return undefined;
    case "converted":
      return `it became the OCO group ${outcome.groupId}`;
    case "conversionFailed":
      return `no group was made: ${outcome.reason}`;
    case "entryRefused":
      return `its order was refused: ${outcome.reason}`;
    case "removed":
      if (outcome.isByOwner) return "it was removed";
      if (entry?.trigger !== undefined && entry.trigger.reachedPrice === undefined)
        return "its trigger was not reached in time";
      return `its order was cancelled or rejected${outcome.isPartFilled ? " after a part of it was filled" : ""}`;
  }
}

/** The payload of a setup's event: the setup, the group it became, or why it became none. */
export function setupEvent(setup: PendingSetup): object {
  const row = setupView(setup);
  const { outcome } = setup;
  switch (outcome?.type) {
    case undefined:
      return { row, ...messageOf(row.orderMessage) };
    case "converted":
      return { row, groupId: outcome.groupId, ...messageOf(conversionWarning(setup)) };
    case "conversionFailed":
    case "entryRefused":
      return { row, message: outcome.reason };
    case "removed":
      return { row, isPartFilled: outcome.isPartFilled, isByOwner: outcome.isByOwner };
  }
}

/** What the owner should look at in the group that a setup became; null: nothing. */
function conversionWarning(setup: PendingSetup): string | null {
  const warnings = [excessText(setup), missedExitText(setup)].filter((text) => text !== null);
  return warnings.length === 0 ? null : warnings.join("; ");
}

function messageOf(message: string | null): object {
  return message === null ? {} : { message };
}

function tierView(tier: SetupTier): SetupView["takeProfitItems"][number] {
  const { quantity } = tier;
  if ("price" in tier) return { quantity, percent: null, price: priceToNumber(tier.price) };
  return { quantity, percent: tier.percent, price: null };
}
