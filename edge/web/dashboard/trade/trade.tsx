/** Orders: a ticket, the chart of its symbol, what was answered, and the orders that are still open. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { BUY, MARKET } from "../../../../src/domain/order/order.ts";
import type { TickTable } from "../../../../src/domain/price/tick-table.ts";
import { averageLines, Chart, type ChartLine } from "../group/chart.tsx";
import { watchedLines } from "../group/group-lines.ts";
import { snap } from "../group/levels.ts";
import { say } from "../language/say.ts";
import { Confirm } from "../part/confirm.tsx";
import { Fault } from "../part/fault.tsx";
import { useNarrow } from "../part/narrow.ts";
import { readSymbol, typedPrice } from "../part/number-text.ts";
import { Share } from "../part/profit.tsx";
import { Time } from "../part/time.tsx";
import { useDayBases } from "../part/use-day-bases.ts";
import { usePortfolio } from "../part/use-portfolio.ts";
import { priceText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { isOpen, type Position } from "../state/model.ts";
import type { OrderPlan, PlanOutcome } from "../state/order-plan.ts";
import { useStore } from "../state/store.ts";
import { exitLines, withExitAt } from "./exit-levels.ts";
import { Orders } from "./orders.tsx";
import { orderText, TEXT } from "./texts.ts";
import { Ticket } from "./ticket.tsx";
import { EMPTY_TICKET, expectedPrice, isProtectedBuy, type TicketDraft } from "./ticket-draft.ts";

/** The limit or trigger; at market the last price, which is not dragged. */
const ORDER_LINE = "order";

/** More are found by typing. */
const HELD_MAX = 12;

/** What a smaller share rounds to is 0.00%. */
const LEAST_SHARE = 0.000_05;

/** The ticket after its order: of the same symbol and side, and its size is typed in the same unit. */
function emptied({ symbol, side, amount }: TicketDraft): TicketDraft {
  return { ...EMPTY_TICKET, symbol, side, amount: amount === undefined ? undefined : "" };
}

interface TradeProps {
  readonly dashboard: DashboardState;
  /** What the ticket has at first. */
  readonly ticket?: TicketDraft | undefined;
}

export function Trade({ dashboard, ticket = EMPTY_TICKET }: TradeProps) {
  const unsure = useStore(dashboard.orderPlans.unsure);
  const groups = useStore(dashboard.groups);
  const isNarrow = useNarrow();
  const { positions, orders, balance, ledger, fault } = usePortfolio(dashboard);
  const [draft, setDraft] = useState(ticket);
  const side = useRef<HTMLDivElement>(null);
  const [outcome, setOutcome] = useState<PlanOutcome | undefined>(undefined);
  /** The symbol of the address, such as of a link to its chart. */
  const linked = readSymbol(useStore(dashboard.addressBar.address).part);
  const change = (changes: Partial<TicketDraft>): void => {
    setOutcome(undefined);
    setDraft((before) => ({ ...before, ...changes }));
  };
  /** The ticket is above the orders on a narrow screen. */
  const copy = (copied: TicketDraft): void => {
    change(copied);
    side.current?.focus();
  };
  const finish = (found: PlanOutcome): void => {
    setOutcome(found);
    if (found.kind !== "unsure") setDraft(emptied);
    dashboard.brokerageChanges.update((count) => count + 1);
  };
  useEffect(() => {
    if (linked !== "") change({ symbol: linked });
  }, [linked]);
  const table = dashboard.tickTableOf(draft.symbol);
  const priceStore = dashboard.price(draft.symbol);
  useStore(priceStore);
  // The hook's value is of the former symbol if the symbol was changed just now.
  const last = priceStore.value;
  const isListed = useStore(dashboard.symbols).includes(draft.symbol);
  const { baseOf, bandOf } = useDayBases(dashboard, isListed ? [draft.symbol] : []);
  const dayShare = shareOfDay(last?.price, baseOf(draft.symbol));
  const averagePrice = positions?.find(({ symbol }) => symbol === draft.symbol)?.averagePrice;
  const lines = useMemo(
    () => [
      ...linesOf(draft, last?.price, table),
      ...watchedLines(groups, draft.symbol),
      ...averageLines(averagePrice ?? 0),
    ],
    [draft, last?.price, table, averagePrice, groups],
  );
  const drag = (key: string, price: number): void => {
    const level = snap(price, table);
    if (level === undefined) return;
    const exits = withExitAt(draft.exits, key, typedPrice(level));
    if (exits !== undefined) change({ exits });
    else if (draft.kind !== MARKET) change({ price: typedPrice(level) });
  };
  const view =
    draft.symbol === "" ? (
      <HeldSymbols positions={positions} onChoose={(symbol) => change({ symbol })} />
    ) : (
      <Chart key={draft.symbol} dashboard={dashboard} symbol={draft.symbol} lines={lines} onDrag={drag} />
    );
  return (
    <div class="desk">
      <div class="desk-side" ref={side} tabIndex={-1}>
        {unsure === undefined ? (
          <Ticket
            dashboard={dashboard}
            draft={draft}
            positions={positions}
            orders={orders}
            ledger={ledger}
            balance={balance}
            dayShare={dayShare}
            band={bandOf(draft.symbol)}
            onChange={change}
            onOutcome={finish}
          >
            {isNarrow && view}
          </Ticket>
        ) : (
          <Unsure
            dashboard={dashboard}
            plan={unsure}
            message={outcome?.kind === "unsure" ? outcome.message : undefined}
            onOutcome={finish}
          />
        )}
        {outcome !== undefined && outcome.kind !== "unsure" && <Outcome outcome={outcome} />}
      </div>
      <div class="desk-main">
        {!isNarrow && (
          <section class="card" aria-label={draft.symbol === "" ? TEXT.choose : draft.symbol}>
            {draft.symbol !== "" && (
              <div class="heading">
                <h2>{draft.symbol}</h2>
                <span class={`big number ${dayTone(dayShare)}`}>
                  {last === undefined ? say("no price yet") : priceText(last.price)}
                </span>
                {dayShare !== undefined && (
                  <span class="number">
                    <Share share={dayShare} />
                  </span>
                )}
                {last !== undefined && (
                  <span class="hint">
                    {say("Last")} <Time at={last.timeMs} />
                  </span>
                )}
              </div>
            )}
            {view}
          </section>
        )}
        <Fault text={fault} />
        <Orders
          dashboard={dashboard}
          title={TEXT.openOrders}
          orders={orders?.filter(isOpen)}
          areOpen={true}
          empty={TEXT.noOpenOrder}
          onCopy={copy}
        />
      </div>
    </div>
  );
}

