/**
 * Held symbols, over all partitions (behaviour 16).
 *
 * Does not own: sending to each partition (`partitions.ts`), the effects of a hold (the engines).
 *
 * Invariant: if a partition does not answer the request is refused with its number, and can be repeated unchanged.
 */
import { z } from "zod";
import {
  HOLD_COMMANDS,
  HOLD_QUERIES,
  heldSymbolSchema,
  holdChangedSchema,
  holdRequest,
} from "../../../src/contract/operator/hold.ts";
import { symbolCode } from "../../../src/contract/trading/oco.ts";
import type { EngineClient } from "../../client/engine-client.ts";
import type { Call } from "../../operation/call.ts";
import type { AddOperation } from "../../operation/operation.ts";
import { answerData } from "../../server/request-state.ts";
import { acrossPartitions, tellEach } from "./partitions.ts";

const tag = "Administration";
const bySymbol = z.object({ symbol: symbolCode });
const changed = z.object({
  symbol: z.string(),
  isChanged: z.boolean().meta({ description: "False: it was so already" }),
});

/** Adds the operations on held symbols. */
export function addHoldOperations(add: AddOperation, engine: EngineClient): void {
  add({
    operationId: "listHeldSymbols",
    method: "GET",
    path: "/admin/v1/symbols/held",
    tag,
    summary: "List the held symbols",
    description:
      "No level of them fires. One entry for each partition: a partition without levels of it need not hold it.",
    scope: "admin",
    data: z.array(heldSymbolSchema),
    handle: (call) => call.pages(acrossPartitions(engine, HOLD_QUERIES.listHolds, undefined), "The held symbols"),
  });
  add({
    operationId: "holdSymbol",
    method: "POST",
    path: "/admin/v1/symbols/:symbol/hold",
    tag,
    summary: "Hold a symbol",
    description:
      "From here on no level of it fires, in any partition, until it is released; owners of groups are notified. Prices are " +
      "still accepted, and deadlines pass.",
    scope: "admin",
    params: bySymbol,
    body: holdRequest.optional(),
    data: changed,
    handle: (call) => {
      const { symbol } = call.params;
      return change(engine, call, HOLD_COMMANDS.hold, { ...call.body, symbol }, "The symbol is held");
    },
  });
  add({
    operationId: "releaseSymbol",
    method: "POST",
    path: "/admin/v1/symbols/:symbol/release",
    tag,
    summary: "Release a held symbol",
    description:
      "Its levels fire again: each is immediately compared with the last live price. Prices that passed during the hold " +
      "fire nothing.",
    scope: "admin",
    isIdempotent: false,
    params: bySymbol,
    data: changed,
    handle: (call) => {
      const { symbol } = call.params;
      return change(engine, call, HOLD_COMMANDS.release, { symbol }, "The symbol is not held");
    },
  });
}

async function change<P, Q, B>(
  engine: EngineClient,
  call: Call<P, Q, B>,
  command: string,
  body: { readonly symbol: string },
  message: string,
): Promise<Response> {
  const told = await tellEach(engine, (partition) => call.command(command, body, { partition }));
  if (!told.ok) return call.refuse(told);
  const isChanged = told.data.some((data) => holdChangedSchema.parse(data).isChanged);
  return answerData(call.context, message, { symbol: body.symbol, isChanged });
}
