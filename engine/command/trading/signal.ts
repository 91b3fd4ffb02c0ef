/**
 * Signals for webhook bots (behaviour 9).
 *
 * Invariants:
 * 1. The answer waits for the disk and for nothing else: no brokerage is asked before it.
 * 2. A caller that knows a bot's secret can signal it, and learns only how many details matched. A repeat gets the
 *    first answer: its sender may not have received that.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { describeIssue } from "../../../src/contract/issue.ts";
import { signalBody } from "../../../src/contract/trading/bot.ts";
import { matchedCount, type WebhookBot } from "../../../src/domain/bot/webhook-bot.ts";
import { webhookClaim } from "../../../src/machine/webhook-bot.ts";
import { type CommandContext, type OpenCommandHandler, waitsForOperator } from "../context.ts";

/** The longest reason that is reported to the owner of a bot, in characters. */
const REASON_LENGTH_MAX = 500;

const rejectionSchema = z.object({ webhookSecret: z.string(), reason: z.string() });

const commandSchema = z.object({
  webhookSecret: z.string(),
  signal: signalBody,
  /** The hash of the body as it was sent: it distinguishes signals without an exact id. */
  bodyHash: z.string(),
});

export const hearSignal: OpenCommandHandler = async (context, body, decide) => {
  const parsed = commandSchema.safeParse(body);
  if (!parsed.success) return { ok: false, code: "INVALID", message: describeIssue(parsed.error) };
  const { webhookSecret, signal, bodyHash } = parsed.data;
  const { algoName, period, symbol, side, id } = signal;
  const fingerprint = isTelling(id) ? `id:${hashOf(String(id))}` : `body:${bodyHash}`;
  return decide(() => {
    const bot = findBot(context, webhookSecret);
    if (bot === undefined) return NO_WEBHOOK;
    const { botId } = bot;
    const price = signal.price ?? context.prices.last(symbol)?.price.value ?? null;
    const timeMs = context.clock.nowMs();
    if (context.actors.isQuarantined(botId)) return waitsForOperator("the bot");
    const heard = { algoName, period, symbol, side, price, fingerprint, timeMs };
    context.actors.deliver("webhookBot", botId, { type: "signal", ...heard });
    return { ok: true, data: { matched: matchedCount(bot, signal) } };
  });
};

/** Reports a malformed signal to the owner of the bot, as its sender may not read answers (behaviour 9.1). */
export const rejectSignal: OpenCommandHandler = async (context, body, decide) => {
  const parsed = rejectionSchema.safeParse(body);
  if (!parsed.success) return { ok: false, code: "INVALID", message: describeIssue(parsed.error) };
  const { webhookSecret, reason } = parsed.data;
  return decide(() => {
    const bot = findBot(context, webhookSecret);
    if (bot === undefined) return NO_WEBHOOK;
    const message = reason.slice(0, REASON_LENGTH_MAX);
    context.events.emit(bot.userId, "signal.rejected", { systemId: bot.botId, message });
    return { ok: true, data: true };
  });
};

const NO_WEBHOOK = { ok: false, code: "NOT_FOUND", message: "no webhook exists at this address" } as const;

function findBot(context: CommandContext, webhookSecret: string): WebhookBot | undefined {
  const botId = context.actors.holderOf(webhookClaim({ webhookSecret }));
  const found = botId === undefined ? undefined : context.actors.find("webhookBot", botId);
  return found === undefined || found.isEnded ? undefined : found.context;
}

/** Numbers beyond 2^53 are not distinct: two signals would have one id, and the second be lost (behaviour 9.2). */
function isTelling(id: string | number | null | undefined): id is string | number {
  if (typeof id === "number") return Math.abs(id) <= Number.MAX_SAFE_INTEGER;
  return id !== null && id !== undefined;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
