/** Whether the screen is narrow, as the style sheet has it. */
import { useEffect, useState } from "preact/hooks";

const narrow = matchMedia("(max-width: 760px)");

export function isNarrow(): boolean {
  return narrow.matches;
}

/** As {@link isNarrow}; the view is drawn again when it changes. */
export function useNarrow(): boolean {
  const [is, setIs] = useState(narrow.matches);
  useEffect(() => {
    const change = (): void => setIs(narrow.matches);
    change();
    narrow.addEventListener("change", change);
    return () => narrow.removeEventListener("change", change);
  }, []);
  return is;
}
