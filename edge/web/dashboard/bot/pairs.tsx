/** The pairs of bots: open ones with what they would bring now, closed ones with what they brought. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { familyOf } from "../../../../src/event/family.ts";
import { say } from "../language/say.ts";
import { serviceText } from "../language/service-text.ts";
import { Confirm } from "../part/confirm.tsx";
import { commonCurrency, titleOf } from "../part/currency.ts";
import { isNarrow } from "../part/narrow.ts";
import { Profit, ProfitAndShare, Share } from "../part/profit.tsx";
import { type Column, Table } from "../part/table.tsx";
import { Time } from "../part/time.tsx";
import { usePrices } from "../part/use-prices.ts";
import { useReading } from "../part/use-reading.ts";
import { distanceText, priceText, quantityText, spanText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { type Account, type Bot, type ClosedPair, type Pair, queryOf } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import { ClosedSums } from "./closed-sums.tsx";
import type { BotKind } from "./draft.ts";
import { useFirstRows } from "./first-rows.tsx";
import {
  buyPricesOf,
  closedShareOf,
  heldMsOf,
  NOT_SENT,
  openProfitOf,
  pairProfitAt,
  pairShareAt,
  sellPriceOf,
  targetStateOf,
} from "./pair-worth.ts";
import { ProfitChart } from "./profit-chart.tsx";
import { sellPair } from "./sell-pair.ts";
import { type BotTotals, closedTotalsOf } from "./totals.ts";

const LEG_STATES = ["–", say("Sent"), say("Filled")] as const;
const COMPLETED = 2;
/** As many as one answer gives. */
const CLOSED_SHOWN = 100;

interface OpenPairsProps {
  readonly dashboard: DashboardState;
  readonly account: Account;
  readonly bot: Bot;
  readonly kind: BotKind;
  /** They were asked for: they are scrolled to, as a list can be between them and the bot. */
  readonly isAsked: boolean;
}

/** The price at which an open pair is sold; null if no price is. */
interface SellTarget {
  readonly id: number;
  readonly sellPrice: number | null;
}

