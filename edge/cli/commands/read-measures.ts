/** `restrictions read`: announcements of measures as text, and the restrictions that follow from them. */
import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { RESTRICTION_TYPES, type RestrictionView } from "../../../src/contract/operator/reference.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { decodeText } from "../../../src/runtime/text-file.ts";
import { UserError } from "../../../src/runtime/user-error.ts";
import type { Api } from "../client.ts";
import type { RunCommand, Session } from "../command.ts";
import { addRestrictions, endRestriction, readRestrictionsOf } from "../known-restrictions.ts";
import { shiftDay } from "../measure/days.ts";
import { type MeasureAction, type PlannedStatement, planMeasures } from "../measure/plan-measures.ts";
import { readMeasures, type Statement } from "../measure/read-measures.ts";

const RECORDS_PER_REQUEST = 500;

/** One row of the output: what a sentence states of one symbol and type, or a sentence that is not certain. */
interface ReadRow {
  /** `add`, `end`, `later`, `replace`, `known`, `twice`, `person` or `note`. */
  readonly what: string;
  readonly symbol: string | null;
  readonly restrictionType: string | null;
  readonly from: string | null;
  readonly until: string | null;
  /** Why it is left to a person, or the sentence. */
  readonly text: string;
}

/** Adds `read <file>` to the commands of restrictions. */
export function addReadCommand(restrictions: Command, run: RunCommand): void {
  restrictions
    .command("read <file>")
    .description(
      "reads announcements of measures from KAP (plain text) and shows each sentence as it was understood; with --import " +
        "the certain measures are added, and the others are left to you; needs the scopes read and admin",
    )
    .option("--import", "adds and ends restrictions; without it nothing is written")
    .action((file: string, { import: isImport = false }: { readonly import?: boolean }) =>
      run((session) => readFileOfMeasures(session, file, isImport)),
    );
}

async function readFileOfMeasures({ api, output }: Session, file: string, isImport: boolean): Promise<void> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new UserError(`${file} cannot be read`, { reason: "noInput", cause });
  });
  const sentences = readMeasures(decodeText(file, bytes));
  const statements = sentences.flatMap((sentence) => (sentence.kind === "certain" ? sentence.statements : []));
  const histories = new Map<string, readonly RestrictionView[] | null>();
  for (const { symbol } of statements) {
    if (!histories.has(symbol)) histories.set(symbol, await readRestrictionsOf(api, symbol));
  }
  const planned = planMeasures(statements, histories, systemClock.nowMs());
  const planOf = new Map(planned.map((one) => [one.statement, one]));
  const rows = sentences.flatMap((sentence): ReadRow[] => {
    if (sentence.kind === "certain") return sentence.statements.map((one) => rowOf(one, planOf.get(one)));
    const symbol = sentence.kind === "person" ? sentence.symbols.join(" ") || null : null;
    const text = sentence.kind === "person" ? `${sentence.why}: ${sentence.text}` : sentence.text;
    return [{ what: sentence.kind, symbol, restrictionType: null, from: null, until: null, text }];
  });
  // Written before it is shown: a failure must not look like a success.
  if (isImport) await write(api, planned, JSON.stringify([...histories]));
  output.data(rows);
  const leftCount = rows.filter(({ what }) => what === "person").length;
  if (leftCount > 0) output.progress(`${leftCount} rows are left to you: add them with restrictions import`);
  const writtenCount = rows.filter(({ what }) => ["add", "end", "replace"].includes(what)).length;
  output.progress(isImport ? `${writtenCount} rows written` : `nothing written; ${writtenCount} rows with --import`);
}

/** Ends come first: a symbol has at most one active restriction of a type. Repeated it does nothing twice. */
async function write(api: Api, planned: readonly PlannedStatement[], state: string): Promise<void> {
  const actions = planned.flatMap(({ actions }) => actions);
  for (const action of actions) if (action.kind === "end") await endRestriction(api, action.id, action.validTo);
  const records = actions.flatMap((action) => (action.kind === "add" ? [action.record] : []));
  for (let start = 0; start < records.length; start += RECORDS_PER_REQUEST) {
    await addRestrictions(api, records.slice(start, start + RECORDS_PER_REQUEST), state);
  }
}

function rowOf(statement: Statement, planned: PlannedStatement | undefined): ReadRow {
  const { symbol, restrictionType } = statement;
  const actions = planned?.actions ?? [];
  const name = RESTRICTION_TYPES.get(restrictionType) ?? "";
  const type = `${restrictionType} ${name}`;
  return { what: whatOf(actions), symbol, restrictionType: type, ...daysOf(statement), text: textOf(actions) };
}

function daysOf(statement: Statement): Pick<ReadRow, "from" | "until"> {
  switch (statement.kind) {
    case "applies":
      return { from: statement.from, until: statement.until ?? null };
    case "ends":
      return { from: null, until: shiftDay(statement.freeFrom, -1) };
    case "extends":
      return { from: null, until: statement.until };
  }
}

function whatOf(actions: readonly MeasureAction[]): string {
  const [first] = actions;
  return actions.length > 1 ? "replace" : (first?.kind ?? "twice");
}

function textOf([first]: readonly MeasureAction[]): string {
  switch (first?.kind) {
    case undefined:
      return "it is in this file before";
    case "person":
      return first.why;
    case "known":
      return first.id === undefined ? "the measure in this file ends then" : `restriction ${first.id}`;
    case "later":
      return `${first.id === undefined ? "the measure in this file" : `restriction ${first.id}`} ends ${first.validTo}: read the file again then`;
    case "end":
      return `restriction ${first.id} ends ${first.validTo}`;
    case "add":
      return first.record.sourceRef;
  }
}
