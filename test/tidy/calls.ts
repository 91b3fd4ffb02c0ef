/**
 * Owns: the calls that a folder may not make. What cannot be repeated (clock, chance, waiting, I/O) is handed in.
 *
 * 1. domain, machine and contract are pure: the same input gives the same answer, without waiting.
 * 2. engine and edge get clock, timers and log through ports; only their entry points and the adapters named here
 *    touch the real ones.
 */
import ts from "typescript";
import { type Finding, findingAt, type Source, walk } from "./source.ts";

const PURE = /^src\/(domain|machine|contract)\//;
const PORTED = /^(engine|edge)\//;
/** Entry points and adapters: the only places of engine and edge that touch the real clock, timers and console. */
const ADAPTERS = [
  /^(engine|edge)\/main\.ts$/,
  /^engine\/entry\//,
  /^edge\/clock\.ts$/,
  /^edge\/(cli|openapi|web\/dashboard)\//,
];

type Ban = {
  /** `object.member` as written. */
  readonly members: ReadonlySet<string>;
  /** Objects of which no member may be used. */
  readonly objects: ReadonlySet<string>;
  /** Global functions, called or passed on. */
  readonly functions: ReadonlySet<string>;
  readonly mayWait: boolean;
};

const TIMERS = ["setTimeout", "setInterval"];

const PORTED_BAN: Ban = {
  members: new Set(["Date.now", "Math.random"]),
  objects: new Set(["console"]),
  functions: new Set(TIMERS),
  mayWait: true,
};

const PURE_BAN: Ban = {
  members: PORTED_BAN.members,
  objects: new Set(["console", "process", "performance", "crypto", "globalThis"]),
  functions: new Set([...TIMERS, "setImmediate", "queueMicrotask", "fetch"]),
  mayWait: false,
};

function findBan(path: string): Ban | undefined {
  if (PURE.test(path)) return PURE_BAN;
  if (PORTED.test(path) && !ADAPTERS.some((adapter) => adapter.test(path))) return PORTED_BAN;
  return undefined;
}

/** The `name` of `x.name` and of `{name: x}` is not the global of that name. */
function isGlobalUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isQualifiedName(parent)) return false;
  const isNamed = ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isMethodSignature(parent);
  return !((isNamed || ts.isMethodDeclaration(parent) || ts.isPropertyDeclaration(parent)) && parent.name === node);
}

function isClockRead(node: ts.Node): boolean {
  const isDate = (ts.isNewExpression(node) || ts.isCallExpression(node)) && ts.isIdentifier(node.expression);
  if (!isDate || !ts.isIdentifier(node.expression) || node.expression.text !== "Date") return false;
  return ts.isCallExpression(node) || (node.arguments ?? []).length === 0;
}

function isWait(node: ts.Node): boolean {
  if (ts.isAwaitExpression(node) || node.kind === ts.SyntaxKind.AsyncKeyword) return true;
  return ts.isForOfStatement(node) && node.awaitModifier !== undefined;
}

function nameBannedUse(node: ts.Node, ban: Ban): string | undefined {
  if (isClockRead(node)) return "new Date()";
  if (!ban.mayWait && isWait(node)) return ts.isAwaitExpression(node) ? "await" : "async";
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
    const member = `${node.expression.text}.${node.name.text}`;
    return ban.members.has(member) || ban.objects.has(node.expression.text) ? member : undefined;
  }
  return ts.isIdentifier(node) && ban.functions.has(node.text) && isGlobalUse(node) ? node.text : undefined;
}

/** Finds clock, chance, timers, waiting and output where the folder of the file bans them. */
export function findBannedCalls(source: Source): readonly Finding[] {
  const ban = findBan(source.path);
  const findings: Finding[] = [];
  if (ban === undefined) return findings;
  walk(source.tree, (node) => {
    const name = nameBannedUse(node, ban);
    if (name !== undefined) findings.push(findingAt(source, node.getStart(), `${name} is banned here: hand it in`));
  });
  return findings;
}