export function OpenPairs({ dashboard, account, bot, kind, isAsked }: OpenPairsProps) {
  const changes = useStore(dashboard.botChanges);
  const query = new URLSearchParams({ brokerageCode: account.brokerageCode });
  const path = `/api/v1/${kind}/${bot.id}/pair-orders`;
  const readPairs = () => dashboard.session.get<readonly Pair[]>(`${path}?${query}`);
  const pairs = useReading(dashboard, readPairs, [bot.id, changes]);
  // A webhook bot sells by signals.
  const hasTargets = kind === "level-bots";
  const targets = useReading(
    dashboard,
    async () => (hasTargets ? await dashboard.session.get<readonly SellTarget[]>(`${path}/targets?${query}`) : []),
    [bot.id, changes],
  );
  const [said, setSaid] = useState<string | undefined>(undefined);
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isAsked) box.current?.scrollIntoView({ block: isNarrow() ? "start" : "nearest" });
  }, [isAsked, bot.id]);
  const sellOf = (pair: Pair) =>
    canSell(bot, pair) && (
      <div class="tools row">
        <Confirm
          title={say("Sell now")}
          yes={say("Yes, sell it")}
          onConfirm={async () => setSaid(await sellPair(dashboard, bot, pair, readPairs))}
        />
      </div>
    );
  const sellPrices = new Map(targets.data?.map(({ id, sellPrice }) => [id, sellPrice]));
  const currency = commonCurrency(dashboard, pairs.data?.map(({ symbol }) => symbol) ?? []);
  const { rows, button } = useFirstRows(pairs.data);
  const toTarget = (pair: Pair) => <ToTarget {...{ dashboard, pair }} target={sellPrices.get(pair.id)} />;
  const columns: Column<Pair>[] = [
    { title: say("Symbol"), view: ({ symbol }) => <strong>{symbol}</strong> },
    { title: say("Lots"), isNumber: true, view: ({ buyQuantity }) => quantityText(buyQuantity) },
    {
      title: say("Bought"),
      view: ({ buyStatus, buyOrderDate }) => (
        <>
          {buyStatus === COMPLETED ? "" : `${LEG_STATES[buyStatus] ?? ""} `}
          <Time at={buyOrderDate} />
        </>
      ),
    },
    { title: say("Buy price"), isNumber: true, view: ({ buyPrice }) => priceText(buyPrice) },
    {
      title: say("Last price"),
      isNumber: true,
      view: ({ symbol }) => <LastPrice dashboard={dashboard} symbol={symbol} />,
    },
    ...(hasTargets
      ? [
          { title: say("Sell target"), isNumber: true, view: ({ id }: Pair) => priceText(sellPrices.get(id)) },
          { title: say("To target"), isNumber: true, view: (pair: Pair) => toTarget(pair) },
        ]
      : []),
    {
      title: titleOf(say("Profit if sold now"), currency),
      isNumber: true,
      view: (pair) => <OpenProfit dashboard={dashboard} pair={pair} />,
    },
    { title: say("Profit %"), isNumber: true, view: (pair) => <OpenShare dashboard={dashboard} pair={pair} /> },
  ];
  if (!hasTargets && pairs.data?.some(({ sellStatus }) => sellStatus !== NOT_SENT) === true) {
    columns.push({ title: say("Sell order"), isMinor: true, view: ({ sellStatus }) => LEG_STATES[sellStatus] ?? "" });
  }
  if (pairs.data?.some(({ description = "" }) => description !== "") === true) {
    columns.push({ title: say("Note"), view: ({ description }) => serviceText(description ?? "") });
  }
  if (pairs.data?.some((pair) => canSell(bot, pair)) === true) {
    columns.push({ title: say("Actions"), isAction: true, view: sellOf });
  }
  return (
    <Table
      box={box}
      title={say("Open trades of {name}", { name: bot.name })}
      items={rows}
      keyOf={({ id }) => id}
      empty={say("No trade is open.")}
      isLong
      fault={pairs.fault ?? targets.fault}
      tools={
        pairs.data !== undefined &&
        pairs.data.length > 0 && (
          <>
            <OpenSum dashboard={dashboard} pairs={pairs.data} currency={currency} />
            {button}
          </>
        )
      }
      above={
        <>
          {hasTargets && pairs.data !== undefined && pairs.data.length > 0 && (
            <p class="hint">{say("To sell sooner, change the gain of the bot: its open trades follow.")}</p>
          )}
          {said !== undefined && (
            <p role="status" class="said">
              {said}
            </p>
          )}
        </>
      }
      columns={columns}
      brief={(pair) => (
        <>
          <span>
            <strong>{pair.symbol}</strong> {say("{lots} lots", { lots: quantityText(pair.buyQuantity) })}{" "}
            <span class="hint whole">
              · {pair.buyStatus === COMPLETED ? "" : `${LEG_STATES[pair.buyStatus] ?? ""} `}
              <Time at={pair.buyOrderDate} />
            </span>
          </span>
          <span>
            <OpenBoth dashboard={dashboard} pair={pair} />
          </span>
          <span class="hint whole-line">
            {say("buy {price}", { price: priceText(pair.buyPrice) })} · <LastOf dashboard={dashboard} pair={pair} />
            {hasTargets && (
              <>
                {" · "}
                {say("target {price}", { price: priceText(sellPrices.get(pair.id)) })} ({toTarget(pair)})
              </>
            )}
          </span>
          <NoteLine note={pair.description} />
          {canSell(bot, pair) && <div class="whole-line">{sellOf(pair)}</div>}
        </>
      )}
    />
  );
}

/** Whether a signal of this page sells a pair: only webhook bots take signals, and none while they are off. */
function canSell({ isActive, webhookUrl }: Bot, { buyStatus, sellStatus, algoName }: Pair): boolean {
  const isHeld = buyStatus === COMPLETED && sellStatus === NOT_SENT;
  return isActive && webhookUrl !== undefined && algoName !== undefined && isHeld;
}

/** What the service remarks on a pair, in the short form of its row. */
function NoteLine({ note = "" }: { readonly note: string | undefined }) {
  return note === "" ? null : <span class="whole-line">{serviceText(note)}</span>;
}

interface OpenSumProps {
  readonly dashboard: DashboardState;
  readonly pairs: readonly Pair[];
  readonly currency: string | undefined;
}

