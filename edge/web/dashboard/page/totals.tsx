/** The money of the account, and the sums of its positions, at the last prices. */
import type { ComponentChildren } from "preact";
import { BUY } from "../../../../src/domain/order/order.ts";
import { say } from "../language/say.ts";
import { isOfToday, LEFT_OUT_REASONS, profitOfDay } from "../part/day-profit.ts";
import { leftOutText } from "../part/day-words.ts";
import { riskOf } from "../part/portfolio-risk.ts";
import { Profit, Share } from "../part/profit.tsx";
import { Term } from "../part/term.tsx";
import { Unit } from "../part/unit.tsx";
import type { DayBases } from "../part/use-day-bases.ts";
import { useLivePositions } from "../part/use-live-portfolio.ts";
import type { DayReading, MoneyReading } from "../part/use-portfolio.ts";
import { moneyText, profitText, shareText, timeText } from "../part/words.ts";
import { marketValueOf, sumOf } from "../part/worth.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { type Balance, isOpen, type Order, type Position } from "../state/model.ts";
import { useStore } from "../state/store.ts";

/** All words of the card, in one place. */
const TEXT = {
  title: say("Totals"),
  equity: say("Equity"),
  cash: say("Cash"),
  value: say("Value of positions"),
  buyingPower: say("Buying power"),
  profit: say("Profit of positions"),
  day: say("Profit of the day"),
  partOfDay: say("Profit of the day, partial"),
  ofPositions: say("of positions"),
  stops: say("If all stop-losses fire"),
  noStop: say("no stop-loss"),
  unknown: say("not known"),
  isSum: say("cash and positions"),
  isStated: say("stated by the brokerage"),
  atLast: say("at the last prices"),
  noMoney: say("The brokerage does not state the money of the account."),
  howTitle: say("How these amounts are counted"),
  dayHint: say(
    "Lots held since yesterday gain or lose against the base price of the day, lots bought today against their buy price. Sold lots count at their sell price. Commissions are not deducted. The percentage is of the positions when the day began.",
  ),
  stopHint: say(
    "If all stop-losses fire: what the protected lots bring at their stop-losses, less than at the last prices. A sale can fill at a lower price. The percentage is of the value of all positions.",
  ),
} as const;

/** The least amount that is shown. */
const CENT = 0.01;

interface TotalsProps {
  readonly dashboard: DashboardState;
  /** Null: the brokerage states none. Undefined: not read yet. */
  readonly balance: Balance | null | undefined;
  readonly money: MoneyReading | undefined;
  readonly positions: readonly Position[] | undefined;
  readonly day: DayReading | undefined;
  /** Of all symbols of the day. */
  readonly bases: DayBases;
}

export function Totals({ dashboard, balance, money, positions: newest, day, bases }: TotalsProps) {
  // Sums count positions of the same reading as the cash: a fill changes both.
  const positions = useLivePositions(dashboard, money?.positions ?? newest);
  const currency = balance?.currency;
  return (
    <section class="card" aria-label={TEXT.title}>
      <div class="heading">
        <h2>{TEXT.title}</h2>
      </div>
      {balance === null && <p class="hint">{TEXT.noMoney}</p>}
      <dl class="totals">
        {balance !== null && <EquityTerm balance={balance} money={money} positions={positions} />}
        <DayTerm {...{ dashboard, day, bases, currency }} />
        <ProfitTerm positions={positions} currency={currency} />
        <StopTerm dashboard={dashboard} positions={positions} currency={currency} />
        <ValueTerm positions={positions} currency={currency} />
        {balance !== null && (
          <>
            <Term name={TEXT.cash}>{balance && <Money amount={balance.cash} currency={currency} />}</Term>
            <Term name={TEXT.buyingPower} below={balance && boundText(balance, day?.orders)}>
              {balance && <Money amount={balance.buyingPower} currency={currency} />}
            </Term>
            <EquityNote money={money} positions={positions} />
          </>
        )}
      </dl>
      <details>
        <summary>{TEXT.howTitle}</summary>
        <p class="hint">{TEXT.dayHint}</p>
        <p class="hint">{TEXT.stopHint}</p>
      </details>
    </section>
  );
}

