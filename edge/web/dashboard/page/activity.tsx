/** Events as text, the newest first: live ones, and back to the oldest event that the service keeps. */
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { ToldEvent } from "../../../../src/event/describe-event.ts";
import { type EventFamily, FAMILIES, familyOf } from "../../../../src/event/family.ts";
import { Receipt } from "../group/receipt.tsx";
import { listedText } from "../language/event-text.ts";
import { say } from "../language/say.ts";
import { commonCurrency, currencyOf, titleOf } from "../part/currency.ts";
import { readSymbol } from "../part/number-text.ts";
import { Profit } from "../part/profit.tsx";
import { Select } from "../part/select.tsx";
import { averageText, clockText, dayText, FAMILY_WORDS, moneyText, quantityText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { KEPT_MAX } from "../state/kept-events.ts";
import { useStore } from "../state/store.ts";
import { type ActivityDay, type ActivityRow, dayKeyOf, daysOf, firstRows, toneOf } from "./activity-rows.ts";
import { type Fill, fillOf, namedOrderOf } from "./fills.ts";
import { firedRowOf, type RowSale, type Sales, saleProfitOf, salesOf, symbolOf } from "./sales.ts";
import { useGroupSales } from "./use-group-sales.ts";
import { useOrderFills } from "./use-order-fills.ts";

/** Bots can fill the list by themselves. */
const SHOWN = ["all", "allButBots", ...FAMILIES] as const;
type Shown = (typeof SHOWN)[number];
const SHOWN_WORDS: Readonly<Record<Shown, string>> = {
  all: say("Everything"),
  allButBots: say("All but bots"),
  ...FAMILY_WORDS,
};
/** Drawn at first, and added by each press: a page of thousands of rows is slow to draw. */
const STEP = 200;

export function Activity({ dashboard }: { readonly dashboard: DashboardState }) {
  const { keptEvents: kept } = dashboard;
  const all = useStore(dashboard.events);
  const { isWhole, isReading } = useStore(dashboard.past);
  const [choice, setChoice] = useState<Shown>("all");
  const [symbol, setSymbol] = useState("");
  const [count, setCount] = useState(STEP);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const families = familiesOf(choice);
  const isOfFamily = (type: string): boolean => families.includes(familyOf(type));
  const wanted = readSymbol(symbol);
  const days = useMemo(() => {
    const isShown = (event: ToldEvent): boolean =>
      isOfFamily(event.type) && (wanted === "" || symbolsOf(event).includes(wanted));
    return daysOf(all.filter(isShown), choice === "all");
  }, [all, choice, wanted]);
  const saleOf = useGroupSales(dashboard, all);
  const orderOf = useOrderFills(dashboard, all);
  const fillAt = (event: ToldEvent): Fill | undefined => fillOf(event, { saleOf, orderOf });
  const currency = commonCurrency(
    dashboard,
    useMemo(() => all.flatMap(symbolsOf), [all]),
  );
  const rowCount = days.reduce((sum, { rows }) => sum + rows.length, 0);
  const full = FAMILIES.filter((one) => all.filter(({ type }) => familyOf(type) === one).length >= KEPT_MAX);
  const canRead = !isWhole && families.some((one) => !full.includes(one));
  // Of this day, and of earlier ones, not all events of bots are known.
  const oldest = isWhole && !full.includes("bots") ? undefined : all.findLast(({ type }) => familyOf(type) === "bots");
  const cutDay = oldest && dayKeyOf(oldest);
  const read = async (): Promise<void> => setFault(await dashboard.attempt(() => kept.readEarlier(isOfFamily)));
  const showMore = (): void => {
    setCount(count + STEP);
    if (canRead && rowCount < count + STEP) void read();
  };
  useEffect(() => {
    if (!kept.hasBegun) void read();
  }, []);
  // Earlier events name no bot: they are read, and have not come.
  useEffect(() => {
    for (const { systemId } of all) if (typeof systemId === "number") dashboard.findBotName(systemId);
  }, [dashboard, all]);
  return (
    <section class="card" aria-label={say("Activity")}>
      <div class="heading">
        <h2>{say("Activity")}</h2>
        <span class="grow" />
        <div class="filters">
          <label>
            {say("Symbol")}{" "}
            <input
              class="short"
              value={symbol}
              placeholder={say("all")}
              autocomplete="off"
              onInput={(event) => setSymbol(event.currentTarget.value)}
            />
          </label>
          <Select title={say("Show")} of={SHOWN} words={SHOWN_WORDS} chosen={choice} onChoose={setChoice} />
        </div>
      </div>
      {fault !== undefined && (
        <p class="fault" role="alert">
          {say("Earlier events cannot be read: {fault}", { fault })}
        </p>
      )}
      {rowCount === 0 && !isReading && <p class="empty">{say("Nothing of this has happened.")}</p>}
      {rowCount > 0 && (
        <div class="event-heads" aria-hidden="true">
          <span>{say("Time")}</span>
          <span class="grow">
            <span>{say("Symbol")}</span>
            <span>{say("Event")}</span>
          </span>
          <span class="fill">{say("Filled, lots × price")}</span>
          <span class="amount">{titleOf(say("Amount"), currency)}</span>
          <span class="gain">{titleOf(say("Result"), currency)}</span>
        </div>
      )}
      <div aria-live={isReading ? "off" : "polite"}>
        {firstRows(days, count).map(({ day, events, rows }) => (
          <Day key={day} {...{ dashboard, currency, saleOf, fillAt, events, rows }} isCut={day === cutDay} />
        ))}
      </div>
      <div class="tools">
        {(rowCount > count || canRead) && (
          <button type="button" disabled={isReading} onClick={showMore}>
            {say("Show earlier events")}
          </button>
        )}
        <span class="hint" role="status">
          {isReading ? say("Reading…") : endText({ isWhole: isWhole && rowCount <= count, full })}
        </span>
      </div>
    </section>
  );
}

function familiesOf(choice: Shown): readonly EventFamily[] {
  if (choice === "all") return FAMILIES;
  return choice === "allButBots" ? FAMILIES.filter((family) => family !== "bots") : [choice];
}

function endText({ isWhole, full }: { readonly isWhole: boolean; readonly full: readonly EventFamily[] }): string {
  if (full.length > 0) {
    const names = full.map((family) => FAMILY_WORDS[family]).join(", ");
    return say("Of {names} this page keeps the newest {count}.", { names, count: KEPT_MAX });
  }
  return isWhole ? say("This is all that the service keeps.") : "";
}

interface ListedProps {
  readonly dashboard: DashboardState;
  /** The currency of all amounts, which the head of the list names; undefined: each amount names its own. */
  readonly currency: string | undefined;
  /** The sale of a group's row, by the row's id. */
  readonly saleOf: (rowId: number) => RowSale | undefined;
  readonly fillAt: (event: ToldEvent) => Fill | undefined;
}

interface DayProps extends ListedProps, Pick<ActivityDay, "events" | "rows"> {
  /** Its oldest events are not known. */
  readonly isCut: boolean;
}

/** The rows of a day, below what its sales brought. */
function Day({ dashboard, currency, saleOf, fillAt, events, rows, isCut }: DayProps) {
  const sales = useMemo(() => salesOf(events, currencyAt(dashboard), saleOf), [dashboard, events, saleOf]);
  const day = dayText(String(events[0]?.time));
  const count = quantityText(sales.count);
  return (
    <section aria-label={day}>
      <div class="day">
        <h3>{day}</h3>
        {sales.count > 0 && (
          <span class="result">
            <span class="hint">
              {isCut
                ? say("Result of {count} sales as far as read, before commission", { count })
                : sales.count === 1
                  ? say("Result of one sale, before commission")
                  : say("Result of {count} sales, before commission", { count })}
              {sales.unknownCount > 0 &&
                ` ${say("(without {count} of unknown cost)", { count: quantityText(sales.unknownCount) })}`}
            </span>{" "}
            <Sums sums={sales.sums} currency={currency} />
          </span>
        )}
      </div>
      <ol class="events">
        {rows.map((row) => {
          const [newest, ...others] = row;
          const oldest = others.at(-1) ?? newest;
          return others.length === 0 ? (
            <Happened key={String(newest.id)} {...{ dashboard, currency, saleOf, fillAt }} event={newest} />
          ) : (
            // Newer trades of the bot belong to the same run.
            <Run key={`run ${String(oldest.id)}`} {...{ dashboard, currency, saleOf, fillAt, row, oldest }} />
          );
        })}
      </ol>
    </section>
  );
}

function Sums({ sums, currency }: Pick<Sales, "sums"> & Pick<ListedProps, "currency">) {
  return (
    <span class="result-sums">
      {[...sums].map(([own, sum]) => (
        <span key={own} class="sum">
          <Profit amount={sum} /> <Unit own={own} currency={currency} />
        </span>
      ))}
    </span>
  );
}

interface UnitProps extends Pick<ListedProps, "currency"> {
  readonly own: string;
}

/** The currency of an amount: on a wide screen it is in the head, if all amounts have the same. */
function Unit({ own, currency }: UnitProps) {
  return <span class={currency === undefined ? "unit" : "unit name"}>{own}</span>;
}

interface RunProps extends ListedProps {
  readonly row: ActivityRow;
  readonly oldest: ToldEvent;
}

/** Trades of a bot in sequence, with their profit together; each of them on demand. */
function Run({ dashboard, currency, saleOf, fillAt, row, oldest }: RunProps) {
  const names = useStore(dashboard.botNames);
  const [isOpen, setIsOpen] = useState(false);
  const [newest] = row;
  const symbols = [...new Set(row.flatMap(symbolsOf))].sort();
  const sold = row.filter(({ type }) => type === "pair.sold").length;
  const name = names.get(Number(newest.systemId));
  const text = say("{bot} traded since {time}, buys: {buys}, sales: {sales}", {
    bot: name === undefined ? say("Bot {id}", { id: String(newest.systemId) }) : say("Bot “{name}”", { name }),
    time: clockText(String(oldest.time)),
    buys: quantityText(row.length - sold),
    sales: quantityText(sold),
  });
  const { count, sums } = salesOf(row, currencyAt(dashboard));
  return (
    <li class="plain">
      <time>{clockText(String(newest.time))}</time>
      <span class="grow">
        <span class="subject">
          <strong>{symbols.join(", ")}</strong>
        </span>{" "}
        <span>{text}</span>
      </span>
      {count > 0 && (
        <span class="gain number">
          <Sums sums={sums} currency={currency} />
        </span>
      )}
      <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {say("Trades")}
      </button>
      {isOpen && (
        <ol class="events">
          {row.slice(0, STEP).map((event) => (
            <Happened key={String(event.id)} {...{ dashboard, currency, saleOf, fillAt }} event={event} />
          ))}
          {row.length > STEP && (
            <li class="hint">
              {say("The newest {count} are shown. Choose “Bots” to see the others.", { count: STEP })}
            </li>
          )}
        </ol>
      )}
    </li>
  );
}

/** Returns the way to the currency of a symbol. */
function currencyAt(dashboard: DashboardState): (symbol: string) => string {
  return (symbol) => currencyOf(dashboard.tickTableOf(symbol));
}

interface SentenceProps {
  readonly text: string;
  readonly symbols: readonly string[];
}

/** Words with a hyphen at which no line ends. */
const UNBROKEN = ["take-profit", "Take-profit", "stop-loss", "Stop-loss"];

/** A text in which its symbols are bold, and its names of levels are whole. */
function Sentence({ text, symbols }: SentenceProps) {
  const escaped = symbols.filter((symbol) => symbol !== "").map((symbol) => symbol.replaceAll(/\W/g, "\\$&"));
  const parts = text.split(new RegExp(`(?<![A-Za-z0-9])(${[...escaped, ...UNBROKEN].join("|")})(?![A-Za-z0-9])`));
  return (
    <>
      {parts.map((part, index) => {
        // What was looked for is at the odd places.
        if (index % 2 === 0) return part;
        return symbols.includes(part) ? (
          <strong key={index}>{part}</strong>
        ) : (
          <span key={index} class="whole">
            {part}
          </span>
        );
      })}
    </>
  );
}

interface HappenedProps extends ListedProps {
  readonly event: ToldEvent;
}

/**
 * An event: its symbol and group, its sentence, and what its order filled. A row that fired has its receipt and what its
 * lots were sold for; a sale has its profit if that is known.
 */
function Happened({ dashboard, currency, saleOf, fillAt, event }: HappenedProps) {
  const names = useStore(dashboard.botNames);
  const [isOpen, setIsOpen] = useState(false);
  const rowId = firedRowOf(event)?.id;
  const sale = rowId === undefined ? undefined : saleOf(rowId);
  const profit = sale === undefined ? saleProfitOf(event) : sale.profit;
  const own = currencyAt(dashboard)(symbolOf(event));
  const fill = fillAt(event);
  const symbols = symbolsOf(event);
  return (
    <li class={toneOf(event, { profit, hasFill: fill !== undefined && fill.lots > 0 })}>
      <time>{clockText(String(event.time))}</time>
      <span class="grow">
        <span class="subject">
          {symbols.length > 0 && <strong>{symbols.join(", ")}</strong>}
          <OwnerLink event={event} />
        </span>{" "}
        <span title={event.type === "order.placed" ? namedOrderOf(event)?.orderNo : undefined}>
          <Sentence text={listedText(withoutName(event), names, fill)} symbols={symbols} />
        </span>
      </span>
      {fill !== undefined && <FillOfOrder fill={fill} unit={<Unit own={own} currency={currency} />} />}
      {profit !== undefined && (
        <span class="gain number">
          <Profit amount={profit} /> <Unit own={own} currency={currency} />
        </span>
      )}
      {rowId !== undefined && (
        <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {say("Sale record")}
        </button>
      )}
      {rowId !== undefined && isOpen && <Receipt dashboard={dashboard} rowId={rowId} />}
    </li>
  );
}

/** The group or pending OCO of an event: several of one symbol have the same sentences. */
function OwnerLink({ event: { groupId, row } }: Pick<HappenedProps, "event">) {
  const { groupId: ofRow, setupId } = (row ?? {}) as { readonly groupId?: unknown; readonly setupId?: unknown };
  const id = groupId ?? ofRow;
  if (typeof id !== "number" && typeof setupId === "number")
    return (
      <>
        {" "}
        <a href="#/pending" aria-label={say("Pending #{id}", { id: String(setupId) })}>
          #{setupId}
        </a>
      </>
    );
  if (typeof id !== "number") return null;
  return (
    <>
      {" "}
      <a href={`#/groups/${id}`} aria-label={say("Group {id}", { id: String(id) })}>
        #{id}
      </a>
    </>
  );
}

interface FillProps {
  readonly fill: Fill;
  readonly unit: ComponentChildren;
}

/** The filled lots, of how many, and their average price; and the amount of these, each in a column of its own. */
function FillOfOrder({ fill: { lots, ofLots = lots, price }, unit }: FillProps) {
  return (
    <>
      <span class="fill number">
        <span class="name">{say("Filled|lots")}</span>{" "}
        {lots < ofLots ? `${quantityText(lots)}/${quantityText(ofLots)}` : quantityText(lots)}
        {price !== undefined && ` × ${averageText(price)}`}
      </span>
      {price !== undefined && (
        <span class="amount number">
          <span class="name">{say("Amount")}</span> {moneyText(lots * price)} {unit}
        </span>
      )}
    </>
  );
}

/** The event of a fired row without the name of its order, which is in the receipt. */
function withoutName(event: ToldEvent): ToldEvent {
  return event.type === "oco.triggered" ? { ...event, clientOrderId: "" } : event;
}

/** The symbols that an event names in its rows, in its order or by itself. */
function symbolsOf({ symbol, row, rows, order }: ToldEvent): readonly string[] {
  const parts = [{ symbol }, row, order, ...(Array.isArray(rows) ? (rows as readonly unknown[]) : [])];
  const found = parts.flatMap((part) =>
    typeof part === "object" && part !== null && "symbol" in part && typeof part.symbol === "string"
      ? [part.symbol]
      : [],
  );
  return [...new Set(found)];
}
