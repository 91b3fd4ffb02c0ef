/** Owns: the table of promises in bench/README.md: its rows in bench/promises.json, their text, a run's figures in them. */
import { z } from "zod";
import { readable } from "./chart.ts";
import { isMet } from "./report.ts";
import type { Figure } from "./result.ts";
import { median } from "./statistics.ts";

/** A number as it is printed: its digits show its precision. */
const numberSchema = z.string().regex(/^\+?\d+(,\d{3})*(\.\d+)?$/);
const textSchema = z.string().min(1);

const shownSchema = z.strictObject({
  value: numberSchema,
  unit: textSchema.optional(),
  low: numberSchema.optional(),
  high: numberSchema.optional(),
  note: textSchema.optional(),
});
/** A baseline without figures is only named. */
const baselineSchema = shownSchema.partial();
type Shown = z.infer<typeof baselineSchema>;

/** The rows, in the order of the table. A row without a source has figures that no scenario reports as a target. */
const rowsSchema = z.array(
  z.strictObject({
    promise: textSchema,
    /** The name of the page in docs/performance, without its ending. */
    page: textSchema.optional(),
    target: z.strictObject({
      bound: z.enum(["atMost", "atLeast"]),
      limit: numberSchema,
      unit: textSchema.optional(),
    }),
    median: shownSchema,
    baseline: baselineSchema.optional(),
    /** The number that the target is on. Without it, the target is on the median. */
    ratio: shownSchema.optional(),
    date: z.iso.date(),
    isBusy: z.boolean().optional(),
    source: z.strictObject({ scenario: textSchema, target: textSchema }).optional(),
  }),
);
export type PromiseRow = z.infer<typeof rowsSchema>[number];

const figureSchema = z.object({ name: z.string(), unit: z.string(), rounds: z.array(z.number()).min(1) });

/** A file of bench/results, as far as rows are made from it. */
const runSchema = z.object({
  machine: z.object({ at: z.iso.datetime(), cores: z.number(), loadAtStart: z.number() }),
  isQuick: z.literal(false, "a quick run shows no speed; record a full one"),
  results: z.record(
    z.string(),
    z.object({
      targets: z.array(
        figureSchema.extend({
          limit: z.number(),
          measured: figureSchema,
          floor: figureSchema.optional(),
        }),
      ),
    }),
  ),
});
type Run = z.infer<typeof runSchema>;

/** Reads the text of bench/promises.json. */
export function parsePromises(text: string): PromiseRow[] {
  return rowsSchema.parse(JSON.parse(text));
}

/** Reads the text of a file of bench/results. Throws if the run was quick. */
export function parseRun(text: string): Run {
  return runSchema.parse(JSON.parse(text));
}

/** The text of bench/promises.json, as the formatter leaves it: figures and targets have a line each. */
export function renderPromises(rows: readonly PromiseRow[]): string {
  const oneLine = (object: string): string => object.replaceAll(/\n\s*/g, " ");
  return `${JSON.stringify(rowsSchema.parse(rows), null, 2).replaceAll(/\{[^{}]*\}/g, oneLine)}\n`;
}

/** The rows with the figures of a run. Throws if a scenario of the run does not report the target of its row. */
export function recordRun(rows: readonly PromiseRow[], { machine, results }: Run): PromiseRow[] {
  return rows.map((row) => {
    const result = results[row.source?.scenario ?? ""];
    if (result === undefined) return row;
    const target = result.targets.find(({ name }) => name === row.source?.target);
    if (target === undefined) {
      throw new Error(
        `"${row.promise}": ${row.source?.scenario} has no target "${row.source?.target}"; correct its source`,
      );
    }
    const { isBusy: _, ...kept } = row;
    return {
      ...kept,
      target: { ...row.target, limit: limitOf(row, target.limit) },
      median: shownOf(row.median, target.measured),
      ...(target.floor === undefined ? {} : { baseline: shownOf(row.baseline ?? {}, target.floor) }),
      ...(row.ratio === undefined ? {} : { ratio: shownOf(row.ratio, target) }),
      date: machine.at.slice(0, 10),
      ...(machine.loadAtStart > machine.cores ? { isBusy: true } : {}),
    };
  });
}

/** A limit keeps its digits unless the number is another one. */
function limitOf({ target }: PromiseRow, limit: number): string {
  return numberOf(target.limit) === limit ? target.limit : limit.toLocaleString("en-US");
}

/** The figure in the form of the row: with a unit only if the row shows one, and with the note of the row. */
function shownOf({ value, unit, note }: Shown, measured: Pick<Figure, "unit" | "rounds">): z.infer<typeof shownSchema> {
  const { rounds } = measured;
  const hasUnit = value === undefined || unit !== undefined;
  return {
    value: readable(median(rounds)),
    // "us a trigger" is "us" in a row, which names the work.
    ...(hasUnit ? { unit: measured.unit.split(" ")[0] } : {}),
    ...(rounds.length > 1 ? { low: readable(Math.min(...rounds)), high: readable(Math.max(...rounds)) } : {}),
    ...(note === undefined ? {} : { note }),
  };
}

function numberOf(text: string): number {
  return Number(text.replaceAll(",", ""));
}

const COLUMNS = ["promise", "target", "median", "baseline", "ratio", "met", "recorded"];

/** Renders the table. A promise is met if the number that it prints is within its target. */
export function renderTable(rows: readonly PromiseRow[]): string {
  const lines = [COLUMNS, ...rows.map(cellsOf)].map(
    (cells) => `|${cells.map((cell) => (cell === "" ? " |" : ` ${cell} |`)).join("")}`,
  );
  return lines.toSpliced(1, 0, `|${"---|".repeat(COLUMNS.length)}`).join("\n");
}

function cellsOf({ promise, page, target, median: middle, baseline, ratio, date, isBusy }: PromiseRow): string[] {
  const judged = ratio ?? middle;
  const { bound, limit, unit } = target;
  const isKept = isMet({ bound, limit: numberOf(limit), rounds: [numberOf(judged.value)] });
  const textOf = (shown: Shown | undefined): string => renderShown(shown ?? {}, !isKept && shown === judged);
  return [
    page === undefined ? promise : `[${promise}](../docs/performance/${page}.md)`,
    `${bound === "atMost" ? "≤" : "≥"} ${withUnit(limit, unit)}`,
    ...[middle, baseline, ratio].map(textOf),
    isKept ? "yes" : "**no**",
    isBusy === true ? `${date}, busy` : date,
  ];
}

function renderShown({ value, unit, low, high, note }: Shown, isBold: boolean): string {
  const number = value === undefined ? "" : withUnit(value, unit);
  const spread = low === undefined ? "" : ` (${low}–${high})`;
  return [`${isBold ? `**${number}**` : number}${spread}`, note].filter(Boolean).join(", ");
}

function withUnit(number: string, unit = ""): string {
  return unit === "" || unit.startsWith("/") ? `${number}${unit}` : `${number} ${unit}`;
}

const BEGIN = "<!-- Made by `npm run bench -- --table` from promises.json. Not to be edited by hand. -->\n\n";
const END = "\n\n<!-- End of the table. -->";

/** The document with `table` between its two markers. Throws if a marker is missing. */
export function replaceTable(document: string, table: string): string {
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (begin < 0 || end < begin)
    throw new Error("bench/README.md: the comments around the table of promises are missing");
  return `${document.slice(0, begin)}${BEGIN}${table}${document.slice(end)}`;
}
