/** What the service knows of orders at the brokerage: who sent them, and the pending OCOs of open buys. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import { BUY } from "../../../../src/domain/order/order.ts";
import { useReading } from "../part/use-reading.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { type FollowedOrder, isOpen, type Order, queryOf, type Setup } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import { type OrderSource, ownersOf, sourceOf } from "./order-source.ts";

const READ_AGAIN_MS = 3_000;
/** After as many readings an order that none of them names has another sender. */
const READINGS_MAX = 4;

interface Sources {
  /** The source of an order: by its name alone until the service has named the owners. */
  readonly sourceOfOrder: (order: Order) => OrderSource;
  /** Whether the source was read, and no later reading is to name another one. */
  readonly isSourceOf: (order: Order) => boolean;
}

interface OwnersReading {
  readonly followed: readonly FollowedOrder[];
  /** How many readings there were of each order of the list. */
  readonly readCounts: ReadonlyMap<string, number>;
}

/** A brokerage can list an order before the service knows its number: then the owners are read again. */
export function useSources(dashboard: DashboardState, orders: readonly Order[] | undefined): Sources {
  const account = useStore(dashboard.account);
  const groups = useStore(dashboard.groups);
  const last = useRef<OwnersReading | undefined>(undefined);
  const numbers = (orders ?? []).map(({ orderNo }) => orderNo);
  const read = async (): Promise<OwnersReading> => {
    if (account === undefined || numbers.length === 0) return { followed: [], readCounts: new Map() };
    const followed = await dashboard.session.get<readonly FollowedOrder[]>(`/api/v1/orders?${queryOf(account)}`);
    const countBefore = (number: string): number => last.current?.readCounts.get(number) ?? 0;
    return { followed, readCounts: new Map(numbers.map((number) => [number, countBefore(number) + 1])) };
  };
  const { data, readAgain } = useReading(dashboard, read, [account, numbers.join(",")]);
  last.current = data;
  const owners = useMemo(() => ownersOf(data?.followed ?? []), [data]);
  const sourceOfOrder = (order: Order): OrderSource => sourceOf(order, owners, groups);
  const isSourceOf = (order: Order): boolean => {
    const readCount = data?.readCounts.get(order.orderNo) ?? 0;
    return sourceOfOrder(order).kind === "unknown" ? readCount >= READINGS_MAX : readCount > 0;
  };
  const isAwaited = data !== undefined && orders?.every(isSourceOf) === false;
  useEffect(() => {
    if (!isAwaited) return;
    const timer = setTimeout(readAgain, READ_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [data, isAwaited, readAgain]);
  return { sourceOfOrder, isSourceOf };
}

interface Setups {
  /** The pending OCOs of open buys, by the number of the buy. */
  readonly setups: ReadonlyMap<string, Setup>;
  /** Whether the pending OCO of an order is among them, if it has one. */
  readonly areSetupsOf: (order: Order) => boolean;
}

export function useSetups(dashboard: DashboardState, orders: readonly Order[] | undefined): Setups {
  const account = useStore(dashboard.account);
  const changes = useStore(dashboard.setupChanges);
  const openBuys = (orders ?? []).filter((order) => isOpen(order) && order.buySell === BUY);
  const names = openBuys.map(({ orderNo }) => orderNo).join(",");
  const { data } = useReading(dashboard, async () => {
    if (account === undefined || names === "") return { account, changes, names, pending: [] };
    const pending = await dashboard.session.get<readonly Setup[]>(`/api/v1/oco-orders/pending?${queryOf(account)}`);
    return { account, changes, names, pending };
  }, [account, changes, names]);
  const setups = useMemo(() => {
    const pending = data?.pending ?? [];
    return new Map(pending.flatMap((setup) => (setup.brokerOrderNo === null ? [] : [[setup.brokerOrderNo, setup]])));
  }, [data]);
  const areRead = data?.account === account && data?.names === names && data.changes === changes;
  return { setups, areSetupsOf: ({ buySell }) => buySell !== BUY || areRead };
}
