/** A disk of a few megabytes, for tests of what happens when one is full or read-only. Mounting needs to be allowed. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallDisk {
  readonly path: string;
  /** Leaves this much of it free. */
  fill(freeBytes: number): Promise<void>;
  /** Takes away what filled it. */
  empty(): Promise<void>;
  makeReadOnly(isReadOnly: boolean): void;
  unmount(): void;
}

/** Mounts a disk; undefined where that is not allowed. */
export function mountSmallDisk(sizeBytes: number): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), "small-disk-"));
  try {
    run("mount", "-t", "tmpfs", "-o", `size=${sizeBytes},mode=0700`, "tmpfs", path);
  } catch {
    rmdirSync(path);
    return undefined;
  }
  const unmount = (): void => {
    process.off("exit", unmount);
    // Lazily: a process that was just killed may still hold a file.
    run("umount", "-l", path);
    rmdirSync(path);
  };
  process.once("exit", unmount);
  const filler = join(path, "filler");
  return {
    path,
    async fill(freeBytes) {
      await writeFile(filler, Buffer.alloc(Math.max(0, freeBytesOf(path) - freeBytes)));
    },
    empty: () => rm(filler, { force: true }),
    makeReadOnly: (isReadOnly) => run("mount", "-o", `remount,${isReadOnly ? "ro" : "rw"}`, path),
    unmount,
  };
}

function freeBytesOf(path: string): number {
  const [, line = ""] = execFileSync("df", ["--output=avail", "-B1", path], { encoding: "utf8" }).split("\n");
  return Number(line);
}

function run(program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { stdio: "ignore" });
}