interface HeldSymbolsProps {
  /** Undefined: not read yet. */
  readonly positions: readonly Position[] | undefined;
  readonly onChoose: (symbol: string) => void;
}

/** In place of the chart while no symbol is chosen: the symbols that are held, to choose. */
function HeldSymbols({ positions = [], onChoose }: HeldSymbolsProps) {
  return (
    <div class="held">
      <p class="hint">{TEXT.choose}</p>
      <div class="tools">
        {positions.slice(0, HELD_MAX).map(({ symbol }) => (
          <button key={symbol} type="button" onClick={() => onChoose(symbol)}>
            {symbol}
          </button>
        ))}
      </div>
    </div>
  );
}

/** Returns the change of the last price against the base price of the day; undefined if either is not known. */
function shareOfDay(last: number | undefined, base: number | undefined): number | undefined {
  return last === undefined || base === undefined || base <= 0 ? undefined : last / base - 1;
}

/** The class of the last price, by its change of the day: the last tick alone means little. */
function dayTone(share = 0): string {
  return Math.abs(share) < LEAST_SHARE ? "" : share < 0 ? "down" : "up";
}

function linesOf(draft: TicketDraft, last: number | undefined, table: TickTable): readonly ChartLine[] {
  const price = expectedPrice(draft, last);
  const title = draft.side === BUY ? TEXT.buy : TEXT.sell;
  return [
    ...(price === undefined || price <= 0
      ? []
      : [{ key: ORDER_LINE, price, kind: "limit" as const, title, isLast: draft.kind === MARKET }]),
    ...(isProtectedBuy(draft) ? exitLines(draft.exits, price, table) : []),
  ];
}

/** What the service answered. It has the focus: a screen reader reads it, and the next Tab leads on. */
function Outcome({ outcome }: { readonly outcome: PlanOutcome }) {
  const { kind, message } = outcome;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  const isGood = kind === "placed" || kind === "watched";
  const answer =
    "orderNo" in outcome ? say("{message} (order {number})", { message, number: outcome.orderNo }) : message;
  return (
    <div class={isGood ? "card" : "card warning"} role={isGood ? "status" : "alert"} tabIndex={-1} ref={box}>
      <p class={isGood ? "" : "fault"}>{kind === "waiting" ? TEXT.waiting : answer}</p>
    </div>
  );
}

interface UnsureProps {
  readonly dashboard: DashboardState;
  readonly plan: OrderPlan;
  readonly message: string | undefined;
  readonly onOutcome: (outcome: PlanOutcome) => void;
}

/** An order without an answer is shown in place of the ticket, so that no second order is made out of doubt. */
function Unsure({ dashboard, plan, message, onOutcome }: UnsureProps) {
  const { orderPlans } = dashboard;
  const [isBusy, setIsBusy] = useState(false);
  const again = useRef<HTMLButtonElement>(null);
  useEffect(() => again.current?.focus(), [message]);
  const ask = async (): Promise<void> => {
    setIsBusy(true);
    const outcome = await orderPlans.run(plan);
    setIsBusy(false);
    onOutcome(outcome);
  };
  return (
    <section class="card warning" aria-label={TEXT.unsureTitle}>
      <h2>{TEXT.unsureTitle}</h2>
      <p>
        <strong>{orderText(plan.order)}</strong>
        {say(", account {account}.", { account: plan.order.accountNumber })} {plan.exits?.text}
      </p>
      <p role="alert">
        {message} {TEXT.mayExist}
      </p>
      <div class="tools">
        {orderPlans.canRepeat(plan) ? (
          <button type="button" class="primary" ref={again} disabled={isBusy} onClick={() => void ask()}>
            {TEXT.askAgain}
          </button>
        ) : (
          <p>{TEXT.tooOld}</p>
        )}
        <Confirm title={TEXT.forget} yes={TEXT.forgetYes} onConfirm={() => orderPlans.forget()} />
      </div>
      <p class="hint">
        {say(
          "“Ask again” never makes a second order. Look at the orders of the day in Portfolio before you forget it.",
        )}
      </p>
    </section>
  );
}
