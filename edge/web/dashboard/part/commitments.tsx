/** The lots of a symbol that are not free: by which group, order or bot they can be sold (behaviour 11.1). */
import type { ComponentChildren } from "preact";
import { SELL } from "../../../../src/domain/order/order.ts";
import { say } from "../language/say.ts";
import { ACTIVE, type Group, type Holding, isOpen, type LedgerRow, type Order, STOP_LOSS } from "../state/model.ts";
import { quantityText } from "./words.ts";

/**
 * The lots that nothing sells by itself, below zero if more can be sold than is held; undefined: not known. A pending
 * OCO sells lots that its buy brings, so it takes none (behaviour 26.2).
 */
export function freeLots({ held, openSells, committed }: LedgerRow): number | undefined {
  return held === null || openSells === null ? undefined : held - openSells - committed.groups - committed.bots;
}

/**
 * The ledger's row of a position; undefined if it was not read yet, or if it was read before or after a fill that the
 * position does not contain: free lots of two moments would be wrong.
 */
export function rowOfPosition(
  ledger: ReadonlyMap<string, LedgerRow> | undefined,
  { symbol, quantity }: Holding,
): LedgerRow | undefined {
  const row = ledger?.get(symbol);
  return row === undefined || row.held === null || row.held === quantity ? row : undefined;
}

interface FreeProps {
  /** Undefined: the ledger is not read yet. */
  readonly row: LedgerRow | undefined;
  /** The lots that stop-losses protect; undefined: not known. */
  readonly protectedLots?: number | undefined;
}

/**
 * The free lots as a number, or why it is missing. If groups commit more lots than they protect, the reason is under the
 * pointer: the ledger counts all lots of a stop-loss (behaviour 4.3).
 */
export function Free({ row, protectedLots }: FreeProps) {
  if (row === undefined) return <span class="hint">{say("Reading…")}</span>;
  const free = freeLots(row);
  if (free === undefined) return <span class="hint">{say("not known")}</span>;
  const sold = protectedLots === undefined ? 0 : (row?.committed.groups ?? 0) - protectedLots;
  const why = sold > 0 ? soldText(sold) : undefined;
  if (free >= 0 && why === undefined) return <span>{quantityText(free)}</span>;
  if (free >= 0)
    return (
      <span class="explained" title={why}>
        {quantityText(free)}
        <span class="hidden"> {why}</span>
      </span>
    );
  return <strong class="bad">{say("{lots} too many committed", { lots: quantityText(-free) })}</strong>;
}

function soldText(lots: number): string {
  return say("The service counts all lots of a stop-loss as committed, also {lots} that take-profits have sold.", {
    lots: quantityText(lots),
  });
}

interface CommitmentsProps {
  readonly symbol: string;
  readonly row: LedgerRow | undefined;
  readonly groups: readonly Group[];
  /** Of the day; undefined: not read yet. */
  readonly orders: readonly Order[] | undefined;
  /** Whether the caller names the group of the symbol, if nothing else sells its lots. */
  readonly isGroupNamed?: boolean;
}

/** Who sells how many lots; nothing if all lots are free. */
export function Commitments({ symbol, row, groups, orders, isGroupNamed = false }: CommitmentsProps) {
  const ofGroups = groupParts(symbol, groups);
  const others = [...orderParts(symbol, orders), ...botParts(row), ...entryParts(row)];
  if (others.length + ofGroups.length === 0) return null;
  if (isGroupNamed && others.length === 0 && ofGroups.length === 1) return null;
  return <span class="hint commitments">{[...ofGroups, ...others]}</span>;
}

function groupParts(symbol: string, groups: readonly Group[]): readonly ComponentChildren[] {
  return groups
    .filter((group) => group.symbol === symbol)
    .flatMap(({ id, rows }) => {
      const stop = rows.find(({ orderType, status }) => orderType === STOP_LOSS && status === ACTIVE);
      if (stop === undefined) return [];
      return [
        <a key={`group ${id}`} href={`#/groups/${id}`}>
          {say("Group {id}: {lots}", { id, lots: quantityText(stop.quantity) })}
        </a>,
      ];
    });
}

function orderParts(symbol: string, orders: readonly Order[] = []): readonly ComponentChildren[] {
  return orders
    .filter((order) => order.symbol === symbol && order.buySell === SELL && isOpen(order))
    .map(({ orderNo, quantity, filledQuantity }) => (
      <span key={`order ${orderNo}`}>
        {say("Order {number}: {lots}", { number: orderNo, lots: quantityText(quantity - filledQuantity) })}
      </span>
    ));
}

function botParts(row: LedgerRow | undefined): readonly ComponentChildren[] {
  const lots = row?.committed.bots ?? 0;
  if (lots === 0) return [];
  return [
    <a key="bots" href="#/bots">
      {say("Bots: {lots}", { lots: quantityText(lots) })}
    </a>,
  ];
}

function entryParts(row: LedgerRow | undefined): readonly ComponentChildren[] {
  const lots = row?.committed.entries ?? 0;
  if (lots === 0) return [];
  return [
    <a key="pending" href="#/pending">
      {say("Pending: {lots} after the buy", { lots: quantityText(lots) })}
    </a>,
  ];
}
