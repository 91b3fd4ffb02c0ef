/** The same work for every peer: groups with one stop-loss and two take-profits, and ticks that reach none of them. */

/** Over which the groups are spread evenly. */
export const SYMBOLS = 600;

export interface PeerGroup {
  readonly id: number;
  readonly symbol: string;
  /** In hundredths. */
  readonly stopLoss: number;
  readonly takeProfits: readonly number[];
}

/** A way of finding out which groups a price reaches. */
export interface Peer {
  readonly name: string;
  /** `price` in hundredths. */
  onTick(symbol: string, price: number): void;
  /** Rows that fired so far: must stay 0, or the peer did other work than the rest. */
  firedCount(): number;
}

export type MakePeer = (groups: readonly PeerGroup[], startPrice: number) => Peer;

/** Groups by their symbol. */
export function bySymbol(groups: readonly PeerGroup[]): Map<string, PeerGroup[]> {
  const map = new Map<string, PeerGroup[]>();
  for (const group of groups) {
    const known = map.get(group.symbol);
    if (known === undefined) map.set(group.symbol, [group]);
    else known.push(group);
  }
  return map;
}
