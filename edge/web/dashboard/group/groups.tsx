/** All OCO groups of the account, the chosen one on a chart of its symbol, and the form for a new one. */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { say } from "../language/say.ts";
import { Confirm } from "../part/confirm.tsx";
import { commonCurrency, currencyOf, titleOf } from "../part/currency.ts";
import { isNarrow } from "../part/narrow.ts";
import { readSymbol } from "../part/number-text.ts";
import { Profit, Share } from "../part/profit.tsx";
import { Select } from "../part/select.tsx";
import { Time } from "../part/time.tsx";
import { useDayBases } from "../part/use-day-bases.ts";
import { usePrices } from "../part/use-prices.ts";
import { VirtualList } from "../part/virtual-list.tsx";
import { priceText, quantityText } from "../part/words.ts";
import { sumOf, worthOfLots } from "../part/worth.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { ACTIVE, type Group, type Holding, type OcoRow, STOP_LOSS } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import { type AveragePrice, type Averages, averageOf, useAverages } from "./average-price.ts";
import { averageLines, Chart, type ChartMark } from "./chart.tsx";
import { EndedFills } from "./ended-fills.ts";
import { Entry } from "./entry.tsx";
import { Exit } from "./exit.tsx";
import { ExitTerms } from "./exit-terms.tsx";
import { endOf } from "./group-end.ts";
import { GroupForm, type MadeGroup } from "./group-form.tsx";
import { groupLines } from "./group-lines.ts";
import { chooseGroups, FILTERS, type GroupFilter, type GroupOrder, ORDERS } from "./group-list.ts";
import { Hold } from "./hold.tsx";
import { LevelChange } from "./level-change-form.tsx";
import { snap } from "./levels.ts";
import { AskMove, useMove } from "./move.tsx";
import { Outlook } from "./outlook.tsx";
import { protectedLots } from "./row-worth.ts";
import { Rows } from "./rows.tsx";
import { Trailing } from "./trailing.tsx";

const ENTRY_PIXELS = 66;
const SORT_EVERY_MS = 2_000;
const SUM_EVERY_MS = 500;
/** All words of the list's tools, in one place. */
const TEXT = {
  show: say("Show"),
  sort: say("Order"),
  filters: { all: say("All groups"), active: say("Active"), over: say("Ended"), failed: say("Not sold") },
  orders: { newest: say("Newest first"), nearest: say("Nearest level first"), symbol: say("By symbol") },
  noneFits: say("No such group."),
} as const;
const NO_GROUP = say(
  "No OCO group yet. A group sells a position at its stop-loss or at its take-profits, whichever the price reaches first. “New group” makes one.",
);

const PAGE = "groups";
const NEW = "new";

interface GroupsProps {
  readonly dashboard: DashboardState;
  /** Set: the holding that a new group must protect. */
  readonly holding?: Holding | undefined;
}

