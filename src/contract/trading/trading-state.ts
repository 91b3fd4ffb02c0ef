/** Whether trading is allowed, as it crosses a process (behaviour 18). */
import { z } from "zod";
import { FLATTEN, RESUME, TRADING_STATES } from "../../domain/order/trading-state.ts";
import { body, choice, text } from "../fields.ts";
import { accountNumber, brokerageCode } from "./oco.ts";

export const TRADING_STATE_COMMANDS = {
  set: "trading.set",
  setInstallation: "trading.setInstallation",
  flatten: "trading.flatten",
} as const;
export const TRADING_STATE_QUERIES = { read: "trading.state" } as const;

const change = {
  state: choice(TRADING_STATES).meta({
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

/** A change of the caller's state, or of one account of the caller's. */
export const tradingStateRequest = z
  .discriminatedUnion("scope", [
    body({ scope: z.literal("user"), ...change }),
    body({ scope: z.literal("account"), brokerageCode, accountNumber, ...change }),
  ])
  .meta({ id: "TradingStateChange" });

/** A change of the whole installation's state. */
export const installationStateRequest = body(change).meta({ id: "InstallationStateChange" });

/** Names one account of the caller. */
export const flattenRequest = body({
  brokerageCode,
  accountNumber,
  reason: text(1, 200).meta({ description: "Why; it is shown wherever something is refused" }),
  confirm: choice([FLATTEN]).meta({ description: "Required, as everything is sold" }),
}).meta({ id: "Flatten" });

const lots = z.number().meta({ description: "Lots" });

/** The actions on an account that is flattened (behaviour 18.4). */
export const flattenedSchema = z
  .object({
    orders: z
      .array(z.object({ symbol: z.string(), quantity: lots, clientOrderId: z.string() }))
      .meta({ description: "The market sells that leave now" }),
    left: z
      .array(z.object({ symbol: z.string(), quantity: lots, reason: z.string() }))
      .meta({ description: "What is held and not sold by them, and why" }),
    cancelledOrders: z.number().int(),
    cancelledGroups: z.number().int(),
    removedSetups: z.number().int(),
  })
  .meta({ id: "Flattened" });
export type Flattened = z.infer<typeof flattenedSchema>;

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

/** The stored state of a partition. */
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
