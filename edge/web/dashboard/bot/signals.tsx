/** The address of a webhook bot that signals go to, and a message that TradingView can send. */
import { useState } from "preact/hooks";
import { say } from "../language/say.ts";
import { Confirm } from "../part/confirm.tsx";
import { Copyable } from "../part/copyable.tsx";
import type { Bot, WebhookBotDetail } from "../state/model.ts";

interface SignalsProps {
  readonly bot: Bot;
  /** The bot, or its address, was made just now: it is shown without being asked for. */
  readonly isNew: boolean;
  /** The bot has not traded yet: what it waits for is explained. */
  readonly isUntraded: boolean;
  readonly onRotate: () => void;
}

export function Signals({ bot, isNew, isUntraded, onRotate }: SignalsProps) {
  const [isShown, setIsShown] = useState(isNew);
  const details = bot.webhookBotDetails ?? [];
  const [chosen, setChosen] = useState(0);
  const detail = details[chosen] ?? details[0];
  const isInView = isShown || isNew;
  return (
    <section class="card" aria-label={say("Signals of {name}", { name: bot.name })}>
      <div class="heading">
        <h2>{say("Signals for {name}", { name: bot.name })}</h2>
        <span class="grow" />
        <Confirm title={say("Make a new address")} yes={say("Yes, end the old one")} onConfirm={onRotate} />
      </div>
      {isUntraded && (
        <p>
          {say(
            "This bot waits for its first signal. TradingView, or a program of yours, sends the message below as a POST to the address: “buy” buys, “sell” sells what was bought.",
          )}
        </p>
      )}
      <p class="warning">
        {say("Anyone who knows the address can trade with this bot. Give it to the sender of signals only.")}
      </p>
      {bot.webhookUrl === undefined ? (
        <p class="hint">{say("The address is shown to who may trade.")}</p>
      ) : (
        <>
          <Copyable
            label={say("Address")}
            text={bot.webhookUrl}
            shown={isInView ? bot.webhookUrl : hiddenAddress(bot.webhookUrl)}
          />
          {!isInView && (
            <div class="tools">
              <button type="button" onClick={() => setIsShown(true)}>
                {say("Show the address")}
              </button>
            </div>
          )}
        </>
      )}
      {details.length > 1 && (
        <label class="field">
          <span>{say("Alert for")}</span>
          <select value={String(chosen)} onChange={(event) => setChosen(Number(event.currentTarget.value))}>
            {details.map(({ symbol, algoName, period }, index) => (
              <option key={`${symbol} ${algoName} ${period}`} value={String(index)}>
                {symbol} · {algoName} · {period}
              </option>
            ))}
          </select>
        </label>
      )}
      {detail !== undefined && (
        <Copyable
          label={say("Example of a signal: buys {lots} {symbol}", { lots: detail.quantity, symbol: detail.symbol })}
          text={exampleOf(detail)}
        />
      )}
      <Copyable label={say("TradingView alert message")} text={templateOf(detail)} />
      <p class="hint">
        {say("In TradingView: the address goes to “Webhook URL”, the message to “Message” of an alert on a strategy.")}
      </p>
    </section>
  );
}

/** The address without its secret. */
function hiddenAddress(webhookUrl: string): string {
  return `${new URL(webhookUrl).origin}/••••••••`;
}

function exampleOf({ algoName, period, symbol }: WebhookBotDetail): string {
  return JSON.stringify({ algoName, period, symbol, side: "buy" }, null, 2);
}

/** TradingView replaces the placeholders in braces with the side and the price; the price is not a text. */
function templateOf(detail: WebhookBotDetail | undefined): string {
  const { algoName, period, symbol } = detail ?? { algoName: "", period: "", symbol: "" };
  const message = { algoName, period, symbol, side: "{{strategy.order.action}}", price: "{{close}}" };
  return JSON.stringify(message, null, 2).replace('"{{close}}"', "{{close}}");
}
