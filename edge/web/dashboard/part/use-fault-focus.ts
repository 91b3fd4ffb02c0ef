/** The first field of a form with a fault takes the focus after each try: it is seen, and screen readers read it. */
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/** `tryCount` counts the tries that found a fault. */
export function useFaultFocus(form: RefObject<HTMLElement | null>, tryCount: number): void {
  useEffect(() => {
    const find = (selector: string) => form.current?.querySelector<HTMLElement>(selector);
    // A button that was disabled while it was sent has lost the focus.
    if (tryCount > 0) (find('[aria-invalid="true"]') ?? find("[type=submit]"))?.focus();
  }, [tryCount]);
}
