/**
 * Examples of requests and answers, by operation, for the document and its readers. A test checks each against the
 * schemas of its operation, and that every operation has one.
 */
import type { OperationExample } from "./example.ts";
import { ACCOUNT_EXAMPLES } from "./examples-account.ts";
import { INSTALLATION_EXAMPLES } from "./examples-installation.ts";

const account = { brokerageCode: "PAPER", accountNumber: "PAPER-1" };
const time = "2026-03-02T10:15:00.000Z";
const later = "2026-03-02T11:40:12.250Z";

const stopLossRow = {
  id: 1001,
  groupId: 1001,
  userId: 1,
  accountNumber: "PAPER-1",
  symbol: "THYAO",
  orderType: 2,
  quantity: 100,
  price: 200,
  status: 1,
  triggeredPrice: null,
  triggeredDate: null,
  dueDate: "2099-12-31T15:00:00.000Z",
  notes: "swing",
  triggerErrorMessage: null,
  createdDate: time,
  updatedDate: null,
};
const openRow = { ...stopLossRow, id: 1002, orderType: 1, quantity: 60, price: 420 };
const takeProfitRow = {
  ...stopLossRow,
  id: 1002,
  orderType: 1,
  quantity: 60,
  price: 400,
  status: 2,
  triggeredPrice: 400.25,
  triggeredDate: later,
  updatedDate: later,
};

const targetBody = {
  kind: "webhook",
  name: "My desk",
  events: ["oco.*", "order.quarantined"],
  isActive: true,
  url: "https://example.com/hook",
};
const target = {
  ...{ id: 1040, kind: "webhook", name: "My desk", address: "https://example.com/hook", events: targetBody.events },
  ...{ isActive: true, state: "idle", failureMessage: null, failingSince: null },
  ...{ skippedCount: 0, lastSkipped: null, lastDelivery: { time: later, message: null }, createdDate: time },
};

const levelDetail = {
  symbol: "GARAN",
  quantity: 5,
  maxBuyPrice: 140,
  minBuyPrice: 100,
  maxSellPrice: 0,
  minSellPrice: 0,
  buyGap: 0.5,
  sellGap: 0.4,
  targetProfit: 1,
  profit: 500,
};
const levelBotBody = { ...account, name: "Garanti levels", isActive: true, levelBotDetails: [levelDetail] };
const levelBot = {
  id: 1010,
  name: "Garanti levels",
  accountNumber: "PAPER-1",
  isActive: true,
  isRunning: true,
  levelBotDetails: [levelDetail],
  createdDate: time,
  updatedDate: null,
};
const pair = {
  id: 1_010_001,
  systemId: 1010,
  symbol: "GARAN",
  buyQuantity: 5,
  buyStatus: 2,
  buyOrderNo: "PAPER-18",
  buyOrderDate: time,
  sellQuantity: 5,
  sellStatus: 0,
  sellOrderNo: null,
  sellOrderDate: null,
  buyPrice: 120.4,
};
const { buyStatus: _, sellStatus: __, buyPrice: ___, ...unstatedPair } = pair;
const botTotals = {
  ...{ systemId: 1010, closedCount: 137, buyFailedCount: 1, winCount: 129, lossCount: 7, profit: 418.75 },
  ...{ grossProfit: 502.5, grossLoss: 83.75, profitFactor: 6, winRate: 0.9485, largestDrawdown: 31.25 },
  highestProfit: 425,
  openCount: 1,
  open: [{ symbol: "GARAN", quantity: 5, cost: 602, pairCount: 1 }],
};
const closedPair = {
  ...{ ...unstatedPair, sellOrderNo: "PAPER-21", sellOrderDate: later },
  ...{ description: "", hourCount: 1, profit: 6.5 },
};

const webhookDetail = {
  symbol: "ASELS",
  algoName: "trend-follower",
  period: "1H",
  quantity: 20,
  maxBuyPrice: 0,
  minBuyPrice: 0,
  maxSellPrice: 0,
  minSellPrice: 0,
};
const webhookBotBody = { ...account, name: "Trend", isActive: true, webhookBotDetails: [webhookDetail] };
const webhookBot = {
  id: 1020,
  name: "Trend",
  accountNumber: "PAPER-1",
  isActive: true,
  isRunning: true,
  webhookBotDetails: [webhookDetail],
  createdDate: time,
  updatedDate: null,
  webhookUrl: "https://trading.example/webhooks/0_the-secret-of-the-bot",
};

