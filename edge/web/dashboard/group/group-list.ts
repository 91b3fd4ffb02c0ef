/** Which groups of an account the list shows, and in which order. */
import { ACTIVE, type Group, TRIGGER_FAILED } from "../state/model.ts";

export const FILTERS = ["all", "active", "over", "failed"] as const;
export type GroupFilter = (typeof FILTERS)[number];

export const ORDERS = ["newest", "nearest", "symbol"] as const;
export type GroupOrder = (typeof ORDERS)[number];

const FITS: Readonly<Record<GroupFilter, (group: Group) => boolean>> = {
  all: () => true,
  active: ({ isActive }) => isActive,
  over: ({ isActive }) => !isActive,
  failed: ({ rows }) => rows.some(({ status }) => status === TRIGGER_FAILED),
};

interface ListChoice {
  readonly symbol: string;
  readonly filter: GroupFilter;
  readonly order: GroupOrder;
}

/**
 * The groups to show. `newest` keeps the order of `groups`; `symbol` sorts by symbol, and `nearest` puts the group first whose next level is the
 * smallest share of its price away. Groups without a level under watch or without a price are last.
 */
export function chooseGroups(
  groups: readonly Group[],
  { symbol, filter, order }: ListChoice,
  priceOf: (symbol: string) => number | undefined,
): readonly Group[] {
  const shown = groups.filter((group) => group.symbol.includes(symbol) && FITS[filter](group));
  if (order === "newest") return shown;
  if (order === "symbol") return shown.toSorted((left, right) => left.symbol.localeCompare(right.symbol, "en"));
  const distances = new Map(shown.map((group) => [group, distanceOf(group, priceOf(group.symbol))]));
  const of = (group: Group): number => distances.get(group) ?? Number.POSITIVE_INFINITY;
  return shown.toSorted((left, right) => (of(left) < of(right) ? -1 : of(left) > of(right) ? 1 : 0));
}

function distanceOf({ rows }: Group, price: number | undefined): number {
  if (price === undefined || price <= 0) return Number.POSITIVE_INFINITY;
  const active = rows.filter(({ status }) => status === ACTIVE);
  return Math.min(...active.map((row) => Math.abs(row.price / price - 1)));
}
