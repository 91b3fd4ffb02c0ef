/**
 * The language of the page: the language that the user has chosen in this browser, else the browser's.
 *
 * This module must be the first that the page imports: the texts of other modules are made when they are loaded.
 */
import { LANGUAGES, type Language, speak } from "./say.ts";

const STORED = "language";

/** The language of this page. */
export const language = chosen();

speak(language);
document.documentElement.lang = language;

/** Chooses a language for this browser. The page loads again in it; the session remains. */
export function chooseLanguage(next: Language): void {
  localStorage.setItem(STORED, next);
  location.reload();
}

function chosen(): Language {
  const stored = localStorage.getItem(STORED);
  const wanted = stored === null ? navigator.languages.map((one) => one.slice(0, 2)) : [stored];
  return wanted.flatMap((one) => LANGUAGES.find((known) => known === one) ?? [])[0] ?? "en";
}
