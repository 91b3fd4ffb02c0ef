/** Events as text, the newest first: live ones, and back to the oldest event that the service keeps. */

import { useEffect, useState } from "preact/hooks";
import { type ToldEvent, weightOf } from "../../../../src/event/describe-event.ts";
import { type EventFamily, FAMILIES, familyOf } from "../../../../src/event/family.ts";
import { Receipt } from "../group/receipt.tsx";
import { eventText } from "../language/event-text.ts";
import { say } from "../language/say.ts";
import { readSymbol } from "../part/number-text.ts";
import { Select } from "../part/select.tsx";
import { clockText, dayText, FAMILY_WORDS } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { KEPT_MAX } from "../state/kept-events.ts";
import { useStore } from "../state/store.ts";

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
  const events = all.filter((event) => isOfFamily(event.type) && (wanted === "" || isAbout(event, wanted)));
  const shown = events.slice(0, count);
  const full = FAMILIES.filter((one) => all.filter(({ type }) => familyOf(type) === one).length >= KEPT_MAX);
  const canRead = !isWhole && families.some((one) => !full.includes(one));
  const read = async (): Promise<void> => setFault(await dashboard.attempt(() => kept.readEarlier(isOfFamily)));
  const showMore = (): void => {
    setCount(count + STEP);
    if (canRead && events.length < count + STEP) void read();
  };
  useEffect(() => {
    if (!kept.hasBegun) void read();
  }, []);
  return (
    <section class="card" aria-label={say("Activity")}>
      <div class="heading">
        <h2>{say("Activity")}</h2>
        <span class="grow" />
        <label>
          {say("Symbol")}{" "}
          <input
            class="short"
            value={symbol}
            autocomplete="off"
            onInput={(event) => setSymbol(event.currentTarget.value)}
          />
        </label>
        <Select title={say("Show")} of={SHOWN} words={SHOWN_WORDS} chosen={choice} onChoose={setChoice} />
      </div>
      {fault !== undefined && (
        <p class="fault" role="alert">
          {say("Earlier events cannot be read: {fault}", { fault })}
        </p>
      )}
      {events.length === 0 && !isReading && <p class="empty">{say("Nothing of this has happened.")}</p>}
      <div aria-live={isReading ? "off" : "polite"}>
        {byDay(shown).map(({ day, events }) => (
          <section key={day} aria-label={day}>
            <h3>{day}</h3>
            <ol class="events">
              {events.map((event) => (
                <Happened key={String(event.id)} {...{ dashboard, event }} />
              ))}
            </ol>
          </section>
        ))}
      </div>
      <div class="tools">
        {(events.length > count || canRead) && (
          <button type="button" disabled={isReading} onClick={showMore}>
            {say("Show earlier events")}
          </button>
        )}
        <span class="hint" role="status">
          {isReading ? say("Reading…") : endText({ isWhole: isWhole && events.length <= count, full })}
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

interface HappenedProps {
  readonly dashboard: DashboardState;
  readonly event: ToldEvent;
}

/** An event. A row that fired has its receipt, with the price at which it was sold. */
function Happened({ dashboard, event }: HappenedProps) {
  const names = useStore(dashboard.botNames);
  const [isOpen, setIsOpen] = useState(false);
  const rowId = firedRowOf(event);
  return (
    <li class={weightOf(event)}>
      <time>{clockText(String(event.time))}</time>
      <span class="grow">{eventText(event, names)}</span>
      {rowId !== undefined && (
        <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {say("Receipt")}
        </button>
      )}
      {rowId !== undefined && isOpen && <Receipt dashboard={dashboard} rowId={rowId} />}
    </li>
  );
}

function firedRowOf({ type, row }: ToldEvent): number | undefined {
  if (type !== "oco.triggered" || typeof row !== "object" || row === null || !("id" in row)) return undefined;
  return Number(row.id);
}

/** Whether an event names the symbol, in its row, its order or by itself. */
function isAbout({ symbol, row, rows, order }: ToldEvent, wanted: string): boolean {
  return [{ symbol }, row, order, ...(Array.isArray(rows) ? (rows as readonly unknown[]) : [])].some(
    (part) => typeof part === "object" && part !== null && "symbol" in part && part.symbol === wanted,
  );
}

interface Day {
  readonly day: string;
  readonly events: ToldEvent[];
}

function byDay(events: readonly ToldEvent[]): readonly Day[] {
  const days: Day[] = [];
  for (const event of events) {
    const day = dayText(String(event.time));
    const last = days.at(-1);
    if (last?.day === day) last.events.push(event);
    else days.push({ day, events: [event] });
  }
  return days;
}