export function Groups({ dashboard, holding }: GroupsProps) {
  const groups = useStore(dashboard.groups);
  const areKnown = useStore(dashboard.areRowsKnown);
  const { addressBar } = dashboard;
  const { part } = useStore(addressBar.address);
  const [made, setMade] = useState<MadeGroup | undefined>(undefined);
  const [symbol, setSymbol] = useState("");
  const [filter, setFilter] = useState<GroupFilter>("all");
  const [order, setOrder] = useState<GroupOrder>("newest");
  const sorting = useTicks(order === "nearest");
  const shown = useMemo(
    () =>
      chooseGroups(groups, { symbol: readSymbol(symbol), filter, order }, (one) => dashboard.price(one).value?.price),
    [groups, symbol, filter, order, sorting],
  );
  const symbols = useStore(dashboard.symbols);
  const currency = useMemo(
    () =>
      commonCurrency(
        dashboard,
        groups.map((one) => one.symbol),
      ),
    [groups, symbols],
  );
  const group = groups.find(({ id }) => String(id) === part);
  const averages = useAverages(dashboard, groups, group !== undefined);
  const ended = useMemo(() => new EndedFills(dashboard), [dashboard]);
  const average = useMemo(() => (group === undefined ? undefined : averageOf(group, averages)), [group, averages]);
  const firstId = areKnown ? groups[0]?.id : undefined;
  const list = useRef<HTMLElement>(null);
  const detail = useRef<HTMLElement>(null);
  // Before the next click: one for a new group would be undone by what is chosen after the paint.
  useLayoutEffect(() => {
    // The first one stays chosen when another comes before it: the target of a cancel must not change before a click.
    const isNothingThere = part === "" || (areKnown && part !== NEW && group === undefined && made === undefined);
    if (isNothingThere && firstId !== undefined) addressBar.name(PAGE, String(firstId));
  }, [part, firstId, group, made]);
  /** On a narrow screen it opens below the list. */
  const show = (next: string): void => {
    addressBar.go(PAGE, next);
    if (isNarrow()) requestAnimationFrame(() => detail.current?.scrollIntoView({ block: "start" }));
  };
  const goBack = (): void => {
    list.current?.scrollIntoView({ block: "start" });
    const chosen = list.current?.querySelector<HTMLElement>(".entry[aria-pressed='true']");
    (chosen ?? list.current?.querySelector("input"))?.focus({ preventScroll: true });
  };
  /** The arrow keys go through the list, and what they reach is chosen. */
  const walk = (event: KeyboardEvent): void => {
    const item = event.target instanceof Element ? event.target.closest("li") : null;
    const next = event.key === "ArrowDown" ? item?.nextElementSibling : item?.previousElementSibling;
    const button = next?.querySelector("button");
    if (!["ArrowDown", "ArrowUp"].includes(event.key) || button == null) return;
    event.preventDefault();
    button.focus();
    const reached = shown[Number(next?.getAttribute("aria-posinset")) - 1];
    if (reached !== undefined) addressBar.leave(() => addressBar.name(PAGE, String(reached.id)));
  };
  const finish = (found: MadeGroup | undefined): void => {
    setMade(found);
    addressBar.name(PAGE, found === undefined ? "" : String(found.id));
  };
  return (
    <div class="split">
      <section aria-label={say("OCO groups")} class="list" ref={list}>
        <div class="tools">
          <input
            type="search"
            aria-label={say("Find a symbol")}
            placeholder={say("Find a symbol")}
            value={symbol}
            onInput={(event) => setSymbol(event.currentTarget.value)}
          />
          <button type="button" class="primary" onClick={() => show(NEW)}>
            {say("New group")}
          </button>
        </div>
        <div class="tools">
          <Select title={TEXT.show} of={FILTERS} words={TEXT.filters} chosen={filter} onChoose={setFilter} />
          <Select title={TEXT.sort} of={ORDERS} words={TEXT.orders} chosen={order} onChoose={setOrder} />
        </div>
        {shown.length === 0 ? (
          <p class="empty">{groups.length > 0 ? TEXT.noneFits : areKnown ? NO_GROUP : say("Reading…")}</p>
        ) : (
          <>
            <ListHead dashboard={dashboard} groups={shown} averages={averages} currency={currency} />
            <VirtualList
              items={shown}
              itemPixels={ENTRY_PIXELS}
              keyOf={({ id }) => id}
              label={say("Groups")}
              onKeyDown={walk}
              view={(one) => (
                <Entry
                  dashboard={dashboard}
                  group={one}
                  averages={averages}
                  ended={ended}
                  unit={currency === undefined ? currencyOf(dashboard.tickTableOf(one.symbol)) : undefined}
                  isChosen={one === group}
                  onChoose={() => show(String(one.id))}
                />
              )}
            />
          </>
        )}
      </section>
      <section class="detail" aria-label={say("Chosen group")} ref={detail}>
        {part === NEW && <GroupForm dashboard={dashboard} holding={holding} onDone={finish} />}
        {group !== undefined && average !== undefined && (
          <Detail
            key={group.id}
            dashboard={dashboard}
            group={group}
            average={average}
            onBack={goBack}
            message={made?.id === group.id ? made.message : undefined}
          />
        )}
      </section>
    </div>
  );
}

interface ListHeadProps {
  readonly dashboard: DashboardState;
  /** The shown groups. */
  readonly groups: readonly Group[];
  readonly averages: Averages;
  /** Undefined: the groups have several. */
  readonly currency: string | undefined;
}

