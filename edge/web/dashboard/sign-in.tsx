/** Asks for an API key. It is exchanged for a token and forgotten. */
import { useEffect, useRef, useState } from "preact/hooks";
import { chooseLanguage } from "./language/choice.ts";
import { LanguageSwitch } from "./language/language-switch.tsx";
import { say } from "./language/say.ts";
import { Fault } from "./part/fault.tsx";
import { SchemeSwitch } from "./scheme-switch.tsx";
import { readServiceState, type ServiceState } from "./state/service-state.ts";
import { RequestFailed, Session } from "./state/session.ts";

/** The file that has the first key, as the hint names it. */
const KEY_FILE = "data/bootstrap-api-key";
/** What a key begins with. */
const KEY_START = "tdk_live_";
const ASK_EVERY_MS = 5_000;

interface SignInProps {
  /** Why one must sign in again. */
  readonly notice: string | undefined;
  readonly onSignedIn: (session: Session) => void;
}

export function SignIn({ notice, onSignedIn }: SignInProps) {
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [isBusy, setIsBusy] = useState(false);
  const [isShown, setIsShown] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // A finger would open the keyboard of the screen over the page.
  useEffect(() => {
    if (matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, []);
  const [hint = "", hintEnd = ""] = say(
    "The service prints a key when it first starts, and keeps it in data/bootstrap-api-key.",
  ).split(KEY_FILE);
  const refuse = (text: string): void => {
    setFault(text);
    field.current?.focus();
    field.current?.select();
  };
  const signIn = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const key = field.current?.value.trim() ?? "";
    if (key === "") return refuse(say("Enter an API key."));
    if (!key.startsWith(KEY_START))
      return refuse(say("This is not an API key: a key begins with {start}.", { start: KEY_START }));
    setIsBusy(true);
    try {
      onSignedIn(await Session.signIn(key));
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      refuse(
        error.status === 401
          ? say("This API key is not known, or was revoked. Check that the whole key was copied.")
          : error.message,
      );
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <main class="sign-in">
      <form onSubmit={(event) => void signIn(event)} aria-labelledby="sign-in-title" noValidate>
        <div class="brand-line">
          <Mark />
          <h1 id="sign-in-title">Trading Developer API</h1>
          <p class="hint">
            {say("Stop-loss and take-profit groups, orders and bots for your brokerage accounts, on live prices.")}
          </p>
        </div>
        {notice !== undefined && (
          <p class="warning" role="status">
            {notice}
          </p>
        )}
        <div class="key">
          <label for="api-key">{say("API key")}</label>
          <input
            id="api-key"
            ref={field}
            name="apiKey"
            {...(isShown ? ({ type: "text" } as const) : ({ type: "password" } as const))}
            required
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            placeholder="tdk_live_…"
            aria-describedby="api-key-hint"
            aria-invalid={fault !== undefined}
            onInput={() => setFault(undefined)}
          />
          <button
            type="button"
            class="quiet"
            aria-label={isShown ? say("Hide what is typed") : say("Show what is typed")}
            onClick={() => setIsShown(!isShown)}
          >
            {isShown ? say("Hide") : say("Show")}
          </button>
        </div>
        <Fault text={fault} />
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? say("Signing in…") : say("Sign in")}
        </button>
        <div class="about hint">
          <p>{say("No key yet?")}</p>
          <ul>
            <li>
              {hint}
              <span class="whole">{KEY_FILE}</span>
              {hintEnd}
            </li>
            <li>{say("An operator makes a key for you in “Users and keys”.")}</li>
          </ul>
          <p id="api-key-hint">{say("Your key is exchanged for a session in this tab and is not kept.")}</p>
        </div>
      </form>
      <div class="below">
        <ServiceLine />
        <LanguageSwitch onChoose={chooseLanguage} />
        <SchemeSwitch />
      </div>
    </main>
  );
}

const STATE_WORDS: Readonly<Record<ServiceState, string>> = {
  ready: say("Service ready"),
  starting: say("Service is starting"),
  silent: say("Service does not answer"),
};

/** Whether the service is ready, with its version: asked again every few seconds while the sign-in is open. */
function ServiceLine() {
  const [state, setState] = useState<ServiceState | undefined>(undefined);
  useEffect(() => {
    let isWanted = true;
    const ask = async (): Promise<void> => {
      const found = await readServiceState();
      if (isWanted) setState(found);
    };
    void ask();
    const timer = setInterval(() => void ask(), ASK_EVERY_MS);
    return () => {
      isWanted = false;
      clearInterval(timer);
    };
  }, []);
  const version = document.querySelector<HTMLMetaElement>("meta[name=version]")?.content ?? "";
  return (
    <div class="state">
      <span role="status">
        {state !== undefined && <span class={state === "ready" ? "good" : "bad"}>{STATE_WORDS[state]}</span>}
      </span>
      <span>{say("Version {version}", { version })}</span>
      <a href="/docs" target="_blank" rel="noreferrer">
        {say("API documentation")}
      </a>
    </div>
  );
}

/** The mark of the service: a price between its take-profit and its stop-loss. */
function Mark() {
  return (
    <svg viewBox="0 0 40 40" width="40" height="40" aria-hidden="true">
      <rect width="40" height="40" rx="9" fill="currentColor" />
      <g fill="none" stroke="var(--on-accent)" stroke-width="2.4" stroke-linecap="round">
        <path d="M7 10.5h26M7 29.5h26" stroke-dasharray="3.4 4.4" />
        <path d="M8 24l7-5 6 3 11-7" stroke-linejoin="round" />
      </g>
    </svg>
  );
}
