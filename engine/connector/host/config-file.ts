/**
 * The shared part of the configuration files of all connectors and feeds: reading them, secrets in other places.
 *
 * Invariants:
 * 1. The file itself never contains a secret.
 * 2. A file that is renewed while the process runs (a secret, a certificate) counts from the next use. If it cannot be
 *    read at that moment, because its renewal is writing it, the earlier content remains in use.
 */
import { dirname, resolve } from "node:path";
import { z } from "zod";
import { describeIssues } from "../../../src/contract/issue.ts";
import { readTextFile } from "../../../src/runtime/text-file.ts";
import { mistakeOf, UserError } from "../../../src/runtime/user-error.ts";
import { givenValue, type Variables } from "../../../src/runtime/variables.ts";

export const text = z.string().regex(/^[\x20-\x7e]{1,100}$/, "must have 1 to 100 printable characters");
export const seconds = (least: number, most: number) => z.number().min(least).max(most);
export const brokerageCode = z
  .string()
  .regex(/^[A-Za-z0-9_]{1,32}$/, "must be a brokerage code of letters, digits and _");

/** Where a secret is kept: never in the file itself. */
export const secretSchema = z.union(
  [z.strictObject({ env: z.string().min(1) }), z.strictObject({ file: z.string().min(1) })],
  'must be {"env": "NAME"} or {"file": "path"}: a secret must not be in this file',
);
type SecretSource = z.infer<typeof secretSchema>;
/** Returns a secret as it is now. */
export type Secret = () => string;

/** When a connection that ended is made again. */
export interface ReconnectSettings {
  readonly reconnectMsMin: number;
  readonly reconnectMsMax: number;
  /** Least wait after credentials were refused: repeated wrong ones lock accounts. */
  readonly refusedMsMin: number;
}

/** Its fields in a file. */
export const reconnectShape = {
  reconnectSeconds: seconds(0.01, 600).default(1),
  reconnectSecondsMax: seconds(0.01, 3_600).default(30),
  refusedSeconds: seconds(0.01, 3_600).default(60),
};

export function buildReconnect(file: z.infer<z.ZodObject<typeof reconnectShape>>): ReconnectSettings {
  const { reconnectSeconds, reconnectSecondsMax, refusedSeconds } = file;
  return {
    reconnectMsMin: reconnectSeconds * 1_000,
    reconnectMsMax: Math.max(reconnectSeconds, reconnectSecondsMax) * 1_000,
    refusedMsMin: refusedSeconds * 1_000,
  };
}

/** Returns a mistake if a field names a thing twice. */
export function listedTwice(field: string, names: readonly string[]): string[] {
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  return [...new Set(twice)].map((name) => `${field}: ${name} is listed twice`);
}

/**
 * Checks the value of a configuration file and builds its settings; relative paths begin in `folder`. Throws a
 * `UserError` that names every mistake, a line each.
 */
export type Parse<Settings> = (value: unknown, folder: string, variables: Variables) => Settings;

/** One kind of configuration file. */
interface FileKind<File, Settings> {
  readonly schema: z.ZodType<File>;
  /** Adds the contradictions of a file to the reader's mistakes. */
  build(file: File, reader: ConfigReader): Settings;
  /** For a file with a wrong form: adds the mistakes of the parts that can be read. */
  checkParts?(value: unknown, reader: ConfigReader): void;
}

/** Returns the parser of one kind of configuration file. */
export function parserOf<File, Settings>(kind: FileKind<File, Settings>): Parse<Settings> {
  return (value, folder, variables) => {
    const parsed = kind.schema.safeParse(value);
    const mistakes = parsed.success ? [] : describeIssues(parsed.error);
    const reader = new ConfigReader(folder, variables, mistakes);
    if (!parsed.success) kind.checkParts?.(value, reader);
    const settings = parsed.success ? kind.build(parsed.data, reader) : undefined;
    if (settings === undefined || mistakes.length > 0) throw new UserError(mistakes.join("\n"));
    return settings;
  };
}

/**
 * Checks the value of a configuration file with `parse`, which also receives the file's folder: relative paths in the
 * file begin there. Throws a `UserError`; each mistake names the file.
 */
export function readConfigFile<T>(path: string, variables: Variables, parse: Parse<T>): T {
  const value = readJsonFile(path);
  return withinFile(path, () => parse(value, dirname(resolve(path)), variables));
}

/** The JSON of a configuration file. */
function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readTextFile(path));
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new UserError(`${path} is not JSON: ${cause.message}`, { reason: "data", cause });
  }
}

/** Runs `work`; each of its mistakes names the file. */
function withinFile<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof UserError)) throw cause;
    const lines = cause.message.split("\n").map((line) => `${path}: ${line}`);
    throw new UserError(lines.join("\n"), { reason: cause.reason, cause });
  }
}

/** Reads the files and variables that the file refers to, and collects missing ones. */
export class ConfigReader {
  /** The mistakes of the file so far, a line each. */
  readonly mistakes: string[];
  readonly #folder: string;
  readonly #variables: Variables;

  constructor(folder: string, variables: Variables, mistakes: string[]) {
    this.#folder = folder;
    this.#variables = variables;
    this.mistakes = mistakes;
  }

  path(name: string): string {
    return resolve(this.#folder, name);
  }

  file(field: string, name: string): string {
    try {
      return readTextFile(this.path(name));
    } catch (error) {
      this.mistakes.push(`${field}: ${error instanceof UserError ? error.message : `${name} cannot be read`}`);
      return "";
    }
  }

  /**
   * Reads a secret; a mistake if it is missing or `faultOf` returns a fault. A secret from a file is read again at each
   * use (invariant 2).
   */
  secret(
    field: string,
    source: SecretSource,
    faultOf: (value: string) => string | undefined = () => undefined,
  ): Secret {
    const known = this.mistakes.length;
    const value =
      "env" in source ? (givenValue(this.#variables, source.env) ?? "") : this.file(field, source.file).trim();
    const missing = "env" in source ? `the variable ${source.env} is not set` : `${source.file} is empty`;
    const fault = value === "" ? missing : faultOf(value);
    // A file that cannot be read is a mistake already.
    if (fault !== undefined && this.mistakes.length === known) this.mistakes.push(`${field}: ${fault}`);
    if ("env" in source) return () => value;
    const path = this.path(source.file);
    return keepReadable(value, () => {
      const renewed = readTextFile(path).trim();
      return renewed === "" || faultOf(renewed) !== undefined ? undefined : renewed;
    });
  }

  /** For protocols that send each character as one byte: repeated wrong passwords lock the account. */
  latin1Secret(field: string, source: SecretSource): Secret {
    return this.secret(field, source, (value) => {
      const isLatin1 = Buffer.from(value, "latin1").toString("latin1") === value;
      return isLatin1 ? undefined : "holds a character that is not of ISO 8859-1";
    });
  }
}

/**
 * Returns the present result of `read`. While that is undefined or throws (the file is missing or half written),
 * returns the last result, and `first` before any.
 */
export function keepReadable<T>(first: T, read: () => T | undefined): () => T {
  let current = first;
  return () => {
    try {
      current = read() ?? current;
    } catch (error) {
      if (mistakeOf(error) === undefined) throw error;
    }
    return current;
  };
}
