/**
 * Judges requests that commit lots to be sold by what their account holds (behaviour 26).
 *
 * Invariants:
 * 1. With `SELL_LEDGER=refuse` the requests of an account are judged and decided one after the other, so that two of them
 *    cannot commit the same lots. With another setting none waits, and no brokerage is asked.
 * 2. Unknown is never zero: a brokerage that does not answer refuses nothing.
 */
import type { Reply } from "../../../src/contract/command.ts";
import type { GroupChange } from "../../../src/domain/oco/change.ts";
import { type OcoGroup, STOP_LOSS, stopLossOf, TRIGGER_FAILED } from "../../../src/domain/oco/group.ts";
import { type LedgerEntries, refuseExcess } from "../../../src/domain/order/sell-ledger.ts";
import { type Refusal, refuse } from "../../../src/domain/refusal.ts";
import { formatTime } from "../../../src/domain/time.ts";
import type { AccountPlace } from "../../ports/brokerage.ts";
import { readLedger } from "../../projection/ledger.ts";
import { placeKey } from "../../table/keys.ts";
import type { CommandContext } from "../context.ts";

/** In a turn: returns why lots cannot be committed, or commits them for the rest of the request. */
export type Commit = (field: string, symbol: string, quantity: number) => Refusal | undefined;

const commitAny: Commit = () => undefined;

/** Runs a request that may commit lots of an account; its turn must commit each of them. `placeOf` returns undefined if it commits none. */
export function judged(
  context: CommandContext,
  placeOf: () => AccountPlace | undefined,
  work: (commit: Commit) => Promise<Reply>,
): Promise<Reply> {
  const place = context.sellLedger === "refuse" ? placeOf() : undefined;
  if (place === undefined) return work(commitAny);
  const reply = context.judging.run(placeKey(place), async () => {
    const ledger = await readLedger(context, place);
    return work(ledger === undefined ? commitAny : committing(ledger));
  });
  return reply ?? Promise.resolve(refuse("UNAVAILABLE", "too many requests of this account wait for its sell ledger"));
}

function committing(ledger: LedgerEntries): Commit {
  const commitments = [...ledger.commitments];
  return (field, symbol, quantity) => {
    if (quantity <= 0) return undefined;
    const refusal = refuseExcess({ ...ledger, commitments }, { field, symbol, quantity });
    if (refusal === undefined) commitments.push({ symbol, by: "groups", quantity });
    return refusal;
  };
}

/** Returns how many more lots a group commits after a change. */
export function addedLots(group: OcoGroup, { changed }: Pick<GroupChange, "changed">): number {
  const { status, quantity } = stopLossOf(group);
  const after = changed.find(({ row }) => row === STOP_LOSS)?.quantity ?? quantity;
  const isArmedAgain = status === TRIGGER_FAILED && changed.some(({ row }) => row === STOP_LOSS);
  return isArmedAgain ? after : after - quantity;
}

/**
 * States that lots may be sold that the account was last known not to hold (behaviour 26.1). Undefined if it holds them,
 * or if the holding is not known.
 */
export function describeExcess(
  { holdings, sellLedger }: Pick<CommandContext, "holdings" | "sellLedger">,
  place: AccountPlace,
  symbol: string,
  quantity: number,
): string | undefined {
  const held = sellLedger === "off" ? undefined : holdings.find(place, symbol);
  if (held === undefined || quantity <= held.quantity) return undefined;
  const holding = held.quantity <= 0 ? "none" : String(held.quantity);
  return `it may sell ${quantity} ${symbol}, and the account held ${holding} at ${formatTime(held.atMs)}`;
}
