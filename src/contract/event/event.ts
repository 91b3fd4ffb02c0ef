/**
 * Every event that a user can receive: its type, its meaning and the schema of its payload.
 *
 * Owns: names, meaning and shape. Does not own: when one is emitted (domain, engine), how it travels (bus, edge).
 *
 * Invariants:
 * 1. A type that is not here is never emitted; what is emitted fits its schema (tests hold both).
 * 2. A stored event has a `sequence` that ascends within the user's partition, and an `id` that is given once.
 * 3. No secret is in an event: a webhook bot's address is left out.
 */
import { z } from "zod";
import { TRADING_STATES } from "../../domain/order/trading-state.ts";
import { effectsSchema } from "../operator/reference.ts";
import { levelBotSchema, levelPairSchema, webhookBotRowSchema } from "../trading/bot.ts";
import { ocoRowSchema } from "../trading/oco.ts";
import { expiredAlert, reachedAlert } from "../trading/price-alert.ts";
import { setupViewSchema } from "../trading/setup.ts";
import { flattenedSchema } from "../trading/trading-state.ts";

const time = z.string().meta({ description: "UTC, ISO 8601" });
const symbol = z.string();
const message = z.string().meta({ description: "Why, for people" });
const sellName = z.string().optional().meta({
  description: "The name of the order at the brokerage; left out if only the receipt can state it: see there",
});
const systemId = z.number().int().meta({ description: "Id of the bot" });

/** The fields of every stored event. */
const stored = {
  id: z.string().meta({ description: "Given once; send it as Last-Event-ID to continue after this event" }),
  sequence: z.number().int().positive().meta({ description: "Ascends; numbers in between belong to others" }),
  time,
  userId: z.number().int().positive(),
};

const setupRow = setupViewSchema;
/** The fields of a setup that is not over: `message` is its `orderMessage`. */
const waitingSetup = {
  row: setupRow,
  message: message
    .optional()
    .meta({ description: "What the owner must look at: the row's orderMessage, if it has one" }),
};

const namedOrder = {
  clientOrderId: z.string(),
  brokerageCode: z.string(),
  accountNumber: z.string(),
  symbol,
  quantity: z.number().int(),
};
const clientOrder = z.object({
  ...namedOrder,
  buySell: z.union([z.literal(1), z.literal(2)]).meta({ description: "1 = Buy, 2 = Sell" }),
  orderType: z.union([z.literal(1), z.literal(2)]).meta({ description: "1 = Market, 2 = Limit" }),
  price: z.number(),
});

const row = ocoRowSchema;
const firedBy = z
  .enum(["time", "flatten"])
  .optional()
  .meta({ description: "Of a stop-loss that no price fired: time (`exit`), or flatten" });
const bot = z.union([levelBotSchema, webhookBotRowSchema.omit({ webhookPath: true })]);
const pair = { systemId, symbol, row: levelPairSchema };
const soldPair = levelPairSchema
  .extend({
    sellPrice: z.number().nullable().optional().meta({
      description: "Average price of the sells; null if the brokerage gave none, absent in events of older versions",
    }),
  })
  .meta({ id: "SoldPair" });
const signal = { systemId, symbol, message };

const orderId = z.number().int().optional().meta({ description: "Of an order that a client placed" });

/** One of them names what a fault stopped. */
const stoppedIds = {
  groupId: z.number().int().optional(),
  setupId: z.number().int().optional(),
  systemId: systemId.optional(),
  orderId,
  familyId: z.number().int().optional().meta({ description: "Of an API key's tokens" }),
  alertId: z.number().int().optional().meta({ description: "Of a price alert" }),
};

/** One of them names the owner of the order. */
const ownerIds = {
  orderId,
  groupId: z.number().int().optional(),
  setupId: z.number().int().optional(),
  systemId: systemId.optional(),
};

/** An order as the brokerage reports it. */
const reportedOrder = z.object({
  ...namedOrder,
  clientOrderId: z.string().nullable(),
  orderNo: z.string(),
  buySell: z.union([z.literal(1), z.literal(2)]).meta({ description: "1 = Buy, 2 = Sell" }),
  filledQuantity: z.number().int().meta({ description: "Lots that are known as filled" }),
});

