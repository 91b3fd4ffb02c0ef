/**
 * The terms of a whole group in the making, and of a pending OCO: due date, note, trailing distance, and how and when the
 * stop-loss is sold (behaviour 14.1, 19.1, 21.4).
 *
 * Invariant: the times of an exit are typed and shown in the zone of the exchange, independent of the browser's zone.
 */
import { EXIT_POLICIES, type ExitPolicy } from "../../../../src/domain/oco/group.ts";
import { planTrailing, type TrailingRequest } from "../../../../src/domain/oco/trailing.ts";
import type { TickTable } from "../../../../src/domain/price/tick-table.ts";
import { momentIn } from "../../../../src/domain/time-zone.ts";
import { say } from "../language/say.ts";
import { readNumber, typedText } from "../part/number-text.ts";
import { quantityText } from "../part/words.ts";
import type { ExitTimes } from "../state/model.ts";

export interface ExitDraft {
  /** Empty: as the service is set. */
  readonly policy: "" | ExitPolicy;
  /** As a field for date and time has it, by the clocks of the exchange; empty: at no moment. */
  readonly at: string;
  readonly beforeCloseMinutes: string;
}

export interface TermsDraft {
  /** `5`, `3%` or `%3`; empty: the stop-loss stays where it is. */
  readonly trailingDistance: string;
  readonly dueDate: string;
  readonly notes: string;
  readonly exit: ExitDraft;
}

/** The terms as the service shows them. */
interface Terms {
  readonly stopLossTrailing: TrailingRequest | null;
  readonly dueDate: string | null;
  readonly notes: string | null;
  readonly exit: ExitTimes | null;
}

interface TermsChange {
  readonly stopLossTrailing?: TrailingRequest | null;
  readonly dueDate?: string | null;
  readonly notes?: string | null;
  readonly exit?: object;
}

/** A message for each field that breaks a rule. */
export type Faults = Readonly<Record<string, string>>;

const NOTES_MAX = 500;
/** A day. */
const EXIT_MINUTES_MAX = 1_440;
const DISTANCE_DECIMALS_MAX = 2;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

export const POLICIES = ["", ...EXIT_POLICIES] as const;
export const POLICY_WORDS: Readonly<Record<ExitDraft["policy"], string>> = {
  "": say("As the service is set"),
  untilSold: say("Further orders until all is sold"),
  once: say("One order only"),
};

export const NO_EXIT: ExitDraft = { policy: "", at: "", beforeCloseMinutes: "" };
export const NO_TERMS: TermsDraft = { trailingDistance: "", dueDate: "", notes: "", exit: NO_EXIT };

/** The orders that are sent when a level is reached (behaviour 4.11, 14.1, 17.2). */
export function saleText(policy: ExitDraft["policy"]): string {
  const atLevel = say("When the price reaches a level, its lots are sold with a market order.");
  if (policy === "once") return `${atLevel} ${say("If lots remain unsold, no further order follows.")}`;
  const rest =
    policy === "untilSold"
      ? say("If the stop-loss leaves lots unsold, limit orders at the floor of the day follow until all are sold.")
      : say(
          "If the stop-loss leaves lots unsold, limit orders at the floor of the day follow, unless the service is set to one order only.",
        );
  return `${atLevel} ${rest}`;
}

/** Reads a typed distance, in currency or percent; undefined if it is neither. */
function readTrailing(text: string): TrailingRequest | undefined {
  const isPercent = /^%|%$/.test(text.trim());
  const read = readNumber(isPercent ? text.replace("%", "") : text, DISTANCE_DECIMALS_MAX);
  if (read === undefined) return undefined;
  return isPercent ? { distancePercent: read } : { distance: read };
}

/** Checks terms as the service will, except for rules that depend on its clock and calendars. */
export function findTermsFaults(draft: TermsDraft, table: TickTable): Faults {
  const faults: Record<string, string> = {};
  if (draft.trailingDistance.trim() !== "") {
    const read = readTrailing(draft.trailingDistance);
    const terms = read === undefined ? undefined : planTrailing(read, table);
    if (terms?.ok !== true) faults.trailingDistance = say("Give a distance like 5, or a percent like 3%.");
  }
  // The service checks whether it has passed: the clock of this machine may be wrong.
  const due = dateFault(draft.dueDate);
  if (due !== undefined) faults.dueDate = due;
  if ([...draft.notes].length > NOTES_MAX) faults.notes = say("At most {count} characters.", { count: NOTES_MAX });
  return { ...faults, ...findExitFaults(draft.exit) };
}

/** The fault of the text of a field for date and time; undefined: none, also if it is empty. */
export function dateFault(text: string): string | undefined {
  return text !== "" && Number.isNaN(new Date(text).getTime()) ? say("Give a date and a time.") : undefined;
}

