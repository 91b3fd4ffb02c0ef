/**
 * Owns: which files the tidy rules check, and how a file is read. Does not own: the rules.
 *
 * Invariant: a file is parsed, never searched as text, so that a word in a string or a name causes no finding.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

export const SOURCE_FOLDERS = ["src", "engine", "edge", "fixtures", "bench", "test"] as const;

/** One parsed file; `path` is relative to the project, with forward slashes. */
export type Source = { readonly path: string; readonly text: string; readonly tree: ts.SourceFile };

/** A finding of a rule; `line` counts from 1. */
export type Finding = { readonly path: string; readonly line: number; readonly message: string };

/** A rule checks one file and knows nothing of the others. */
export type SourceRule = (source: Source) => readonly Finding[];

/** Parses one file as if it lay at `path`. */
export function parseSource(path: string, text: string): Source {
  return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true) };
}

function listFolder(root: string, folder: string, extensions: readonly string[]): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "generated" ? [] : listFolder(root, path, extensions);
    return entry.isFile() && extensions.some((extension) => entry.name.endsWith(extension)) ? [path] : [];
  });
}

/** Lists every TypeScript file of the project except generated ones, sorted. Folders that do not exist are empty. */
export function listSourcePaths(root: string): string[] {
  return SOURCE_FOLDERS.flatMap((folder) => listFolder(root, folder, [".ts", ".tsx"])).sort();
}

/** The plain JavaScript of the project's tooling. */
export function listToolPaths(root: string): string[] {
  const atTop = readdirSync(root).filter((name) => name.endsWith(".cjs") || name.endsWith(".mjs"));
  return [...listFolder(root, ".scripts", [".mjs"]), ...atTop].sort();
}

/** The Markdown documents of the project, sorted. */
export function listDocumentPaths(root: string): string[] {
  const atTop = readdirSync(root).filter((name) => name.endsWith(".md"));
  return [...["docs", "bench", "test"].flatMap((folder) => listFolder(root, folder, [".md"])), ...atTop].sort();
}

/** Reads and parses the files at `paths`. */
export function readSources(root: string, paths: readonly string[]): Source[] {
  return paths.map((path) => parseSource(path, readFileSync(join(root, path), "utf8")));
}

/** A finding at a place of the tree. */
export function findingAt(source: Source, position: number, message: string): Finding {
  return { path: source.path, line: source.tree.getLineAndCharacterOfPosition(position).line + 1, message };
}

/** Calls `visit` for every node of the tree, outer ones first. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/** Lists every comment of a file once. Strings and templates are not comments. */
export function listComments(source: Source): ts.CommentRange[] {
  const byPosition = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode) return;
    const before = ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? [];
    const after = ts.getTrailingCommentRanges(source.text, node.getEnd()) ?? [];
    for (const range of [...before, ...after]) byPosition.set(range.pos, range);
    for (const child of node.getChildren(source.tree)) visit(child);
  };
  visit(source.tree);
  return [...byPosition.values()];
}

/** Formats one line per finding, for an assertion's message. */
export function describeFindings(findings: readonly Finding[]): string[] {
  return findings.map(({ path, line, message }) => `${path}:${line} ${message}`);
}
