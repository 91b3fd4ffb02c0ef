/** The choice of light or dark: at the sign-in and in the foot of the page. */
import { say } from "./language/say.ts";
import { chooseScheme, SCHEME_CHOICES, type SchemeChoice, schemeChoice } from "./state/scheme.ts";
import { useStore } from "./state/store.ts";

const SCHEME_WORDS: Readonly<Record<SchemeChoice, string>> = {
  system: say("System"),
  light: say("Light"),
  dark: say("Dark"),
};

export function SchemeSwitch() {
  const choice = useStore(schemeChoice);
  return (
    <label>
      {say("Theme")}{" "}
      <select value={choice} onChange={(event) => chooseScheme(event.currentTarget.value as SchemeChoice)}>
        {SCHEME_CHOICES.map((one) => (
          <option key={one} value={one}>
            {SCHEME_WORDS[one]}
          </option>
        ))}
      </select>
    </label>
  );
}
