/** Money, positions and the day's orders of the account, as the brokerage reports them, at the last prices. */

import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { protectionOf } from "../group/row-worth.ts";
import { say } from "../language/say.ts";
import { ChartLink } from "../part/chart-link.tsx";
import { Commitments, Free, freeLots, rowOfPosition } from "../part/commitments.tsx";
import { titleOf } from "../part/currency.ts";
import { Dash } from "../part/dash.tsx";
import { isOfToday, profitOfDay } from "../part/day-profit.ts";
import { leftOutText } from "../part/day-words.ts";
import { Profit, Share } from "../part/profit.tsx";
import { type Column, Table } from "../part/table.tsx";
import { Unit } from "../part/unit.tsx";
import { type DayBases, useDayBases } from "../part/use-day-bases.ts";
import { useLivePositions } from "../part/use-live-portfolio.ts";
import { type DayReading, usePortfolio } from "../part/use-portfolio.ts";
import { averageText, moneyText, priceText, quantityText } from "../part/words.ts";
import { marketValueOf, profitShareOf } from "../part/worth.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import type { Holding, LedgerRow, Order, Position } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import { Orders } from "../trade/orders.tsx";
import { saleOf, type TicketDraft } from "../trade/ticket-draft.ts";
import { Doubts } from "./doubts.tsx";
import { HeldSymbols } from "./held-symbols.tsx";
import { LimitsCard } from "./limits.tsx";
import { Reset } from "./reset.tsx";
import { Totals } from "./totals.tsx";
import { Trading } from "./trading.tsx";

/** `currency`: undefined while it is not known. */
function positionColumns(
  currency: string | undefined,
  freeCell: (position: Position) => ComponentChildren,
): readonly Column<Position>[] {
  return [
    { title: say("Symbol"), view: ({ symbol }) => <ChartLink symbol={symbol} /> },
    { title: say("Lots"), isNumber: true, view: ({ quantity }) => quantityText(quantity) },
    { title: say("Free to sell"), isNumber: true, view: freeCell },
    { title: say("Average price"), isNumber: true, isMinor: true, view: averageCell },
    { title: say("Last price"), isNumber: true, view: lastCell },
    { title: titleOf(say("Value"), currency), isNumber: true, view: (position) => valueCell(position) },
    { title: titleOf(say("Profit"), currency), isNumber: true, view: (position) => profitCell(position) },
    { title: say("Profit %"), isNumber: true, isMinor: true, view: shareCell },
  ];
}

type Ledger = ReadonlyMap<string, LedgerRow>;

/** Why a value is not there, in its place. */
const TEXT = {
  noPrice: say("no price yet"),
  noAverage: say("no average price"),
  notStated: say("not stated"),
} as const;

function averageCell({ averagePrice }: Position) {
  return averagePrice > 0 ? averageText(averagePrice) : <Unknown why={TEXT.notStated} />;
}

function lastCell({ lastPrice }: Position) {
  return lastPrice === null ? <Unknown why={TEXT.noPrice} /> : priceText(lastPrice);
}

/** With its currency if it is given. */
function valueCell(position: Position, currency?: string | undefined) {
  const value = marketValueOf(position);
  if (value === undefined) return <Unknown why={TEXT.noPrice} />;
  return (
    <>
      <span>{moneyText(value)}</span> <Unit currency={currency} />
    </>
  );
}

/** With its currency if it is given. */
function profitCell({ profit, lastPrice }: Position, currency?: string | undefined) {
  if (profit === null) return <Unknown why={lastPrice === null ? TEXT.noPrice : TEXT.noAverage} />;
  return (
    <>
      <Profit amount={profit} /> <Unit currency={currency} />
    </>
  );
}

function shareCell(position: Position) {
  const share = profitShareOf(position);
  if (share !== undefined) return <Share share={share} />;
  return <Unknown why={position.profit === null && position.lastPrice === null ? TEXT.noPrice : TEXT.noAverage} />;
}

function Unknown({ why }: { readonly why: string }) {
  return <span class="hint">{why}</span>;
}

interface PortfolioProps {
  readonly dashboard: DashboardState;
  /** Opens a new group for what is held. */
  readonly onProtect: (holding: Holding) => void;
  /** Opens a filled ticket. */
  readonly onTicket: (ticket: TicketDraft) => void;
}

