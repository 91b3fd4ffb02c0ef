/** What a bot does with each of its symbols, and what it does next: without opening the bot. */
import { type ComponentChildren, Fragment } from "preact";
import { useEffect } from "preact/hooks";
import { say } from "../language/say.ts";
import { currencyOf } from "../part/currency.ts";
import { usePrices } from "../part/use-prices.ts";
import { distanceText, moneyText, priceText, quantityText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import type { Bot, BotDetail, LevelBotDetail, WebhookBotDetail } from "../state/model.ts";
import { type BotTotals, type NextLevels, nextSignalOf, reachedOf } from "./totals.ts";

/** *Change* shows the others. */
const SHOWN_MAX = 5;
/** A reached level is traded within this time, or it is read too old: it rises with the price. */
const REACHED_READ_MS = 1_000;

interface PlansProps {
  readonly dashboard: DashboardState;
  readonly bot: Bot;
  /** Undefined: not read yet. */
  readonly totals: BotTotals | undefined;
  /** Reads the totals again. */
  readonly onReached: () => void;
}

export function Plans({ dashboard, bot, totals, onReached }: PlansProps) {
  const levels = bot.levelBotDetails ?? [];
  const webhooks = bot.webhookBotDetails ?? [];
  const all: readonly BotDetail[] = [...levels, ...webhooks];
  const priceOf = usePrices(dashboard, [...new Set(all.slice(0, SHOWN_MAX).map(({ symbol }) => symbol))]);
  const lotsOf = ({ symbol, quantity }: BotDetail): string => {
    const lots = say("{lots} lots", { lots: quantityText(quantity) });
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
          <Item name={say("each buy")}>{lotsOf(detail)}</Item>
          <Item name={say("buys after a fall of")}>{amountOf(detail, detail.buyGap)}</Item>
          <Rules
            rules={[saleRule(detail, amountOf(detail, detail.sellGap)), ...limitsOf(detail), ...profitOf(detail)]}
          />
          <Item name={say("last")}>{priceText(priceOf(detail.symbol))}</Item>
          <NextOfLevel
            {...{ detail, onReached }}
            isActive={bot.isActive}
            next={totals?.next?.find(({ symbol }) => symbol === detail.symbol)}
            price={priceOf(detail.symbol)}
          />
        </li>
      ))}
      {webhooks.slice(0, SHOWN_MAX).map((detail) => (
        <li key={`${detail.symbol} ${detail.algoName} ${detail.period}`}>
          <strong>{detail.symbol}</strong>
          <Item name={say("each buy")}>{lotsOf(detail)}</Item>
          <Item name={say("signals")}>
            {detail.algoName} · {detail.period}
          </Item>
          <Rules rules={limitsOf(detail)} />
          <Item name={say("last")}>{priceText(priceOf(detail.symbol))}</Item>
          <NextSignal bot={bot} detail={detail} totals={totals} />
        </li>
      ))}
      {all.length > SHOWN_MAX && (
        <li class="hint">{say("{count} more symbols: see “Change”", { count: all.length - SHOWN_MAX })}</li>
      )}
    </ul>
  );
}

/** A name and its value. */
type Rule = readonly [name: string, value: string];

/** `rise`: the gap with its currency. */
function saleRule({ sellGap, targetProfit }: LevelBotDetail, rise: string): Rule {
  const percent = say("{share}%", { share: priceText(targetProfit) });
  if (sellGap <= 0) return [say("sells at a gain of"), percent];
  return [say("sells after a rise of"), targetProfit > 0 ? say("{rise} and {percent}", { rise, percent }) : rise];
}

function profitOf({ profit }: LevelBotDetail): readonly Rule[] {
  return profit > 0 ? [[say("buys until a profit of"), moneyText(profit)]] : [];
}

/** The price limits of a symbol; 0: no limit. */
function limitsOf({ minBuyPrice, maxBuyPrice, minSellPrice, maxSellPrice }: BotDetail): readonly Rule[] {
  const limits = [
    [minBuyPrice, say("Buy at least at")],
    [maxBuyPrice, say("Buy at most at")],
    [minSellPrice, say("Sell at least at")],
    [maxSellPrice, say("Sell at most at")],
  ] as const;
  return limits.flatMap(([price, name]): readonly Rule[] => (price > 0 ? [[name, priceText(price)]] : []));
}

function Rules({ rules }: { readonly rules: readonly Rule[] }) {
  return (
    <span class="rules">
      {rules.map(([name, value], index) => (
        <Fragment key={name}>
          {index > 0 && " "}
          <Item name={name}>{value}</Item>
        </Fragment>
      ))}
    </span>
  );
}

interface LevelsProps extends Pick<PlansProps, "onReached"> {
  readonly detail: LevelBotDetail;
  readonly next: NextLevels;
  readonly price: number | undefined;
}

interface NextOfLevelProps extends Omit<LevelsProps, "next"> {
  readonly isActive: boolean;
  /** Undefined: not read yet. */
  readonly next: NextLevels | undefined;
}

function NextOfLevel({ isActive, next, ...props }: NextOfLevelProps) {
  if (!isActive) return <Off />;
  return next === undefined ? null : <Levels {...props} next={next} />;
}

function Levels({ detail, next, price, onReached }: LevelsProps) {
  const { buyPrice, sellPrice } = next;
  const { buy, sale } = reachedOf(next, price, detail);
  const isReached = buy || sale;
  useEffect(() => {
    if (!isReached) return;
    const timer = setTimeout(onReached, REACHED_READ_MS);
    return () => clearTimeout(timer);
  }, [isReached, onReached]);
  return (
    <>
      <Item name={say("next buy")}>
        {buyPrice === null ? say("not for now") : <Level level={buyPrice} price={price} isReached={buy} />}
      </Item>
      <Item name={say("next sale")}>
        {sellPrice === null ? say("nothing to sell") : <Level level={sellPrice} price={price} isReached={sale} />}
      </Item>
    </>
  );
}

interface LevelProps extends Pick<LevelsProps, "price"> {
  readonly level: number;
  readonly isReached: boolean;
}

/** A price, and how far it is from the last one. */
function Level({ level, price, isReached }: LevelProps) {
  return (
    <>
      <strong>{priceText(level)}</strong>
      {isReached ? ` (${say("reached")})` : price !== undefined && ` (${distanceText(level, price)})`}
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
    <Item name={say("next")}>
      {side === "buy"
        ? say("buys at the next buy signal")
        : side === "sell"
          ? say("sells at the next sell signal")
          : say("buys and sells at its signals")}
    </Item>
  );
}

function Off() {
  return <Item name={say("next")}>{say("nothing while it is off")}</Item>;
}

function Item({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <span class="item">
      <span class="hint">{name}</span> <span>{children}</span>
    </span>
  );
}
