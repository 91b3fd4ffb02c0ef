/** Corporate actions as they cross a process: levels of a symbol follow a change of its base (behaviour 28). */
import { z } from "zod";
import { ACTION_TYPES, type CorporateAction, RATIO_MAX, SHARES_MAX } from "../../domain/market/corporate-action.ts";
import { PRICE_MAX } from "../../domain/price/price.ts";
import { body, choice, text } from "../fields.ts";
import { symbolCode } from "../trading/oco.ts";

/** Each partition stores its own: an edge sends them to all. */
export const ACTION_COMMANDS = { add: "corporateActions.add", remove: "corporateActions.remove" } as const;
export const ACTION_QUERIES = { list: "corporateActions.list" } as const;

const ID_LENGTH_MAX = 64;
const TEN_CHARACTERS = "2026-03-02".length;

const shares = z.int().min(1).max(SHARES_MAX);
/** In currency units, with any decimals. */
const cash = z
  .number()
  .positive()
  .max(PRICE_MAX / 100);

/** Body of `corporateActions.add`; the domain checks which fields a type has. */
export const actionRequest = body({
  symbol: symbolCode,
  type: choice(ACTION_TYPES),
  sharesBefore: shares.exactOptional().meta({ description: "Of a split: shares before" }),
  sharesAfter: shares.exactOptional().meta({ description: "Of a split: the same shares after it" }),
  ratio: z
    .number()
    .positive()
    .max(RATIO_MAX)
    .exactOptional()
    .meta({ description: "Of a bonus or rights issue: new shares for each old one; 1 is 100 %" }),
  subscriptionPrice: cash.exactOptional().meta({ description: "Of a rights issue" }),
  closePrice: cash
    .exactOptional()
    .meta({ description: "Of a rights issue: the last close before; absent: the last price before exDate" }),
  cash: cash.exactOptional().meta({ description: "Of a dividend: for each share" }),
  exDate: text(TEN_CHARACTERS, TEN_CHARACTERS).meta({ description: "The first day on the new base, as 2026-03-02" }),
}).meta({ id: "CorporateActionRequest" });

/** Body of `corporateActions.remove`. */
export const removeActionBody = z.object({ actionId: text(1, ID_LENGTH_MAX) });
/** Body of `corporateActions.list`. */
export const listActionsBody = z.object({ from: z.string().nullish() });

const shared = { actionId: z.string(), symbol: symbolCode, exDate: z.string(), exMs: z.number().int() };
const count = z.number().int().positive();
const amount = z.number().positive();

/** An action as partitions and groups store it. */
export const corporateActionSchema = z.discriminatedUnion("type", [
  z.strictObject({ ...shared, type: z.literal("split"), sharesBefore: count, sharesAfter: count }),
  z.strictObject({ ...shared, type: z.literal("bonus"), ratio: amount }),
  z.strictObject({
    ...{ ...shared, type: z.literal("rights"), ratio: amount },
    ...{ subscriptionPrice: amount, closePrice: amount.nullable() },
  }),
  z.strictObject({ ...shared, type: z.literal("dividend"), cash: amount }),
]) satisfies z.ZodType<CorporateAction>;

/** An action as a partition stores it. */
export const storedActionSchema = z.strictObject({
  version: z.literal(1),
  action: corporateActionSchema,
  enteredAtMs: z.number().int(),
  /** The prices from which it is computed; null: no level has followed yet. */
  begun: z
    .strictObject({
      /** The price before it; absent: not known. */
      closePrice: z.number().exactOptional(),
      /** Around all actions of the day; null: not known. */
      move: z.strictObject({ from: z.number(), to: z.number() }).nullable(),
    })
    .nullable(),
  /** When all levels of the symbol have followed; null: they have not. */
  appliedAtMs: z.number().int().nullable(),
  /** False until a price of the new base was seen: the first one is compared with the adjusted close (behaviour 16.2). */
  isOpened: z.boolean(),
  /** When that first price came; absent: before the action was entered, or it has not come. */
  openedAtMs: z.number().int().exactOptional(),
});
export type StoredAction = z.infer<typeof storedActionSchema>;

export const actionViewSchema = z
  .object({
    actionId: z.string(),
    partition: z.number().int(),
    symbol: z.string(),
    type: z.enum(ACTION_TYPES),
    exDate: z.string(),
    description: z.string().meta({ description: "As text: bonus issue of 1 for 1 on 2026-03-02" }),
    enteredDate: z.string(),
    appliedDate: z
      .string()
      .nullable()
      .meta({ description: "When the levels of this partition followed; null: not yet" }),
  })
  .meta({ id: "CorporateAction" });
export type ActionView = z.infer<typeof actionViewSchema>;

/** The answer of a partition to an entry or a removal: whether anything changed. */
export const actionChangedSchema = z.object({ actionId: z.string(), isChanged: z.boolean(), isImmediate: z.boolean() });
