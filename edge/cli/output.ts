/** The output of the command line: data on standard output, everything else on standard error. */
export interface Output {
  /** The answer of a command: as JSON, or rows as a table and anything else as lines of name and value. */
  data(value: unknown): void;
  /** Text as it is. */
  text(text: string): void;
  /** How far a long command has come. */
  progress(text: string): void;
}

export interface Streams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Makes an output over streams. */
export function makeOutput(streams: Streams, isJson: boolean): Output {
  return {
    data: (value) => streams.out(isJson ? `${JSON.stringify(value, null, 2)}\n` : describe(value)),
    text: streams.out,
    progress: (text) => streams.err(`${text}\n`),
  };
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "nothing\n" : tableOf(value.map(fieldsOf));
  const fields = [...fieldsOf(value)];
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  return fields.map(([name, text]) => `${name.padEnd(width)}  ${text}\n`).join("");
}

function fieldsOf(value: unknown): ReadonlyMap<string, string> {
  if (typeof value !== "object" || value === null) return new Map([["value", textOf(value)]]);
  return new Map(Object.entries(value).map(([name, field]) => [name, textOf(field)]));
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "-";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Columns in the order in which rows first name them. */
function tableOf(rows: readonly ReadonlyMap<string, string>[]): string {
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const lines = [names, ...rows.map((row) => names.map((name) => row.get(name) ?? "-"))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? "").length)));
  const render = (line: readonly string[]): string =>
    line
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return lines.map((line) => `${render(line)}\n`).join("");
}
