/** The choice of a language: at the sign-in and in the foot of the page. */
import { language } from "./choice.ts";
import { LANGUAGES, type Language, say } from "./say.ts";

/** Each language by its own name: who does not read the page's finds theirs. */
const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: "English", tr: "Türkçe" };

export function LanguageSwitch({ onChoose }: { readonly onChoose: (language: Language) => void }) {
  return (
    <label>
      {say("Language")}{" "}
      <select value={language} onChange={(event) => onChoose(event.currentTarget.value as Language)}>
        {LANGUAGES.map((one) => (
          <option key={one} value={one} lang={one}>
            {LANGUAGE_NAMES[one]}
          </option>
        ))}
      </select>
    </label>
  );
}