/** The profit of all open pairs, at the last prices. */
function OpenSum({ dashboard, pairs, currency }: OpenSumProps) {
  const priceOf = usePrices(dashboard, [...new Set(pairs.map(({ symbol }) => symbol))]);
  const { profit, share, missing } = openProfitOf(pairs, priceOf);
  const count = pairs.length === 1 ? say("one open trade") : say("{count} open trades", { count: pairs.length });
  return (
    <p>
      {say("Profit if all are sold now")}{" "}
      <strong>
        <Profit amount={missing === pairs.length ? undefined : profit} />
      </strong>{" "}
      {missing < pairs.length && currency !== undefined && `${currency} `}
      {share !== undefined && (
        <>
          (<Share share={share} />)
        </>
      )}{" "}
      <span class="hint">{say("of {count}", { count })}</span>
      {missing > 0 && (
        <span class="hint"> {say("({count} trades without a price are left out)", { count: missing })}</span>
      )}
    </p>
  );
}

interface ToTargetProps extends OpenProps {
  /** Null or undefined: no price sells the pair, or it is not read yet. */
  readonly target: number | null | undefined;
}

/** How far the last price must rise to sell a pair of a level bot; for a reached target, the state of its sale. */
function ToTarget({ dashboard, pair, target }: ToTargetProps) {
  const price = useStore(dashboard.price(pair.symbol))?.price;
  const state = targetStateOf(pair, target, price);
  if (state === "selling") return <strong class="good whole">{say("reached, selling")}</strong>;
  if (state === "reached") return <strong class="whole">{say("reached, not sold yet")}</strong>;
  return <>{target == null ? "–" : distanceText(target, price)}</>;
}

function LastPrice({ dashboard, symbol }: { readonly dashboard: DashboardState; readonly symbol: string }) {
  return <>{priceText(useStore(dashboard.price(symbol))?.price)}</>;
}

interface OpenProps {
  readonly dashboard: DashboardState;
  readonly pair: Pair;
}

function LastOf({ dashboard, pair }: OpenProps) {
  const price = useStore(dashboard.price(pair.symbol))?.price;
  return <>{say("last {price}", { price: priceText(price) })}</>;
}

/** The profit of a sale at the last price. */
function OpenProfit({ dashboard, pair }: OpenProps) {
  return <Profit amount={pairProfitAt(pair, useStore(dashboard.price(pair.symbol))?.price)} />;
}

function OpenShare({ dashboard, pair }: OpenProps) {
  return <Share share={pairShareAt(pair, useStore(dashboard.price(pair.symbol))?.price)} />;
}

function OpenBoth({ dashboard, pair }: OpenProps) {
  const price = useStore(dashboard.price(pair.symbol))?.price;
  return <ProfitAndShare amount={pairProfitAt(pair, price)} share={pairShareAt(pair, price)} />;
}

/** The prices at which pairs bought, from the events that the service keeps. `isAsked`: there are pairs. */
function useBuyPrices({ events, keptEvents }: DashboardState, isAsked: boolean): ReadonlyMap<number, number> {
  const told = useStore(events);
  useEffect(() => {
    if (!isAsked || keptEvents.hasBegun) return;
    // If it fails, older pairs have no prices.
    void keptEvents.readEarlier((type) => familyOf(type) === "bots").catch(() => undefined);
  }, [keptEvents, isAsked]);
  return useMemo(() => buyPricesOf(told), [told]);
}

interface ClosedPairsProps {
  readonly dashboard: DashboardState;
  readonly account: Account;
  readonly kind: BotKind;
  readonly title: string;
  readonly bots: readonly Bot[] | undefined;
  /** Whose pairs are listed; undefined: the pairs of all bots of the kind. */
  readonly bot: Bot | undefined;
  /** Of the bots whose pairs are listed; undefined: not read yet. */
  readonly totals: readonly BotTotals[] | undefined;
}

