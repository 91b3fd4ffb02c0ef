/** A button for what cannot be undone: the first press asks, the second does it. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { say } from "../language/say.ts";

interface ConfirmProps {
  readonly title: string;
  /** The short form of the title, shown in its place where room is short. */
  readonly word?: string;
  /** The label of the second press. */
  readonly yes: string;
  readonly onConfirm: () => void;
}

/** The focus follows immediately, so that a second Enter meets the answer that changes nothing, and back. */
export function Confirm({ title, word, yes, onConfirm }: ConfirmProps) {
  const [isAsking, setIsAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasPressed = useRef(false);
  useLayoutEffect(() => {
    if (wasPressed.current) button.current?.focus();
  }, [isAsking]);
  const ask = (isAsked: boolean): void => {
    wasPressed.current = true;
    setIsAsking(isAsked);
  };
  if (!isAsking) {
    return (
      <button type="button" class="danger" aria-label={title} ref={button} onClick={() => ask(true)}>
        {word ?? title}
      </button>
    );
  }
  const confirm = (): void => {
    ask(false);
    onConfirm();
  };
  return (
    <span class="ask">
      <button type="button" class="danger" onClick={confirm}>
        {yes}
      </button>
      <button type="button" class="quiet" ref={button} onClick={() => ask(false)}>
        {say("Keep it")}
      </button>
    </span>
  );
}
