/** What was read of a sentence, as one line of a test. */
import type { ReadSentence, Statement } from "../../../../../edge/cli/measure/read-measures.ts";

/** `certain AAAAA,BBBBB 1,2 from..until`, with `ends` and `extends` behind it; `person` or `note`. */
export function describeSentence(sentence: ReadSentence): string {
  if (sentence.kind === "person") return `person: ${sentence.why}`;
  if (sentence.kind === "note") return "note";
  const { statements } = sentence;
  const list = (values: readonly unknown[]): string => [...new Set(values)].join();
  const kinds = list(statements.map(({ kind }) => kind)).split(",");
  return kinds
    .map((kind) => {
      const ofKind = statements.filter((statement) => statement.kind === kind);
      const symbols = list(ofKind.map(({ symbol }) => symbol));
      const types = list(ofKind.map(({ restrictionType }) => restrictionType));
      return `${kind === "applies" ? "certain" : kind} ${symbols} ${types} ${list(ofKind.map(daysOf))}`;
    })
    .join("; ");
}

function daysOf(statement: Statement): string {
  if (statement.kind === "ends") return `free from ${statement.freeFrom}`;
  return statement.kind === "extends" ? `until ${statement.until}` : `${statement.from}..${statement.until ?? ""}`;
}
