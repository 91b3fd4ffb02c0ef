/** The session of a symbol's exchange, in one line; nothing where no calendar is known. */
import { useEffect } from "preact/hooks";
import { Time } from "../part/time.tsx";
import { useReading } from "../part/use-reading.ts";
import type { DashboardState } from "../state/dashboard-state.ts";

interface SessionData {
  readonly phase: string | null;
  readonly changeDate: string | null;
  readonly nextPhase: string | null;
}

const READ_AGAIN_MS = 60_000;

interface SessionProps {
  readonly dashboard: DashboardState;
  readonly symbol: string;
}

export function Session({ dashboard, symbol }: SessionProps) {
  const path = `/api/v1/symbols/${encodeURIComponent(symbol)}/session`;
  const read = (): Promise<SessionData | null> => dashboard.session.get<SessionData | null>(path);
  const { data: session, readAgain } = useReading(dashboard, read, [symbol]);
  useEffect(() => {
    const timer = setInterval(readAgain, READ_AGAIN_MS);
    return () => clearInterval(timer);
  }, [readAgain]);
  if (!session) return null;
  const { phase, changeDate, nextPhase } = session;
  const now = phase === null ? "The market is closed" : `The market is open (${phase})`;
  return (
    <p class="hint">
      {now}
      {changeDate !== null && (
        <>
          {phase === null ? `; ${nextPhase} begins ` : " until "}
          <Time at={changeDate} />
        </>
      )}
      .
    </p>
  );
}
