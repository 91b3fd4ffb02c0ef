/** Holds and releases a symbol by hand (behaviour 16). The edge checks that the caller is an operator. */
import { HOLD_COMMANDS, holdSymbolBody, releaseSymbolBody } from "../../../src/contract/operator/hold.ts";
import { refuse } from "../../../src/domain/refusal.ts";
import { type AnyCommandHandler, checked, waitsForMissed } from "../context.ts";

const BY_HAND = "an operator holds it";

const holdSymbol = checked({
  schema: holdSymbolBody,
  handle: async (context, { symbol, reason = BY_HAND }, turn) =>
    turn.decide(() => {
      if (!context.symbols.isKnown(symbol)) return refuse("NOT_FOUND", `symbol ${symbol} is not known`);
      return { ok: true, data: { isChanged: context.holds.holdInTurn(symbol, reason) } };
    }),
});

const releaseSymbol = checked({
  schema: releaseSymbolBody,
  handle: async (context, { symbol }, turn) =>
    turn.decide(() => {
      // Until then the last price is not known, nor the levels that fire immediately.
      if (context.feed.isCatchingUp()) return waitsForMissed(`prices of ${symbol}`);
      return { ok: true, data: { isChanged: context.holds.releaseInTurn(symbol) } };
    }),
});

export const holdCommands: ReadonlyMap<string, AnyCommandHandler> = new Map([
  [HOLD_COMMANDS.hold, holdSymbol],
  [HOLD_COMMANDS.release, releaseSymbol],
]);
