/**
 * Owns: the rule that each log event is declared once, and is logged. That a line has a declared one is for the
 * compiler.
 */
import ts from "typescript";
import { type Finding, findingAt, type Source, walk } from "./source.ts";

const DECLARATIONS = "src/runtime/log-event/";

type Declared = { readonly source: Source; readonly name: ts.StringLiteral };

/** The codes of the tables: each key that is a text. */
function declaredNames(sources: readonly Source[]): Declared[] {
  const found: Declared[] = [];
  for (const source of sources.filter(({ path }) => path.startsWith(DECLARATIONS))) {
    walk(source.tree, (node) => {
      if (ts.isPropertyAssignment(node) && ts.isStringLiteral(node.name)) found.push({ source, name: node.name });
    });
  }
  return found;
}

/** Finds codes that are declared more than once, of which only the last declaration would count. */
export function findRepeatedCodes(sources: readonly Source[]): readonly Finding[] {
  const declared = declaredNames(sources);
  const first = new Map(declared.toReversed().map(({ name }) => [name.text, name]));
  return declared
    .filter(({ name }) => first.get(name.text) !== name)
    .map(({ source, name }) => findingAt(source, name.getStart(), `${name.text} is declared before`));
}

/** Finds declared codes that no line of src, engine or edge logs. */
export function findUnloggedCodes(sources: readonly Source[]): readonly Finding[] {
  const products = sources.filter(({ path }) => /^(src|engine|edge)\//.test(path) && !path.startsWith(DECLARATIONS));
  const logged = new Set(products.flatMap(({ tree }) => loggedCodes(tree)));
  return declaredNames(sources)
    .filter(({ name }) => !logged.has(name.text))
    .map(({ source, name }) => findingAt(source, name.getStart(), `${name.text} is declared, and no line logs it`));
}

/** The texts of properties called `event`; of a file that names the type of codes, and so hands them on, all texts. */
function loggedCodes(tree: ts.SourceFile): string[] {
  const codes: string[] = [];
  const every: string[] = [];
  let handsOn = false;
  walk(tree, (node) => {
    if (ts.isIdentifier(node) && node.text === "LogEvent") handsOn = true;
    if (ts.isStringLiteral(node)) every.push(node.text);
    if (!ts.isPropertyAssignment(node) || node.name.getText() !== "event") return;
    const value = ts.isAsExpression(node.initializer) ? node.initializer.expression : node.initializer;
    if (ts.isStringLiteral(value)) codes.push(value.text);
  });
  return handsOn ? every : codes;
}
