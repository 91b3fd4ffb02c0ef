/** Owns: the rule that another file uses each export. */
import ts from "typescript";
import { type Finding, findingAt, type Source, walk } from "./source.ts";

/**
 * Every word of a file that could be a name: identifiers, and those in strings, by which scripts and tests import too.
 */
function namesIn(source: Source): ReadonlySet<string> {
  const names = new Set<string>();
  walk(source.tree, (node) => {
    if (ts.isIdentifier(node)) names.add(node.text);
    if (ts.isStringLiteralLike(node)) for (const [word] of node.text.matchAll(/\w+/g)) names.add(word);
  });
  return names;
}

/** Returns whether a node is exported by its name. A default export is not: importers choose its name. */
function isExported(node: ts.Node): boolean {
  const kinds = (ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : []).map(({ kind }) => kind);
  return kinds.includes(ts.SyntaxKind.ExportKeyword) && !kinds.includes(ts.SyntaxKind.DefaultKeyword);
}

/** Lists the names that a file exports at their declarations. */
function exportedNames(source: Source): ts.Identifier[] {
  return source.tree.statements.filter(isExported).flatMap((statement) => {
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name] : []));
    }
    const { name } = statement as ts.DeclarationStatement;
    return name !== undefined && ts.isIdentifier(name) ? [name] : [];
  });
}

/** Finds exports that no other file names. */
export function findUnusedExports(sources: readonly Source[]): readonly Finding[] {
  const fileCounts = new Map<string, number>();
  for (const source of sources) {
    for (const name of namesIn(source)) fileCounts.set(name, (fileCounts.get(name) ?? 0) + 1);
  }
  return sources.flatMap((source) =>
    exportedNames(source)
      .filter(({ text }) => fileCounts.get(text) === 1)
      .map((name) => findingAt(source, name.getStart(), `${name.text} is exported, and no other file names it`)),
  );
}
