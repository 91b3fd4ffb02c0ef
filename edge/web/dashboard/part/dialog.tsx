/** A question that must be answered before anything else, in the middle of the screen at any scroll position. */
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { useModal } from "./use-modal.ts";

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
  useModal(box);
  useLayoutEffect(() => refuse.current?.focus(), []);
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
