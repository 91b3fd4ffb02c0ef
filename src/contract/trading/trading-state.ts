/** Whether trading goes on, as it crosses a process (behaviour 18). */
import { z } from "zod";
import { RESUME, TRADING_STATES } from "../../domain/order/trading-state.ts";
import { body, text } from "../fields.ts";
import { accountNumber, brokerageCode } from "./oco.ts";

export const TRADING_STATE_COMMANDS = { set: "trading.set", setInstallation: "trading.setInstallation" } as const;
export const TRADING_STATE_QUERIES = { read: "trading.state" } as const;

const change = {
  state: z.enum(TRADING_STATES, { error: ({ input }) => (input === undefined ? "is required" : undefined) }).meta({
    description:
      "active: everything; reducing: no buys; halted: no buys, no sells by hand and no take-profits, and bots are switched off",
  }),
  reason: text(1, 200).meta({ description: "Why; it is shown wherever something is refused" }),
  includingStops: z
    .boolean()
    .exactOptional()
    .meta({ description: "With halted: stop-losses do not fire either. Default false" }),
  confirm: z.literal(RESUME).exactOptional().meta({ description: "Required to leave halted" }),
};

/** Of the caller, or of one account of the caller's. */
export const tradingStateRequest = z
  .discriminatedUnion("scope", [
    body({ scope: z.literal("user"), ...change }),
    body({ scope: z.literal("account"), brokerageCode, accountNumber, ...change }),
  ])
  .meta({ id: "TradingStateChange" });

/** Of the whole installation. */
export const installationStateRequest = body(change).meta({ id: "InstallationStateChange" });

export const tradingStateSchema = z
  .object({
    scope: z.enum(["installation", "user", "account"]),
    brokerageCode: z.string().nullable(),
    accountNumber: z.string().nullable(),
    state: z.enum(TRADING_STATES),
    reason: z.string(),
    includingStops: z.boolean(),
    since: z.string().meta({ description: "UTC, ISO 8601" }),
  })
  .meta({ id: "TradingState" });
export type TradingStateView = z.infer<typeof tradingStateSchema>;

/** What a partition stores. */
export const storedTradingStateSchema = z.strictObject({
  version: z.literal(1),
  scope: z.enum(["installation", "user", "account"]),
  userId: z.number().int().nullable(),
  brokerageCode: z.string().nullable(),
  accountNumber: z.string().nullable(),
  state: z.enum(TRADING_STATES),
  reason: z.string(),
  includingStops: z.boolean(),
  sinceMs: z.number(),
});
export type StoredTradingState = z.infer<typeof storedTradingStateSchema>;
