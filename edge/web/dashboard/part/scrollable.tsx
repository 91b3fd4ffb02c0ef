/** What may be wider than the screen: scrolled by pointer and by keyboard. */
import type { ComponentChildren } from "preact";

export function Scrollable({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard (WCAG 2.1.1)
    <section class="scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
