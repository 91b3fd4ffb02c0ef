/**
 * Symbols (behaviour 11.5).
 */
import { z } from "zod";
import { text } from "../../../src/contract/fields.ts";
import { BAND_QUERIES, bandSchema } from "../../../src/contract/operator/band.ts";
import { symbolSchema } from "../../../src/contract/operator/reference.ts";
import { SESSION_QUERIES, sessionSchema } from "../../../src/contract/operator/session.ts";
import { BAR_QUERIES, BARS_ANSWERED_MAX, barInterval, barViewSchema } from "../../../src/contract/trading/bars.ts";
import { symbolCode } from "../../../src/contract/trading/oco.ts";
import { REFERENCE_TIMEOUT_MS, type ReferenceClient } from "../../client/reference-client.ts";
import type { AddOperation } from "../../operation/operation.ts";
import { ofAnyBrokerage, wholeNumberParameter } from "../../operation/parameters.ts";
import { answerReference, requestIdOf } from "./reference-answer.ts";

const tag = "Symbols";
const path = "/api/v1/symbols";

const bySymbol = z.object({
  symbol: text(1, 200).meta({ description: "Symbol code, as it is written: THYAO" }),
});

const BARS_PRESET = 500;
const moment = text(1, 64);

const ofBars = z.object({
  interval: barInterval.default("1m"),
  from: moment
    .optional()
    .meta({ description: "Bars that begin then or later, ISO 8601; default: `limit` periods before `to`" }),
  to: moment.optional().meta({ description: "Bars that begin then or earlier, ISO 8601; default: now" }),
  limit: wholeNumberParameter(1, BARS_ANSWERED_MAX, BARS_PRESET),
});

/** Adds the operations on symbols. */
export function addSymbolOperations(add: AddOperation, reference: ReferenceClient): void {
  add({
    operationId: "listSymbols",
    method: "GET",
    path,
    tag,
    summary: "List all symbols",
    description: "A symbol that is not active any more stays in the list.",
    scope: "read",
    data: z.array(symbolSchema),
    handle: ({ context }) => answerReference(context, reference.symbols(requestIdOf(context)), "All symbols"),
  });
  add({
    operationId: "getSymbol",
    method: "GET",
    path: `${path}/:symbol`,
    tag,
    summary: "One symbol",
    description: "By its code.",
    scope: "read",
    params: bySymbol,
    data: symbolSchema,
    handle: ({ context, params }) =>
      answerReference(context, reference.symbol(params.symbol, requestIdOf(context)), "The symbol"),
  });
  add({
    operationId: "getBand",
    method: "GET",
    path: `${path}/:symbol/band`,
    tag,
    summary: "Today's band of a symbol",
    description:
      "The prices at which its exchange takes orders today, as far as an operator, the brokerage or an import reported them; null if none is known.",
    scope: "read",
    params: z.object({ symbol: symbolCode }),
    query: ofAnyBrokerage,
    data: bandSchema.nullable(),
    handle: async (call) =>
      call.answer(
        await call.ask(BAND_QUERIES.read, { ...call.params, ...call.query }, { timeoutMs: REFERENCE_TIMEOUT_MS }),
        "The band of the symbol",
      ),
  });
  add({
    operationId: "getSession",
    method: "GET",
    path: `${path}/:symbol/session`,
    tag,
    summary: "The session of a symbol's exchange",
    description: "The phase of now and the next change, by the exchange's calendar; null where no calendar is known.",
    scope: "read",
    params: z.object({ symbol: symbolCode }),
    data: sessionSchema.nullable(),
    handle: async (call) =>
      call.answer(
        await call.ask(SESSION_QUERIES.read, call.params, { timeoutMs: REFERENCE_TIMEOUT_MS }),
        "The session of the exchange",
      ),
  });
  add({
    operationId: "listBars",
    method: "GET",
    path: `${path}/:symbol/bars`,
    tag,
    summary: "What the price of a symbol did before",
    description:
      "Bars of accepted prices, the newest last; a period without a price has no bar, and the last bar can be unfinished. Bars from before the kept history come from a brokerage of the caller that provides them.",
    scope: "read",
    params: z.object({ symbol: symbolCode }),
    query: ofBars,
    data: z.array(barViewSchema),
    handle: async (call) =>
      call.answer(
        await call.ask(BAR_QUERIES.read, { ...call.params, ...call.query }, { timeoutMs: REFERENCE_TIMEOUT_MS }),
        "The bars of the symbol",
      ),
  });
}