interface Described<S extends z.ZodRawShape = z.ZodRawShape> {
  /** One line for people. */
  readonly summary: string;
  readonly payload: z.ZodObject<S>;
}

function described<S extends z.ZodRawShape>(summary: string, shape: S): Described<S> {
  return { summary, payload: z.object(shape) };
}

/** Stored events, by type: their fields in addition to `id`, `sequence`, `time`, `userId` and `type`. */
export const EVENTS = {
  "oco.created": described("An OCO group was made, and its rows are under watch", {
    groupId: z.number().int(),
    rows: z.array(row).min(2),
  }),
  "oco.changed": described("A running group was changed in place: all of its rows as they are now", {
    groupId: z.number().int(),
    version: z.number().int().meta({ description: "Rises with every change of any row" }),
    rows: z.array(row).min(2),
  }),
  "oco.triggered": described("A row's level was reached and its sell was taken by the brokerage", {
    row,
    clientOrderId: sellName,
    reason: firedBy,
  }),
  "oco.triggerFailed": described("A level was reached and nothing could be sold; the message contains the reason", {
    row,
    clientOrderId: sellName,
    reason: firedBy,
    message: message.optional(),
  }),
  "oco.cancelled": described("A row is no longer watched: cancelled, due, or its stop-loss has fired", { row }),
  "oco.adjusted": described("A corporate action changed a group or holds it, or it has a new symbol", { row, message }),
  "oco.trailingActivated": described("A price reached the activation of a stop-loss that trails: prices count now", {
    row,
  }),
  "oco.stopRaised": described("A stop-loss that trails was raised; at most once a minute for each group", { row }),
  "oco.trailingUncertain": described(
    "Prices were lost that may have raised a stop-loss that trails: it stays where it is; once for each hole and group",
    { row, message },
  ),
  "oco.rearmed": described("A take-profit is watched again: the brokerage sold nothing of the stop-loss in the end", {
    row,
  }),
  "oco.reduced": described(
    "A take-profit sells less: its stop-loss sold lots after the brokerage had reported that it sold none",
    { row },
  ),
  "oco.sentReduced": described(
    "A refused stop-loss was sent once more, with the lots that the take-profits left; the message contains the reason",
    { row, message: message.optional() },
  ),
  "oco.sellIncomplete": described("The brokerage ended a row's sell after a part of it was filled", {
    row,
    clientOrderId: sellName,
    message: message.optional(),
    filledQuantity: z.number().int().optional(),
  }),
  "oco.exitContinues": described(
    "The order of a stop-loss ended before all of it was sold, or did not reach the brokerage; further orders sell the rest",
    { row, message: message.optional() },
  ),
  "oco.exitCompleted": described("All of a stop-loss is sold that needed more than one order", { row, message }),
  "oco.exitStopped": described("The owner stopped the exit of a stop-loss; no more of it is sold", { row, message }),
  "oco.lateFill": described("An entry bought lots after the stop-loss of its group had fired: they are sold too", {
    row,
    message,
  }),
  "oco.waitsForSession": described(
    "The market does not take the order of a row now: it is sent when the market opens next",
    { row, until: time },
  ),
  "oco.restricted": described(
    "The measures of the exchange on a symbol of active groups changed; the message states their effects on a sell",
    { symbol, effects: effectsSchema, message },
  ),
  "oco.unrestricted": described("A symbol of active groups is under no measure with an effect any more", {
    symbol,
    message,
  }),
  "setup.registered": described("A pending OCO waits for its buy order", waitingSetup),
  "setup.changed": described("The plan of a pending OCO was changed by its owner: as it is now", waitingSetup),
  "setup.converted": described("A pending OCO's buy order was completed and its group was made", {
    row: setupRow,
    groupId: z.number().int(),
    message: message.optional().meta({
      description: "A warning: the stop-loss sells more lots than were bought, or exit.at had passed",
    }),
  }),
  "setup.orderLost": described(
    "The brokerage does not know a pending OCO's buy order any more: it waits until the order is found or it is removed",
    { row: setupRow, message },
  ),
  "setup.orderFound": described("The brokerage knows a pending OCO's buy order again", waitingSetup),
  "setup.unprotected": described(
    "A part of an entry is filled and no group could be made of it yet; the next fill and the end of the buy try again",
    { row: setupRow, message },
  ),
  "setup.triggered": described("The price reached the trigger of a stop entry: its buy is sent", waitingSetup),
  "setup.cancelRefused": described(
    "The brokerage refuses to cancel the buy of an entry that is to end: it stays open, and the cancel is repeated",
    { row: setupRow, message },
  ),
  "setup.conversionFailed": described("A pending OCO's buy order was completed and no group could be made", {
    row: setupRow,
    message,
  }),
  "setup.entryRefused": described("The buy of an entry was refused, or not sent: it does not exist", {
    row: setupRow,
    message,
  }),
  "setup.removed": described("A pending OCO is gone: its buy order ended unfilled, or its owner removed it", {
    row: setupRow,
    isPartFilled: z.boolean().meta({ description: "True: something was bought, and no group watches it" }).optional(),
    isByOwner: z
      .boolean()
      .meta({ description: "True: its owner removed it; a buy that he placed continues" })
      .optional(),
  }),
  "bot.created": described("A bot was made", { systemId, row: bot }),
  "bot.updated": described("A bot was changed", { systemId, row: bot }),
  "bot.removed": described("A bot was ended by its owner", { systemId, row: bot.optional() }),
  "bot.secretRotated": described("A webhook bot has a new address", { systemId, row: bot }),
  "pair.leftOut": described("A detail with an open pair was left out of a bot; the pair is still sold at its signal", {
    ...pair,
    message,
  }),
  "pair.bought": described("A pair's buy was completed", pair),
  "pair.buyFailed": described("A pair's buy failed; nothing was bought", { ...pair, message: message.optional() }),
  "pair.sellFailed": described("A pair's sell failed; the pair stays open", { ...pair, message: message.optional() }),
  "pair.sold": described("A pair's sell was completed", { ...pair, row: soldPair }),
  "signal.ignored": described("A signal matched and nothing was ordered; the message contains the reason", signal),
  "signal.deferred": described("A sell signal came while the pair's buy was on its way; it is done after it", {
    ...signal,
    message: message.optional(),
    row: pair.row.optional(),
  }),
  "signal.unmatched": described("A signal matched no detail of the bot; the message states the difference", signal),
  "signal.rejected": described("A request to the address of a bot is not a signal; the message contains the reason", {
    systemId,
    message,
  }),
  "order.placed": described("An order of the user's was taken by the brokerage", {
    order: clientOrder.extend({ orderNo: z.string(), orderStatus: z.number().int() }),
  }),
  "order.refused": described("An order of the user's was refused; none exists", { order: clientOrder, message }),
  "order.cancelled": described("The brokerage took the user's request to cancel an order", {
    order: z.object({ brokerageCode: z.string(), accountNumber: z.string(), symbol, orderNo: z.string() }),
  }),
  "order.postponed": described(
    "A level was reached and the market does not take the order now; no order exists yet, and it is tried again",
    { order: z.object(namedOrder), reason: z.string() },
  ),
  "order.quarantined": described("The outcome of an order is not known: a person must look at the brokerage", {
    order: z.object(namedOrder),
    reason: z.string(),
  }),
  "order.inDoubt": described(
    "The brokerage does not know an order that it took: nothing is sold again until an operator decides, or it is found",
    { ...ownerIds, order: reportedOrder, message },
  ),
  "order.settled": described(
    "An operator entered the outcome of an order in doubt: `filledQuantity` of it was filled",
    {
      ...ownerIds,
      order: reportedOrder,
    },
  ),
  "order.found": described("The brokerage knows an order again that was in doubt", {
    ...ownerIds,
    order: reportedOrder,
  }),
  "order.replaced": described("The brokerage replaced an order: it is followed under its new number", {
    ...ownerIds,
    order: reportedOrder,
    orderNo: z.string().meta({ description: "The new number" }),
  }),
  "order.overfilled": described("The brokerage filled more of an order than was asked for", {
    ...ownerIds,
    order: reportedOrder,
    overQuantity: z.number().int().positive(),
    message,
  }),
  "order.corrected": described("The brokerage took fills of an order back; nothing was changed here", {
    ...ownerIds,
    order: reportedOrder,
    fromQuantity: z.number().int(),
    toQuantity: z.number().int(),
    message,
  }),
  "alarm.filledAfterEnd": described("The brokerage filled lots of an order after it had reported its end", {
    ...ownerIds,
    order: reportedOrder,
    quantity: z.number().int().positive(),
    price: z.number().nullable().meta({ description: "Average price of the order; null: not known" }),
    message,
  }),
  "alarm.exitStopped": described(
    "The exit of a stop-loss ended before all of it was sold: what is left is not protected; the message contains the reason",
    { row, message },
  ),
  "alarm.quarantined": described(
    "A fault of the service stopped a group, pending OCO or bot: it does nothing until an operator releases it",
    { ...stoppedIds, message },
  ),
  "alarm.released": described("An operator released what a fault had stopped: it continues", stoppedIds),
  "alarm.ticksLost": described(
    "Prices were lost to the service: look at the levels that they may have passed; the message states how",
    {
      reason: z.string().meta({ description: "missing, tooOld, recreated, unreadable or refused" }),
      missingFrom: z.string().nullable().optional().meta({ description: "None of them came earlier; null: not known" }),
      missingUntil: z
        .string()
        .nullable()
        .optional()
        .meta({ description: "None of them came later; null: prices are being lost still" }),
      message,
    },
  ),
  "alarm.clockOff": described(
    "The service's clock is wrong: it may refuse right prices until it is set; then it reads them back",
    {
      clockAheadMs: z.number().meta({ description: "How far the clock of the prices is ahead of it, in ms" }),
      message,
    },
  ),
  "alarm.pricesSilent": described(
    "No price counts of symbols that active groups watch; the message contains the reason",
    {
      symbols: z.array(z.string()),
      reason: z.string().meta({ description: "refused: prices come and are refused; none: no price comes" }),
      message,
    },
  ),
  "alarm.measure": described(
    "A measure of the exchange keeps a triggered sell back, or the sell leaves although it may refuse it; the message contains the reason",
    { brokerageCode: z.string(), accountNumber: z.string(), symbol, message },
  ),
  "symbol.held": described("No level of a symbol fires until it is released; the message contains the reason", {
    symbol,
    from: z.number().nullable().meta({ description: "The last close; null: held by hand" }),
    to: z.number().nullable().meta({ description: "The first price of the session; null: held by hand" }),
    message,
  }),
  "symbol.released": described("The levels of a held symbol fire again", { symbol, message }),
  "trading.stateChanged": described(
    "Trading was halted, only reduces positions, or was resumed; the reason states why",
    {
      scope: z.enum(["installation", "user", "account"]),
      brokerageCode: z.string().nullable(),
      accountNumber: z.string().nullable(),
      state: z.enum(TRADING_STATES),
      reason: z.string(),
      includingStops: z.boolean().meta({ description: "True: stop-losses do not fire either" }),
    },
  ),
  "ledger.foreignSell": described("Lots of an account were sold that no order of the service sold", {
    brokerageCode: z.string(),
    accountNumber: z.string(),
    symbol,
    quantity: z.number().meta({ description: "Lots that were sold" }),
    held: z.number().meta({ description: "Lots that are left" }),
  }),
  "price.reached": described("A price alert was reached; it is over, unless it repeats", reachedAlert),
  "price.expired": described("A price alert ended at its time", expiredAlert),
  "limits.changed": described("The limits of an account were set; null: no limit", {
    brokerageCode: z.string(),
    accountNumber: z.string(),
    maxDailyLoss: z.number().nullable(),
    maxOrdersPerMinute: z.number().nullable(),
    maxOrderValue: z.number().nullable(),
  }),
  "alarm.lossLimit": described(
    "Own fills of the day have lost what the limit of an account allows: only sells are taken until a person resumes trading",
    { brokerageCode: z.string(), accountNumber: z.string(), message },
  ),
  "account.flattened": described(
    "Flatten is done with an account: what it sells, and what is left; the message states what is not sold, and why",
    {
      brokerageCode: z.string(),
      accountNumber: z.string(),
      ...flattenedSchema.shape,
      message: message.optional(),
    },
  ),
  "alarm.soldAfterEnd": described(
    "The brokerage sold more of a row's order than it had reported when the order ended: the group may sell more than is left",
    {
      groupId: z.number().int(),
      order: z.object({
        clientOrderId: z.string(),
        orderNo: z.string(),
        symbol,
        brokerageCode: z.string(),
        accountNumber: z.string(),
        filledQuantity: z.number().int(),
      }),
      message,
    },
  ),
  "token.familyRevoked": described("Access of an API key's tokens was ended", {
    familyId: z.number().int(),
    keyId: z.number().int(),
    reason: z.string().optional(),
  }),
} as const satisfies Readonly<Record<string, Described>>;

