/**
 * The trading calendars of exchanges, read from files once at a start (behaviour 21.1).
 *
 * Owns: which files exist, and the report on a file that cannot be used. Does not own: valid calendars
 * (`src/domain/market/calendar.ts`), waits for a session.
 *
 * Invariant: no file stops a start. An exchange without a usable calendar is traded as if it had no calendar.
 */
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { type Calendar, planCalendar, TAKEN_ORDERS } from "../../src/domain/market/calendar.ts";
import { accept, type Result, refuse } from "../../src/domain/refusal.ts";
import type { Log } from "../../src/runtime/ports.ts";
import { readTextFile } from "../../src/runtime/text-file.ts";

const OWN_FOLDER = fileURLToPath(new URL("../../fixtures/calendars/", import.meta.url));
const ENDING = ".json";

interface CalendarsConfig {
  readonly hasCalendars: boolean;
  readonly calendarsFolder: string | undefined;
}

const phasesSchema = z
  .array(
    z.strictObject({
      name: z.string().min(1).max(50),
      from: z.string().max(5),
      to: z.string().max(5),
      takes: z.array(z.enum(TAKEN_ORDERS)).max(TAKEN_ORDERS.length),
    }),
  )
  .max(48);

const calendarSchema = z.strictObject({
  mic: z.string().regex(/^[A-Z0-9]{1,16}$/, "must be a market identifier code such as XIST"),
  zone: z.string().max(64),
  phases: phasesSchema,
  holidays: z.array(z.string().max(32)).max(10_000),
  halfDays: z.record(z.string().max(32), phasesSchema),
});

/**
 * Reads the calendars that come with the program and the calendars of the operator's folder (`CALENDARS_DIR`), by their
 * market identifier codes; none if they are turned off (`CALENDARS`). A file of the folder replaces the program's file
 * of the same code. A file that cannot be used is logged and left out.
 */
export function readCalendars(
  { hasCalendars, calendarsFolder: folder }: CalendarsConfig,
  log: Pick<Log, "warn">,
): ReadonlyMap<string, Calendar> {
  const calendars = new Map<string, Calendar>();
  if (!hasCalendars) return calendars;
  for (const place of folder === undefined ? [OWN_FOLDER] : [OWN_FOLDER, folder]) {
    for (const path of filesOf(place, log)) {
      const calendar = readCalendar(path);
      if (calendar.ok) calendars.set(calendar.value.mic, calendar.value);
      else
        log.warn(
          { event: "calendar.unusable", path, reason: calendar.message },
          "a trading calendar cannot be used and is left out",
        );
    }
  }
  return calendars;
}

function filesOf(folder: string, log: Pick<Log, "warn">): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(ENDING));
    return names.sort().map((name) => join(folder, name));
  } catch (err) {
    log.warn(
      { event: "calendar.folderUnreadable", err, folder },
      "CALENDARS_DIR: the folder cannot be read, so that none of its calendars is used",
    );
    return [];
  }
}

/** Reads one file. Refuses (INVALID) with the field and the rule. */
function readCalendar(path: string): Result<Calendar> {
  const json = readJson(path);
  if (!json.ok) return json;
  const parsed = calendarSchema.safeParse(json.value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refuse("INVALID", `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "is wrong"}`);
  }
  const calendar = planCalendar(parsed.data);
  const name = basename(path, ENDING);
  if (!calendar.ok || calendar.value.mic === name) return calendar;
  return refuse("INVALID", `mic ${calendar.value.mic} must be the name of the file, ${name}`);
}

function readJson(path: string): Result<unknown> {
  try {
    return accept(JSON.parse(readTextFile(path)));
  } catch (cause) {
    return refuse("INVALID", cause instanceof Error ? cause.message : String(cause));
  }
}
