/**
 * What would happen to the rows of a group if a price reached them now, as clients see it (behaviour 25).
 *
 * Owns: the words. Does not own: what happens (`Foresight` asks the code that decides it).
 */
import type { RowOutlookView } from "../../src/contract/trading/outlook.ts";
import { isOpen, isStopping, type OcoGroup, type OcoRow, STOP_LOSS } from "../../src/domain/oco/group.ts";
import { leftOfStopLoss } from "../../src/domain/oco/oco.ts";
import { LIMIT, MARKET } from "../../src/domain/order/order.ts";
import { priceToNumber } from "../../src/domain/price/price.ts";
import { formatTime } from "../../src/domain/time.ts";
import type { Holdings } from "../ports/brokerage.ts";
import type { OperatedHolds } from "../ports/operator.ts";
import type { ForeseenOrder, Foresight, TradingStateTable } from "../ports/order.ts";
import type { MeasureTable } from "../ports/reference.ts";
import { dateOf } from "./sells.ts";

interface OutlookPlace {
  readonly foresight: Foresight;
  readonly holds: Pick<OperatedHolds, "find" | "isHeld">;
  readonly measures: Pick<MeasureTable, "effectsOf">;
  readonly tradingStates: Pick<TradingStateTable, "of">;
  readonly holdings: Pick<Holdings, "find">;
}

type Reason = RowOutlookView["reasons"][number];

/** Of each row that a price can fire, the stop-loss first. */
export function outlookRows(place: OutlookPlace, group: OcoGroup): RowOutlookView[] {
  return group.rows.flatMap((row, index) => (isOpen(row) ? [outlookOf(place, group, row, index)] : []));
}

function outlookOf(place: OutlookPlace, group: OcoGroup, row: OcoRow, index: number): RowOutlookView {
  const isStopLoss = index === STOP_LOSS;
  const what = {
    id: row.id,
    orderType: isStopLoss ? 2 : 1,
    price: priceToNumber(row.price),
    quantity: row.quantity,
    ...{ order: null, laterQuantity: 0, waitsUntil: null, opensDate: null },
  } as const;
  const foreseen = place.foresight.ofRow(group.groupId, index);
  const kept = whyKept(place, group, foreseen?.isHalted);
  if (kept !== undefined || foreseen === undefined) return { ...what, result: "doesNotFire", reasons: kept ?? [] };
  const [order] = foreseen.orders;
  if (order === undefined) {
    const reason = {
      code: "NOTHING_LEFT",
      message: "other orders of the group sell all of its lots, or its account holds none",
    } as const;
    return { ...what, result: "nothingLeft", reasons: [reason] };
  }
  const { quantity, limit, wait, opensAtMs } = order;
  const laterQuantity = isStopLoss ? Math.max(0, leftOfStopLoss(foreseen.after) - quantity) : 0;
  return {
    ...what,
    result: wait === undefined ? "sells" : "waits",
    order: { orderType: limit === undefined ? MARKET : LIMIT, price: limit ?? null, quantity },
    laterQuantity,
    waitsUntil: dateOf(wait?.untilMs),
    opensDate: dateOf(opensAtMs),
    reasons: reasonsOf(place, group, row, order, { isStopLoss, laterQuantity }),
  };
}

/** Why a row does not fire at any price; undefined: it fires. `isHalted` is undefined if it cannot be asked. */
function whyKept(place: OutlookPlace, group: OcoGroup, isHalted: boolean | undefined): Reason[] | undefined {
  const { holds, tradingStates } = place;
  if (isHalted === undefined) {
    return [{ code: "QUARANTINED", message: "the group is in quarantine after a fault and waits for an operator" }];
  }
  if (isStopping(group)) return [{ code: "STOP_LOSS_SELLING", message: "the stop-loss of the group is being sold" }];
  const reasons: Reason[] = [];
  if (holds.isHeld(group.symbol, group.groupId)) {
    const why = holds.find(group.symbol)?.reason ?? "";
    reasons.push({ code: "SYMBOL_HELD", message: `${group.symbol} is held until it is released: ${why}` });
  }
  if (isHalted) {
    reasons.push({ code: "TRADING_HALTED", message: `trading is halted: ${tradingStates.of(group)?.reason ?? ""}` });
  }
  return reasons.length === 0 ? undefined : reasons;
}

function reasonsOf(
  { measures, holdings }: OutlookPlace,
  group: OcoGroup,
  row: OcoRow,
  { quantity, limit, isFloorMissing, wait, opensAtMs }: ForeseenOrder,
  { isStopLoss, laterQuantity }: { readonly isStopLoss: boolean; readonly laterQuantity: number },
): Reason[] {
  const { symbol } = group;
  const { noMarket, auctionOnly, valueCap } = measures.effectsOf(symbol);
  const reasons: Reason[] = [];
  const say = (code: Reason["code"], message: string): void => void reasons.push({ code, message });
  if (wait !== undefined) say("MEASURE_WAIT", `${wait.reason}: the order waits`);
  if (isFloorMissing) {
    say("FLOOR_UNKNOWN", "market orders are refused, and today's floor is not known: it leaves as a market order");
  } else if (noMarket === true) {
    say("NO_MARKET_ORDERS", `market orders are refused: it is a limit order at the floor of the day, ${limit}`);
  }
  if (valueCap === null) say("VALUE_CAP_UNKNOWN", "the largest value of an order is not known: none is made smaller");
  else if (valueCap !== undefined && laterQuantity > 0) {
    say("VALUE_CAP", `an order is at most ${valueCap}: ${quantity} lots, the others one order after another`);
  } else if (valueCap !== undefined && !isStopLoss && quantity * priceToNumber(row.price) > valueCap) {
    say("VALUE_CAP", `its value is above ${valueCap}, the largest of an order: the exchange may refuse it`);
  }
  if (auctionOnly === true) say("AUCTION_ONLY", "it fills in an auction");
  if (opensAtMs !== undefined) {
    say("MARKET_CLOSED", `the market is closed until ${formatTime(opensAtMs)} by its calendar: it is tried until then`);
  }
  const held = holdings.find(group, symbol);
  if (held !== undefined && quantity + laterQuantity > held.quantity) {
    const moment = formatTime(held.atMs);
    say("MORE_THAN_HELD", `it sells ${quantity + laterQuantity}, and the account held ${held.quantity} at ${moment}`);
  }
  return reasons;
}
