/** The rows of the list of events: an event, or a run of trades of one bot, which would push all other events away. */
import { type ToldEvent, weightOf } from "../../../../src/event/describe-event.ts";

/** Two trades of a bot are listed as they are. */
const RUN_MIN = 3;

/** An event, or a run of trades with the newest first. */
export type ActivityRow = readonly [ToldEvent, ...ToldEvent[]];

export interface ActivityDay {
  readonly day: string;
  readonly events: readonly ToldEvent[];
  readonly rows: readonly ActivityRow[];
}

/** Returns the day of an event, in the zone of the browser: a key, not a text. */
export function dayKeyOf({ time }: ToldEvent): string {
  return new Date(String(time)).toDateString();
}

/** Returns events by day, the newest first as given. `isFolded`: trades of a bot in sequence are one row. */
export function daysOf(events: readonly ToldEvent[], isFolded: boolean): readonly ActivityDay[] {
  const days = new Map<string, ToldEvent[]>();
  for (const event of events) {
    const day = dayKeyOf(event);
    const found = days.get(day);
    if (found === undefined) days.set(day, [event]);
    else found.push(event);
  }
  return [...days].map(([day, events]) => ({
    ...{ day, events },
    rows: isFolded ? foldRuns(events) : events.map((event): ActivityRow => [event]),
  }));
}

/** Returns the first `count` rows of days; a day without a row is left out. */
export function firstRows(days: readonly ActivityDay[], count: number): readonly ActivityDay[] {
  let left = count;
  return days.flatMap((day) => {
    const rows = day.rows.slice(0, left);
    left -= rows.length;
    return rows.length === 0 ? [] : [{ ...day, rows }];
  });
}

function foldRuns(events: readonly ToldEvent[]): readonly ActivityRow[] {
  const runs: [ToldEvent, ...ToldEvent[]][] = [];
  for (const event of events) {
    const last = runs.at(-1);
    if (last !== undefined && isTrade(event) && isTrade(last[0]) && last[0].systemId === event.systemId)
      last.push(event);
    else runs.push([event]);
  }
  return runs.flatMap((run): readonly ActivityRow[] =>
    run.length < RUN_MIN ? run.map((event): ActivityRow => [event]) : [run],
  );
}

/** Steps that prepare or end a plan of the owner, and trade nothing. */
const STEPS = /^(oco|setup|bot)\.(created|changed|cancelled|registered|updated|removed)$/;

/** Returns how a row is coloured: a sale by its result, any other event by its kind; a step is fainter than a fill. */
export function toneOf(
  event: ToldEvent,
  { profit, hasFill }: { readonly profit: number | undefined; readonly hasFill: boolean },
): "bad" | "good" | "plain" | "faint" {
  if (profit !== undefined) return profit < 0 ? "bad" : profit > 0 ? "good" : "plain";
  const weight = weightOf(event);
  const isStep = STEPS.test(event.type) && !hasFill && event.isPartFilled !== true;
  return weight === "plain" && isStep ? "faint" : weight;
}

/** Whether a bot bought or sold. */
function isTrade({ type }: ToldEvent): boolean {
  return type === "pair.bought" || type === "pair.sold";
}
