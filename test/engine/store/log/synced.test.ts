/**
 * An append is on the disk when it counts. A library that is put before the system's own counts writes to files that
 * are opened so that every write is synced, and calls of `fdatasync` and `fsync`. Nothing else shows it: the content of
 * the machine's memory survives any kill.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../../../support/machine/process.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const APPENDS = 20;
const COUNTER = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static atomic_long count;
static atomic_char synced[65536];
static int counted(const char *name, int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  atomic_fetch_add(&count, 1);
  return real(file);
}
int fdatasync(int file) { return counted("fdatasync", file); }
int fsync(int file) { return counted("fsync", file); }
static int opened(const char *name, const char *path, int flags, mode_t mode) {
  int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, name);
  int file = real(path, flags, mode);
  if (file >= 0 && file < 65536) synced[file] = (flags & O_DSYNC) != 0;
  return file;
}
#define OPEN(NAME) int NAME(const char *path, int flags, ...) { va_list rest; va_start(rest, flags); \
  mode_t mode = va_arg(rest, mode_t); va_end(rest); return opened(#NAME, path, flags, mode); }
OPEN(open)
OPEN(open64)
static ssize_t written(const char *name, int file, const void *bytes, size_t size, off_t at) {
  ssize_t (*real)(int, const void *, size_t, off_t) = (ssize_t (*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, name);
  if (file >= 0 && file < 65536 && synced[file]) atomic_fetch_add(&count, 1);
  return real(file, bytes, size, at);
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) { return written("pwrite", file, bytes, size, at); }
ssize_t pwrite64(int file, const void *bytes, size_t size, off_t at) { return written("pwrite64", file, bytes, size, at); }
__attribute__((destructor)) static void tell(void) {
  const char *path = getenv("SYNC_COUNT_FILE");
  FILE *out = path == NULL ? NULL : fopen(path, "w");
  if (out == NULL) return;
  fprintf(out, "%ld", (long)count);
  fclose(out);
}
`;
const program = (folder: string, work: string): string => `
import { openFileLog } from "./engine/store/log/file-log.ts";
const log = await openFileLog(${JSON.stringify(folder)}, true);
${work}
await log.close();
`;
const appending = (count: number): string =>
  `for (let sequence = 0; sequence < ${count}; sequence += 1) await log.append(sequence, [Buffer.from("record")]);`;

function hasCompiler(): boolean {
  try {
    execFileSync("cc", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test("each append to the log is synced to the disk before it counts, and the last once more before it is relied on", async (context) => {
  if (process.platform !== "linux" || !hasCompiler()) return context.skip("needs Linux and a C compiler");
  const folder = await temporaryFolder();
  context.after(() => folder.remove());
  const source = join(folder.path, "count.c");
  const library = join(folder.path, "count.so");
  writeFileSync(source, COUNTER);
  execFileSync("cc", ["-shared", "-fPIC", "-o", library, source, "-ldl"]);
  const countOf = (log: string, work: string): number => {
    const countFile = join(folder.path, "count");
    const code = program(join(folder.path, log), work);
    const environment = { ...process.env, LD_PRELOAD: library, SYNC_COUNT_FILE: countFile };
    execFileSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", code], {
      cwd: ROOT,
      env: environment,
    });
    return Number(readFileSync(countFile, "utf8"));
  };
  const [none, some] = [countOf("empty", ""), countOf("begun", appending(APPENDS))];
  assert.ok(some - none >= APPENDS, `${some - none} syncs for ${APPENDS} appends`);
  assert.ok(countOf("begun", "await log.settle();") > countOf("begun", ""));
});
