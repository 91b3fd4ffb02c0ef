/** The dashboard's start: a sign-in, and then the dashboard. It uses the public interface only. */
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Shell } from "./shell.tsx";
import { SignIn } from "./sign-in.tsx";
import { DashboardState } from "./state/dashboard-state.ts";
import { Session } from "./state/session.ts";

interface Shown {
  readonly dashboard?: DashboardState;
  /** Why there is no dashboard any more. */
  readonly notice?: string;
}

function Dashboard() {
  const [{ dashboard, notice }, setShown] = useState<Shown>({});
  const begin = (session: Session): void => {
    const made = new DashboardState(session);
    session.over.addEventListener("abort", () => end(made, { notice: "The session has ended. Sign in again." }));
    setShown({ dashboard: made });
  };
  useEffect(() => {
    const kept = Session.restore();
    if (kept !== undefined) begin(kept);
  }, []);
  useEffect(() => {
    if (dashboard === undefined) return;
    const { session } = dashboard;
    const keep = (): void => session.keep();
    // A page that comes back as it was has its session, and leaves nothing in storage.
    const forget = (): void => Session.forgetKept();
    window.addEventListener("pagehide", keep);
    window.addEventListener("pageshow", forget);
    return () => {
      window.removeEventListener("pagehide", keep);
      window.removeEventListener("pageshow", forget);
    };
  }, [dashboard]);
  const end = (ended: DashboardState, next: Shown): void => {
    ended.close();
    setShown((shown) => (shown.dashboard === ended ? next : shown));
  };
  if (dashboard === undefined) return <SignIn notice={notice} onSignedIn={begin} />;
  return <Shell dashboard={dashboard} onSignOut={() => end(dashboard, {})} />;
}

const root = document.getElementById("dashboard");
if (root !== null) render(<Dashboard />, root);
