/** The sums of all bots of the account, of both kinds. Amounts are before commission. */
import { say } from "../language/say.ts";
import { commonCurrency } from "../part/currency.ts";
import { Profit, Share } from "../part/profit.tsx";
import { Term } from "../part/term.tsx";
import { usePrices } from "../part/use-prices.ts";
import { moneyText, quantityText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import type { Bot } from "../state/model.ts";
import {
  allOpenOf,
  type BotTotals,
  closedTotalsOf,
  countText,
  inUseOf,
  netProfitOf,
  openWorthOf,
  symbolsOf,
  winShareOf,
} from "./totals.ts";

interface BotSumsProps {
  readonly dashboard: DashboardState;
  readonly bots: readonly Bot[];
  /** Not empty. */
  readonly totals: readonly BotTotals[];
}

export function BotSums({ dashboard, bots, totals }: BotSumsProps) {
  const open = allOpenOf(totals);
  const symbols = [...new Set(open.open.map(({ symbol }) => symbol))];
  const priceOf = usePrices(dashboard, symbols);
  const closed = closedTotalsOf(totals);
  const { profit, share, missing } = openWorthOf(open, priceOf);
  const net = netProfitOf({ profit: closed.profit, ...open }, priceOf);
  const inUse = inUseOf(open);
  const winShare = winShareOf(closed);
  const running = bots.filter(({ isRunning }) => isRunning).length;
  const currency = commonCurrency(dashboard, [...symbols, ...bots.flatMap(symbolsOf)]);
  const unit = currency !== undefined && <span class="unit"> {currency}</span>;
  return (
    <section class="card" aria-label={say("All bots")}>
      <dl class="totals">
        <Term name={say("Net profit")} below={say("before commission")}>
          <Profit amount={net} />
          {net !== undefined && unit}
        </Term>
        <Term name={say("Closed profit")} below={countText(closed.closedCount)}>
          <Profit amount={closed.profit} />
          {unit}
        </Term>
        <Term
          name={say("Open profit")}
          isPartial={missing > 0}
          below={
            <>
              {countText(open.openCount)}
              {share !== undefined && (
                <>
                  {" · "}
                  <Share share={share} />
                </>
              )}
              {missing > 0 && ` ${say("({count} trades without a price are left out)", { count: missing })}`}
            </>
          }
        >
          {open.openCount === 0 ? moneyText(0) : <Profit amount={profit} />}
          {(open.openCount === 0 || profit !== undefined) && unit}
        </Term>
        <Term
          name={say("Win rate")}
          below={say("{count} of {all} closed trades", {
            count: quantityText(closed.winCount),
            all: quantityText(closed.closedCount - closed.buyFailedCount),
          })}
        >
          {winShare === undefined ? "–" : say("{share}%", { share: Math.floor(winShare * 100) })}
        </Term>
        <Term name={say("In use")} below={say("cost of the open trades")}>
          {open.openCount === 0 ? moneyText(0) : inUse === undefined ? "–" : moneyText(inUse)}
          {(open.openCount === 0 || inUse !== undefined) && unit}
        </Term>
        <Term name={say("Running bots")} below={say("{count} in all", { count: quantityText(bots.length) })}>
          {quantityText(running)}
        </Term>
      </dl>
    </section>
  );
}