export function Portfolio({ dashboard, onProtect, onTicket }: PortfolioProps) {
  const { positions, orders, balance, money, day, ledger, fault } = usePortfolio(dashboard);
  const filled = (day?.orders ?? []).filter(({ filledQuantity }) => filledQuantity > 0);
  const symbols = new Set([...(day?.positions ?? []), ...filled].map(({ symbol }) => symbol));
  const bases = useDayBases(dashboard, [...symbols]);
  return (
    <>
      <Doubts dashboard={dashboard} />
      <HeldSymbols dashboard={dashboard} />
      <Totals {...{ dashboard, balance, money, positions, day, bases }} />
      <Positions
        {...{ dashboard, onProtect, onTicket, positions, orders, day, bases, ledger, fault }}
        currency={balance?.currency}
      />
      <Orders
        dashboard={dashboard}
        title={say("Orders of the day")}
        orders={orders}
        empty={say("No order today. Orders of this page, of groups, bots and other programs are listed here.")}
        onCopy={onTicket}
      />
      <LimitsCard dashboard={dashboard} currency={balance?.currency} />
      <Trading dashboard={dashboard} />
      <Reset dashboard={dashboard} />
    </>
  );
}

/** Why the lots of a position can neither be protected nor be offered for sale. */
function noLotText(symbol: string): string {
  return say("No lot of {symbol} is free: groups, open orders or bots sell all of them.", { symbol });
}

interface ButtonsProps extends Pick<PortfolioProps, "onProtect" | "onTicket"> {
  /** The lots that nothing else sells. */
  readonly holding: Holding;
  /** Receives the symbol of a position without such lots, which cannot be protected. */
  readonly onRefuse: (symbol: string) => void;
}

/** Without free lots both look the same. A sale is still possible: its ticket has no lots yet, and warns. */
function Buttons({ holding, onProtect, onTicket, onRefuse }: ButtonsProps) {
  const { symbol, quantity } = holding;
  const reasonId = useId();
  const isFree = quantity > 0;
  const marks = isFree ? {} : { class: "muted", title: noLotText(symbol), "aria-describedby": reasonId };
  return (
    <div class="tools row">
      <button
        type="button"
        aria-label={say("Protect {symbol}", { symbol })}
        aria-disabled={!isFree}
        {...marks}
        onClick={() => (isFree ? onProtect(holding) : onRefuse(symbol))}
      >
        {say("Protect")}
      </button>
      <button
        type="button"
        aria-label={say("Sell {symbol}", { symbol })}
        {...marks}
        onClick={() => onTicket(saleOf(holding))}
      >
        {say("Sell|order")}
      </button>
      {!isFree && (
        <span id={reasonId} class="hidden">
          {noLotText(symbol)}
        </span>
      )}
    </div>
  );
}

/** The profit of a position in a day, in currency and in its share of what it was worth when the day began, or cost. */
interface CountedDay {
  readonly amount: number;
  /** Undefined: none was held then, and none was bought. */
  readonly share: number | undefined;
}

interface PositionsProps extends PortfolioProps {
  readonly positions: readonly Position[] | undefined;
  /** Of the day. */
  readonly orders: readonly Order[] | undefined;
  readonly day: DayReading | undefined;
  /** Of all symbols of the day. */
  readonly bases: DayBases;
  readonly ledger: Ledger | undefined;
  readonly currency: string | undefined;
  readonly fault: string | undefined;
}

