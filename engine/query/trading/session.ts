/** The session of a symbol's exchange now (behaviour 21.7). */
import { readSessionBody, type SessionView } from "../../../src/contract/operator/session.ts";
import { sessionAfter, sessionAt } from "../../../src/domain/market/calendar.ts";
import { formatTime } from "../../../src/domain/time.ts";
import { forUser } from "../context.ts";

export const readSession = forUser({
  schema: readSessionBody,
  handle: async ({ symbols, clock }, _userId, { symbol }) => {
    if (!symbols.isKnown(symbol)) return { ok: false, code: "NOT_FOUND", message: "the symbol was not found" };
    const calendar = symbols.calendarOf(symbol);
    if (calendar === undefined) return { ok: true, data: null };
    const nowMs = clock.nowMs();
    const now = sessionAt(calendar, nowMs);
    const next = sessionAfter(calendar, nowMs);
    const changeMs = now?.toMs ?? next?.fromMs;
    const data: SessionView = {
      symbol,
      mic: calendar.mic,
      phase: now?.name ?? null,
      takes: [...(now?.takes ?? [])],
      changeDate: changeMs === undefined ? null : formatTime(changeMs),
      nextPhase: next?.name ?? null,
    };
    return { ok: true, data };
  },
});
