/** Asks for an API key. It is exchanged for a token and forgotten. */
import { useState } from "preact/hooks";
import { chooseLanguage } from "./language/choice.ts";
import { LanguageSwitch } from "./language/language-switch.tsx";
import { say } from "./language/say.ts";
import { Fault } from "./part/fault.tsx";
import { RequestFailed, Session } from "./state/session.ts";

/** The file that has the first key, as the hint names it. */
const KEY_FILE = "data/bootstrap-api-key";

interface SignInProps {
  /** Why one must sign in again. */
  readonly notice: string | undefined;
  readonly onSignedIn: (session: Session) => void;
}

export function SignIn({ notice, onSignedIn }: SignInProps) {
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [isBusy, setIsBusy] = useState(false);
  const [hint = "", hintEnd = ""] = say(
    "Your key is exchanged for a session in this tab and is not kept. The service prints a key when it first starts, and keeps it in data/bootstrap-api-key.",
  ).split(KEY_FILE);
  const signIn = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    if (!(form instanceof HTMLFormElement)) return;
    setIsBusy(true);
    try {
      onSignedIn(await Session.signIn(String(new FormData(form).get("apiKey") ?? "").trim()));
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      setFault(error.status === 401 ? say("This API key is not known, or was revoked.") : error.message);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <main class="sign-in">
      <form onSubmit={(event) => void signIn(event)} aria-labelledby="sign-in-title">
        <h1 id="sign-in-title">Trading Developer API</h1>
        {notice !== undefined && (
          <p class="warning" role="status">
            {notice}
          </p>
        )}
        <label for="api-key">{say("API key")}</label>
        <input
          id="api-key"
          name="apiKey"
          type="password"
          required
          autocomplete="off"
          spellcheck={false}
          placeholder="tdk_live_…"
          aria-describedby="api-key-hint"
          aria-invalid={fault !== undefined}
        />
        <p id="api-key-hint" class="hint">
          {hint}
          <span class="whole">{KEY_FILE}</span>
          {hintEnd}
        </p>
        <Fault text={fault} />
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? say("Signing in…") : say("Sign in")}
        </button>
      </form>
      <LanguageSwitch onChoose={chooseLanguage} />
    </main>
  );
}
