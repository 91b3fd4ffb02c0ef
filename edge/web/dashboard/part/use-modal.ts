/** Opens a dialog over everything else. */
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** Before the next key: it must not reach the button that opened the dialog. The dialog closes with its component. */
export function useModal(box: RefObject<HTMLDialogElement | null>): void {
  useLayoutEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, [box]);
}
