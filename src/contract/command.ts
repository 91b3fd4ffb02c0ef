/**
 * The edge's requests to the engine and the answers, on `engine.<partition>.command` and `engine.<partition>.query`.
 *
 * A page of stored rows is answered as a header line of JSON, a newline, and the rows' own bytes joined with commas, so
 * that the edge passes lists through without parsing them.
 */
import { z } from "zod";
import { changeGroupBody } from "./trading/oco.ts";
import { changeSetupBody } from "./trading/setup.ts";

const idempotencySchema = z.object({
  key: z.string().min(1).max(200),
  /** Hash of method, path and body: the same key with another hash is refused. */
  fingerprint: z.string().min(1).max(128),
});

/** One request. `userId` is the requesting user, as the edge verified it; null for requests without a login. */
export const envelopeSchema = z.object({
  type: z.string().min(1).max(64),
  userId: z.number().int().positive().nullable(),
  requestId: z.string().max(100),
  idempotency: idempotencySchema.optional(),
  body: z.unknown(),
});
export type Envelope = z.infer<typeof envelopeSchema>;

export const replyCodes = [
  "INVALID",
  "UNAUTHORIZED",
  "FORBIDDEN",
  "NOT_FOUND",
  "CONFLICT",
  "PRECONDITION_FAILED",
  "NOT_NOW",
  "TRADING_HALTED",
  "TRADING_REDUCING",
  "OVERCOMMITTED",
  "ACCOUNT_LIMIT",
  "UNPROCESSABLE",
  "LIMITED",
  "UNAVAILABLE",
  "INTERNAL",
  "PAYLOAD_TOO_LARGE",
] as const;

export const replySchema = z.discriminatedUnion("ok", [
  z.object({
    ok: z.literal(true),
    data: z.unknown(),
    message: z.string().optional(),
    version: z.number().int().positive().optional(),
  }),
  z.object({
    ok: z.literal(false),
    code: z.enum(replyCodes),
    message: z.string(),
    retryAfterSeconds: z.number().int().positive().optional(),
    version: z.number().int().positive().optional(),
  }),
]);
export type Reply =
  | {
      readonly ok: true;
      readonly data: unknown;
      /** A message to the client in addition to the data, if only the engine knows it (how many orders of a batch). */
      readonly message?: string | undefined;
      /** The version of the one object in the answer, if it has versions. */
      readonly version?: number | undefined;
    }
  | {
      readonly ok: false;
      readonly code: (typeof replyCodes)[number];
      readonly message: string;
      readonly retryAfterSeconds?: number;
      /** With PRECONDITION_FAILED: the version that the object has now. */
      readonly version?: number;
    };

/** The header line of a page of rows. `next` is where the next page starts; null at the end. */
export const pageHeaderSchema = z.object({ ok: z.literal(true), next: z.string().nullable() });
export type PageHeader = z.infer<typeof pageHeaderSchema>;