export function findExitFaults({ beforeCloseMinutes }: ExitDraft): Faults {
  if (beforeCloseMinutes.trim() === "") return {};
  const minutes = readNumber(beforeCloseMinutes, 0);
  const isGood = minutes !== undefined && minutes >= 1 && minutes <= EXIT_MINUTES_MAX;
  return isGood
    ? {}
    : { "exit.beforeCloseMinutes": say("Whole minutes, 1 to {most}.", { most: quantityText(EXIT_MINUTES_MAX) }) };
}

/** The fields of the body that makes a group or a pending OCO. `zone`: the exchange's. */
export function termsBody(draft: TermsDraft, zone: string): object {
  return termsChange(draft, NO_TERMS, zone);
}

/** What of the terms differs from before, as the body of a change names it: null takes a term away. */
export function termsChange(draft: TermsDraft, before: TermsDraft, zone: string): TermsChange {
  const exit = exitChange(draft.exit, before.exit, zone);
  const distance = draft.trailingDistance.trim();
  return {
    ...(distance === before.trailingDistance ? {} : { stopLossTrailing: readTrailing(distance) ?? null }),
    ...(draft.dueDate === before.dueDate
      ? {}
      : { dueDate: draft.dueDate === "" ? null : new Date(draft.dueDate).toISOString() }),
    ...(draft.notes === before.notes ? {} : { notes: draft.notes === "" ? null : draft.notes }),
    ...(exit === undefined ? {} : { exit }),
  };
}

/** The terms of a pending OCO as a draft. `zone`: the exchange's. */
export function termsDraftOf({ stopLossTrailing, dueDate, notes, exit }: Terms, zone: string): TermsDraft {
  return {
    trailingDistance: trailingText(stopLossTrailing),
    dueDate: dueDate === null ? "" : fieldTextOf(dueDate, ownZone()),
    notes: notes ?? "",
    exit: exitDraftOf(exit, zone),
  };
}

function trailingText(trailing: TrailingRequest | null): string {
  const { distance, distancePercent } = trailing ?? {};
  if (distancePercent !== undefined) return say("{share}%", { share: typedText(distancePercent) });
  return distance === undefined ? "" : typedText(distance);
}

/** The zone of this browser. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** What of an exit differs from before, as a change of it names it: null takes a time away. Undefined: nothing does. */
export function exitChange(draft: ExitDraft, before: ExitDraft, zone: string): object | undefined {
  const minutes = draft.beforeCloseMinutes.trim();
  const change = {
    ...(draft.policy === before.policy || draft.policy === "" ? {} : { stopLoss: draft.policy }),
    ...(draft.at === before.at
      ? {}
      : { at: draft.at === "" ? null : new Date(momentOf(draft.at, zone)).toISOString() }),
    ...(minutes === before.beforeCloseMinutes
      ? {}
      : { beforeCloseMinutes: minutes === "" ? null : readNumber(minutes, 0) }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

/** The exit of a group or pending OCO as a draft. `zone`: the exchange's. */
export function exitDraftOf(exit: ExitTimes | null, zone: string): ExitDraft {
  if (exit === null) return NO_EXIT;
  const { stopLoss, at, beforeCloseMinutes } = exit;
  return {
    policy: stopLoss ?? "",
    at: at === null ? "" : fieldTextOf(at, zone),
    beforeCloseMinutes: beforeCloseMinutes === null ? "" : String(beforeCloseMinutes),
  };
}

/** When an exit sells by the clock, as text; undefined: never. `zone`: the exchange's. */
export function exitTimesText({ at, beforeCloseMinutes }: Omit<ExitDraft, "policy">, zone: string): string | undefined {
  const minutes = beforeCloseMinutes.trim();
  const texts = [
    at === "" ? "" : say("at {time} ({zone})", { time: at.replace("T", " "), zone }),
    minutes === "" ? "" : say("{minutes} minutes before the close", { minutes }),
  ].filter((text) => text !== "");
  return texts.length === 0 ? undefined : texts.join(say(", or "));
}

/** Returns the field of the terms that a refusal names; undefined if it names none of them. */
export function placeTermsRefusal(message: string): string | undefined {
  if (message.startsWith("stopLossTrailing")) return "trailingDistance";
  const [, field] = /^(dueDate|notes|exit\.at|exit\.beforeCloseMinutes)\b/.exec(message) ?? [];
  return field;
}

/** The moment at which clocks of `zone` show the text of a field for date and time, in epoch milliseconds. */
function momentOf(text: string, zone: string): number {
  const localMs = Date.parse(`${text}Z`);
  const day = Math.floor(localMs / DAY_MS);
  return momentIn(zone, day, (localMs - day * DAY_MS) / MINUTE_MS);
}

/** The text of a field for date and time at a moment, by the clocks of `zone`. */
export function fieldTextOf(time: string, zone: string): string {
  // Swedes write dates as the field does.
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  return format.format(new Date(time)).replace(" ", "T");
}