export type EventType = keyof typeof EVENTS;
export type EventPayload<T extends EventType> = z.infer<(typeof EVENTS)[T]["payload"]>;

/** All types of stored events. */
export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[];

export function isEventType(type: string): type is EventType {
  return Object.hasOwn(EVENTS, type);
}

/** The schema of a whole stored event of a type, as clients get it. */
export function eventSchema<T extends EventType>(type: T) {
  return z.object({ ...stored, type: z.literal(type), ...EVENTS[type].payload.shape });
}

/** Events of streams that are not stored: no `id`, never repeated. */
export const STREAM_EVENTS = {
  price: {
    summary: "The last price of a symbol that was asked for has changed",
    schema: z.object({
      type: z.literal("price"),
      symbol,
      price: z.number(),
      time: time.meta({ description: "When the price was true" }),
    }),
  },
  gap: {
    summary:
      "Events after the given Last-Event-ID are no longer stored: read the lists again, the stream continues from here",
    schema: z.object({
      type: z.literal("gap"),
      after: z.string().meta({ description: "The Last-Event-ID that was given" }),
      resumesAfter: z
        .string()
        .meta({ description: "The id after which the stream continues; read the lists again first" }),
      message,
    }),
  },
  end: {
    summary: "The stream ends now; the message contains the reason. Nothing is lost: continue with Last-Event-ID",
    schema: z.object({ type: z.literal("end"), message }),
  },
} as const;

