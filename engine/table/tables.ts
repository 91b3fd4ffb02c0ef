/**
 * Every kind of row in a partition's store, each declared once: its prefix, its name, and whether the engine must have
 * it whole before it may arm (live) or only clients read it (archive).
 *
 * This list determines the keys (keys.ts and the parts' own) and the ranges that are read and hashed at a start. It
 * determines the receiver of a recovered row (engine/partition/recovery.ts) and the checks of `check-data`: a kind
 * without a check does not compile (engine/entry/check-data.ts). Each part owns the form of its rows, under a version.
 *
 * Invariants:
 * 1. A prefix ends with its only slash, and no two tables have the same.
 * 2. Numbers in keys have 16 digits, so that text order is number order.
 */
import { assert } from "../../src/assert.ts";
import type { ScanRange } from "../ports/storage.ts";

const DIGITS = 16;

export class Table {
  readonly prefix: string;
  /** The name of its rows for people. */
  readonly name: string;
  readonly isArchive: boolean;
  /** All of its keys. */
  readonly range: ScanRange;

  constructor(prefix: string, name: string, isArchive: boolean) {
    this.prefix = prefix;
    this.name = name;
    this.isArchive = isArchive;
    this.range = under(prefix);
  }

  /** Returns the key of a row from its numbers and texts, joined with slashes. */
  key(first: number | string, ...more: readonly (number | string)[]): string {
    let key = this.prefix + partOf(first);
    for (const part of more) key += `/${partOf(part)}`;
    return key;
  }

  /** Returns the common prefix of all keys that begin with this part; it ends in a slash. */
  within(first: number | string): string {
    return `${this.prefix}${partOf(first)}/`;
  }

  holds(key: string): boolean {
    return key.startsWith(this.prefix);
  }

  /** Returns a key without the prefix. */
  nameOf(key: string): string {
    return key.slice(this.prefix.length);
  }

  /** Returns the number in a key that consists of one. */
  numberOf(key: string): number {
    return Number(this.nameOf(key));
  }
}

function partOf(part: number | string): string {
  return typeof part === "number" ? padded(part) : part;
}

/** Formats a number as part of a key: 16 digits, so that text order is number order. */
export function padded(value: number): string {
  return String(value).padStart(DIGITS, "0");
}

/** Returns the range of all keys under a prefix that ends in a slash. */
export function under(prefix: string): ScanRange {
  return { gte: prefix, lt: `${prefix.slice(0, -1)}0` };
}

const live = (prefix: string, name: string): Table => new Table(prefix, name, false);
const archive = (prefix: string, name: string): Table => new Table(prefix, name, true);

export const TABLES = {
  actors: live("a/", "live actors"),
  endedActors: archive("z/", "ended actors"),
  claims: live("c/", "claims"),
  quarantine: live("q/", "actors in quarantine"),
  events: archive("e/", "rows of events"),
  eventProgress: live("m/", "how far events went"),
  lives: live("n/", "names of lives"),
  notificationTargets: live("nt/", "notification targets"),
  outbox: live("o/", "orders and quotas"),
  receipts: archive("t/", "receipts of sells"),
  views: archive("v/", "view rows"),
  addedRows: archive("g/", "rows added to groups"),
  firstAnswers: archive("i/", "first answers"),
  users: live("u/", "users"),
  apiKeys: live("ku/", "API keys"),
  apiKeyHashes: live("k/", "key hashes"),
  keyFamilies: live("kf/", "families of keys"),
  revocations: live("rv/", "revocations"),
  symbols: live("y/", "symbols"),
  symbolLists: live("l/", "symbol lists"),
  restrictions: live("r/", "restrictions"),
  holds: live("h/", "held symbols"),
  bands: live("b/", "bands of a day"),
  measures: live("ms/", "measures of the exchange"),
  corporateActions: live("ca/", "corporate actions"),
  renames: live("rn/", "renamed symbols"),
  tradingStates: live("s/", "trading states"),
  limits: live("lm/", "limits of accounts"),
} as const;

/** The name of a table in this list. */
export type TableName = keyof typeof TABLES;

const byPrefix = new Map<string, Table>(Object.values(TABLES).map((table) => [table.prefix, table]));
assert(byPrefix.size === Object.keys(TABLES).length, "every table has a prefix of its own");

/** Returns the table of a key; undefined for the head record and for a key that this version does not know. */
export function tableOf(key: string): Table | undefined {
  return byPrefix.get(key.slice(0, key.indexOf("/") + 1));
}