/** Why buying power is less than cash; undefined if it is not. */
function boundText({ cash, buyingPower }: Balance, orders: readonly Order[] = []): string | undefined {
  const amount = cash - buyingPower;
  if (amount < CENT) return undefined;
  const hasOpenBuy = orders.some((order) => order.buySell === BUY && isOpen(order));
  return hasOpenBuy
    ? say("{amount} in open orders", { amount: moneyText(amount) })
    : say("{amount} less than cash", { amount: moneyText(amount) });
}

/**
 * Cash and positions at the last prices, if the equity was that when it was read. Any other equity is shown as the
 * brokerage stated it, with the moment; a note gives the difference. Until both are compared it is as the brokerage
 * stated it.
 */
function EquityTerm({ balance, money, positions }: Pick<TotalsProps, "balance" | "money" | "positions">) {
  if (balance == null) return <Term name={TEXT.equity} />;
  if (money === undefined || positions === undefined)
    return (
      <Term name={TEXT.equity} below={TEXT.isStated}>
        <Money amount={balance.equity} currency={balance.currency} />
      </Term>
    );
  const { equity, currency } = money.balance;
  const sum = sumOfEquity(money, positions);
  if (sum !== undefined)
    return (
      <Term name={TEXT.equity} below={TEXT.isSum}>
        <Money amount={sum} currency={currency} />
      </Term>
    );
  return (
    <Term name={TEXT.equity} below={say("stated by the brokerage at {time}", { time: timeText(money.readMs) })}>
      <Money amount={equity} currency={currency} />
    </Term>
  );
}

/** Why the equity is not cash and positions: all amounts are of its reading, as prices move after it. */
function EquityNote({ money, positions }: Pick<TotalsProps, "money" | "positions">) {
  if (money === undefined || positions === undefined || sumOfEquity(money, positions) !== undefined) return null;
  const { beyond, isSum, balance } = money;
  return (
    <Note name={TEXT.equity}>
      {beyond === undefined || isSum
        ? say("a position has no price here, so cash and positions cannot be added up")
        : say(
            "differs from cash and positions by {difference}: money that is not settled yet, or a fill at the moment of the reading",
            { difference: `${profitText(beyond)} ${balance.currency}` },
          )}
    </Note>
  );
}

/** Cash and positions at the last prices; undefined if the equity is not known to be that. */
function sumOfEquity({ balance, isSum }: MoneyReading, positions: readonly Position[]): number | undefined {
  const { sum, missing } = sumOf(positions, marketValueOf);
  return isSum && missing === 0 ? balance.cash + sum : undefined;
}

interface SumProps {
  readonly positions: readonly Position[] | undefined;
  readonly currency: string | undefined;
}

function ValueTerm({ positions, currency }: SumProps) {
  if (positions === undefined) return <Term name={TEXT.value} />;
  const { sum } = sumOf(positions, marketValueOf);
  const unpriced = positions.filter((position) => marketValueOf(position) === undefined);
  const isUnknown = unpriced.length > 0 && unpriced.length === positions.length;
  return (
    <Term
      name={TEXT.value}
      below={
        unpriced.length === 0 ? TEXT.atLast : say("without {symbols}: no price yet", { symbols: namesOf(unpriced) })
      }
    >
      {isUnknown ? TEXT.unknown : <Money amount={sum} currency={currency} />}
    </Term>
  );
}

