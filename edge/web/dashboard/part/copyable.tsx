/** Text to be copied somewhere else. */
import { useState } from "preact/hooks";
import { say } from "../language/say.ts";

interface CopyableProps {
  readonly label: string;
  readonly text: string;
  /** In place of a text that is copied without being in view. */
  readonly shown?: string;
}

export function Copyable({ label, text, shown = text }: CopyableProps) {
  const [copied, setCopied] = useState<string | undefined>(undefined);
  const copy = (): void => void navigator.clipboard.writeText(text).then(() => setCopied(text));
  const isCopied = copied === text;
  const name = isCopied ? say("Copied: {label}", { label }) : say("Copy: {label}", { label });
  return (
    <div class="copyable">
      <div class="heading">
        <h3>{label}</h3>
        <button type="button" class="quiet" onClick={copy} aria-label={name}>
          {isCopied ? say("Copied") : say("Copy")}
        </button>
      </div>
      <pre>{shown}</pre>
    </div>
  );
}
