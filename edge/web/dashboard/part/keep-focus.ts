/**
 * Keeps the focus within the pages: where what has it is taken away, it goes to what is nearest, and not to nowhere, from
 * where a keyboard begins again at the top.
 */

const FOCUSABLE = "button:not(:disabled), input:not(:disabled), select:not(:disabled), a[href], [tabindex]";

/** Returns the way to stop. */
export function keepFocus(root: HTMLElement): () => void {
  /** What has the focus, and all around it. */
  let trail: readonly Element[] = [];
  const note = (event: FocusEvent): void => {
    trail = event.target instanceof Element ? trailOf(event.target, root) : [];
  };
  const forget = (): void => {
    const left = trail;
    // What is removed is left, too, and is gone only after this.
    queueMicrotask(() => {
      if (trail === left && left[0]?.isConnected === true) trail = [];
    });
  };
  const observer = new MutationObserver(() => {
    const [focused] = trail;
    if (focused === undefined || focused.isConnected || document.activeElement !== document.body) return;
    const around = trail.filter((element) => element.isConnected);
    trail = [];
    nearest(around)?.focus({ preventScroll: true });
  });
  observer.observe(root, { childList: true, subtree: true });
  root.addEventListener("focusin", note);
  root.addEventListener("focusout", forget);
  return () => {
    observer.disconnect();
    root.removeEventListener("focusin", note);
    root.removeEventListener("focusout", forget);
  };
}

function trailOf(element: Element, root: Element): readonly Element[] {
  const trail: Element[] = [];
  for (let each: Element | null = element; each !== null && each !== root; each = each.parentElement) trail.push(each);
  return trail;
}

function nearest(around: readonly Element[]): HTMLElement | undefined {
  for (const element of around) {
    if (element instanceof HTMLElement && element.matches("main")) return element;
    // What is not shown at this width takes no focus.
    const found = [...element.querySelectorAll<HTMLElement>(FOCUSABLE)].find((one) => one.getClientRects().length > 0);
    if (found !== undefined) return found;
  }
  return undefined;
}