const pendingOco = {
  setupId: 41,
  brokerageCode: "PAPER",
  accountNumber: "PAPER-1",
  brokerOrderNo: "100017",
  symbol: "THYAO",
  stopLossQuantity: 100,
  stopLossPercent: 3,
  stopLossPrice: null,
  takeProfitItems: [{ quantity: 100, percent: 5, price: null }],
  dueDate: null,
  notes: null,
  createdDate: "2026-01-05T09:30:00.000Z",
  exit: null,
  stopLossTrailing: null,
  stopLossLadder: null,
  followPosition: false,
  version: 1,
  entry: null,
  orderMessage: null,
};

const plan = {
  groupId: 1001,
  version: 1,
  rows: [stopLossRow, takeProfitRow],
  exit: {
    stopLoss: "untilSold",
    state: "none",
    reason: null,
    at: null,
    beforeCloseMinutes: 15,
    sellDate: "2026-03-02T14:55:00.000Z",
    soldQuantity: 0,
    leftQuantity: 100,
    orderCount: 0,
    nextOrderDate: null,
    waitsForSession: false,
  },
  trailing: {
    ...{ distance: 10, distancePercent: null, activationPrice: null, step: null, confirmTicks: 2 },
    ...{ high: 305.5, isActivated: true },
  },
  ladder: {
    rungs: [{ afterTakeProfits: 1, to: "entry", offset: 0 }],
    ...{ entryPrice: 300, climbed: 0 },
  },
  followPosition: true,
  hold: null,
  restrictions: [{ restrictionType: 99, restrictionTypeName: "Diger", effects: { noMarket: true } }],
  corporateActions: { policy: "adjust", message: null, isHeld: false, isWaiting: false },
  band: null,
  orders: [],
};

const outlook = {
  ...{ groupId: 1001, version: 1, symbol: "THYAO", asOf: later },
  rows: [
    {
      ...{ id: 1001, orderType: 2, price: 290, quantity: 100, result: "sells" },
      order: { orderType: 2, price: 270, quantity: 100 },
      ...{ laterQuantity: 0, waitsUntil: null, opensDate: null },
      reasons: [
        {
          code: "NO_MARKET_ORDERS",
          message: "market orders are refused: it is a limit order at the floor of the day, 270",
        },
      ],
    },
  ],
  lastPrice: { price: 305.5, time: later },
  session: {
    ...{ symbol: "THYAO", mic: "XIST", phase: "continuous trading", takes: ["market", "limit"] },
    ...{ changeDate: "2026-03-02T15:00:00.000Z", nextPhase: "closing auction" },
  },
  band: {
    ...{ symbol: "THYAO", floorPrice: 270, ceilingPrice: 330, basePrice: 300 },
    ...{ bandDate: "2026-03-02", source: "operator" },
  },
  hold: null,
  restrictions: [
    {
      ...{ restrictionType: 99, restrictionTypeName: "Diger", effects: { noMarket: true } },
      consequence: "sells are limit orders at the floor of the day if it is known",
    },
  ],
  tradingState: null,
  ledger: { held: 100, heldAsOf: later, committed: { groups: 100, bots: 0, entries: 0 } },
};

