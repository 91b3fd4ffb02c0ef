/** How closed trades brought their profit, and its drawdown. Amounts are before commission. */
import { say } from "../language/say.ts";
import { Profit } from "../part/profit.tsx";
import { usePrices } from "../part/use-prices.ts";
import { moneyText, quantityText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { type BotTotals, type ClosedTotals, drawdownNowOf, profitFactorOf } from "./totals.ts";

interface ClosedSumsProps {
  readonly sums: ClosedTotals;
  /** Undefined: the trades are of several. */
  readonly currency: string | undefined;
}

export function ClosedSums({ sums, currency }: ClosedSumsProps) {
  const { buyFailedCount, grossProfit, grossLoss, largestDrawdown } = sums;
  const factor = profitFactorOf(sums);
  return (
    <dl class="terms sums-line">
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
            {currency !== undefined && <span class="unit"> {currency}</span>}
          </dd>
        </div>
      )}
      {buyFailedCount > 0 && (
        <div>
          <dt>{say("Failed buys")}</dt>
          <dd>
            <strong>{quantityText(buyFailedCount)}</strong>
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
