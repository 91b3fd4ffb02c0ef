/** The states that restrict the trading of a user (behaviour 18.1). */
import { z } from "zod";
import { forUser } from "../context.ts";

export const readTradingState = forUser({
  schema: z.object({}),
  handle: async ({ tradingStates }, userId) => ({ ok: true, data: tradingStates.list(userId) }),
});
