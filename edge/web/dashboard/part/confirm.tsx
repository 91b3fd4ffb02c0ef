/** A button for what cannot be undone: the first press asks, the second does it. */
import { useState } from "preact/hooks";

interface ConfirmProps {
  readonly title: string;
  /** What the second press says. */
  readonly yes: string;
  readonly onConfirm: () => void;
}

export function Confirm({ title, yes, onConfirm }: ConfirmProps) {
  const [isAsking, setIsAsking] = useState(false);
  if (!isAsking) {
    return (
      <button type="button" class="danger" onClick={() => setIsAsking(true)}>
        {title}
      </button>
    );
  }
  const confirm = (): void => {
    setIsAsking(false);
    onConfirm();
  };
  return (
    <span class="ask">
      <button type="button" class="danger" onClick={confirm}>
        {yes}
      </button>
      <button type="button" class="quiet" onClick={() => setIsAsking(false)}>
        Keep it
      </button>
    </span>
  );
}
