/**
 * Events as a stream, last prices, and whether they flow.
 */
import { z } from "zod";
import { QUERIES } from "../../src/contract/command.ts";
import { EVENT_TYPES } from "../../src/contract/event/event.ts";
import { symbolListDetailSchema } from "../../src/contract/operator/reference.ts";
import { conditionsSchema } from "../../src/contract/trading/conditions.ts";
import { symbolCode } from "../../src/contract/trading/oco.ts";
import { lastPriceSchema, PRICE_SYMBOLS_MAX } from "../../src/contract/trading/price.ts";
import { fitsPattern } from "../../src/domain/event-pattern.ts";
import { type Refusal, SHARED_PARTITION } from "../client/engine-client.ts";
import type { ReferenceClient } from "../client/reference-client.ts";
import type { EventHub } from "../event/event-hub.ts";
import { EventStream } from "../event/event-stream.ts";
import { answerRefusal, refusal } from "../middleware/errors.ts";
import type { AddOperation } from "../operation/operation.ts";
import { answer } from "../server/request-state.ts";
import { requestIdOf } from "./reference/reference-answer.ts";

const tag = "Events";
const STREAM_TYPE = "text/event-stream";
/** No proxy on the way must keep, change or collect the stream. */
const STREAM_HEADERS = {
  "content-type": STREAM_TYPE,
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};

/** Codes separated by commas; each once. */
function symbolCodes(countMax: number) {
  return z
    .string()
    .max(20_000)
    .transform((text) => [...new Set(text.split(","))])
    .refine(
      (codes) => codes.every((code) => symbolCode.safeParse(code).success),
      "must be symbol codes, like THYAO,GARAN",
    )
    .refine((codes) => codes.length <= countMax, `must be at most ${countMax} symbols`);
}

/** Types, or all that begin alike: `oco.*`. */
const eventTypes = z
  .string()
  .max(2_000)
  .transform((text) => [...new Set(text.split(","))])
  .refine(
    (patterns) => patterns.every((pattern) => EVENT_TYPES.some((type) => fitsPattern(type, pattern))),
    `must be event types, like oco.triggered,order.*; there are ${EVENT_TYPES.join(", ")}`,
  );

const streamQuery = z.object({
  types: eventTypes.optional().meta({
    description: "Only these event types, separated by commas; `oco.*` means all that begin so",
    type: "string",
  }),
  prices: symbolCodes(PRICE_SYMBOLS_MAX)
    .optional()
    .meta({ description: "Also price events of these symbols, separated by commas", type: "string" }),
  lastEventId: z
    .string()
    .max(64)
    .optional()
    .meta({ description: "As the header Last-Event-ID, for clients that cannot set it; the header wins" }),
});

const pricesQuery = z.object({
  symbols: symbolCodes(PRICE_SYMBOLS_MAX)
    .optional()
    .meta({ description: "Symbols separated by commas; give this or list", type: "string" }),
  list: z
    .string()
    .regex(/^[1-9][0-9]{0,15}$/, "must be the id of a symbol list")
    .transform(Number)
    .optional()
    .meta({ description: "Id of a symbol list that you may read; give this or symbols", type: "integer" }),
});

interface EventParts {
  readonly hub: EventHub;
  readonly reference: ReferenceClient;
}

/** Adds the stream of events, the last prices and the conditions. */
export function addEventOperations(add: AddOperation, { hub, reference }: EventParts): void {
  add({
    method: "GET",
    path: "/api/v1/events",
    operationId: "followEvents",
    tag,
    summary: "Follow events",
    description: STREAM_DESCRIPTION,
    scope: "read",
    query: streamQuery,
    textType: STREAM_TYPE,
    handle: async ({ context, caller, query }) => {
      const { types, prices: symbols = [] } = query;
      const requestId = requestIdOf(context);
      const unknown = await firstUnknown(reference, symbols, requestId);
      if (unknown !== undefined) return answerRefusal(context, unknown);
      const stream = await hub.open({
        caller,
        requestId,
        // A browser without a last id sends the header empty (WHATWG HTML, 9.2): that is not an id.
        after: context.req.header("last-event-id") || query.lastEventId || null,
        isWanted: types === undefined ? () => true : (type) => types.some((pattern) => fitsPattern(type, pattern)),
        symbols,
        connection: context.env.outgoing,
      });
      if (!(stream instanceof EventStream)) return answerRefusal(context, stream);
      return answer(context, 200, stream.body, STREAM_HEADERS);
    },
  });
  add({
    method: "GET",
    path: "/api/v1/prices",
    operationId: "listLastPrices",
    tag,
    summary: "Last prices",
    description: "The last accepted price of each symbol with its time and age; null where none is known.",
    scope: "read",
    query: pricesQuery,
    data: z.array(lastPriceSchema),
    handle: async (call) => {
      const requestId = requestIdOf(call.context);
      const symbols = await symbolsOf(reference, call.query, call.userId, requestId);
      if ("ok" in symbols) return answerRefusal(call.context, symbols);
      const reply = await call.ask(QUERIES.lastPrices, { symbols }, { partition: SHARED_PARTITION });
      return call.answer(reply, "The last prices");
    },
  });
  add({
    method: "GET",
    path: "/api/v1/conditions",
    operationId: "readConditions",
    tag,
    summary: "Whether prices and orders flow",
    description:
      "The feed that your rows are watched by, how long it has been silent, the way to each brokerage, and the partitions " +
      "that engines share.",
    scope: "read",
    data: conditionsSchema,
    handle: async (call) => call.answer(await call.ask(QUERIES.readConditions, {}), "The conditions"),
  });
}

const STREAM_DESCRIPTION = `Your own changes as server-sent events: each stored event once and in order, as \`id\`, \`event\` (its type) and \`data\`
(JSON, see the webhooks section for each type). A client that reconnects sends the last \`id\` as \`Last-Event-ID\` and continues
after it, over any edge and over restarts. Without it the stream begins now. \`gap\` reports that events after the given id
are no longer stored: read the lists again. \`price\` events carry no id. \`end\` contains the reason why the stream ends (an expired
token, a server that closes): connect again. A comment comes every 15 seconds.`;

/** Returns why one of the symbols cannot be asked for; undefined if all can. */
async function firstUnknown(
  reference: ReferenceClient,
  symbols: readonly string[],
  requestId: string,
): Promise<Refusal | undefined> {
  const answers = await Promise.all(symbols.map((symbol) => reference.symbol(symbol, requestId)));
  const index = answers.findIndex(({ ok }) => !ok);
  const refused = answers[index];
  if (refused === undefined || refused.ok) return undefined;
  return refused.code === "NOT_FOUND" ? refusal("INVALID", `symbol ${symbols[index]} is not known`) : refused;
}

async function symbolsOf(
  reference: ReferenceClient,
  { symbols, list }: z.output<typeof pricesQuery>,
  userId: number,
  requestId: string,
): Promise<readonly string[] | Refusal> {
  if ((symbols === undefined) === (list === undefined)) {
    return refusal("INVALID", "give symbols or list, and not both");
  }
  if (list === undefined) return (await firstUnknown(reference, symbols ?? [], requestId)) ?? symbols ?? [];
  const found = await reference.list(userId, list, requestId);
  return found.ok ? symbolListDetailSchema.parse(JSON.parse(found.json.toString())).symbols : found;
}
