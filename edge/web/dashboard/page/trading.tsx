/** The trading state, and the button that halts trading: the user types a word, so that no slip of the hand does it. */
import { useState } from "preact/hooks";
import { say } from "../language/say.ts";
import { serviceRemark } from "../language/service-text.ts";
import { Time } from "../part/time.tsx";
import { Typed } from "../part/typed.tsx";
import { useTradingStates } from "../part/use-trading-states.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { resumption, TRADING_STATE_PATH, type TradingState } from "../state/trading-state.ts";

export function Trading({ dashboard }: { readonly dashboard: DashboardState }) {
  const reading = useTradingStates(dashboard);
  return (
    <section class="card" aria-label={say("Trading")}>
      <h3>{say("Trading")}</h3>
      <TradingControls dashboard={dashboard} reading={reading} />
    </section>
  );
}

interface TradingControlsProps {
  readonly dashboard: DashboardState;
  readonly reading: ReturnType<typeof useTradingStates>;
}

/**
 * Each restriction with its reason, and the field for the word that halts or resumes: none before the state is known,
 * and the field that halts if the state cannot be read.
 */
export function TradingControls({ dashboard, reading: { data, fault } }: TradingControlsProps) {
  const states = data ?? [];
  const isKnown = data !== undefined || fault !== undefined;
  const [said, setSaid] = useState<string | undefined>(undefined);
  const set = async (state: "active" | "halted", done: string): Promise<void> => {
    const scope = "user";
    const body = state === "halted" ? { scope, state, reason: "halted at the dashboard" } : resumption({ scope });
    const refusal = await dashboard.attempt(() => dashboard.session.send("POST", TRADING_STATE_PATH, body));
    setSaid(refusal ?? done);
    if (refusal === undefined) dashboard.tradingChanges.update((count) => count + 1);
  };
  return (
    <>
      {fault !== undefined && <p class="fault">{fault}</p>}
      {states.map((one) => (
        <p key={`${one.scope} ${one.accountNumber}`} class="fault">
          {stateText(one)} {say("since")} <Time at={one.since} />: {serviceRemark(one.reason)}
        </p>
      ))}
      {said !== undefined && (
        <p role="status" class="said">
          {said}
        </p>
      )}
      {!isKnown ? (
        <p class="hint">{say("Reading…")}</p>
      ) : isUserHalted(states) ? (
        <Typed
          word="RESUME"
          title={say("Resume trading")}
          onConfirm={() => void set("active", say("Trading continues. Bots stay off."))}
        />
      ) : (
        <>
          <p class="hint">
            {say(
              "Halting refuses orders by hand, keeps take-profits from firing and switches bots off. Stop-losses still fire.",
            )}
          </p>
          <Typed
            word="HALT"
            title={say("Halt trading")}
            onConfirm={() => void set("halted", say("Trading is halted."))}
          />
        </>
      )}
    </>
  );
}

/** Whether the user's own trading is halted, which the user can end. */
export function isUserHalted(states: readonly TradingState[]): boolean {
  return states.some(({ scope, state }) => scope === "user" && state === "halted");
}

/** A restriction as text, for example "Your trading is halted". */
export function stateText(trading: TradingState): string {
  const what = whose(trading);
  if (trading.state === "reducing")
    return trading.includingStops
      ? say("{what} only reduces positions, stop-losses as well", { what })
      : say("{what} only reduces positions", { what });
  return trading.includingStops
    ? say("{what} is halted, stop-losses as well", { what })
    : say("{what} is halted", { what });
}

function whose({ scope, accountNumber }: TradingState): string {
  if (scope === "installation") return say("Trading of everybody");
  return scope === "user" ? say("Your trading") : say("Trading of {account}", { account: accountNumber ?? "" });
}
