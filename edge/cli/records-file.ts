/**
 * Records from a file: JSON (an array, or an object with one) or CSV with a line of names.
 *
 * Invariant: no record is returned before every record of the file was read and checked; a fault is reported with its
 * line or number.
 */
import { readFile } from "node:fs/promises";
import { CsvError, parse } from "csv-parse/sync";
import type { z } from "zod";
import { describeIssue } from "../../src/contract/issue.ts";
import { decodeText } from "../../src/runtime/text-file.ts";
import { UserError } from "../../src/runtime/user-error.ts";

interface Read {
  readonly place: string;
  readonly record: unknown;
}

/**
 * Reads and checks the records of a file. A CSV's fields are separated by commas or, as spreadsheets of many countries
 * do, by semicolons. Empty fields are left out; all others are text, except `is...` and `...Price` columns. Throws
 * {@link UserError}.
 */
export async function readRecords<T>(path: string, schema: z.ZodType<unknown, T>): Promise<readonly T[]> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new UserError(`${path} cannot be read`, { reason: "noInput", cause });
  });
  const content = decodeText(path, bytes);
  const read = /^\s*[[{]/.test(content) ? readJson(path, content) : readCsv(path, content);
  if (read.length === 0) throw unusable(`${path} has no records`);
  return read.map(({ place, record }) => {
    const parsed = schema.safeParse(record);
    // Checked here, sent unchanged: the service reads it once more.
    if (parsed.success) return record as T;
    throw unusable(`${path} ${place}: ${describeIssue(parsed.error, "the record")}`);
  });
}

function unusable(message: string): UserError {
  return new UserError(message, { reason: "data" });
}

function readJson(path: string, text: string): readonly Read[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unusable(`${path} is not valid JSON`);
  }
  const records = Array.isArray(value) ? value : Object.values(value as object).find(Array.isArray);
  if (records === undefined) throw unusable(`${path} has no array of records`);
  return records.map((record: unknown, index: number) => ({ place: `record ${index + 1}`, record }));
}

function readCsv(path: string, text: string): readonly Read[] {
  const [names, ...lines] = parseCsv(path, text);
  if (names === undefined) return [];
  return lines.map(({ line, fields }) => {
    if (fields.length > names.fields.length) throw unusable(`${path} line ${line}: has too many fields`);
    const entries = names.fields.flatMap((name, column) => {
      const field = fields[column] ?? "";
      return field === "" ? [] : [[name.trim(), readField(name.trim(), field)] as const];
    });
    return { place: `line ${line}`, record: Object.fromEntries(entries) };
  });
}

/**
 * A column with a yes or no contains true or false, in any case: spreadsheets write TRUE. A column of prices contains
 * numbers.
 */
function readField(name: string, field: string): string | boolean | number {
  const word = field.trim().toLowerCase();
  if (/Price$/.test(name) && /^\d+(\.\d+)?$/.test(word)) return Number(word);
  return /^is[A-Z]/.test(name) && (word === "true" || word === "false") ? word === "true" : field;
}

/** The separator of the line of names. */
function separatorOf(text: string): string {
  const [names = ""] = text.trimStart().split("\n", 1);
  return names.includes(";") && !names.includes(",") ? ";" : ",";
}

interface CsvLine {
  readonly line: number;
  readonly fields: readonly string[];
}

/** The result of csv-parse with `info`: `lines` counts the lines up to the record's end. */
interface CsvRow {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** RFC 4180; empty lines are left out. */
function parseCsv(path: string, text: string): readonly CsvLine[] {
  try {
    // The package's types lack `info`.
    const rows = parse(text, {
      info: true,
      delimiter: separatorOf(text),
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    }) as unknown as readonly CsvRow[];
    let end = 0;
    return rows.map(({ record, info }) => {
      // A field in quotes can contain line breaks: the record begins that many lines before its end.
      const line = Math.max(end + 1, info.lines - record.join("").split("\n").length + 1);
      end = info.lines;
      return { line, fields: record };
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw unusable(`${path} line ${error.lines}: a quote is not allowed there`);
  }
}
