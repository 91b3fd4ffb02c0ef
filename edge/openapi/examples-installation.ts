/**
 * Examples of what belongs to the whole installation: symbols, lists, restrictions, and what operators do.
 */
import type { OperationExample } from "./example.ts";

const time = "2026-03-02T10:15:00.000Z";
const later = "2026-03-02T11:40:12.250Z";

const dayBand = {
  symbol: "THYAO",
  floorPrice: 270,
  ceilingPrice: 330,
  basePrice: 300,
  bandDate: "2026-03-02",
  source: "operator",
};
const heldSymbol = {
  since: "2026-03-02T07:00:00.000Z",
  by: "guard",
  reason: "its first price of the session is 50, the last one before was 100",
  from: 100,
  to: 50,
  symbol: "THYAO",
  partition: 0,
  releasedGroups: 0,
};
const corporateAction = {
  actionId: "THYAO-bonus-2026-03-02",
  partition: 0,
  symbol: "THYAO",
  type: "bonus",
  exDate: "2026-03-02",
  description: "bonus issue of 1 for 1 on 2026-03-02",
  enteredDate: "2026-02-26T12:00:00.000Z",
  appliedDate: null,
};
const listBody = { name: "Banks", description: "Banks I follow", symbols: ["AKBNK", "GARAN"] };
const writtenList = {
  id: 1030,
  name: "Banks",
  description: "Banks I follow",
  symbolCount: 2,
  listType: "CUSTOM",
  isPublic: false,
  symbols: ["AKBNK", "GARAN"],
};
const { symbols: ___, ...listItem } = writtenList;
const symbol = { symbol: "THYAO", name: "Turk Hava Yollari", exchange: "BIST", isActive: true };
const listType = { id: 2, code: "CUSTOM", name: "Custom", description: "A user's own list" };

const restrictedSymbol = { symbolId: 1040, code: "HEKTS", name: "Hektas", logoUrl: "" };
const measure = {
  restrictionType: 3,
  restrictionTypeName: "BrutTakas",
  validFrom: "2026-01-05T07:00:00.000Z",
  validTo: null,
  sourceRef: "KAP 2026/17",
};
const restriction = { id: 1041, ...restrictedSymbol, ...measure, isActive: true };
const endedRestriction = { ...restriction, validTo: "2026-02-05T15:00:00.000Z", isActive: false };

const quarantinedOrder = {
  id: "order-0-17",
  type: "order",
  partition: 0,
  sequence: 17,
  clientOrderId: "k3v9x0a2mq-1002-1",
  userId: 1,
  brokerageCode: "SLOW",
  accountNumber: "S-1",
  symbol: "THYAO",
  state: "quarantined",
  attempt: 1,
  since: later,
  reason: "no answer in time",
};
const quarantinedActor = {
  id: "actor-0-1001",
  type: "actor",
  partition: 0,
  actorId: 1001,
  since: later,
  reason: "a group has two rows",
  heldEventCount: 1,
};
const apiKey = {
  keyId: 1051,
  name: "backtest",
  scopes: ["read", "trade"],
  createdDate: time,
  revokedDate: null,
};

