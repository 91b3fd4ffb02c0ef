/** Date and time as people type them: `2026-03-02 17:50` in English and `02.03.2026 17:50` in Turkish. Both are read. */
import { say, spokenLanguage } from "../language/say.ts";

const YEAR_FIRST = /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})[T ,]+(?<hour>\d{1,2})[:.](?<minute>\d{2})$/;
const DAY_FIRST = /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})[T ,]+(?<hour>\d{1,2})[:.](?<minute>\d{2})$/;
/** What the text of a moment has up to its minutes: `2026-03-02T17:50`. */
const LENGTH = 16;

/** The form of the text, to show in an empty field. */
export function momentPattern(): string {
  return say("yyyy-mm-dd hh:mm");
}

/**
 * Reads a typed moment as `2026-03-02T17:50`, in no zone. Empty for an empty text; undefined for a part of a moment, a
 * day that no calendar has, and any other form: `02/03/2026` is another day in each country.
 */
export function readMoment(text: string): string | undefined {
  const typed = text.trim();
  if (typed === "") return "";
  const { year, month, day, hour, minute } = (YEAR_FIRST.exec(typed) ?? DAY_FIRST.exec(typed))?.groups ?? {};
  if (year === undefined || month === undefined || day === undefined || hour === undefined) return undefined;
  const value = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}T${hour.padStart(2, "0")}:${minute}`;
  const date = new Date(`${value}Z`);
  // A 30th of February is counted on into March.
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, LENGTH) !== value ? undefined : value;
}

/** A moment such as `2026-03-02T17:50` as a field has it at first; {@link readMoment} reads it. */
export function momentText(value: string): string {
  const [day = "", time = ""] = value.split("T");
  if (value === "" || spokenLanguage() === "en") return value.replace("T", " ");
  return `${day.split("-").reverse().join(".")} ${time}`;
}
