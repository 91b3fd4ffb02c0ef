/** Text to be copied somewhere else. */
import { useState } from "preact/hooks";
import { say } from "../language/say.ts";

export function Copyable({ label, text }: { readonly label: string; readonly text: string }) {
  const [copied, setCopied] = useState<string | undefined>(undefined);
  const copy = (): void => void navigator.clipboard.writeText(text).then(() => setCopied(text));
  return (
    <div class="copyable">
      <div class="heading">
        <h3>{label}</h3>
        <button type="button" class="quiet" onClick={copy} aria-label={say("Copy: {label}", { label })}>
          {copied === text ? say("Copied") : say("Copy")}
        </button>
      </div>
      <pre>{text}</pre>
    </div>
  );
}
