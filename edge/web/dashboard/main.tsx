/** The dashboard's start: a sign-in, and then the desk. It uses the public interface only. */
import { render } from "preact";
import { useState } from "preact/hooks";
import { Desk } from "./desk/desk.ts";
import { Shell } from "./shell.tsx";
import { SignIn } from "./sign-in.tsx";

function Dashboard() {
  const [desk, setDesk] = useState<Desk | undefined>(undefined);
  if (desk === undefined) return <SignIn onSignedIn={(session) => setDesk(new Desk(session))} />;
  const signOut = (): void => {
    desk.close();
    setDesk(undefined);
  };
  return <Shell desk={desk} onSignOut={signOut} />;
}

const root = document.getElementById("dashboard");
if (root !== null) render(<Dashboard />, root);
