/** A button for what must not happen by a slip of the hand: a word is typed first. */
import { useState } from "preact/hooks";
import { say } from "../language/say.ts";

interface TypedProps {
  readonly word: string;
  readonly title: string;
  readonly onConfirm: () => void;
}

export function Typed({ word, title, onConfirm }: TypedProps) {
  const [text, setText] = useState("");
  const submit = (event: Event): void => {
    event.preventDefault();
    if (text.trim() !== word) return;
    setText("");
    onConfirm();
  };
  return (
    <form class="tools" onSubmit={submit}>
      <label>
        {say("Type {word} to confirm", { word })}{" "}
        <input value={text} autocomplete="off" onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button type="submit" class="danger" disabled={text.trim() !== word}>
        {title}
      </button>
    </form>
  );
}