/** The commands and queries of the engine, by name. */
export const COMMANDS = {
  createGroup: "oco.create",
  cancelGroup: "oco.cancel",
  changeGroup: "oco.change",
  stopExit: "oco.stopExit",
  /** The levels of a group fire although its symbol is held. */
  releaseGroup: "oco.release",
  login: "account.login",
  resetAccount: "account.reset",
  placeOrder: "order.place",
  chainOrder: "order.chain",
  placeBatch: "order.batch",
  cancelOrder: "order.cancel",
  cancelBatch: "order.cancelBatch",
  registerSetup: "setup.register",
  /** A buy is placed with the exits of the bought lots. */
  enter: "setup.enter",
  removeSetup: "setup.remove",
  changeSetup: "setup.change",
  createLevelBot: "levelBots.create",
  updateLevelBot: "levelBots.update",
  deleteLevelBot: "levelBots.delete",
  createWebhookBot: "webhookBots.create",
  updateWebhookBot: "webhookBots.update",
  deleteWebhookBot: "webhookBots.delete",
  rotateWebhookSecret: "webhookBots.rotateSecret",
  createPriceAlert: "priceAlerts.create",
  changePriceAlert: "priceAlerts.change",
  deletePriceAlert: "priceAlerts.delete",
  /** Without a login: the secret identifies the bot. */
  hearSignal: "webhook.signal",
  /** As above: the received body is not a signal. */
  rejectSignal: "webhook.reject",
} as const;
export const QUERIES = {
  listGroups: "oco.list",
  readGroup: "oco.get",
  /** The user whose order quota a change of a group counts towards. */
  brokerageOfGroup: "oco.brokerage",
  /** As above, of a pending OCO. */
  brokerageOfSetup: "setup.brokerage",
  listSetups: "setup.list",
  readSetup: "setup.get",
  listAccounts: "accounts.list",
  resolveAccount: "accounts.resolve",
  listPositions: "accounts.positions",
  listDailyOrders: "accounts.dailyOrders",
  readBalance: "accounts.balance",
  readSellLedger: "accounts.sellLedger",
  readOrder: "orders.get",
  listOrders: "orders.list",
  listLevelBots: "levelBots.list",
  readLevelBot: "levelBots.get",
  listLevelPairs: "levelBots.pairs",
  listLevelPairHistory: "levelBots.history",
  listLevelTotals: "levelBots.totals",
  listLevelTargets: "levelBots.targets",
  listWebhookBots: "webhookBots.list",
  readWebhookBot: "webhookBots.get",
  listWebhookPairs: "webhookBots.pairs",
  listWebhookPairHistory: "webhookBots.history",
  listWebhookTotals: "webhookBots.totals",
  listPriceAlerts: "priceAlerts.list",
  listSystems: "systems.list",
  listBrokerages: "brokerages.list",
  readReceipt: "oco.receipt",
  readPlan: "oco.plan",
  readOutlook: "oco.outlook",
  eventsSince: "events.since",
  lastPrices: "prices.last",
  readConditions: "conditions",
  readHealth: "health",
} as const;

/** The versions that the client's `If-Match` names. Absent: any version is meant. */
const versions = z.array(z.number().int()).exactOptional();

/** Body of commands on one bot by its id. */
export const ofBotBody = z.object({ id: z.number().int().positive(), versions });
/** Body of `levelBots.delete` and `webhookBots.delete`. */
export const deleteBotBody = ofBotBody.extend({ brokerageCode: z.string().optional() });

/** Body of `setup.remove`. */
export const removeSetupBody = z.object({ id: z.number().int().positive(), brokerageCode: z.string() });

/** Body of `oco.cancel`. */
export const cancelGroupBody = z.object({ id: z.number().int().positive(), brokerageCode: z.string(), versions });
/** Body of `oco.get`, `oco.plan`, `oco.outlook` and `oco.stopExit`. */
export const readGroupBody = cancelGroupBody.omit({ versions: true }).partial({ brokerageCode: true });
/** Body of `oco.change`: the client's request. */
export const changeGroupCommand = z.object({ id: z.number().int().positive(), change: changeGroupBody, versions });
/** Body of `setup.change`: the client's request. */
export const changeSetupCommand = z.object({ id: z.number().int().positive(), change: changeSetupBody, versions });
/** Body of `setup.get`. */
export const readSetupBody = removeSetupBody.partial({ brokerageCode: true });
/** Body of `oco.list` and `setup.list`. `part` is absent if the whole list is asked for (behaviour 11.8). */
export const listGroupsBody = z.object({
  brokerageCode: z.string(),
  accountNumber: z.string(),
  from: z.string().nullish(),
  part: z
    .object({
      statuses: z.array(z.number().int()).exactOptional(),
      symbol: z.string().exactOptional(),
      sinceMs: z.number().int().exactOptional(),
      limit: z.number().int().positive().exactOptional(),
    })
    .exactOptional(),
});
