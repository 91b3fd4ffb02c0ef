/** The money of the account, and the sums of its positions. */
import { dateIn } from "../../../../src/domain/time-zone.ts";
import { say } from "../language/say.ts";
import { type LeftOutReason, profitOfDay } from "../part/day-profit.ts";
import { Profit, Share } from "../part/profit.tsx";
import { useDayBases } from "../part/use-day-bases.ts";
import { moneyText, profitText, shareText } from "../part/words.ts";
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
          text={
            positions === undefined ? "–" : `${amountText(value.sum, balance?.currency)}${leftOutText(value.missing)}`
          }
        />
        <div>
          <dt>{say("Profit of positions")}</dt>
          <dd class="number">
            <Profit amount={positions === undefined ? undefined : profit.sum} /> {balance?.currency}
            {leftOutText(profit.missing)}
          </dd>
        </div>
        <DayTerms dashboard={dashboard} positions={positions} orders={orders} currency={balance?.currency} />
      </dl>
      <p class="hint">
        {say(
          "Profit of the day: lots of this morning count from the base price of the day, and lots that were bought today from the price of their buy. They count to the last price, or to the price of their sell. Commissions are not in it.",
        )}
      </p>
    </section>
  );
}

const LEFT_OUT_TEXTS: Readonly<Record<LeftOutReason, (symbols: string) => string>> = {
  price: (symbols) => say("without {symbols}: a price is missing", { symbols }),
  fill: (symbols) => say("without {symbols}: the price or the day of a fill is not known", { symbols }),
  lots: (symbols) => say("without {symbols}: lots and fills do not add up", { symbols }),
};

interface DayTermsProps extends Omit<TotalsProps, "balance"> {
  readonly currency: string | undefined;
}

function DayTerms({ dashboard, positions, orders, currency }: DayTermsProps) {
  const filled = (orders ?? []).filter(({ filledQuantity }) => filledQuantity > 0);
  const symbols = new Set([...(positions ?? []), ...filled].map(({ symbol }) => symbol));
  const { baseOf, isRead } = useDayBases(dashboard, [...symbols]);
  const isToday = ({ symbol, createdDate }: Order): boolean => {
    const zone = dashboard.zoneOf(symbol);
    return dateIn(zone, Date.parse(createdDate)) === dateIn(zone, Date.now());
  };
  const {
    amount,
    share,
    missing = [],
  } = isRead && positions && orders ? profitOfDay(positions, filled, baseOf, isToday) : {};
  const isPartial = amount !== undefined && missing.length > 0;
  const notes = (["price", "fill", "lots"] as const).flatMap((why) => {
    const leftOut = missing.filter(({ reason }) => reason === why);
    return leftOut.length === 0 ? [] : [LEFT_OUT_TEXTS[why](leftOut.map(({ symbol }) => symbol).join(", "))];
  });
  return (
    <div>
      <dt>{say("Profit of the day")}</dt>
      <dd class="number">
        {/* The sum of some symbols is not the result: it has no color. */}
        {isPartial ? profitText(amount) : <Profit amount={amount} />} {amount !== undefined && currency}
        {share !== undefined && <> {isPartial ? shareText(share) : <Share share={share} />}</>}
        {notes.length > 0 && ` ${[...(isPartial ? [say("partial")] : []), ...notes].join("; ")}`}
      </dd>
    </div>
  );
}

function Term({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="number">{text}</dd>
    </div>
  );
}

function amountText(amount: number | undefined, currency = ""): string {
  return amount === undefined ? "–" : `${moneyText(amount)} ${currency}`;
}

function leftOutText(missing: number): string {
  return missing === 0 ? "" : ` ${say("without {count} of unknown price", { count: missing })}`;
}
