/**
 * Converts lines of a recording to ticks: NDJSON (`{"symbol":"THYAO","price":101.5,"time":1732152000000}`) or CSV. CSV
 * has a header with the names of the columns, or the order symbol, price, time without one. The first line decides
 * whether commas or semicolons separate. A time is epoch milliseconds or ISO 8601.
 *
 * Invariants:
 * 1. A line that is not a tick is distinguished from a line without data (empty, or the header), and affects no other.
 * 2. A result has a possible symbol and a possible price; whether the symbol exists is not checked.
 */
import { CsvError, parse } from "csv-parse/sync";
import { livePrice } from "../../../src/domain/price/price.ts";
import { parseTime } from "../../../src/domain/time.ts";

export interface RecordedTick {
  readonly symbol: string;
  /** In currency units. */
  readonly price: number;
  /** Epoch milliseconds; undefined if the line has no time. */
  readonly timeMs: number | undefined;
}

type Column = "symbol" | "price" | "time";

const COLUMNS: readonly Column[] = ["symbol", "price", "time"];
const SYMBOL = /^[A-Z0-9_]{1,16}$/;
const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** Reads one file's lines, in order. */
export class TickLineReader {
  #columns: readonly string[] = COLUMNS;
  #isFirst = true;
  #separator = ",";

  /** Returns `nothing` for an empty line or a header, `malformed` for an invalid tick. */
  read(line: string): RecordedTick | "nothing" | "malformed" {
    const isFirst = this.#isFirst;
    const text = (isFirst ? line.replace(/^\uFEFF/, "") : line).trim();
    if (text === "") return "nothing";
    this.#isFirst = false;
    const fields = text.startsWith("{") ? readJsonLine(text) : this.#readCsvLine(text, isFirst);
    if (fields === "nothing") return "nothing";
    return (fields && readTick(fields)) ?? "malformed";
  }

  #readCsvLine(text: string, isFirst: boolean): Map<string, unknown> | "nothing" | undefined {
    if (isFirst && text.includes(";") && !text.split(";", 1)[0]?.includes(",")) this.#separator = ";";
    const cells = readCells(text, this.#separator);
    if (cells === undefined) return undefined;
    const names = cells.map((cell) => cell.toLowerCase());
    if (isFirst && names.includes("symbol") && names.includes("price")) {
      this.#columns = names;
      return "nothing";
    }
    return new Map(this.#columns.map((column, index) => [column, cells[index]]));
  }
}

/** Undefined if quotes are not closed. */
function readCells(text: string, delimiter: string): readonly string[] | undefined {
  try {
    const [cells]: string[][] = parse(text, { delimiter, trim: true, relax_column_count: true });
    return cells;
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
}

function readJsonLine(text: string): Map<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? new Map(Object.entries(parsed)) : undefined;
  } catch {
    return undefined;
  }
}

function readTick(fields: ReadonlyMap<string, unknown>): RecordedTick | undefined {
  const symbol = fields.get("symbol");
  const price = readNumber(fields.get("price"));
  const time = readTimeMs(fields.get("time"));
  if (typeof symbol !== "string" || !SYMBOL.test(symbol) || time === undefined) return undefined;
  if (price === undefined || livePrice(price) === undefined) return undefined;
  return { symbol, price, timeMs: time === "none" ? undefined : time };
}

function readNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && NUMBER.test(value) ? Number(value) : undefined;
}

function readTimeMs(value: unknown): number | "none" | undefined {
  if (value === undefined || value === null || value === "") return "none";
  const ms = readNumber(value);
  if (ms !== undefined) return Number.isFinite(ms) ? ms : undefined;
  if (typeof value !== "string") return undefined;
  const parsed = parseTime(value.replace(" ", "T"), "time");
  return parsed.ok ? parsed.value : undefined;
}