/** Nothing while all bots of the kind together have no closed pair. */
export function ClosedPairs({ dashboard, account, kind, title, bots, bot, totals }: ClosedPairsProps) {
  const changes = useStore(dashboard.botChanges);
  const path = `/api/v1/${kind}/pair-orders/history?${queryOf(account)}&pageSize=${CLOSED_SHOWN}`;
  const history = useReading(
    dashboard,
    () => dashboard.session.get<{ readonly items: readonly ClosedPair[]; readonly totalCount: number }>(path),
    [path, changes],
  );
  const all = history.data?.items;
  const buyPrices = useBuyPrices(dashboard, all !== undefined && all.length > 0);
  const botId = bot?.id;
  const pairs = useMemo(
    () => (botId === undefined ? all : all?.filter(({ systemId }) => systemId === botId)),
    [all, botId],
  );
  const currency = commonCurrency(dashboard, pairs?.map(({ symbol }) => symbol) ?? []);
  const isCut = history.data !== undefined && history.data.totalCount > history.data.items.length;
  const sums = totals && closedTotalsOf(totals);
  const closedCount = sums?.closedCount ?? 0;
  const { rows, button } = useFirstRows(pairs);
  const names = useStore(dashboard.botNames);
  const nameOf = ({ systemId }: ClosedPair): string =>
    bots?.find(({ id }) => id === systemId)?.name ?? names.get(systemId) ?? say("Bot {id}", { id: String(systemId) });
  const isEmpty = history.data === undefined || history.data.totalCount === 0;
  if (bot === undefined && isEmpty && history.fault === undefined) return null;
  return (
    <Table
      title={title}
      items={rows}
      tools={button}
      keyOf={({ id }) => id}
      empty={
        isCut
          ? say("None of the newest {count} closed trades of all bots of this kind is of this bot.", {
              count: CLOSED_SHOWN,
            })
          : say("No trade has been closed yet.")
      }
      isLong
      fault={history.fault}
      above={
        <>
          {sums !== undefined && closedCount > 0 && <ClosedSums {...{ sums, currency }} />}
          {pairs !== undefined && pairs.length > 1 && sums !== undefined && closedCount > 0 && (
            <ProfitChart pairs={pairs} totals={sums} />
          )}
          {pairs !== undefined && pairs.length > 0 && closedCount > pairs.length && (
            <p class="hint">
              {say("The list has the newest {count} of {all} closed trades.", {
                count: pairs.length,
                all: quantityText(closedCount),
              })}
            </p>
          )}
        </>
      }
      columns={[
        ...(bot === undefined ? [{ title: say("Bot"), view: nameOf }] : []),
        { title: say("Symbol"), view: ({ symbol }) => <strong>{symbol}</strong> },
        { title: say("Lots"), isNumber: true, view: ({ buyQuantity }) => quantityText(buyQuantity) },
        { title: say("Bought"), isMinor: true, view: ({ buyOrderDate }) => <Time at={buyOrderDate} /> },
        { title: say("Sold"), view: ({ sellOrderDate }) => <Time at={sellOrderDate} /> },
        { title: say("Buy price"), isNumber: true, view: ({ id }) => priceText(buyPrices.get(id)) },
        {
          title: say("Sell price"),
          isNumber: true,
          view: (pair) => priceText(sellPriceOf(pair, buyPrices.get(pair.id))),
        },
        { title: say("Held for"), isNumber: true, isMinor: true, view: heldText },
        { title: titleOf(say("Profit"), currency), isNumber: true, view: ({ profit }) => <Profit amount={profit} /> },
        {
          title: say("Profit %"),
          isNumber: true,
          view: (pair) => <Share share={closedShareOf(pair, buyPrices.get(pair.id))} />,
        },
        ...(pairs?.some(({ description }) => description !== "") === true
          ? [{ title: say("Note"), view: ({ description }: ClosedPair) => serviceText(description) }]
          : []),
      ]}
      brief={(pair) => (
        <>
          <span>
            <strong>{pair.symbol}</strong> {say("{lots} lots", { lots: quantityText(pair.buyQuantity) })}
            {bot === undefined && <span class="hint"> · {nameOf(pair)}</span>}
          </span>
          <span>
            <ProfitAndShare amount={pair.profit} share={closedShareOf(pair, buyPrices.get(pair.id))} />
          </span>
          <span class="hint">
            {say("buy {price}", { price: priceText(buyPrices.get(pair.id)) })} ·{" "}
            {say("sell {price}", { price: priceText(sellPriceOf(pair, buyPrices.get(pair.id))) })} ·{" "}
            {say("held {time}", { time: heldText(pair) })}
          </span>
          <span class="hint">
            <Time at={pair.sellOrderDate} />
          </span>
          <NoteLine note={pair.description} />
        </>
      )}
    />
  );
}

function heldText(pair: ClosedPair): string {
  const heldMs = heldMsOf(pair);
  return heldMs === undefined ? "–" : spanText(heldMs);
}
