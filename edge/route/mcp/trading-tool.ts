/** The declaration of an assistant tool that is an operation of the REST interface, and inputs that several share. */
import { z } from "zod";
import { accountNumber, brokerageCode, symbolCode } from "../../../src/contract/trading/oco.ts";
import type { Scope } from "../../../src/domain/family.ts";

export interface TradingTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scope: Scope;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Contains the name of at most one value of the input in its place: `{id}`. */
  readonly path: string;
  readonly input: z.ZodObject;
}

export const account = z.object({ brokerageCode, accountNumber });
export const nothing = z.object({});
export const id = z.number().int().positive();
export const byId = z.object({ brokerageCode, id });
export const since = z.string().max(64).optional();
/** Which part of a list is asked for; the operation knows the rules. */
export const part = {
  symbol: symbolCode.optional(),
  limit: z.int().min(1).optional(),
  cursor: z.string().optional(),
};
