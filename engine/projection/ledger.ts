/**
 * What an account holds, what its open orders sell and what may still be sold of it, as its brokerage answers now.
 *
 * Invariant: a brokerage that cannot be asked leaves its part unknown, and takes nothing from the rest.
 */
import type { OrderRecord } from "../../src/contract/trading/order.ts";
import { isEnded, SELL } from "../../src/domain/order/order.ts";
import { type LedgerEntries, lotsBySymbol } from "../../src/domain/order/sell-ledger.ts";
import type { Clock } from "../../src/runtime/ports.ts";
import type { AccountPlace, Brokerage, Brokerages, Holdings } from "../ports/brokerage.ts";
import type { Store } from "../ports/storage.ts";
import { commitmentsOf } from "./commitments.ts";

interface LedgerContext {
  readonly brokerages: Brokerages;
  readonly holdings: Holdings;
  readonly clock: Clock;
  readonly store: Pick<Store, "scan">;
}

interface Ledger extends LedgerEntries {
  /** When the brokerage reported what is held. */
  readonly heldAtMs: number;
}

/** By symbol. The brokerage is asked twice, one question after the other. Undefined if it is not known here. */
export async function readLedger(
  { brokerages, holdings, clock, store }: LedgerContext,
  place: AccountPlace,
): Promise<Ledger | undefined> {
  const brokerage = brokerages.find(place.brokerageCode);
  if (brokerage === undefined) return undefined;
  const positions = await brokerage.positions({ ...place, includeOrders: false });
  const heldAtMs = clock.nowMs();
  if (positions.ok) holdings.learn(place, positions.data);
  const openSells = await openSellsOf(brokerage, place);
  return {
    held: positions.ok ? lotsBySymbol(positions.data, ({ quantity }) => quantity) : undefined,
    heldAtMs,
    openSells,
    commitments: await commitmentsOf(store, place),
  };
}

/** Lots of the day's open sells, by symbol; undefined if the brokerage does not report them now. */
export async function openSellsOf(
  brokerage: Pick<Brokerage, "dailyOrders">,
  place: AccountPlace,
): Promise<ReadonlyMap<string, number> | undefined> {
  const orders = await brokerage.dailyOrders(place);
  return orders.ok ? lotsBySymbol(orders.data.filter(isOpenSell), restOf) : undefined;
}

function isOpenSell(order: OrderRecord): boolean {
  return order.buySell === SELL && !isEnded(order);
}

function restOf({ quantity, filledQuantity }: OrderRecord): number {
  return Math.max(0, quantity - filledQuantity);
}
