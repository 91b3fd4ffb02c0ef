/** The lots of each symbol of an account that can still be sold, next to the held lots. Unknown is never zero. */
import { type Refusal, refuse } from "../refusal.ts";

/** `SELL_LEDGER`: what happens if more would be sold than is held (behaviour 26). */
export const SELL_LEDGERS = ["off", "warn", "refuse"] as const;
export type SellLedgerRule = (typeof SELL_LEDGERS)[number];

/** A reported holding limits a stop-loss only while it is younger. */
const FRESH_MS = 60_000;

/** Lots that can still be sold without another request. */
interface Committed {
  readonly groups: number;
  readonly bots: number;
  readonly entries: number;
}

interface LedgerRow {
  readonly symbol: string;
  readonly held: number | null;
  readonly openSells: number | null;
  readonly committed: Committed;
  /** `held` less all that can be sold; null if one of them is not known. */
  readonly worstCase: number | null;
}

export interface Commitment {
  readonly symbol: string;
  readonly by: keyof Committed;
  readonly quantity: number;
}

export interface LedgerEntries {
  /** Lots by symbol; undefined if the brokerage did not report them. */
  readonly held: ReadonlyMap<string, number> | undefined;
  readonly openSells: ReadonlyMap<string, number> | undefined;
  readonly commitments: Iterable<Commitment>;
}

const NOTHING: Committed = { groups: 0, bots: 0, entries: 0 };

/** One row for each symbol that is held, being sold or committed, by symbol. */
export function sellLedger({ held, openSells, commitments }: LedgerEntries): readonly LedgerRow[] {
  const committed = new Map<string, Committed>();
  for (const { symbol, by, quantity } of commitments) {
    const before = committed.get(symbol) ?? NOTHING;
    committed.set(symbol, { ...before, [by]: before[by] + quantity });
  }
  const symbols = new Set([...(held?.keys() ?? []), ...(openSells?.keys() ?? []), ...committed.keys()]);
  return [...symbols].sort().map((symbol) => {
    const sum = committed.get(symbol) ?? NOTHING;
    const [holds, sells] = [lotsOf(held, symbol), lotsOf(openSells, symbol)];
    const isKnown = holds !== null && sells !== null;
    const worstCase = isKnown ? holds - sells - sum.groups - sum.bots - sum.entries : null;
    return { symbol, held: holds, openSells: sells, committed: sum, worstCase };
  });
}

/** Returns the sum of lots of each symbol. */
export function lotsBySymbol<T extends { readonly symbol: string }>(
  rows: readonly T[],
  lotsIn: (row: T) => number,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(row.symbol, (sums.get(row.symbol) ?? 0) + lotsIn(row));
  return sums;
}

/** A symbol that an answer leaves out counts as 0; without an answer nothing is known. */
function lotsOf(lots: ReadonlyMap<string, number> | undefined, symbol: string): number | null {
  return lots === undefined ? null : (lots.get(symbol) ?? 0);
}

/** Lots that a request wants to commit, and the field that names them. */
interface Wanted {
  readonly field: string;
  readonly symbol: string;
  readonly quantity: number;
}

/**
 * Returns why an account cannot commit `quantity` more lots of a symbol (behaviour 26.2). Undefined if it can, or if a
 * part of the ledger is not known. Pending OCOs do not count: they sell only what their own buy brings.
 */
export function refuseExcess(
  { held, openSells, commitments }: LedgerEntries,
  { field, symbol, quantity }: Wanted,
): Refusal | undefined {
  const [holds, sells] = [lotsOf(held, symbol), lotsOf(openSells, symbol)];
  if (holds === null || sells === null) return undefined;
  let committed = 0;
  for (const other of commitments) {
    if (other.symbol === symbol && other.by !== "entries") committed += other.quantity;
  }
  if (quantity <= holds - sells - committed) return undefined;
  return refuse(
    "OVERCOMMITTED",
    `${field} commits ${quantity} more lots of ${symbol} than may be sold: the account holds ${holds}, open orders sell ${sells}, and groups and bots may sell ${committed} (SELL_LEDGER=refuse)`,
  );
}

/** The last reported lots of a symbol, and what own orders since then have filled. */
interface KnownHolding {
  readonly quantity: number;
  readonly atMs: number;
  readonly soldSince: number;
  readonly ordersSince: ReadonlySet<string>;
  readonly hasBoughtSince: boolean;
}

/** The lots that an account still holds, and the own orders whose further fills are deducted from them. */
export interface HeldLots {
  readonly lots: number;
  readonly ordersSince: ReadonlySet<string>;
}

/**
 * Returns the most lots that an order of a stop-loss may sell (behaviour 26.3). Undefined: any number, as the holding
 * is not known, too old, or own orders have bought lots since.
 */
export function stopLotsMax(held: KnownHolding | undefined, nowMs: number): HeldLots | undefined {
  if (held === undefined || held.hasBoughtSince || !isFresh(held, nowMs)) return undefined;
  return { lots: Math.max(0, held.quantity - held.soldSince), ordersSince: held.ordersSince };
}

/** Whether a holding is young enough to limit a stop-loss. A clock that was set back makes none young. */
export function isFresh({ atMs }: Pick<KnownHolding, "atMs">, nowMs: number): boolean {
  const ageMs = nowMs - atMs;
  return ageMs >= 0 && ageMs < FRESH_MS;
}