/** The position of a stream: an event's id, or a number between two events. */
interface EventPosition {
  readonly installation: string;
  readonly partition: number;
  readonly sequence: number;
}

const POSITION = /^([a-z0-9]{10})-([0-9]{1,4})-([0-9]{1,16})$/;

export function formatPosition({ installation, partition, sequence }: EventPosition): string {
  return `${installation}-${partition}-${sequence}`;
}

/** Undefined if the text is not an event's id. */
export function parsePosition(text: string): EventPosition | undefined {
  const [, installation, partition, digits] = POSITION.exec(text) ?? [];
  const sequence = Number(digits);
  if (installation === undefined || !Number.isSafeInteger(sequence)) return undefined;
  return { installation, partition: Number(partition), sequence };
}

/** Body of the query `events.since`. `after`: an event's id; null: from now on. */
export const eventsSinceBody = z.object({ after: z.string().max(64).nullable() });

/** One page of stored events of a user, oldest first. */
export const eventsPageSchema = z.object({
  /** Whole events, as they were published. */
  events: z.array(z.looseObject({ sequence: z.number().int(), type: z.string() })),
  /** The position up to which all events of the user were sent, with this page. */
  through: z.string(),
  /** False: there may be more after `through`. */
  isLast: z.boolean(),
  /** Events between `after` and this were removed; null: none. */
  gapTo: z.string().nullable(),
});
export type EventsPage = z.infer<typeof eventsPageSchema>;

/** A stored event on the bus. The user's event before it has a sequence of at most `previous`. */
export const publishedEventSchema = z.looseObject({
  previous: z.number().int().nonnegative(),
  id: z.string(),
  sequence: z.number().int().positive(),
  type: z.string(),
});
