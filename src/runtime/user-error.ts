/**
 * Ends a program with one plain line: the user who runs it can mend it, and the message contains the way out. Any other
 * thrown error is a fault of ours and is reported with its stack. So wrap only errors for users, and keep the cause.
 */
import { SYSTEM_FAILURES } from "./os-error.ts";

/** How a process ends, after sysexits.h. */
export const EXIT_CODES = {
  /** The command line is wrong. */
  usage: 64,
  /** A file or folder holds what cannot be used. */
  data: 65,
  /** A file or folder is not there or cannot be read. */
  noInput: 66,
  /** Something that is needed cannot be reached or is taken: a server, an address, a lock. */
  unavailable: 69,
  /** A fault of ours. */
  software: 70,
  /** A folder or file cannot be made or written. */
  cannotCreate: 73,
  /** It may be done later: something is still running. */
  temporary: 75,
  /** The caller may not do that. */
  notAllowed: 77,
  /** A setting is wrong. */
  configuration: 78,
} as const;

export type ExitReason = keyof typeof EXIT_CODES;

export interface OperatorMistakeOptions extends ErrorOptions {
  readonly reason?: ExitReason;
}

/** Carries one line a mistake; `reason` (default: configuration) decides the exit code. */
export class UserError extends Error {
  override readonly name: string = "UserError";
  readonly reason: ExitReason;

  constructor(message: string, { reason = "configuration", ...options }: OperatorMistakeOptions = {}) {
    super(message, options);
    this.reason = reason;
  }
}

/** Throws where a program that takes no arguments was given some: none is ignored. */
export function refuseArguments(given: readonly string[] = process.argv.slice(2)): void {
  if (given.length === 0) return;
  throw new UserError(
    `takes no arguments, and was given ${given.join(" ")}: set PORT=9000 and the like in the environment`,
    {
      reason: "usage",
    },
  );
}

/** Runs all checks, and throws their refusals as one mistake, so that the user can mend all together. */
export async function refuseTogether(checks: readonly (() => unknown)[]): Promise<void> {
  const mistakes: UserError[] = [];
  for (const check of checks) {
    try {
      await check();
    } catch (error) {
      const mistake = mistakeOf(error);
      if (mistake === undefined) throw error;
      mistakes.push(mistake);
    }
  }
  const [first] = mistakes;
  if (first === undefined) return;
  const messages = mistakes.map(({ message }) => message).join("\n");
  throw mistakes.length === 1 ? first : new UserError(messages, { reason: first.reason });
}

/** What a failed start prints: the plain line of an operator's mistake, the stack of a fault. */
export function tellFailure(error: unknown): string {
  const mistake = mistakeOf(error);
  if (mistake !== undefined) return mistake.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The exit code of a process that ends with this error. */
export function exitCodeOf(error: unknown): number {
  return EXIT_CODES[mistakeOf(error)?.reason ?? "software"];
}

/** The mistake of an operator that this error is: a `UserError`, or what the system answers of an address or a file; undefined for a bug. */
export function mistakeOf(error: unknown): UserError | undefined {
  return error instanceof UserError ? error : explainSystemError(error);
}

/** The system's text for an address or a file that cannot be used; undefined for every other error. */
export function explainSystemError(error: unknown): UserError | undefined {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return undefined;
  const place = placeOf(error);
  const told = (message: string, reason: ExitReason): UserError =>
    new UserError(`${place} ${message}`, { reason, cause: error });
  switch (error.code) {
    case "EADDRINUSE":
      return told("is taken by another process: stop it, or set PORT to another", "unavailable");
    case "EADDRNOTAVAIL":
      // After a power cut a machine may have its addresses later than its services.
      return told("is not an address of this machine now: see HOST", "unavailable");
    case "EAI_AGAIN":
      return told("cannot be looked up now: the name server does not answer", "unavailable");
    case "ENOTFOUND":
      return told("is not an address of this machine: see HOST", "configuration");
    case "EACCES":
    case "EPERM":
      if (error.syscall === "listen") {
        return told(
          "may not be listened on by this user: set PORT to one above 1023, or give the process CAP_NET_BIND_SERVICE",
          "notAllowed",
        );
      }
      return told(`may not be used by this user: ${error.message}`, "noInput");
    case "ENOENT":
      return told("is not there", "noInput");
    case "ENOTDIR":
      return told("cannot be reached: a part of it is a file, not a folder", "noInput");
    case "EISDIR":
      return told("is a folder, not a file", "noInput");
    default: {
      const failure = SYSTEM_FAILURES.get(String(error.code));
      if (failure === undefined) return undefined;
      return told(`cannot be used: ${failure.fault} (${error.message}). ${failure.remedy}`, failure.reason);
    }
  }
}

function placeOf(error: Error): string {
  if ("path" in error && typeof error.path === "string") return error.path;
  if ("address" in error) return "port" in error ? `${error.address}:${error.port}` : String(error.address);
  return "hostname" in error ? String(error.hostname) : "what it needs";
}
