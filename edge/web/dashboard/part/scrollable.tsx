/** What may be wider than the screen: scrolled by pointer and by keyboard. */
import type { ComponentChildren } from "preact";

interface ScrollableProps {
  readonly label: string;
  /** Takes a part of the screen only. */
  readonly isLong?: boolean;
  readonly children: ComponentChildren;
}

export function Scrollable({ label, isLong = false, children }: ScrollableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard (WCAG 2.1.1)
    <section class={isLong ? "scroll long" : "scroll"} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
