/** What the memory of this process is made of, for operators. */
import { readFileSync } from "node:fs";

/** Bytes by kind. Figures that only Linux has are absent elsewhere. */
export interface ProcessMemory {
  /** All that is in memory now. */
  readonly resident: number;
  /** Of it what no file backs: the heap, buffers, LevelDB's tables in memory, the allocator's rest. */
  readonly anonymous?: number;
  /** Of it pages of files that the system can drop at any time: LevelDB's tables, the program itself. */
  readonly fileBacked?: number;
  /** JavaScript objects, unreachable ones included. */
  readonly heapUsed: number;
  /** What V8 keeps for them. */
  readonly heapReserved: number;
  /** Bytes outside the heap that objects hold, buffers among them. */
  readonly external: number;
}

const STATUS_FILE = "/proc/self/status";

/** Reads the memory of this process by kind, in bytes. */
export function readProcessMemory(): ProcessMemory {
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  return { resident: rss, ...systemKinds(), heapUsed, heapReserved: heapTotal, external };
}

function systemKinds(): Pick<ProcessMemory, "anonymous" | "fileBacked"> {
  if (process.platform !== "linux") return {};
  const status = readFileSync(STATUS_FILE, "utf8");
  const [anonymous, fileBacked] = [bytesOf(status, "RssAnon"), bytesOf(status, "RssFile")];
  return {
    ...(anonymous === undefined ? {} : { anonymous }),
    ...(fileBacked === undefined ? {} : { fileBacked }),
  };
}

/** The value of one line of the file, which counts in KiB; undefined where it has no such line. */
function bytesOf(status: string, name: string): number | undefined {
  const [, kibibytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status) ?? [];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1_024;
}
