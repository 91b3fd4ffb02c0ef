/** Light or dark: as the system is, or as the user has chosen in this browser. */
import { Store } from "./store.ts";

export const SCHEME_CHOICES = ["system", "light", "dark"] as const;
export type SchemeChoice = (typeof SCHEME_CHOICES)[number];

const STORED = "scheme";
const prefersDark = matchMedia("(prefers-color-scheme: dark)");

export const schemeChoice = new Store<SchemeChoice>(readStored());
/** What is shown now. */
export const scheme = new Store<"light" | "dark">("light");

/** Shows the page in the chosen scheme, and follows the system as long as that is the choice. */
export function followScheme(): void {
  show();
  prefersDark.addEventListener("change", show);
}

export function chooseScheme(choice: SchemeChoice): void {
  localStorage.setItem(STORED, choice);
  schemeChoice.set(choice);
  show();
}

function show(): void {
  const choice = schemeChoice.value;
  const shown = choice === "system" ? (prefersDark.matches ? "dark" : "light") : choice;
  document.documentElement.dataset.scheme = shown;
  scheme.set(shown);
}

function readStored(): SchemeChoice {
  const stored = localStorage.getItem(STORED);
  return SCHEME_CHOICES.find((choice) => choice === stored) ?? "system";
}
