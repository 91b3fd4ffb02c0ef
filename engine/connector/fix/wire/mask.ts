/** The text of a message that can be shown: secrets (passwords, raw logon data) are masked, the separator is a bar. */
import type { Field } from "./message.ts";
import { Tag } from "./tag.ts";

const SECRET_TAGS: ReadonlySet<number> = new Set([Tag.Password, Tag.NewPassword, Tag.RawData, Tag.Username]);

/** `35=A|49=ME|554=***`, at most `lengthMax` characters. */
export function showMasked(fields: readonly Field[], lengthMax = 2_000): string {
  const shown = fields.map(([tag, value]) => `${tag}=${SECRET_TAGS.has(tag) ? "***" : value}`).join("|");
  return shown.slice(0, lengthMax).replace(/[^ -~]/gu, "?");
}
