/**
 * Every query of a partition, by name.
 */
import { listGroupsBody, QUERIES } from "../../src/contract/command.ts";
import type { BrokerageView } from "../../src/contract/trading.ts";
import { ocoListPrefix } from "../projection/oco.ts";
import { listAccounts, listDailyOrders, listPositions, resolveAccount } from "./account.ts";
import {
  listLevelBots,
  listLevelPairs,
  listPairHistory,
  listSystems,
  listWebhookBots,
  listWebhookPairs,
  readLevelBot,
  readWebhookBot,
} from "./bots.ts";
import { accountOfRows, forUser, type QueryHandler } from "./desk.ts";
import { readEventsSince } from "./events.ts";
import { operatorQueries } from "./operator.ts";
import { pageOfRows } from "./pages.ts";
import { readLastPrices } from "./prices.ts";

/** The rows of an account's OCO groups, of all statuses. */
const listGroups = forUser({
  schema: listGroupsBody,
  handle: (desk, userId, { brokerageCode, accountNumber, from }, pageBytesMax) =>
    accountOfRows(desk, userId, brokerageCode, accountNumber).then((account) => {
      if (!account.ok) return account;
      const prefix = ocoListPrefix(userId, brokerageCode, account.value.accountNumber);
      return pageOfRows(desk.store, prefix, from ?? null, pageBytesMax);
    }),
});

/** What an edge must know of the brokerages. No user is needed. */
const listBrokerages: QueryHandler = async (desk) => {
  const brokerages = desk.brokerages.all().map(({ settings }): BrokerageView => {
    const { code, name, ordersPerMinute, portfolioIntervalSeconds } = settings;
    return { code, name, ordersPerMinute, portfolioIntervalSeconds };
  });
  return { ok: true, data: brokerages };
};

/** A partition that answers at all has recovered: it is put on the bus after that. */
const readHealth: QueryHandler = async () => ({ ok: true, data: { isReady: true } });

export const queryHandlers: ReadonlyMap<string, QueryHandler> = new Map([
  [QUERIES.listGroups, listGroups],
  [QUERIES.listAccounts, listAccounts],
  [QUERIES.resolveAccount, resolveAccount],
  [QUERIES.listPositions, listPositions],
  [QUERIES.listDailyOrders, listDailyOrders],
  [QUERIES.listLevelBots, listLevelBots],
  [QUERIES.readLevelBot, readLevelBot],
  [QUERIES.listLevelPairs, listLevelPairs],
  [QUERIES.listPairHistory, listPairHistory],
  [QUERIES.listWebhookBots, listWebhookBots],
  [QUERIES.readWebhookBot, readWebhookBot],
  [QUERIES.listWebhookPairs, listWebhookPairs],
  [QUERIES.listSystems, listSystems],
  [QUERIES.listBrokerages, listBrokerages],
  [QUERIES.eventsSince, readEventsSince],
  [QUERIES.lastPrices, readLastPrices],
  [QUERIES.readHealth, readHealth],
  ...operatorQueries,
]);
