/** A moment; the day appears once it is no longer today, however long the page is open. */
import { Store, useStore } from "../state/store.ts";
import { timeText } from "./words.ts";

const LOOK_EVERY_MS = 20_000;

const today = new Store(new Date().toDateString());
setInterval(() => today.set(new Date().toDateString()), LOOK_EVERY_MS);

export function Time({ at }: { readonly at: unknown }) {
  useStore(today);
  return <time>{timeText(typeof at === "string" || typeof at === "number" ? at : null)}</time>;
}
