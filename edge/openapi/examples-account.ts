/** Examples about accounts at brokerages: money, positions, orders and trading states. */
import type { OperationExample } from "./example.ts";

const account = { brokerageCode: "PAPER", accountNumber: "PAPER-1" };
const time = "2026-03-02T10:15:00.000Z";
const order = { symbol: "THYAO", quantity: 10, buySell: 1, orderType: 2, price: 290.25 };
const placement = { symbol: "THYAO", quantity: 10, buySell: 1, orderNo: "PAPER-17", orderStatus: 1 };
const followedOrder = {
  orderNo: "PAPER-18",
  orderNumbers: ["PAPER-18"],
  clientOrderId: "k3f9x0a2bc-r1001",
  symbol: "THYAO",
  buySell: 2,
  quantity: 100,
  filledQuantity: 40,
  averagePrice: 289.5,
  state: "open",
  since: "2026-01-05T09:31:00.000Z",
  message: null,
  owner: { type: "group", id: 1001 },
};
const dailyOrder = {
  ...placement,
  accountNumber: "PAPER-1",
  orderType: 2,
  price: 290.25,
  filledQuantity: 0,
  averagePrice: 0,
  clientOrderId: "k3v9x0a2mq-1-17",
  createdDate: time,
  updatedDate: null,
};
const priceAlert = {
  ...{ id: 1_020, symbol: "THYAO", direction: "atOrAbove", price: 320, note: "breakout" },
  createdDate: time,
  ...{ status: "watching", repeat: true, until: "2026-06-30T20:59:59.999Z", armed: true },
  ...{ reachedCount: 0, reachedDate: null, reachedPrice: null, endedDate: null },
};

export const ACCOUNT_EXAMPLES: Readonly<Record<string, OperationExample>> = {
  "GET /api/v1/accounts": {
    message: "Your accounts",
    data: [
      {
        accountNumber: "PAPER-1",
        number: "1",
        name: "Paper account",
        brokerageCode: "PAPER",
        brokerageName: "Paper Brokerage",
        isActive: true,
        isDefault: true,
      },
    ],
  },
  "POST /api/v1/accounts/login": {
    body: { brokerageCode: "PAPER", username: "10000000146", password: "a password", accountNumber: "PAPER-1" },
    message: "A code was sent by SMS",
    data: { otp: 1, sessionId: "6fX0c1vJ2kQ" },
  },
  "POST /api/v1/accounts/positions": {
    body: { ...account, includeOrders: false },
    message: "The positions of the account",
    data: [
      {
        symbol: "THYAO",
        quantity: 100,
        availableQuantity: 90,
        averagePrice: 285.5,
        lastPrice: 290.25,
        profit: 475,
      },
    ],
  },
  "POST /api/v1/accounts/daily-orders": {
    body: account,
    message: "The day's orders of the account",
    data: [dailyOrder],
  },
  "GET /api/v1/accounts/balance": {
    message: "The money of the account",
    data: { cash: 12_500.5, buyingPower: 12_000, equity: 41_525.5, currency: "TRY" },
  },
  "GET /api/v1/accounts/sell-ledger": {
    message: "The sell ledger",
    data: [
      {
        symbol: "THYAO",
        held: 100,
        heldAsOf: "2026-01-05T09:30:00.000Z",
        openSells: 10,
        committed: { groups: 100, bots: 0, entries: 0 },
        worstCase: -10,
        overcommitted: true,
      },
    ],
  },
  "GET /api/v1/limits": {
    message: "The limits",
    data: {
      maxDailyLoss: 5_000,
      maxOrdersPerMinute: 30,
      maxOrderValue: null,
      realisedToday: -1_250.5,
      ordersLastMinute: 2,
    },
  },
  "PUT /api/v1/limits": {
    body: { ...account, maxDailyLoss: 5_000, maxOrdersPerMinute: 30 },
    message: "The limits were set",
    data: true,
  },
  "POST /api/v1/price-alerts": {
    body: {
      ...{ symbol: "THYAO", direction: "atOrAbove", price: 320, note: "breakout" },
      ...{ repeat: true, until: "2026-06-30" },
    },
    message: "The price alert was created",
    data: priceAlert,
  },
  "GET /api/v1/price-alerts": { message: "The price alerts", data: [priceAlert] },
  "PATCH /api/v1/price-alerts/:id": {
    body: { price: 325, until: null },
    message: "The price alert was changed",
    data: { ...priceAlert, price: 325, until: null },
  },
  "DELETE /api/v1/price-alerts/:id": { message: "The price alert was removed", data: true },
  "GET /api/v1/orders": { message: "The orders that are followed", data: [followedOrder] },
  "POST /api/v1/orders": { body: { ...account, ...order }, message: "The order was placed", data: placement },
  "POST /api/v1/orders/chain": {
    body: { ...account, ...order, buySell: 2, price: 300, referenceOrderNo: "PAPER-17" },
    message: "The chain order was placed",
    data: { ...placement, buySell: 2, orderNo: "PAPER-18", orderStatus: 0 },
  },
  "POST /api/v1/orders/batch": {
    body: { ...account, items: [order, { ...order, price: 290.3 }] },
    message: "1 of 2 orders were placed",
    data: [
      { success: true, message: "The order was placed", data: placement },
      { success: false, message: "price 290.3 is not a multiple of 0.25", data: null },
    ],
  },
  "POST /api/v1/orders/cancel": {
    body: { ...account, orderNo: "PAPER-17", symbol: "THYAO" },
    message: "The order was cancelled",
    data: true,
  },
  "POST /api/v1/orders/cancel/batch": {
    body: { ...account, items: [{ orderNo: "PAPER-17", symbol: "THYAO" }] },
    message: "1 of 1 order was cancelled",
    data: true,
  },
  "GET /api/v1/orders/:orderNo": { message: "The order", data: { ...dailyOrder, followed: null } },
  "GET /api/v1/trading-state": {
    message: "The trading states",
    data: [
      {
        scope: "account",
        brokerageCode: "PAPER",
        accountNumber: "PAPER-2",
        state: "halted",
        reason: "something is wrong",
        includingStops: false,
        since: "2026-03-02T09:30:00.000Z",
      },
    ],
  },
  "POST /api/v1/trading-state": {
    body: {
      scope: "account",
      brokerageCode: "PAPER",
      accountNumber: "PAPER-2",
      state: "halted",
      reason: "something is wrong",
      includingStops: false,
    },
    message: "The trading state was set",
    data: true,
  },
  "POST /api/v1/accounts/reset": {
    body: { brokerageCode: "PAPER", accountNumber: "PAPER-2", confirm: "RESET" },
    message: "The account is set back",
    data: { cash: 1_000_000, buyingPower: 1_000_000, equity: 1_000_000, currency: "TRY" },
  },
  "POST /api/v1/accounts/flatten": {
    body: { brokerageCode: "PAPER", accountNumber: "PAPER-2", reason: "something is wrong", confirm: "FLATTEN" },
    message: "The account is being sold",
    data: {
      orders: [{ symbol: "THYAO", quantity: 100, clientOrderId: "k3v9x2m1p7-c12" }],
      left: [{ symbol: "GARAN", quantity: 50, reason: "it is being sold already" }],
      cancelledOrders: 1,
      cancelledGroups: 1,
      removedSetups: 0,
    },
  },
};
