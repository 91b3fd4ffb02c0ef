/** The dashboard's start: a sign-in, and then the dashboard. It uses the public interface only. */
import "./language/choice.ts";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { say } from "./language/say.ts";
import { Shell } from "./shell.tsx";
import { SignIn } from "./sign-in.tsx";
import { DashboardState } from "./state/dashboard-state.ts";
import { keepAtEnd, takeKept } from "./state/kept-session.ts";
import { followScheme } from "./state/scheme.ts";
import type { Session } from "./state/session.ts";

interface Shown {
  readonly dashboard?: DashboardState;
  /** Why the dashboard has ended. */
  readonly notice?: string;
}

followScheme();

function Dashboard() {
  const [{ dashboard, notice }, setShown] = useState<Shown>({});
  const begin = (session: Session): void => {
    const made = new DashboardState(session);
    session.over.addEventListener("abort", () => end(made, { notice: say("The session has ended. Sign in again.") }));
    setShown({ dashboard: made });
  };
  useEffect(() => {
    const kept = takeKept();
    if (kept !== undefined) begin(kept);
  }, []);
  useEffect(() => (dashboard === undefined ? undefined : keepAtEnd(dashboard.session)), [dashboard]);
  const end = (ended: DashboardState, next: Shown): void => {
    ended.close();
    setShown((shown) => (shown.dashboard === ended ? next : shown));
  };
  if (dashboard === undefined) return <SignIn notice={notice} onSignedIn={begin} />;
  const signOut = (): void => {
    dashboard.session.signOut();
    end(dashboard, {});
  };
  return <Shell dashboard={dashboard} onSignOut={signOut} />;
}

const root = document.getElementById("dashboard");
if (root !== null) render(<Dashboard />, root);
