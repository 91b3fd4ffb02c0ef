/** Sets a paper account back to what it began with. Nothing is shown for accounts that cannot be set back. */
import { useState } from "preact/hooks";
import { say } from "../language/say.ts";
import { Typed } from "../part/typed.tsx";
import { moneyText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import type { Balance } from "../state/model.ts";
import { useStore } from "../state/store.ts";

const PATH = "/api/v1/accounts/reset";

export function Reset({ dashboard }: { readonly dashboard: DashboardState }) {
  const account = useStore(dashboard.account);
  const said = useStore(dashboard.health.said);
  const [result, setResult] = useState<{ readonly text: string; readonly isFault: boolean } | undefined>(undefined);
  const brokerage = said?.conditions?.brokerages.find(({ code }) => code === account?.brokerageCode);
  if (account === undefined || brokerage?.canReset !== true || !dashboard.session.has("trade")) return null;
  const { brokerageCode, accountNumber } = account;
  const reset = async (): Promise<void> => {
    setResult(undefined);
    const body = { brokerageCode, accountNumber, confirm: "RESET" };
    const refusal = await dashboard.attempt(async () => {
      const { data } = await dashboard.session.send<Balance>("POST", PATH, body);
      setResult({
        text: say("The account is set back to {cash}.", { cash: `${moneyText(data.cash)} ${data.currency}` }),
        isFault: false,
      });
    });
    if (refusal !== undefined) setResult({ text: say("Nothing was set back: {refusal}", { refusal }), isFault: true });
    // Orders of the account may have been cancelled, also where the answer was lost.
    dashboard.brokerageChanges.update((count) => count + 1);
  };
  return (
    <section class="card" aria-label={say("Paper account")}>
      <h3>{say("Paper account")}</h3>
      <p class="hint">
        {say(
          "Its open orders are cancelled, and it has the cash and positions again that it began with. OCO groups, pending OCOs and bots of the account must be ended before.",
        )}
      </p>
      {result !== undefined && (
        <p role={result.isFault ? "alert" : "status"} class={result.isFault ? "fault" : "said"}>
          {result.text}
        </p>
      )}
      <Typed
        word="RESET"
        title={say("Set {account} back", { account: account.number })}
        onConfirm={() => void reset()}
      />
    </section>
  );
}
