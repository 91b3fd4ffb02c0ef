/**
 * A session between two pages of one tab: a reload does not sign the user out.
 *
 * Invariant: while a page runs, no token is in storage.
 */
import { Session } from "./session.ts";

const KEY = "session";

/** Takes the session out of the tab's storage, if a page left one a moment ago. */
export function takeKept(): Session | undefined {
  const text = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return text === null ? undefined : Session.resume(text);
}

/** Leaves the session to the next page whenever this one ends. Returns the way to stop. */
export function keepAtEnd(session: Session): () => void {
  const keep = (): void => {
    if (session.kept !== undefined) sessionStorage.setItem(KEY, session.kept);
  };
  // A page that comes back as it was still has its session.
  const forget = (): void => sessionStorage.removeItem(KEY);
  window.addEventListener("pagehide", keep);
  window.addEventListener("pageshow", forget);
  return () => {
    window.removeEventListener("pagehide", keep);
    window.removeEventListener("pageshow", forget);
  };
}