/** By method and path, as they are declared. */
export const EXAMPLES: Readonly<Record<string, OperationExample>> = {
  "POST /api/v1/oco-orders": {
    body: {
      ...account,
      symbol: "THYAO",
      // Far from the prices of the simulated market: a reader who tries it out does not sell immediately.
      stopLossPrice: 200,
      stopLossQuantity: 100,
      takeProfitItems: [
        { price: 400, quantity: 60 },
        { price: 450, quantity: 40 },
      ],
      dueDate: "2099-12-31T15:00:00Z",
      notes: "swing",
      followPosition: true,
    },
    message: "The OCO group was created",
    data: stopLossRow,
  },
  "GET /api/v1/oco-orders/:id": { message: "The OCO group", data: [stopLossRow, takeProfitRow] },
  "GET /api/v1/oco-orders": { message: "The OCO rows of the account", data: [stopLossRow, takeProfitRow] },
  "GET /api/v1/oco-orders/:id/receipt": {
    message: "The receipt",
    data: {
      id: 1002,
      groupId: 1001,
      symbol: "THYAO",
      rule: "take-profit: the live price 310.25 was at or over 310",
      level: 310,
      tick: { price: 310.25, time: later, ownTime: later, arrivedDate: later, isCaughtUp: false },
      status: 2,
      orders: [
        {
          clientOrderId: "k3v9x0a2mq-r1002",
          quantity: 60,
          orderNo: "PAPER-18",
          orderStatus: 2,
          refusal: null,
          attempts: 1,
          decidedDate: later,
          durableDate: later,
          sentDate: later,
          acknowledgedDate: later,
          filledDate: later,
          filledQuantity: 60,
          averagePrice: 310.25,
        },
      ],
    },
  },
  "GET /api/v1/oco-orders/:id/plan": { message: "The plan of the OCO group", data: plan },
  "GET /api/v1/oco-orders/:id/outlook": { message: "The outlook of the OCO group", data: outlook },
  "POST /api/v1/oco-orders/:id/stop-exit": { message: "The exit is being stopped", data: true },
  "POST /api/v1/oco-orders/:id/release": { message: "The OCO group was released", data: true },
  "PATCH /api/v1/oco-orders/:id": {
    body: { stopLossPrice: 210, takeProfitItems: [{ id: 1002, price: 420, quantity: 60 }] },
    message: "The OCO group was changed",
    data: { ...plan, version: 2, rows: [{ ...stopLossRow, price: 210 }, openRow] },
  },
  "DELETE /api/v1/oco-orders/:id": { message: "The OCO group was cancelled", data: true },
  "GET /api/v1/oco-orders/pending": { message: "The pending OCOs of the account", data: [pendingOco] },
  "GET /api/v1/oco-orders/pending/:setupId": { message: "The pending OCO", data: pendingOco },
  "PATCH /api/v1/oco-orders/pending/:setupId": {
    body: { stopLossPrice: 285, takeProfitItems: [{ quantity: 100, percent: 6 }], followPosition: true },
    message: "The pending OCO was changed",
    data: {
      ...pendingOco,
      ...{ stopLossPercent: null, stopLossPrice: 285, followPosition: true, version: 2 },
      takeProfitItems: [{ quantity: 100, percent: 6, price: null }],
    },
  },
  "DELETE /api/v1/oco-orders/pending/:setupId": { message: "The pending OCO was removed", data: true },
  "POST /api/v1/oco-orders/register-pending": {
    body: {
      ...account,
      brokerOrderNo: "PAPER-17",
      symbol: "THYAO",
      stopLossQuantity: 10,
      stopLossPercent: 30,
      takeProfitItems: [
        { quantity: 6, percent: 30 },
        { quantity: 4, price: 450 },
      ],
      followPosition: true,
    },
    message: "The pending OCO was registered",
    data: 1005,
  },
  "POST /api/v1/oco-orders/entries": {
    body: {
      ...account,
      symbol: "THYAO",
      entry: { orderType: 2, price: 300, cashAmount: 30_000, expiresAt: "2026-12-01" },
      protectPartial: true,
      stopLossPercent: 3,
      takeProfitItems: [
        { percent: 5, quantityPercent: 50 },
        { percent: 8, quantityPercent: 50 },
      ],
      followPosition: true,
    },
    message: "The entry was placed",
    data: { setupId: 1006, orderNo: "PAPER-18", orderStatus: 1, quantity: 100 },
  },
  "POST /api/v1/systems/list": {
    body: { ...account, botType: [1], isActive: 2 },
    message: "The systems of the account",
    data: [
      {
        id: 1010,
        name: "Garanti levels",
        botType: 1,
        isActive: true,
        isRunning: true,
        levelBotDetails: [levelDetail],
      },
    ],
  },
  "GET /api/v1/level-bots": { message: "The level bots of the account", data: [levelBot] },
  "POST /api/v1/level-bots": {
    body: levelBotBody,
    message: "The level bot was created",
    data: { id: 1010, name: "Garanti levels", accountNumber: "PAPER-1", isActive: true },
  },
  "GET /api/v1/level-bots/:id": { message: "The level bot", data: levelBot },
  "PUT /api/v1/level-bots/:id": {
    body: { ...levelBotBody, isActive: false },
    message: "The level bot was updated",
    data: { ...levelBot, isActive: false, isRunning: false, updatedDate: later },
  },
  "GET /api/v1/level-bots/:id/pair-orders": {
    message: "The active pair orders of the bot",
    data: [{ ...pair, description: "" }],
  },
  "GET /api/v1/level-bots/:id/pair-orders/targets": {
    message: "The sell prices of the bot's pairs",
    data: [{ id: pair.id, sellPrice: 121.7 }],
  },
  "GET /api/v1/level-bots/pair-orders/totals": {
    message: "The totals of the account's level bots",
    data: [botTotals],
  },
  "GET /api/v1/webhook-bots/pair-orders/totals": {
    message: "The totals of the account's webhook bots",
    data: [{ ...botTotals, systemId: 1020, openCount: 0, open: [] }],
  },
  "GET /api/v1/level-bots/pair-orders/history": {
    message: "The pair order history of the account",
    data: { items: [closedPair], totalCount: 1, page: 1, pageSize: 10 },
  },
  "GET /api/v1/webhook-bots/pair-orders/history": {
    message: "The pair order history of the account",
    data: {
      items: [{ ...closedPair, id: 1_020_001, systemId: 1020, symbol: "ASELS" }],
      ...{ totalCount: 1, page: 1, pageSize: 10 },
    },
  },
  "GET /api/v1/webhook-bots": { message: "The webhook bots of the account", data: [webhookBot] },
  "POST /api/v1/webhook-bots": { body: webhookBotBody, message: "The webhook bot was created", data: webhookBot },
  "DELETE /api/v1/level-bots/:id": { message: "The level bot was deleted", data: true },
  "DELETE /api/v1/webhook-bots/:id": { message: "The webhook bot was deleted", data: true },
  "POST /api/v1/webhook-bots/:id/rotate-secret": { message: "The webhook bot has a new address", data: webhookBot },
  "GET /api/v1/webhook-bots/:id": { message: "The webhook bot", data: webhookBot },
  "PUT /api/v1/webhook-bots/:id": {
    body: { ...webhookBotBody, name: "Trend, hourly" },
    message: "The webhook bot was updated",
    data: { ...webhookBot, name: "Trend, hourly", updatedDate: later },
  },
  "GET /api/v1/webhook-bots/:id/pair-orders": {
    message: "The active pair orders of the bot",
    data: [
      {
        ...pair,
        id: 1_020_001,
        systemId: 1020,
        symbol: "ASELS",
        algoName: "trend-follower",
        period: "1H",
        accountNumber: "PAPER-1",
      },
    ],
  },
  "GET /api/v1/prices": {
    message: "The last prices",
    data: [
      { symbol: "THYAO", price: 290.25, time, ageMs: 412 },
      { symbol: "GARAN", price: null, time: null, ageMs: null },
    ],
  },
  "GET /api/v1/conditions": {
    message: "The conditions",
    data: {
      feed: { state: "live", silentMs: 240, publishers: [] },
      brokerages: [
        { code: "PAPER", name: "Paper Brokerage", state: "up", since: null, resend: "idempotent", refusal: null },
      ],
      heldSymbols: [],
      cluster: null,
    },
  },
  "POST /api/v1/notification-targets": {
    body: targetBody,
    message: "The target was made",
    data: { ...target, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" },
  },
  "GET /api/v1/notification-targets": { message: "The notification targets", data: [target] },
  "PUT /api/v1/notification-targets/:id": { body: targetBody, message: "The target was changed", data: target },
  "DELETE /api/v1/notification-targets/:id": { message: "The target was removed", data: true },
  "POST /api/v1/notification-targets/:id/test": {
    message: "The test was sent",
    data: { delivered: true, message: "The test message was taken" },
  },
  ...ACCOUNT_EXAMPLES,
  ...INSTALLATION_EXAMPLES,
};
