/**
 * Faults of the operating system when a file is used: they are no evidence against the content of the file. Waiting, or
 * an operator who makes room, helps; a backup does not.
 */
interface OsError {
  /** The fault as text. */
  readonly fault: string;
  /** What to do about it. */
  readonly remedy: string;
  /** Which exit code it has. */
  readonly reason: "cannotCreate" | "temporary";
  /** The texts of the C libraries: libraries in C++ pass on no more than that. */
  readonly texts: readonly string[];
}

/** By the system's code. */
export const SYSTEM_FAILURES: ReadonlyMap<string, OsError> = new Map([
  [
    "ENOSPC",
    {
      fault: "the disk is full",
      remedy: "Make room on it: nothing is lost",
      reason: "cannotCreate",
      texts: ["No space left on device"],
    },
  ],
  [
    "EDQUOT",
    {
      fault: "this user's share of the disk is used up",
      remedy: "Make room, or give it a greater one: nothing is lost",
      reason: "cannotCreate",
      texts: ["Disk quota exceeded", "Disc quota exceeded", "Quota exceeded"],
    },
  ],
  [
    "EROFS",
    {
      fault: "the disk is read-only",
      remedy: "Let it be written again: nothing is lost",
      reason: "cannotCreate",
      texts: ["Read-only file system"],
    },
  ],
  [
    "EMFILE",
    {
      fault: "this process has too many files open",
      remedy: "Raise its limit (LimitNOFILE, ulimit -n): nothing is lost",
      reason: "temporary",
      texts: ["Too many open files", "No file descriptors available"],
    },
  ],
  [
    "ENFILE",
    {
      fault: "this machine has too many files open",
      remedy: "End what holds them, or raise the limit: nothing is lost",
      reason: "temporary",
      texts: ["Too many open files in system"],
    },
  ],
  [
    "ENOMEM",
    {
      fault: "this machine has no memory left",
      remedy: "End what holds it: nothing is lost",
      reason: "temporary",
      texts: ["Cannot allocate memory", "Out of memory"],
    },
  ],
  [
    "EIO",
    {
      fault: "the disk or the way to it failed",
      remedy: "Check the disk and the messages about it in the system's log: its data may be whole",
      reason: "temporary",
      texts: ["Input/output error", "I/O error"],
    },
  ],
]);

/** Elsewhere a file that may not be used is the wrong one; of our own folder its owner is wrong. */
const NOT_OURS: OsError = {
  fault: "this user may not use it",
  remedy: "Give it to the user that the engine runs as: nothing is lost",
  reason: "cannotCreate",
  texts: ["Permission denied", "Operation not permitted"],
};

const OWN_FILE_FAILURES: ReadonlyMap<string, OsError> = new Map([
  ...SYSTEM_FAILURES,
  ["EACCES", NOT_OURS],
  ["EPERM", NOT_OURS],
]);

/** LevelDB gives the system's words behind the file's name, and no code. */
const LEVEL_ERROR = /^IO error: .*: ([^:]+)$/s;

/** Why the system did not let a file of our own folder be used; undefined for every other error. Causes are not looked at. */
export function ownFileErrorOf(error: Error): OsError | undefined {
  const known = "code" in error ? OWN_FILE_FAILURES.get(String(error.code)) : undefined;
  if (known !== undefined) return known;
  const text = LEVEL_ERROR.exec(error.message)?.[1];
  return text === undefined ? undefined : [...OWN_FILE_FAILURES.values()].find(({ texts }) => texts.includes(text));
}
