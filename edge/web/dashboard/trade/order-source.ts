/**
 * Who sent an order of the day: the user, a group, a bot or a pending OCO.
 *
 * The service names the owner of an order while it follows the order. Later the name of the order remains, which contains
 * the row of a group and the pending OCO, but not the bot. An order that was given at the brokerage itself has neither.
 */
import type { FollowedOrder, Group, Order } from "../state/model.ts";

export type SourceKind = FollowedOrder["owner"]["type"] | "unknown";

export interface OrderSource {
  readonly kind: SourceKind;
  /** The group, bot or pending OCO; undefined: not known. */
  readonly id: number | undefined;
}

type Owners = ReadonlyMap<string, FollowedOrder["owner"]>;

/** Ends the name of each order of the service: the sell of a row, an order of a pair, an entry, an order of a client. */
const NAME = /-(?:r(?<row>\d+)(?:-n?\d+)?|(?<pair>p\d+[bs]\d*)(?:-[0-9a-z]+)?|e(?<setup>\d+)|(?<client>c\d+))$/;

/** Returns the owners of followed orders by each of their numbers. An order that a pending OCO waits for is its client's. */
export function ownersOf(followed: readonly FollowedOrder[]): Owners {
  const owners = new Map<string, FollowedOrder["owner"]>();
  for (const { orderNumbers, owner } of followed) {
    for (const number of orderNumbers) if (owners.get(number)?.type !== "client") owners.set(number, owner);
  }
  return owners;
}

/** Returns the source of an order. `groups`: of its account. */
export function sourceOf(
  { orderNo, clientOrderId }: Pick<Order, "orderNo" | "clientOrderId">,
  owners: Owners,
  groups: readonly Group[],
): OrderSource {
  const owner = owners.get(orderNo);
  if (owner !== undefined) return { kind: owner.type, id: owner.id };
  const { row, pair, setup, client } = NAME.exec(clientOrderId ?? "")?.groups ?? {};
  if (row !== undefined) return { kind: "group", id: groupOfRow(Number(row), groups) };
  if (setup !== undefined) return { kind: "pendingOco", id: Number(setup) };
  if (pair !== undefined) return { kind: "bot", id: undefined };
  return { kind: client === undefined ? "unknown" : "client", id: undefined };
}

function groupOfRow(rowId: number, groups: readonly Group[]): number | undefined {
  return groups.find(({ id, rows }) => id === rowId || rows.some((row) => row.id === rowId))?.id;
}
