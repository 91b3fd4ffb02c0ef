/** The session of a symbol's exchange now (behaviour 21.7). */
import { readSessionBody, type SessionView } from "../../../src/contract/operator/session.ts";
import { sessionAfter, sessionAt } from "../../../src/domain/market/calendar.ts";
import { formatTime } from "../../../src/domain/time.ts";
import { forUser, type QueryContext } from "../context.ts";

export const readSession = forUser({
  schema: readSessionBody,
  handle: async ({ symbols, clock }, _userId, { symbol }) => {
    if (!symbols.isKnown(symbol)) return { ok: false, code: "NOT_FOUND", message: "the symbol was not found" };
    return { ok: true, data: sessionOf({ symbols, clock }, symbol) };
  },
});

/** The session of now; null if no calendar of the exchange is known. */
export function sessionOf(
  { symbols, clock }: Pick<QueryContext, "symbols" | "clock">,
  symbol: string,
): SessionView | null {
  const calendar = symbols.calendarOf(symbol);
  if (calendar === undefined) return null;
  const nowMs = clock.nowMs();
  const now = sessionAt(calendar, nowMs);
  const next = sessionAfter(calendar, nowMs);
  const changeMs = now?.toMs ?? next?.fromMs;
  return {
    symbol,
    mic: calendar.mic,
    phase: now?.name ?? null,
    takes: [...(now?.takes ?? [])],
    changeDate: changeMs === undefined ? null : formatTime(changeMs),
    nextPhase: next?.name ?? null,
  };
}
