/** A question that must be answered before anything else, in the middle of the screen at any scroll position. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

interface DialogProps {
  readonly title: string;
  readonly yes: string;
  readonly no: string;
  readonly onYes: () => void;
  readonly onNo: () => void;
  readonly children: ComponentChildren;
}

/** The focus begins on `no`: a second Enter changes nothing. It returns to where it was. */
export function Dialog({ title, yes, no, onYes, onNo, children }: DialogProps) {
  const id = useId();
  const box = useRef<HTMLDialogElement>(null);
  const refuse = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    refuse.current?.focus();
    return () => dialog?.close();
  }, []);
  const cancel = (event: Event): void => {
    event.preventDefault();
    onNo();
  };
  return (
    <dialog
      ref={box}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onCancel={cancel}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      <div id={`${id}-text`}>{children}</div>
      <div class="tools">
        <button type="button" class="danger" onClick={onYes}>
          {yes}
        </button>
        <button type="button" ref={refuse} onClick={onNo}>
          {no}
        </button>
      </div>
    </dialog>
  );
}
