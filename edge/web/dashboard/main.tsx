/** The dashboard's start: a sign-in, and then the dashboard. It uses the public interface only. */
import { render } from "preact";
import { useState } from "preact/hooks";
import { Shell } from "./shell.tsx";
import { SignIn } from "./sign-in.tsx";
import { DashboardState } from "./state/dashboard-state.ts";

function Dashboard() {
  const [dashboard, setDashboard] = useState<DashboardState | undefined>(undefined);
  if (dashboard === undefined) return <SignIn onSignedIn={(session) => setDashboard(new DashboardState(session))} />;
  const signOut = (): void => {
    dashboard.close();
    setDashboard(undefined);
  };
  return <Shell dashboard={dashboard} onSignOut={signOut} />;
}

const root = document.getElementById("dashboard");
if (root !== null) render(<Dashboard />, root);
