/** Whether something is typed in a form: it is not left unasked. */
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import type { AddressBar } from "../state/address-bar.ts";

/** Follows the form for as long as it is shown; a form that is reset is empty again. */
export function useFilled(addressBar: AddressBar, form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const element = form.current;
    if (element === null) return;
    const fill = (): void => addressBar.setFilled(element, true);
    const empty = (): void => addressBar.setFilled(element, false);
    element.addEventListener("input", fill);
    element.addEventListener("reset", empty);
    return () => {
      element.removeEventListener("input", fill);
      element.removeEventListener("reset", empty);
      empty();
    };
  }, [addressBar]);
}
