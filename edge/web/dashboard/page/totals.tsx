/** The money of the account, and the sums of its positions. */
import { dateIn } from "../../../../src/domain/time-zone.ts";
import { say } from "../language/say.ts";
import { profitOfDay } from "../part/day-profit.ts";
import { Profit, Share } from "../part/profit.tsx";
import { useDayBases } from "../part/use-day-bases.ts";
import { moneyText } from "../part/words.ts";
import { marketValueOf, sumOf } from "../part/worth.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import type { Balance, Order, Position } from "../state/model.ts";

interface TotalsProps {
  readonly dashboard: DashboardState;
  /** Null: the brokerage states none. Undefined: not read yet. */
  readonly balance: Balance | null | undefined;
  readonly positions: readonly Position[] | undefined;
  /** The orders of the day. */
  readonly orders: readonly Order[] | undefined;
}

export function Totals({ dashboard, balance, positions, orders }: TotalsProps) {
  const value = sumOf(positions ?? [], marketValueOf);
  const profit = sumOf(positions ?? [], (position) => position.profit ?? undefined);
  return (
    <section class="card" aria-label={say("Totals")}>
      <div class="heading">
        <h2>{say("Totals")}</h2>
      </div>
      {balance === null && <p class="hint">{say("The brokerage does not state the money of the account.")}</p>}
      <dl class="terms">
        <Term name={say("Cash")} text={amountText(balance?.cash, balance?.currency)} />
        <Term name={say("Buying power")} text={amountText(balance?.buyingPower, balance?.currency)} />
        <Term name={say("Equity")} text={amountText(balance?.equity, balance?.currency)} />
        <Term
          name={say("Value of positions")}
          text={positions === undefined ? "–" : `${moneyText(value.sum)}${leftOutText(value.missing)}`}
        />
        <dt>{say("Profit of positions")}</dt>
        <dd class="number">
          <Profit amount={positions === undefined ? undefined : profit.sum} />
          {leftOutText(profit.missing)}
        </dd>
        <DayTerms dashboard={dashboard} positions={positions} orders={orders} />
      </dl>
      <p class="hint">
        {say(
          "Profit of the day: lots of this morning count from the base price of the day, and lots that were bought today from the price of their buy. They count to the last price, or to the price of their sell. Commissions are not in it.",
        )}
      </p>
    </section>
  );
}

function DayTerms({ dashboard, positions, orders }: Omit<TotalsProps, "balance">) {
  const symbols = new Set([...(positions ?? []), ...(orders ?? [])].map(({ symbol }) => symbol));
  const { baseOf, isRead } = useDayBases(dashboard, [...symbols]);
  const isToday = ({ symbol, createdDate }: Order): boolean => {
    const zone = dashboard.zoneOf(symbol);
    return dateIn(zone, Date.parse(createdDate)) === dateIn(zone, Date.now());
  };
  const {
    amount,
    share,
    missing = [],
  } = isRead && positions && orders ? profitOfDay(positions, orders, baseOf, isToday) : {};
  return (
    <>
      <dt>{say("Profit of the day")}</dt>
      <dd class="number">
        <Profit amount={symbols.size > 0 && missing.length === symbols.size ? undefined : amount} />
        {share !== undefined && (
          <>
            {" "}
            <Share share={share} />
          </>
        )}
        {missing.length > 0 && ` ${say("without {symbols}: a price is missing", { symbols: missing.join(", ") })}`}
      </dd>
    </>
  );
}

function Term({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd class="number">{text}</dd>
    </>
  );
}

function amountText(amount: number | undefined, currency = ""): string {
  return amount === undefined ? "–" : `${moneyText(amount)} ${currency}`;
}

function leftOutText(missing: number): string {
  return missing === 0 ? "" : ` ${say("without {count} of unknown price", { count: missing })}`;
}