function Positions(props: PositionsProps) {
  const { dashboard, onProtect, onTicket, positions: stated, orders, day, bases, ledger, currency, fault } = props;
  const positions = useLivePositions(dashboard, stated);
  const dayPositions = useLivePositions(dashboard, day?.positions);
  const groups = useStore(dashboard.groups);
  const areGroupsKnown = useStore(dashboard.areRowsKnown);
  /** Of which no lot was free when its button was pressed. */
  const [refused, setRefused] = useState<string | undefined>(undefined);
  /** Of the lots and fills of one moment, as in the totals. */
  const dayCell = ({ symbol }: Position, view: (day: CountedDay) => ComponentChildren) => {
    if (day === undefined || dayPositions === undefined || !bases.isRead) return <Unknown why={say("Reading…")} />;
    const isOfSymbol = (one: { readonly symbol: string }): boolean => one.symbol === symbol;
    const isToday = (order: Order): boolean => isOfToday(order, dashboard.zoneOf(symbol), Date.now());
    const fills = day.orders.filter(isOfSymbol);
    const { amount, share, missing } = profitOfDay(dayPositions.filter(isOfSymbol), fills, bases.baseOf, isToday);
    if (amount === undefined) return <Dash why={leftOutText(missing[0]?.reason ?? "base", symbol)} />;
    return view({ amount, share });
  };
  const dayShare = ({ share }: CountedDay) =>
    share === undefined ? <Dash why={say("None was held when the day began")} /> : <Share share={share} />;
  const freeCell = (position: Position) => (
    <Free
      row={rowOfPosition(ledger, position)}
      protectedLots={areGroupsKnown ? protectionOf(groups, position.symbol)?.lots : undefined}
    />
  );
  /** Bots sell by levels of their own. */
  const isOfBots = (position: Position): boolean =>
    position.quantity > 0 && (rowOfPosition(ledger, position)?.committed.bots ?? 0) >= position.quantity;
  const protectionText = ({ symbol, quantity }: Position) => {
    const found = protectionOf(groups, symbol);
    const text = say("{lots} of {all} protected", {
      lots: quantityText(found?.lots ?? 0),
      all: quantityText(quantity),
    });
    if (found !== undefined) return <a href={`#/groups/${found.groupId}`}>{text}</a>;
    return areGroupsKnown && quantity > 0 && <span class="caution">{text}</span>;
  };
  const protectionCell = (position: Position) =>
    isOfBots(position) && protectionOf(groups, position.symbol) === undefined ? (
      <a class="hint whole" href="#/bots">
        {say("Held by bots")}
      </a>
    ) : (
      <div class="protection">
        <span class="whole">{protectionText(position)}</span>
        <Commitments
          symbol={position.symbol}
          row={rowOfPosition(ledger, position)}
          groups={groups}
          orders={orders}
          isGroupNamed={true}
        />
      </div>
    );
  /** Lots that nothing else sells; all that can be sold while that is not known. */
  const lotsLeft = (position: Position): number => {
    const { availableQuantity } = position;
    const row = rowOfPosition(ledger, position);
    const free = row === undefined ? undefined : freeLots(row);
    return free === undefined ? availableQuantity : Math.max(0, Math.min(free, availableQuantity));
  };
  const buttons = (position: Position) => {
    if (position.quantity <= 0) return false;
    const holding = { symbol: position.symbol, quantity: lotsLeft(position) };
    return <Buttons {...{ holding, onProtect, onTicket, onRefuse: setRefused }} />;
  };
  return (
    <Table
      title={say("Positions")}
      columns={[
        ...positionColumns(currency, freeCell),
        {
          title: titleOf(say("Day"), currency),
          isNumber: true,
          view: (position) => dayCell(position, ({ amount }) => <Profit amount={amount} />),
        },
        { title: say("Day %"), isNumber: true, isMinor: true, view: (position) => dayCell(position, dayShare) },
        { title: say("Protection"), view: protectionCell },
        { title: say("Actions"), isAction: true, view: buttons },
      ]}
      items={positions}
      keyOf={({ symbol }) => symbol}
      empty={say("No position. Buy in Trade: a stop-loss and take-profits go with the same order.")}
      fault={fault}
      above={
        refused !== undefined && (
          <p role="status" class="said">
            {noLotText(refused)}
          </p>
        )
      }
      brief={(position) => (
        <>
          <span>
            <ChartLink symbol={position.symbol} /> {say("{lots} lots", { lots: quantityText(position.quantity) })}
          </span>
          <span>{valueCell(position, currency)}</span>
          <span class="hint">
            {averageCell(position)} → {lastCell(position)}
          </span>
          <span>
            {profitCell(position, currency)} {shareCell(position)}
          </span>
          <span class="hint">{say("Day")}</span>
          <span>
            {dayCell(position, (counted) => (
              <>
                <Profit amount={counted.amount} /> <Unit currency={currency} /> {dayShare(counted)}
              </>
            ))}
          </span>
          <span>
            {say("Free to sell")} {freeCell(position)}
            <br />
            {protectionCell(position)}
          </span>
          {buttons(position)}
        </>
      )}
    />
  );
}
