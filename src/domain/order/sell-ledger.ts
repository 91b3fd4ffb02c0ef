/** The lots of each symbol of an account that can still be sold, next to the held lots. Unknown is never zero. */

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

interface LedgerEntries {
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

/** A symbol that an answer leaves out counts as 0; without an answer nothing is known. */
function lotsOf(lots: ReadonlyMap<string, number> | undefined, symbol: string): number | null {
  return lots === undefined ? null : (lots.get(symbol) ?? 0);
}
