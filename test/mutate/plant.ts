/** A copy of the project in which faults are planted and taken out again; the project itself is never touched. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Fault } from "./fault.ts";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const COPIED = ["src", "engine", "edge", "test", "fixtures", "docs", ".scripts", "package.json", "tsconfig.json"];

/** The file's text with the fault in it. Throws where the fault does not apply exactly once. */
export function planted(text: string, { id, file, find, replace }: Fault): string {
  const parts = text.split(find);
  if (parts.length === 2) return parts.join(replace);
  throw new Error(`the fault "${id}" applies ${parts.length - 1} times to ${file}: it must apply once`);
}

export class Copy {
  readonly folder = mkdtempSync(join(tmpdir(), "trading-mutate-"));

  constructor() {
    for (const name of COPIED) cpSync(join(ROOT, name), join(this.folder, name), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(this.folder, "node_modules"));
  }

  /** Runs `work` with the fault planted, and takes it out again. */
  async with<T>(fault: Fault, work: () => Promise<T>): Promise<T> {
    const path = join(this.folder, fault.file);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, planted(text, fault));
    try {
      return await work();
    } finally {
      writeFileSync(path, text);
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
