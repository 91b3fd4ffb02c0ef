/** What closed trades brought, and how, with the drawdown of their profit. Amounts are before commission. */
import { say } from "../language/say.ts";
import { Profit } from "../part/profit.tsx";
import { usePrices } from "../part/use-prices.ts";
import { moneyText, quantityText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { type BotTotals, type ClosedTotals, drawdownNowOf, profitFactorOf, winShareOf } from "./totals.ts";

interface ClosedSumsProps {
  readonly dashboard: DashboardState;
  readonly sums: ClosedTotals;
  /** Of the bots whose trades these are: a drawdown is of one bot. */
  readonly totals: readonly BotTotals[] | undefined;
  /** Undefined: the trades are of several. */
  readonly currency: string | undefined;
}

export function ClosedSums({ dashboard, sums, totals = [], currency }: ClosedSumsProps) {
  const { profit, closedCount, buyFailedCount, winCount, grossProfit, grossLoss, largestDrawdown } = sums;
  const winShare = winShareOf(sums);
  const factor = profitFactorOf(sums);
  const [only, ...others] = totals;
  const unit = currency !== undefined && <span class="unit"> {currency}</span>;
  return (
    <dl class="terms sums-line">
      <div>
        <dt>{say("Profit")}</dt>
        <dd>
          <strong>
            <Profit amount={profit} />
          </strong>
          {unit}
        </dd>
      </div>
      <div>
        <dt>{say("Closed trades")}</dt>
        <dd>
          <strong>{quantityText(closedCount)}</strong>
          {buyFailedCount > 0 && ` (${say("failed buys: {count}", { count: quantityText(buyFailedCount) })})`}
        </dd>
      </div>
      <div>
        <dt>{say("Win rate")}</dt>
        <dd>
          <strong>{winShare === undefined ? "–" : say("{share}%", { share: Math.floor(winShare * 100) })}</strong>{" "}
          {say("({count} of {all})", {
            count: quantityText(winCount),
            all: quantityText(closedCount - buyFailedCount),
          })}
        </dd>
      </div>
      <div>
        <dt>{say("Profit factor")}</dt>
        <dd>
          <strong>{factor === undefined ? "–" : moneyText(factor)}</strong>{" "}
          {factor === undefined
            ? say("(no closed trade with a loss)")
            : say("(gains {gains}, losses {losses})", { gains: moneyText(grossProfit), losses: moneyText(grossLoss) })}
        </dd>
      </div>
      {largestDrawdown !== undefined && (
        <div>
          <dt>{say("Largest drawdown (closed)")}</dt>
          <dd>
            <strong>{largestDrawdown === 0 ? moneyText(0) : <Profit amount={-largestDrawdown} />}</strong>
            {unit}
          </dd>
        </div>
      )}
      {only !== undefined && others.length === 0 && (
        <div>
          <dt>{say("Drawdown now (with open)")}</dt>
          <dd>
            <DrawdownNow dashboard={dashboard} totals={only} />
            {unit}
          </dd>
        </div>
      )}
    </dl>
  );
}

/** The fall from the highest profit of a bot's closed trades to its profit of now. `totals` undefined: not read yet. */
export function DrawdownNow({
  dashboard,
  totals,
}: {
  readonly dashboard: DashboardState;
  readonly totals: BotTotals | undefined;
}) {
  const priceOf = usePrices(dashboard, totals?.open.map(({ symbol }) => symbol) ?? []);
  const drawdown = totals && drawdownNowOf(totals, priceOf);
  return <Profit amount={drawdown && 0 - drawdown} />;
}
