/** Finds the texts of the service in its sources, each as messages with sample values. */
import ts from "typescript";
import type { Source } from "../../tidy/source.ts";

/** Calls whose texts reach no client: they stop the process, write a log, or describe the API. */
const SILENT_CALL = /^assert\b|\blog\.\w+$|\b(fatal|warn|describe|meta|startsWith|endsWith)$/;
/** Answers to reads: the page shows their data alone. */
const READ_CALL = /\.(rows|part|pages)$|^answerReference$/;
const DOCUMENT_FIELDS = new Set(["description", "summary", "title", "example", "tag", "event"]);

/** Values of a message that are texts of a few kinds, by the text of their expression. */
const VALUES: ReadonlyMap<string, readonly string[]> = new Map([
  ["rules.keyFields", ["symbol", "symbol, algoName and period"]],
  ["reached", ["at or under the stop-loss 7", "at or over the take-profit 7"]],
  ["placedWord(orderStatusOf(data))", ["placed", "cancelled by the brokerage", "rejected by the brokerage"]],
  ["words", ["level bot", "webhook bot"]],
  ["signal.side", ["buy", "sell"]],
  ["side", ["buy", "sell"]],
  ["which", ["prices of THYAO"]],
  ["what", ["changed", "left out"]],
  ["whole", ["the body"]],
  ["name", ["pageSize"]],
  ["order", ["The order"]],
  ["placedWord(orderStatusOf(placement))", ["placed", "cancelled by the brokerage", "rejected by the brokerage"]],
  ["way", ["", "; stopLossPrice sets it Active again while a take-profit is Active"]],
  ["ended", ["the order ended"]],
  ["soldText(ended.stopLossSoldQuantity, left)", ["7 of 7 sold"]],
  ["soldText(group.stopLossSoldQuantity, left)", ["7 of 7 sold"]],
  ["soldText(soldQuantity, Math.max(0, unsoldQuantity))", ["7 of 7 sold"]],
  ["FILL_FIELD", ["averagePrice"]],
]);

/** A text of a source, at a line counted from 1, with one message for each branch of its conditions. */
interface FoundText {
  readonly line: number;
  readonly messages: readonly string[];
}

/** Lists the texts of a file that can be a message or a part of one. */
export function findTexts({ path, tree }: Source): readonly FoundText[] {
  const found: FoundText[] = [];
  const visit = (node: ts.Node): void => {
    if (isSilent(node)) return;
    if (ts.isPropertyAssignment(node) && isOfDocument(node, path)) return;
    if (ts.isCallExpression(node) && isSilentCall(node)) {
      visit(node.expression);
      return;
    }
    if (ts.isTemplateExpression(node) || ts.isStringLiteralLike(node)) {
      const messages = samplesOf(node).map(named).filter(isSentence);
      const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      if (messages.length > 0) found.push({ line, messages });
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Whether words are left without the sample values. */
const isSentence = (text: string): boolean =>
  /[a-z]{2,}[^a-z]+[a-z]{2,}/.test(text.replaceAll("a remark", "")) && text.includes(" ");

/** A rule of a schema is a part of a message, behind the name of its field. */
const named = (text: string): string => (/^(must|is not an?) /.test(text) ? `address ${text}` : text);

function isSilent(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isThrowStatement(node)) return true;
  return ts.isNewExpression(node) && /(Error|Exception|Refused)$/.test(node.expression.getText());
}

/** A field of the API's document. A pair has a description, too, which the page shows. */
function isOfDocument({ name }: ts.PropertyAssignment, path: string): boolean {
  return DOCUMENT_FIELDS.has(name.getText()) && !path.startsWith("src/domain/");
}

function isSilentCall({ expression }: ts.CallExpression): boolean {
  const callee = expression.getText();
  return SILENT_CALL.test(callee) || READ_CALL.test(callee);
}

/** The text with each value replaced by a sample, once for each branch of its conditions. */
function samplesOf(node: ts.Expression): readonly string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isParenthesizedExpression(node)) return samplesOf(node.expression);
  if (ts.isConditionalExpression(node)) return [...samplesOf(node.whenTrue), ...samplesOf(node.whenFalse)];
  if (!ts.isTemplateExpression(node)) return VALUES.get(node.getText()) ?? [sampleOf(node.getText())];
  return node.templateSpans.reduce<readonly string[]>(
    (texts, { expression, literal }) =>
      texts.flatMap((text) => samplesOf(expression).map((sample) => `${text}${sample}${literal.text}`)),
    [node.head.text],
  );
}

/** A value that the expression gives. */
function sampleOf(expression: string): string {
  if (/^(numberText|formatPrice)\b/.test(expression)) return "7";
  if (/^(fields?|rules\.field|within)\b/.test(expression)) return "stopLossPrice";
  if (/symbol/i.test(expression)) return "THYAO";
  if (/formatTime|moment/i.test(expression)) return "2026-03-02T10:00:00.000Z";
  return /reason|message|why|told|sale|excess|said|made|refusal|text|consequence|advice/i.test(expression)
    ? "a remark"
    : "7";
}
