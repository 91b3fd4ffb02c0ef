/**
 * Every query of a partition, by name.
 */
import { QUERIES } from "../../src/contract/command.ts";
import { BAND_QUERIES } from "../../src/contract/operator/band.ts";
import { SESSION_QUERIES } from "../../src/contract/operator/session.ts";
import { LIMITS_QUERIES } from "../../src/contract/trading/limits.ts";
import type { BrokerageView } from "../../src/contract/trading/trading.ts";
import { TRADING_STATE_QUERIES } from "../../src/contract/trading/trading-state.ts";
import { brokerageUseQueries } from "./brokerage-use.ts";
import type { QueryHandler } from "./context.ts";
import { readEventsSince } from "./events.ts";
import { actionQueries } from "./operator/corporate-action.ts";
import { holdQueries } from "./operator/hold.ts";
import { operatorQueries } from "./operator/operator.ts";
import {
  listAccounts,
  listDailyOrders,
  listPositions,
  readBalance,
  readOrder,
  resolveAccount,
} from "./trading/account.ts";
import { readBand } from "./trading/band.ts";
import {
  listLevelBots,
  listLevelPairHistory,
  listLevelPairs,
  listLevelTargets,
  listLevelTotals,
  listSystems,
  listWebhookBots,
  listWebhookPairHistory,
  listWebhookPairs,
  listWebhookTotals,
  readLevelBot,
  readWebhookBot,
} from "./trading/bots.ts";
import { readConditions } from "./trading/conditions.ts";
import { readLimits } from "./trading/limits.ts";
import { brokerageOfGroup, listGroups, readGroup } from "./trading/oco.ts";
import { listOrders } from "./trading/orders.ts";
import { readOutlook } from "./trading/outlook.ts";
import { readPlan } from "./trading/plan.ts";
import { listPriceAlerts } from "./trading/price-alert.ts";
import { readLastPrices } from "./trading/prices.ts";
import { readReceipt } from "./trading/receipt.ts";
import { readSellLedger } from "./trading/sell-ledger.ts";
import { readSession } from "./trading/session.ts";
import { brokerageOfSetup, listSetups, readSetup } from "./trading/setup.ts";
import { readTradingState } from "./trading/trading-state.ts";

/** What an edge must know of the brokerages. No user is needed. */
const listBrokerages: QueryHandler = async (context) => {
  const brokerages = context.brokerages.all().map(({ settings }): BrokerageView => {
    const { code, name, ordersPerMinute, portfolioIntervalSeconds } = settings;
    return { code, name, ordersPerMinute, portfolioIntervalSeconds };
  });
  return { ok: true, data: brokerages };
};

/** A partition that answers at all has recovered: it is put on the bus after that. */
const readHealth: QueryHandler = async ({ partitions, clock }) => ({
  ok: true,
  data: { isReady: true, partitions, timeMs: clock.nowMs() },
});

export const queryHandlers: ReadonlyMap<string, QueryHandler> = new Map([
  [QUERIES.listGroups, listGroups],
  [QUERIES.readGroup, readGroup],
  [QUERIES.brokerageOfGroup, brokerageOfGroup],
  [QUERIES.readOrder, readOrder],
  [QUERIES.listOrders, listOrders],
  [QUERIES.listSetups, listSetups],
  [QUERIES.listPriceAlerts, listPriceAlerts],
  [QUERIES.readSetup, readSetup],
  [QUERIES.brokerageOfSetup, brokerageOfSetup],
  [QUERIES.listAccounts, listAccounts],
  [QUERIES.resolveAccount, resolveAccount],
  [QUERIES.listPositions, listPositions],
  [QUERIES.listDailyOrders, listDailyOrders],
  [QUERIES.readBalance, readBalance],
  [QUERIES.readSellLedger, readSellLedger],
  [QUERIES.listLevelBots, listLevelBots],
  [QUERIES.readLevelBot, readLevelBot],
  [QUERIES.listLevelPairs, listLevelPairs],
  [QUERIES.listLevelPairHistory, listLevelPairHistory],
  [QUERIES.listLevelTargets, listLevelTargets],
  [QUERIES.listLevelTotals, listLevelTotals],
  [QUERIES.listWebhookTotals, listWebhookTotals],
  [QUERIES.listWebhookPairHistory, listWebhookPairHistory],
  [QUERIES.listWebhookBots, listWebhookBots],
  [QUERIES.readWebhookBot, readWebhookBot],
  [QUERIES.listWebhookPairs, listWebhookPairs],
  [QUERIES.listSystems, listSystems],
  [QUERIES.listBrokerages, listBrokerages],
  [QUERIES.readReceipt, readReceipt],
  [QUERIES.readPlan, readPlan],
  [QUERIES.readOutlook, readOutlook],
  [BAND_QUERIES.read, readBand],
  [SESSION_QUERIES.read, readSession],
  [TRADING_STATE_QUERIES.read, readTradingState],
  [LIMITS_QUERIES.read, readLimits],
  [QUERIES.eventsSince, readEventsSince],
  [QUERIES.lastPrices, readLastPrices],
  [QUERIES.readConditions, readConditions],
  [QUERIES.readHealth, readHealth],
  ...operatorQueries,
  ...holdQueries,
  ...actionQueries,
  ...brokerageUseQueries,
]);
