/** What a bot does with each of its symbols, and what it does next: without opening the bot. */
import type { ComponentChildren } from "preact";
import { say } from "../language/say.ts";
import { currencyOf } from "../part/currency.ts";
import { usePrices } from "../part/use-prices.ts";
import { distanceText, moneyText, priceText, quantityText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import type { Bot, BotDetail, LevelBotDetail, WebhookBotDetail } from "../state/model.ts";
import { type BotTotals, nextSignalOf } from "./totals.ts";

/** *Change* shows the others. */
const SHOWN_MAX = 5;

interface PlansProps {
  readonly dashboard: DashboardState;
  readonly bot: Bot;
  /** Undefined: not read yet. */
  readonly totals: BotTotals | undefined;
}

export function Plans({ dashboard, bot, totals }: PlansProps) {
  const levels = bot.levelBotDetails ?? [];
  const webhooks = bot.webhookBotDetails ?? [];
  const all: readonly BotDetail[] = [...levels, ...webhooks];
  const priceOf = usePrices(dashboard, [...new Set(all.slice(0, SHOWN_MAX).map(({ symbol }) => symbol))]);
  const lotsOf = ({ symbol, quantity }: BotDetail): string => {
    const lots = quantity === 1 ? say("1 lot a buy") : say("{lots} lots a buy", { lots: quantityText(quantity) });
    const price = priceOf(symbol);
    if (price === undefined) return lots;
    const currency = currencyOf(dashboard.tickTableOf(symbol));
    return `${lots} (${say("about {amount}", { amount: `${moneyText(price * quantity)} ${currency}` })})`;
  };
  const amountOf = ({ symbol }: BotDetail, gap: number): string =>
    `${priceText(gap)} ${currencyOf(dashboard.tickTableOf(symbol))}`;
  return (
    <ul class="plans">
      {levels.slice(0, SHOWN_MAX).map((detail) => (
        <li key={detail.symbol}>
          <strong>{detail.symbol}</strong>
          <span>{lotsOf(detail)}</span>
          <span>{say("buys after a fall of {gap}", { gap: amountOf(detail, detail.buyGap) })}</span>
          <span>
            {[sellText(detail, amountOf(detail, detail.sellGap)), ...limitTexts(detail), ...profitText(detail)].join(
              " · ",
            )}
          </span>
          <NextLevels
            isActive={bot.isActive}
            next={totals?.next?.find(({ symbol }) => symbol === detail.symbol)}
            price={priceOf(detail.symbol)}
          />
        </li>
      ))}
      {webhooks.slice(0, SHOWN_MAX).map((detail) => (
        <li key={`${detail.symbol} ${detail.algoName} ${detail.period}`}>
          <strong>{detail.symbol}</strong>
          <span>{lotsOf(detail)}</span>
          <span>
            {detail.algoName} · {detail.period}
          </span>
          <span>{limitTexts(detail).join(" · ")}</span>
          <NextSignal bot={bot} detail={detail} totals={totals} />
        </li>
      ))}
      {all.length > SHOWN_MAX && (
        <li class="hint">{say("{count} more symbols: see “Change”", { count: all.length - SHOWN_MAX })}</li>
      )}
    </ul>
  );
}

/** `rise`: the gap with its currency. */
function sellText({ sellGap, targetProfit }: LevelBotDetail, rise: string): string {
  const percent = say("{share}%", { share: priceText(targetProfit) });
  if (sellGap > 0 && targetProfit > 0) return say("sells after a rise of {rise} and {percent}", { rise, percent });
  return sellGap > 0 ? say("sells after a rise of {rise}", { rise }) : say("sells at a gain of {percent}", { percent });
}

function profitText({ profit }: LevelBotDetail): readonly string[] {
  return profit > 0 ? [say("buys until a profit of {profit}", { profit: moneyText(profit) })] : [];
}

/** The price limits of a symbol; 0: no limit. */
function limitTexts({ minBuyPrice, maxBuyPrice, minSellPrice, maxSellPrice }: BotDetail): readonly string[] {
  const limits = [
    [minBuyPrice, say("Buy at least at")],
    [maxBuyPrice, say("Buy at most at")],
    [minSellPrice, say("Sell at least at")],
    [maxSellPrice, say("Sell at most at")],
  ] as const;
  return limits.flatMap(([price, name]) => (price > 0 ? [`${name} ${priceText(price)}`] : []));
}

interface NextLevelsProps {
  readonly isActive: boolean;
  /** Undefined: not read yet. */
  readonly next: NonNullable<BotTotals["next"]>[number] | undefined;
  readonly price: number | undefined;
}

function NextLevels({ isActive, next, price }: NextLevelsProps) {
  if (!isActive) return <Off />;
  if (next === undefined) return null;
  const { buyPrice, sellPrice } = next;
  return (
    <>
      <Next name={say("next buy")}>
        {buyPrice === null ? say("not for now") : <Level level={buyPrice} price={price} />}
      </Next>
      <Next name={say("next sale")}>
        {sellPrice === null ? say("nothing to sell") : <Level level={sellPrice} price={price} />}
      </Next>
    </>
  );
}

/** A price, and how far it is from the last one. */
function Level({ level, price }: { readonly level: number; readonly price: number | undefined }) {
  return (
    <>
      <strong>{priceText(level)}</strong>
      {price !== undefined && ` (${distanceText(level, price)})`}
    </>
  );
}

interface NextSignalProps extends Pick<PlansProps, "bot" | "totals"> {
  readonly detail: WebhookBotDetail;
}

function NextSignal({ bot, detail, totals }: NextSignalProps) {
  if (!bot.isActive) return <Off />;
  const side = nextSignalOf(bot.webhookBotDetails ?? [], detail, totals);
  if (side === undefined) return null;
  return (
    <Next name={say("next")}>
      {side === "buy"
        ? say("buys at the next buy signal")
        : side === "sell"
          ? say("sells at the next sell signal")
          : say("buys and sells at its signals")}
    </Next>
  );
}

function Off() {
  return <Next name={say("next")}>{say("nothing while it is off")}</Next>;
}

function Next({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <span class="next">
      <span class="hint">{name}</span> {children}
    </span>
  );
}
