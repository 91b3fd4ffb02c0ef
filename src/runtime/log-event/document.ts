/** The list of log events as a document. */
import type { LogEventDeclaration, LogSeverity } from "./declaration.ts";
import { LOG_EVENTS, severitiesOf } from "./log-events.ts";

/** The file that holds the document. */
export const DOCUMENT_FILE = new URL("../../../docs/log-events.md", import.meta.url);

const HEAD = `<!-- Made by \`npm run log-events\` from src/runtime/log-event. Not to be edited by hand. -->

# Log events

Each log line has a stable code in its field \`event\`. Alerts, scripts and tests match the code; the text of a line can change in any release. A code has the level under which it is listed. If the circumstances decide, it has the other level as well.
`;

type Section = { readonly title: string; readonly severities: readonly LogSeverity[]; readonly hasAction: boolean };

const SECTIONS: readonly Section[] = [
  { title: "Fatal and error", severities: ["fatal", "error"], hasAction: true },
  { title: "Warn", severities: ["warn"], hasAction: true },
  { title: "Info", severities: ["info"], hasAction: false },
  { title: "Debug", severities: ["debug"], hasAction: false },
];

/** Renders docs/log-events.md from the declarations. */
export function renderLogEvents(): string {
  return HEAD + SECTIONS.map(renderSection).join("");
}

function renderSection({ title, severities, hasAction }: Section): string {
  const rows = Object.entries<LogEventDeclaration>(LOG_EVENTS)
    .filter(([, declaration]) => severities.some((severity) => severity === severitiesOf(declaration)[0]))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([code, declaration]) => renderRow([nameOf(code, declaration), ...textsOf(declaration)]));
  const columns = ["code", "meaning", ...(hasAction ? ["what an operator does"] : [])];
  const table = [renderRow(columns), `|${"---|".repeat(columns.length)}`, ...rows];
  return `\n## ${title}\n\n${table.join("\n")}\n`;
}

/** The code, with its level if the heading does not show it. */
function nameOf(code: string, declaration: LogEventDeclaration): string {
  const [gravest, ...others] = severitiesOf(declaration);
  const notes = [...(gravest === "fatal" ? ["fatal"] : []), ...others.map((other) => `also ${other}`)];
  return `\`${code}\`${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`;
}

function textsOf(declaration: LogEventDeclaration): string[] {
  return "action" in declaration ? [declaration.meaning, declaration.action] : [declaration.meaning];
}

function renderRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
