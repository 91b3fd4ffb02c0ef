/** Owns: the rules on the form of a file: what no file may hold, how long it may be, what must be documented. */
import ts from "typescript";
import { type Finding, findingAt, listComments, type Source, walk } from "./source.ts";

export const MAX_LINES = 500;
/** Files that may be longer, each with its reason. */
const LONG_FILES: ReadonlyMap<string, string> = new Map();

const BANNED_IN_COMMENTS = /@ts-(ignore|nocheck)|\b(TODO|FIXME)\b/;
const DOCUMENTED = /^src\/(domain|machine)\//;

function isOnly(node: ts.Node): boolean {
  if (ts.isPropertyAssignment(node)) {
    return node.name.getText() === "only" && node.initializer.kind === ts.SyntaxKind.TrueKeyword;
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  return node.expression.name.text === "only";
}

/** Finds `any`, singletons and tests that keep the others from running. */
export function findBannedForms(source: Source): readonly Finding[] {
  const findings: Finding[] = [];
  walk(source.tree, (node) => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) findings.push(findingAt(source, node.getStart(), "any is banned"));
    if (ts.isIdentifier(node) && node.text === "getInstance") {
      findings.push(findingAt(source, node.getStart(), "getInstance is banned: hand the object in"));
    }
    if (isOnly(node)) findings.push(findingAt(source, node.getStart(), "only is banned: it hides the other tests"));
  });
  return findings;
}

/** Finds comments that switch the type check off or put work off. */
export function findBannedComments(source: Source): readonly Finding[] {
  return listComments(source).flatMap((range) => {
    const found = BANNED_IN_COMMENTS.exec(source.text.slice(range.pos, range.end));
    return found === null ? [] : [findingAt(source, range.pos + found.index, `${found[0]} is banned`)];
  });
}

/** Finds files longer than `MAX_LINES` lines. */
export function findLongFile(source: Source): readonly Finding[] {
  const lineCount = source.text.split("\n").length - (source.text.endsWith("\n") ? 1 : 0);
  if (lineCount <= MAX_LINES || LONG_FILES.has(source.path)) return [];
  return [{ path: source.path, line: lineCount, message: `has ${lineCount} lines, more than ${MAX_LINES}` }];
}

/** Finds files that only hand on what others define. */
export function findBarrel(source: Source): readonly Finding[] {
  const { statements } = source.tree;
  const handsOn = (statement: ts.Statement) =>
    ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined;
  const isBarrel = statements.length > 0 && statements.every(handsOn);
  const isIndex = /(^|\/)index\.ts$/.test(source.path);
  return isBarrel || isIndex ? [findingAt(source, 0, "is a barrel file")] : [];
}

function isExported(node: ts.FunctionDeclaration | ts.VariableStatement): boolean {
  return node.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function isDocumented(node: ts.Node): boolean {
  return ts.getJSDocCommentsAndTags(node).length > 0;
}

function isFunctionValue(declaration: ts.VariableDeclaration): boolean {
  const { initializer } = declaration;
  return initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer));
}

/** Finds exported functions of domain and machine that no doc comment explains. Of overloads one must have it. */
export function findUndocumented(source: Source): readonly Finding[] {
  if (!DOCUMENTED.test(source.path)) return [];
  const places = new Map<string, number>();
  const documented = new Set<string>();
  for (const statement of source.tree.statements) {
    if (ts.isFunctionDeclaration(statement) && isExported(statement)) {
      const name = statement.name?.text ?? "default";
      places.set(name, statement.getStart());
      if (isDocumented(statement)) documented.add(name);
    }
    if (ts.isVariableStatement(statement) && isExported(statement)) {
      for (const declaration of statement.declarationList.declarations.filter(isFunctionValue)) {
        places.set(declaration.name.getText(), declaration.getStart());
        if (isDocumented(statement)) documented.add(declaration.name.getText());
      }
    }
  }
  return [...places]
    .filter(([name]) => !documented.has(name))
    .map(([name, position]) => findingAt(source, position, `${name} is exported and has no doc comment`));
}
