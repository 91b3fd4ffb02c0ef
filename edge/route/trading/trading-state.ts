/** The trading state of the caller (behaviour 18). */
import { z } from "zod";
import {
  TRADING_STATE_COMMANDS,
  TRADING_STATE_QUERIES,
  tradingStateRequest,
  tradingStateSchema,
} from "../../../src/contract/trading/trading-state.ts";
import type { AddOperation } from "../../operation/operation.ts";

const tag = "Accounts";
const path = "/api/v1/trading-state";

/** Adds reading and setting of the caller's trading state. */
export function addTradingStateOperations(add: AddOperation): void {
  add({
    operationId: "getTradingState",
    method: "GET",
    path,
    tag,
    summary: "Show whether trading is halted",
    description:
      "What is halted or reducing: of the installation, of you and of your accounts. Empty: nothing is halted or reducing.",
    scope: "read",
    data: z.array(tradingStateSchema),
    handle: async (call) => call.answer(await call.ask(TRADING_STATE_QUERIES.read, {}), "The trading states"),
  });
  add({
    operationId: "setTradingState",
    method: "POST",
    path,
    tag,
    summary: "Halt trading, let only sells pass, or resume",
    description:
      "reducing: no buys. halted: no orders by hand, no take-profits, and bots are switched off; stop-losses fire, unless includingStops is true. It is durable once it is answered. The strictest of several states counts. Leaving halted takes confirm; bots stay off. Take-profits that were reached during the halt are then compared with the last price.",
    scope: "trade",
    isIdempotent: false,
    body: tradingStateRequest,
    data: z.literal(true),
    handle: async (call) =>
      call.answer(await call.command(TRADING_STATE_COMMANDS.set, call.body), "The trading state was set"),
  });
}