/** How many groups are shown, and the open profit of the active ones together, if they have one currency. */
function ListHead({ dashboard, groups, averages, currency }: ListHeadProps) {
  const active = useMemo(() => groups.filter(({ isActive }) => isActive), [groups]);
  const symbols = useMemo(() => active.map(({ symbol }) => symbol), [active]);
  const priceOf = usePrices(dashboard, symbols, SUM_EVERY_MS);
  const { sum, missing } = sumOf(active, (group) => {
    const [last, average] = [priceOf(group.symbol), averageOf(group, averages)];
    if (last === undefined || average.state !== "known") return undefined;
    return worthOfLots(protectedLots(group.rows), last, average.price).profit;
  });
  const [all, counted] = [active.length, active.length - missing];
  return (
    <p class="list-head hint">
      <span>{countText(all, groups.length - all)}</span>{" "}
      {currency === undefined || counted === 0 ? (
        <span>{titleOf(say("Profit"), currency)}</span>
      ) : (
        <span title={missing === 0 ? undefined : say("{count} of {all} groups counted", { count: counted, all })}>
          {titleOf(say("Open profit"), currency)} <Profit amount={sum} />
        </span>
      )}
    </p>
  );
}

function countText(active: number, ended: number): string {
  if (active > 0 && ended > 0)
    return say("{active} active, {ended} ended", { active: quantityText(active), ended: quantityText(ended) });
  const count = active + ended;
  return count === 1 ? say("1 group") : say("{count} groups", { count: quantityText(count) });
}

/** Counts every two seconds while it is wanted: an order by prices is looked at again, and does not jump at each price. */
function useTicks(isWanted: boolean): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (!isWanted) return;
    const timer = setInterval(() => setCount((before) => before + 1), SORT_EVERY_MS);
    return () => clearInterval(timer);
  }, [isWanted]);
  return count;
}

/** Where rows fired. */
function marksOf(rows: readonly OcoRow[]): readonly ChartMark[] {
  return rows.flatMap(({ triggeredDate, triggeredPrice, orderType }): ChartMark[] => {
    if (triggeredDate === null) return [];
    const kind = orderType === STOP_LOSS ? "stopLoss" : "takeProfit";
    const title = kind === "stopLoss" ? say("SL fired") : say("TP fired");
    return [{ timeMs: Date.parse(triggeredDate), kind, title, price: triggeredPrice ?? undefined }];
  });
}

interface DetailProps {
  readonly dashboard: DashboardState;
  readonly group: Group;
  readonly average: AveragePrice;
  /** Shows the list, on a narrow screen. */
  readonly onBack: () => void;
  /** The service's message when the group was made here. */
  readonly message: string | undefined;
}

