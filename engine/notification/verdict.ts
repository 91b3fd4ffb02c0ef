/**
 * Judges a refusal: whether it is about one message, or about the target that refused it.
 *
 * Invariants:
 * 1. A final refusal of one message holds no other message back.
 * 2. A refusal that no other message could avoid (a sign-in, an address, a chat, a fault that passes) is about the
 *    target.
 */
import { z } from "zod";

/**
 * - `message`: the target will never take this message; it can take others.
 * - `target`: the target takes nothing at present; a later try can succeed.
 * - `gone`: the target wants nothing more.
 */
export type Concern = "message" | "target" | "gone";

/** Sign-in, payment, rights, address, method, proxy, server, protocol; and time-outs and limits, which pass. */
const TARGET_STATUSES: ReadonlySet<number> = new Set([401, 402, 403, 404, 405, 407, 408, 421, 425, 426, 429]);
const GONE = 410;

/** Judges a status of HTTP that is not a success. */
export function concernOfStatus(status: number): Concern {
  if (status === GONE) return "gone";
  return status >= 400 && status < 500 && !TARGET_STATUSES.has(status) ? "message" : "target";
}

const telegramRefusal = z.object({
  description: z.string().default(""),
  parameters: z
    .object({ retry_after: z.number().positive().optional(), migrate_to_chat_id: z.number().int().optional() })
    .default({}),
});
const NOTHING_SAID: z.output<typeof telegramRefusal> = { description: "", parameters: {} };

/** A 400 about the chat or the bot's rights in it; every other 400 is about the text. */
const ABOUT_CHAT = /\b(chat|chat_\w+|group|channel|peer\w*|topic\w*|rights|user\w*)\b/i;

/** A refusal by Telegram (Bot API, `ResponseParameters`). */
interface TelegramRefusal {
  readonly concern: Concern;
  readonly retryAfterMs: number | null;
  /** The supergroup that the chat became. */
  readonly chatId: string | null;
}

/** Judges a refusal by Telegram. `text`: the body of the answer, in any form. */
export function readTelegramRefusal(status: number, text: string): TelegramRefusal {
  const { description, parameters } = telegramRefusal.catch(NOTHING_SAID).parse(jsonOf(text));
  const { retry_after: seconds, migrate_to_chat_id: movedTo } = parameters;
  const concern = concernOfStatus(status);
  return {
    concern: concern === "message" && ABOUT_CHAT.test(description) ? "target" : concern,
    retryAfterMs: seconds === undefined ? null : seconds * 1_000,
    chatId: movedTo === undefined ? null : String(movedTo),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Enhanced codes of a mailbox or its address (RFC 3463, 3.2 and 3.3), which some servers answer after the text. */
const ABOUT_MAILBOX = /^\d{3}[ -]5\.[12]\./;

/**
 * Judges an error that a message met on its way: of the mail library the final refusal of the text is about the
 * message.
 */
export function concernOfError(error: unknown): Concern {
  if (!(error instanceof Error)) return "target";
  const { command, response, responseCode } = error as Readonly<Record<string, unknown> & Error>;
  const isFinal = typeof responseCode === "number" && responseCode >= 500;
  const isOfMailbox = typeof response === "string" && ABOUT_MAILBOX.test(response);
  return isFinal && command === "DATA" && !isOfMailbox ? "message" : "target";
}

/** Reads `Retry-After` (RFC 9110, 10.2.3), in milliseconds from `nowMs`; null if it is absent or malformed. */
export function retryAfterMsOf(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const atMs = / GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
