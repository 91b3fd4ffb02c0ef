/**
 * `POST /webhooks/{secret}`: signals for webhook bots, from any sender that knows a bot's secret (behaviour 9).
 *
 * Invariants:
 * 1. The secret reaches only the engine: not a log, not a limiter's store, not an answer.
 * 2. An unknown secret leaves nothing in the limiter's store.
 * 3. Answered before any order is sent, or given up in time for a sender that waits 3 s.
 * 4. A body that is not a signal is reported to the owner of the bot: its sender can ignore answers, and it can have
 *    been an exit. It counts like a signal.
 */
import { createHash } from "node:crypto";
import { describeRoute, resolver } from "hono-openapi";
import { COMMANDS, type Reply } from "../../../src/contract/command.ts";
import { partitionOfSecret, signalAnswerSchema, signalBody, WEBHOOK_PATH } from "../../../src/contract/trading/bot.ts";
import type { EngineClient } from "../../client/engine-client.ts";
import { JSON_TYPE, readBody, TEXT_TYPE } from "../../middleware/body.ts";
import { answerRefusal, refusal } from "../../middleware/errors.ts";
import { readJson } from "../../middleware/json.ts";
import { type Limits, limited } from "../../middleware/limits.ts";
import { envelopeOf, sharedResponse, unlimitedResponse } from "../../operation/description.ts";
import { checkBody } from "../../operation/validation.ts";
import { answerData, type EdgeContext, type EdgeHono } from "../../server/request-state.ts";

/** TradingView gives up after 3 s. */
const TIMEOUT_MS = 2_500;

interface WebhookRouteParts {
  readonly app: EdgeHono;
  readonly engine: EngineClient;
  readonly limits: Limits;
}

/** Adds the route of signals. */
export function addWebhookRoute(parts: WebhookRouteParts): void {
  parts.app.post(`${WEBHOOK_PATH}:secret`, describeRoute(description), (context) =>
    hear(parts, context, context.req.param("secret")),
  );
}

async function hear({ engine, limits }: WebhookRouteParts, context: EdgeContext, secret: string): Promise<Response> {
  const partition = partitionOfSecret(secret);
  if (partition === undefined || partition >= engine.partitions) {
    return answerRefusal(context, refusal("NOT_FOUND", "no webhook exists at this address"));
  }
  const botKey = hashOf(secret);
  const allowance = await limits.signals(botKey);
  context.get("requestState").allowance = allowance;
  if (!allowance.isAllowed) return answerRefusal(context, limited(allowance, "signals a minute"));
  const { requestId } = context.get("requestState");
  const give = (type: string, body: object): Promise<Reply> =>
    engine.command(type, { userId: null, requestId, body }, { partition, timeoutMs: TIMEOUT_MS });
  const signal = await readSignal(context);
  if (!signal.ok) {
    const told = await give(COMMANDS.rejectSignal, { webhookSecret: secret, reason: signal.message });
    if (!told.ok) await limits.forgetSignal(botKey);
    return answerRefusal(context, signal);
  }
  const heard = await give(COMMANDS.hearSignal, { webhookSecret: secret, ...signal.value });
  if (!heard.ok) {
    await limits.forgetSignal(botKey);
    return answerRefusal(context, heard);
  }
  const { matched } = signalAnswerSchema.parse(heard.data);
  return answerData(context, `The signal matched ${matched === 1 ? "1 detail" : `${matched} details`}`, { matched });
}

async function readSignal(context: EdgeContext) {
  const raw = await readBody(context, [JSON_TYPE, TEXT_TYPE]);
  if (!raw.ok) return raw;
  const json = readJson(raw.bytes);
  if (!json.ok) return json;
  const signal = checkBody(signalBody, json.value);
  return signal.ok ? { ok: true as const, value: { signal: signal.value, bodyHash: hashOf(raw.bytes) } } : signal;
}

function hashOf(secret: string | Uint8Array): string {
  return createHash("sha256").update(secret).digest("base64url");
}

const example = {
  algoName: "trend-follower",
  period: "1H",
  symbol: "ASELS",
  side: "buy",
  price: 71.25,
  id: "2026-03-02/7",
};
const content = { schema: resolver(signalBody), example };
const description = {
  operationId: "sendSignal",
  tags: ["Webhook bots"],
  summary: "Send a signal to a webhook bot",
  description: "The address is the bot's webhookUrl. The body is JSON, also when it is sent as text/plain.",
  security: [],
  parameters: [
    { in: "path", name: "secret", required: true, description: "Of the bot, kept secret", schema: { type: "string" } },
  ],
  requestBody: { required: true, content: { [JSON_TYPE]: content, [TEXT_TYPE]: content } },
  responses: {
    200: {
      description: "The signal was received",
      content: {
        [JSON_TYPE]: {
          schema: resolver(envelopeOf(signalAnswerSchema)),
          example: { success: true, message: "The signal matched 1 detail", data: { matched: 1 } },
        },
      },
    },
    400: sharedResponse("Invalid"),
    404: unlimitedResponse("NotFound"),
    413: sharedResponse("PayloadTooLarge"),
    429: sharedResponse("Limited"),
    500: sharedResponse("Internal"),
    503: sharedResponse("Unavailable"),
  },
} satisfies Parameters<typeof describeRoute>[0];
