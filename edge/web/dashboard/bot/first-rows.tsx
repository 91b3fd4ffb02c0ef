/** The first rows of a list of trades, and the button that shows the others. */
import { useState } from "preact/hooks";
import { say } from "../language/say.ts";
import { quantityText } from "../part/words.ts";

const FIRST = 5;

export function useFirstRows<T>(items: readonly T[] | undefined) {
  const [isWhole, setIsWhole] = useState(false);
  const count = items?.length ?? 0;
  const button = count > FIRST && (
    <button type="button" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
      {isWhole ? say("Show fewer") : say("Show all {count}", { count: quantityText(count) })}
    </button>
  );
  return { rows: isWhole ? items : items?.slice(0, FIRST), button };
}
