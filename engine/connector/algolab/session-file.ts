/** The file of the login's hash, which the connector writes and the feed reads. */
import { readFileSync } from "node:fs";
import type { TroubleLog } from "./trouble-log.ts";

/** A text that can be the value of a header, as it is sent in one. */
export const HASH_FORM = /^[\x21-\x7e]{1,8192}$/;

/** Reads the hash that a login left; returns `undefined` if the file lacks one. An unusable file is logged. */
export function readSessionFile(file: string, troubles: TroubleLog): string | undefined {
  try {
    const hash = readFileSync(file, "utf8").trim();
    if (hash === "" || HASH_FORM.test(hash)) return hash || undefined;
    troubles.tell("sessionUnreadable", { file, reason: "it contains no hash of a login" });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "unknown";
    if (code !== "ENOENT") troubles.tell("sessionUnreadable", { file, reason: code });
  }
  return undefined;
}