function ProfitTerm({ positions, currency }: SumProps) {
  if (positions === undefined) return <Term name={TEXT.profit} />;
  const known = positions.filter(({ profit }) => profit !== null);
  const unknown = positions.filter(({ profit }) => profit === null);
  const { sum } = sumOf(known, ({ profit }) => profit ?? undefined);
  const { sum: value } = sumOf(known, marketValueOf);
  const paid = value - sum;
  const below =
    unknown.length === 0
      ? paid > 0 && <Share share={sum / paid} />
      : say("without {symbols}: the price or the average price is not known", { symbols: namesOf(unknown) });
  return (
    <Term name={TEXT.profit} below={below}>
      {known.length === 0 && unknown.length > 0 ? (
        TEXT.unknown
      ) : (
        <>
          <Profit amount={sum} /> <Unit currency={currency} />
        </>
      )}
    </Term>
  );
}

/** What the account loses from the last prices if all its stop-losses fire. */
function StopTerm({ dashboard, positions, currency }: SumProps & Pick<TotalsProps, "dashboard">) {
  const groups = useStore(dashboard.groups);
  const areGroupsKnown = useStore(dashboard.areRowsKnown);
  if (positions === undefined || !areGroupsKnown) return <Term name={TEXT.stops} />;
  const { change, share, missing } = riskOf(positions, groups);
  const nothing = missing.length > 0 ? TEXT.unknown : TEXT.noStop;
  const below =
    missing.length > 0
      ? say("without {symbols}: no price yet", { symbols: namesOf(missing) })
      : share !== undefined && say("{percent}% protected", { percent: Math.round(100 * share) });
  return (
    <Term name={TEXT.stops} below={below}>
      {change === undefined ? (
        nothing
      ) : (
        <>
          <Profit amount={change} /> <Unit currency={currency} />
        </>
      )}
    </Term>
  );
}

interface DayTermProps extends Pick<TotalsProps, "dashboard" | "day" | "bases"> {
  readonly currency: string | undefined;
}

function DayTerm({ dashboard, day, bases: { baseOf, isRead }, currency }: DayTermProps) {
  const positions = useLivePositions(dashboard, day?.positions);
  const filled = (day?.orders ?? []).filter(({ filledQuantity }) => filledQuantity > 0);
  const isToday = (order: Order): boolean => isOfToday(order, dashboard.zoneOf(order.symbol), Date.now());
  if (!isRead || positions === undefined) return <Term name={TEXT.day} />;
  const { amount, share, missing, symbolCount } = profitOfDay(positions, filled, baseOf, isToday);
  const isPartial = missing.length > 0;
  const notes = LEFT_OUT_REASONS.flatMap((why) => {
    const leftOut = missing.filter(({ reason }) => reason === why);
    return leftOut.length === 0 ? [] : [leftOutText(why, namesOf(leftOut))];
  });
  const counted = say("{count} of {all} symbols counted", { count: symbolCount - missing.length, all: symbolCount });
  return (
    <>
      <Term
        name={isPartial && amount !== undefined ? TEXT.partOfDay : TEXT.day}
        isPartial={isPartial}
        below={
          amount !== undefined && (
            <>
              {share !== undefined && (isPartial ? shareText(share) : <Share share={share} />)}
              {share !== undefined && ` ${TEXT.ofPositions}`}
              {isPartial && (share === undefined ? counted : ` · ${counted}`)}
            </>
          )
        }
      >
        {/* The sum of some symbols is not the result: it has no color, and is small. */}
        {amount === undefined ? TEXT.unknown : isPartial ? profitText(amount) : <Profit amount={amount} />}{" "}
        {amount !== undefined && <Unit currency={currency} />}
      </Term>
      {notes.length > 0 && <Note name={say("Not in the profit of the day")}>{notes.join("; ")}</Note>}
    </>
  );
}

/** A line below all terms. */
function Note({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div class="note">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function namesOf(items: readonly { readonly symbol: string }[]): string {
  return items.map(({ symbol }) => symbol).join(", ");
}

function Money({ amount, currency }: { readonly amount: number; readonly currency: string | undefined }) {
  return (
    <>
      {moneyText(amount)} <Unit currency={currency} />
    </>
  );
}
