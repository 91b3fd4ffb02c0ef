/** Owns: the rule that each text of the page has a translation. */
import ts from "typescript";
import { type Finding, findingAt, type Source, walk } from "./source.ts";

const PAGE = "edge/web/dashboard/";
/** The folder of the translations. */
const TRANSLATIONS = `${PAGE}language/`;
/** Attributes and fields whose text a user sees, or a screen reader reads. */
const SHOWN: ReadonlySet<string> = new Set(["label", "title", "aria-label", "placeholder", "yes", "no", "empty"]);
const SAY: ReadonlySet<string> = new Set(["say", "sayEvent"]);
/** Names are the same in each language, and so are samples of what is typed. */
const NAMES: ReadonlySet<string> = new Set([
  ...["Trading Developer API", "API", "TradingView Lightweight Charts", "Telegram"],
  ...["https://…", "tdk_live_…", "123456:ABC…", "me@example.com"],
]);

/** Operators of which a text can be the result. */
const JOINS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.PlusToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

const LETTER = /\p{L}/u;
/** A text that begins or ends like a sentence. */
const SENTENCE = /^\p{Lu}\p{Ll}*,? \p{L}|\p{L}{2} .*\p{L}[.?]$/u;

/** Finds texts of the page that are shown as they are in the code. */
export function findUnsaid(source: Source): readonly Finding[] {
  if (!source.path.startsWith(PAGE) || source.path.startsWith(TRANSLATIONS)) return [];
  const found = new Set<ts.Node>();
  walk(source.tree, (node) => {
    if (ts.isJsxText(node)) found.add(node);
    else if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) addTexts(node.expression, found);
    else if (ts.isJsxAttribute(node) && SHOWN.has(node.name.getText())) addTexts(node.initializer, found);
    else if (ts.isPropertyAssignment(node) && SHOWN.has(node.name.getText())) addTexts(node.initializer, found);
    else if (isSentence(node)) found.add(node);
  });
  return [...found].flatMap((node) => {
    const text = textOf(node).trim();
    return LETTER.test(text) && !NAMES.has(text) ? [findingAt(source, node.getStart(), `"${text}" is not said`)] : [];
  });
}

/** Adds the literal texts that an expression can result in. Calls are not looked into. */
function addTexts(node: ts.Node | undefined, found: Set<ts.Node>): void {
  if (node === undefined) return;
  if (ts.isStringLiteralLike(node)) found.add(node);
  else if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node) || ts.isAsExpression(node))
    addTexts(node.expression, found);
  else if (ts.isConditionalExpression(node)) for (const one of [node.whenTrue, node.whenFalse]) addTexts(one, found);
  else if (ts.isBinaryExpression(node) && JOINS.has(node.operatorToken.kind))
    for (const one of [node.left, node.right]) addTexts(one, found);
  else if (ts.isTemplateExpression(node))
    for (const one of [node.head, ...node.templateSpans.map(({ literal }) => literal)]) found.add(one);
}

/** Whether a literal reads like a sentence and is not an argument of `say`. */
function isSentence(node: ts.Node): boolean {
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateHead(node)) return false;
  const { parent } = node;
  const isSaid = ts.isCallExpression(parent) && SAY.has(parent.expression.getText());
  return !isSaid && SENTENCE.test(node.text);
}

function textOf(node: ts.Node): string {
  return ts.isJsxText(node) || ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node) ? node.text : "";
}