function Detail({ dashboard, group, average, onBack, message }: DetailProps) {
  const marks = useMemo(() => marksOf(group.rows), [group.rows]);
  const [said, setSaid] = useState<string | undefined>(message);
  const account = useStore(dashboard.account);
  const moving = useMove(dashboard, group.id, setSaid);
  const { moved, drag, drop } = moving;
  const lines = useMemo(
    () => [
      ...groupLines(group.rows.map((row) => (row.id === moved?.rowId ? { ...row, price: moved.price } : row))),
      ...averageLines(average.state === "known" ? average.price : 0),
    ],
    [group.rows, moved, average],
  );
  const dragLine = (key: string, price: number): void => {
    const level = snap(price, dashboard.tickTableOf(group.symbol));
    if (level !== undefined) drag(Number(key), level);
  };
  const [stop] = group.rows;
  const cancel = async (): Promise<void> => {
    const query = new URLSearchParams({ brokerageCode: account?.brokerageCode ?? "" });
    const fault = await dashboard.attempt(() =>
      dashboard.session.send("DELETE", `/api/v1/oco-orders/${group.id}?${query}`),
    );
    setSaid(fault ?? say("The group is cancelled."));
    if (fault === undefined) void dashboard.followRows();
  };
  return (
    <>
      <div class="heading">
        <button type="button" class="quiet narrow-only" onClick={onBack}>
          {say("Back to the list")}
        </button>
        <h2>{group.symbol}</h2>
        <span class="hint">#{group.id}</span>
        <LastPrice dashboard={dashboard} symbol={group.symbol} />
        <ProfitNow dashboard={dashboard} group={group} average={average} />
        <span class="grow" />
        {group.isActive && (
          <Confirm title={say("Cancel group")} yes={say("Yes, stop watching")} onConfirm={() => void cancel()} />
        )}
      </div>
      {said !== undefined && (
        <p role="status" class="said">
          {said}
        </p>
      )}
      {group.isActive && <Hold dashboard={dashboard} groupId={group.id} symbol={group.symbol} />}
      <Outlook dashboard={dashboard} groupId={group.id} version={group.rows.map(({ status }) => status).join()} />
      <Chart
        dashboard={dashboard}
        symbol={group.symbol}
        lines={lines}
        marks={marks}
        onDrag={moving.asked === undefined && group.isActive ? dragLine : undefined}
        onDrop={() => void drop()}
      />
      <AskMove moving={moving} />
      <Rows dashboard={dashboard} group={group} average={average} onMove={moving.ask} />
      <div class="tools">
        {group.isActive && <LevelChange dashboard={dashboard} group={group} onSaid={setSaid} />}
        <Terms group={group} />
      </div>
      {stop?.status === ACTIVE && <Trailing dashboard={dashboard} groupId={group.id} stopLossPrice={stop.price} />}
      {stop?.status === ACTIVE && <ExitTerms dashboard={dashboard} groupId={group.id} symbol={group.symbol} />}
      {stop !== undefined && stop.triggeredDate !== null && (
        <Exit dashboard={dashboard} groupId={group.id} version={`${stop.status} ${stop.triggerErrorMessage}`} />
      )}
    </>
  );
}

/** The terms of the whole group, which each row contains. */
function Terms({ group }: { readonly group: Group }) {
  const [row] = group.rows;
  if (row === undefined) return null;
  const end = group.isActive ? undefined : endOf(group.rows);
  const { dueDate, notes, createdDate } = row;
  return (
    <dl class="terms">
      <dt>{say("Created")}</dt>
      <dd>
        <Time at={createdDate} />
      </dd>
      {end === undefined ? (
        <>
          <dt>{say("Watched until")}</dt>
          <dd>{dueDate === null ? say("cancelled or sold") : <Time at={dueDate} />}</dd>
        </>
      ) : (
        <>
          <dt>{say("Ended")}</dt>
          <dd>
            {end.reason}
            {end.at !== null && (
              <>
                {", "}
                <Time at={end.at} />
              </>
            )}
          </dd>
        </>
      )}
      {notes !== null && notes !== "" && <dt>{say("Note")}</dt>}
      {notes !== null && notes !== "" && <dd>{notes}</dd>}
    </dl>
  );
}

/** The last price, with the change of the day in its colour. Drawn again with each price, and nothing around it. */
function LastPrice({ dashboard, symbol }: { readonly dashboard: DashboardState; readonly symbol: string }) {
  const price = useStore(dashboard.price(symbol));
  const base = useDayBases(dashboard, [symbol]).baseOf(symbol);
  return (
    <>
      <span class="big number">{priceText(price?.price)}</span>
      {price !== undefined && base !== undefined && base > 0 && (
        <span class="figure number" title={say("From the base price of the day, {price}", { price: priceText(base) })}>
          <Share share={price.price / base - 1} /> <span class="hint">{say("today")}</span>
        </span>
      )}
      <span class="hint">{price === undefined ? say("no price yet") : <Time at={price.timeMs} />}</span>
    </>
  );
}

type ProfitNowProps = Pick<DetailProps, "dashboard" | "group" | "average">;

/** The profit of the lots under watch at the last price; nothing while it is not known. */
function ProfitNow({ dashboard, group, average }: ProfitNowProps) {
  const price = useStore(dashboard.price(group.symbol));
  const lots = protectedLots(group.rows);
  if (price === undefined || average.state !== "known" || lots === 0) return null;
  const { profit, profitShare } = worthOfLots(lots, price.price, average.price);
  return (
    <span class="figure number">
      <span class="hint">{say("Open profit")}</span> <Profit amount={profit} />{" "}
      {currencyOf(dashboard.tickTableOf(group.symbol))} <Share share={profitShare} />
    </span>
  );
}