/** By method and path, as they are declared. */
export const INSTALLATION_EXAMPLES: Readonly<Record<string, OperationExample>> = {
  "GET /api/v1/symbol-lists": { message: "The symbol lists", data: [listItem] },
  "POST /api/v1/symbol-lists": {
    body: { ...listBody, listType: "CUSTOM", isPublic: false },
    message: "The symbol list was created",
    data: writtenList,
  },
  "GET /api/v1/symbol-lists/:id": {
    message: "The symbol list",
    data: { id: 1030, name: "Banks", symbols: ["AKBNK", "GARAN"], listType: "CUSTOM" },
  },
  "PUT /api/v1/symbol-lists/:id": { body: listBody, message: "The symbol list was changed", data: writtenList },
  "DELETE /api/v1/symbol-lists/:id": { message: "The symbol list was deleted" },
  "GET /api/v1/symbols": { message: "All symbols", data: [symbol] },
  "GET /api/v1/symbols/:symbol": { message: "The symbol", data: symbol },
  "GET /api/v1/list-types": { message: "The list types", data: [listType] },
  "GET /api/v1/list-types/:id": { message: "The list type", data: listType },
  "GET /api/v1/public/restrictions": {
    message: "The symbols with an active restriction",
    data: [{ ...restrictedSymbol, restrictions: [measure] }],
  },
  "GET /api/v1/public/restrictions/check/:code/:restrictionType": {
    message: "Whether the symbol is restricted",
    data: {
      code: "HEKTS",
      restrictionType: 3,
      restrictionTypeName: "BrutTakas",
      isRestricted: true,
      validFrom: "2026-01-05T07:00:00.000Z",
    },
  },
  "GET /api/v1/public/restrictions/by-type/:restrictionType": {
    message: "The symbols under the restriction",
    data: [{ ...restrictedSymbol, validFrom: "2026-01-05T07:00:00.000Z" }],
  },
  "GET /api/v1/public/restrictions/:code": { message: "The restrictions of the symbol", data: [restriction] },
  "GET /admin/v1/users": { message: "The users", data: [{ userId: 1050, name: "Ayse", createdDate: time }] },
  "POST /admin/v1/users": {
    body: { name: "Ayse" },
    message: "The user was created",
    data: { userId: 1050, name: "Ayse" },
  },
  "POST /admin/v1/users/:userId/api-keys": {
    body: { name: "backtest", scopes: ["read", "trade"] },
    message: "The API key was created",
    data: { keyId: 1051, apiKey: "tdk_live_ and 43 characters", name: "backtest", scopes: ["read", "trade"] },
  },
  "GET /admin/v1/users/:userId/api-keys": { message: "The user's API keys", data: [apiKey] },
  "DELETE /admin/v1/users/:userId/api-keys/:keyId": { message: "The API key was revoked", data: true },
  "POST /admin/v1/symbols": {
    body: {
      symbols: [
        {
          ...{ ...symbol, logoUrl: "https://logos.example/thyao.svg" },
          ...{ floorPrice: 270, ceilingPrice: 330, basePrice: 300, bandDate: "2026-03-02" },
        },
      ],
    },
    message: "The symbols were written",
    data: { written: 1 },
  },
  "GET /api/v1/symbols/:symbol/band": { message: "The band of the symbol", data: dayBand },
  "GET /api/v1/symbols/:symbol/session": {
    message: "The session of the exchange",
    data: {
      ...{ symbol: "THYAO", mic: "XIST", phase: "continuous trading", takes: ["market", "limit"] },
      ...{ changeDate: "2026-03-02T15:00:00.000Z", nextPhase: "closing auction" },
    },
  },
  "GET /api/v1/symbols/:symbol/bars": {
    message: "The bars of the symbol",
    data: [{ time: "2026-03-02T07:00:00.000Z", open: 300, high: 301.5, low: 299.75, close: 301 }],
  },
  "PUT /admin/v1/symbols/:symbol/band": {
    body: { floorPrice: 270, ceilingPrice: 330, basePrice: 300 },
    message: "The band was set",
    data: true,
  },
  "POST /admin/v1/trading-state": {
    body: { state: "active", reason: "all is well", confirm: "RESUME" },
    message: "The trading state of the installation was set",
    data: true,
  },
  "GET /admin/v1/symbols/held": { message: "The held symbols", data: [heldSymbol] },
  "POST /admin/v1/symbols/:symbol/hold": {
    body: { reason: "prices of a wrong venue" },
    message: "The symbol is held",
    data: { symbol: "THYAO", isChanged: true },
  },
  "GET /admin/v1/corporate-actions": { message: "The corporate actions", data: [corporateAction] },
  "POST /admin/v1/corporate-actions": {
    body: { symbol: "THYAO", type: "bonus", ratio: 1, exDate: "2026-03-02" },
    message: "The corporate action was entered",
    data: { actionId: "THYAO-bonus-2026-03-02" },
  },
  "DELETE /admin/v1/corporate-actions/:actionId": {
    message: "The corporate action was removed",
    data: { actionId: "THYAO-bonus-2026-03-02" },
  },
  "PUT /admin/v1/symbols/:symbol/rename": {
    body: { to: "TURKH" },
    message: "The symbol was renamed; its levels follow now",
    data: { symbol: "THYAO", to: "TURKH", isChanged: true },
  },
  "POST /admin/v1/symbols/:symbol/release": {
    message: "The symbol is not held",
    data: { symbol: "THYAO", isChanged: true },
  },
  "POST /admin/v1/restrictions": {
    body: {
      restrictions: [
        {
          code: "HEKTS",
          restrictionType: "BrutTakas",
          validFrom: "2026-01-05T10:00:00+03:00",
          sourceRef: "KAP 2026/17",
        },
        {
          code: "HEKTS",
          restrictionType: "Diger",
          validFrom: "2026-01-05T10:00:00+03:00",
          sourceRef: "KAP 2026/18",
          effects: { noMarket: true },
        },
      ],
    },
    message: "The restrictions were added",
    data: { ids: [1041, 1042] },
  },
  "PUT /admin/v1/restrictions/:id": {
    body: { validTo: "2026-02-05T18:00:00+03:00" },
    message: "The restriction was ended",
    data: endedRestriction,
  },
  "POST /api/v1/ticks": {
    body: { ticks: [{ symbol: "THYAO", price: 310.25 }] },
    message: "The tick was sent",
    data: { published: 1 },
  },
  "POST /admin/v1/ticks": {
    body: { ticks: [{ symbol: "THYAO", price: 310.25, time: 1_772_451_612_250 }] },
    message: "The tick was sent",
    data: { published: 1 },
  },
  "GET /admin/v1/outbox": {
    message: "The orders without an outcome",
    data: [
      {
        ...quarantinedOrder,
        id: "order-0-18",
        sequence: 18,
        clientOrderId: "k3v9x0a2mq-1003-1",
        state: "sending",
        reason: "",
      },
    ],
  },
  "GET /admin/v1/brokerages": {
    message: "The brokerages",
    data: [{ code: "PAPER", groups: 12, setups: 1, levelBots: 2, webhookBots: 0, orders: 1, quarantined: 0 }],
  },
  "POST /admin/v1/brokerages/:code/retire": {
    message: "What could be cancelled was cancelled",
    data: {
      code: "PAPER",
      retired: { groups: 12, setups: 1, switchedOffBots: 1, endedBots: 1 },
      left: [
        {
          type: "group",
          partition: 0,
          id: "1003",
          userId: 1050,
          rowIds: [1003],
          pairIds: [],
          reason: "a sell is on its way, or open at the brokerage",
          isBlocking: true,
        },
      ],
      next: null,
    },
  },
  "POST /admin/v1/backup": {
    body: { folder: "/srv/trading/backups/2026-03-02" },
    message: "The backup was made",
    data: {
      folder: "/srv/trading/backups/2026-03-02",
      isDone: true,
      partitions: [
        {
          partition: 0,
          folder: "/srv/trading/backups/2026-03-02/partition-0",
          state: "done",
          rowCount: 48_211,
          byteCount: 31_457_280,
          batch: 90_417,
        },
      ],
    },
  },
  "GET /admin/v1/cluster": {
    message: "The partitions that engines share",
    data: {
      partitions: [{ partition: 0, leader: "engine-1", epoch: 1_204, copies: [{ engine: "engine-2", lagRecords: 0 }] }],
      engines: [
        { engine: "engine-1", leads: 1, isEnding: false, takeovers: [{ partition: 0, count: 1 }] },
        { engine: "engine-2", leads: 0, isEnding: false, takeovers: [] },
      ],
      servers: [{ url: "http://10.0.0.1:8222", name: "nats-1", version: "2.12.3", isSynced: true }],
      streams: [{ stream: "JOURNAL_0", currentReplicas: 3 }],
      faults: [],
    },
  },
  "GET /admin/v1/quarantine": { message: "What waits for a decision", data: [quarantinedOrder, quarantinedActor] },
  "POST /admin/v1/quarantine/:id/release": {
    body: { action: "placed", orderNo: "S-99" },
    message: "It was released",
    data: quarantinedOrder,
  },
};
