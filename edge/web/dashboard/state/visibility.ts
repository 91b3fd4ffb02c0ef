/** Detects whether the page is in view, and whether it has slept. */
import { ageOf, momentBefore } from "./moment.ts";

/** A page that is looked at again within this was not left. */
const AWAY_AFTER_MS = 10_000;

interface Watcher {
  /** The page has been out of view for a while. */
  readonly onAway: () => void;
  /** Called after `onAway` only. */
  readonly onBack: () => void;
}

/** Returns the way to stop. */
export function watchVisibility({ onAway, onBack }: Watcher): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAway = false;
  const look = (): void => {
    clearTimeout(timer);
    if (document.hidden) {
      timer = setTimeout(() => {
        isAway = true;
        onAway();
      }, AWAY_AFTER_MS);
    } else if (isAway) {
      isAway = false;
      onBack();
    }
  };
  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", look);
  };
}

/** Runs the work now, or once the page is in view. Returns the way to stop that. */
export function whenInView(work: () => void): () => void {
  const look = (): void => {
    if (document.hidden) return;
    document.removeEventListener("visibilitychange", look);
    work();
  };
  document.addEventListener("visibilitychange", look);
  look();
  return () => document.removeEventListener("visibilitychange", look);
}

const LOOK_EVERY_MS = 1_000;
/** A page in view whose timers stopped for so long was asleep, and its machine as well if only the wall clock ran. */
const SLEPT_MS_MIN = 10_000;

/**
 * Calls `onWake` when a connection may be dead without notice: after a sleep, when the browser restores the page from
 * its cache, and when the network is back. Returns the way to stop.
 */
export function watchWake(onWake: () => void): () => void {
  let looked = momentBefore();
  const timer = setInterval(() => {
    const hasSlept = ageOf(looked) > SLEPT_MS_MIN;
    looked = momentBefore();
    // Out of sight the timers are slow, and the connection is given back.
    if (hasSlept && !document.hidden) onWake();
  }, LOOK_EVERY_MS);
  const shown = (event: PageTransitionEvent): void => {
    if (event.persisted) onWake();
  };
  window.addEventListener("pageshow", shown);
  window.addEventListener("online", onWake);
  return () => {
    clearInterval(timer);
    window.removeEventListener("pageshow", shown);
    window.removeEventListener("online", onWake);
  };
}
