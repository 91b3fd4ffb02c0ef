/** The first field of a form with a fault takes the focus after each try: it is seen, and screen readers tell of it. */
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/** `tryCount` counts the tries that found a fault. */
export function useFaultFocus(form: RefObject<HTMLFormElement | null>, tryCount: number): void {
  useEffect(() => {
    if (tryCount > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [tryCount]);
}
