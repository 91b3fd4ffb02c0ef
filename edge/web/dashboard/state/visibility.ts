/** Whether somebody can see the page. */

/** A page that is looked at again within this was not left. */
const AWAY_AFTER_MS = 10_000;

interface Watcher {
  /** Nobody has seen the page for a while. */
  readonly onAway: () => void;
  /** Told after `onAway` only. */
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
