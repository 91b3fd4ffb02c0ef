/**
 * Pending OCO setups (behaviour 5.6; behaviour 5.4a).
 */
import { z } from "zod";
import { COMMANDS, QUERIES } from "../../../src/contract/command.ts";
import {
  changeSetupBody,
  enterBody,
  enteredSchema,
  registerSetupBody,
  setupIdSchema,
  setupViewSchema,
} from "../../../src/contract/trading/setup.ts";
import { orderStatusOf } from "../../../src/contract/trading/trading.ts";
import { placedWord } from "../../../src/domain/order/order.ts";
import { brokerageOf } from "../../operation/brokerage-of.ts";
import type { AddOperation } from "../../operation/operation.ts";
import { idParameter, ofAccount, ofAnyBrokerage, ofBrokerage, partOfList } from "../../operation/parameters.ts";

const bySetupId = z.object({ setupId: idParameter });

/** Adds the operations on pending OCO setups. To be added before those by the id of an OCO row. */
export function addPendingOperations(add: AddOperation): void {
  add({
    operationId: "registerPendingOcoOrder",
    method: "POST",
    path: "/api/v1/oco-orders/register-pending",
    tag: "OCO orders",
    summary: "Register a pending OCO",
    description:
      "When the brokerage order completes, its levels are computed from the fill price and a group is made. If it is completed already, the `message` contains the result.",
    scope: "trade",
    body: registerSetupBody,
    data: setupIdSchema,
    invalidData: 0,
    hasVersion: true,
    limit: (limits, { userId, body }) => limits.orders(userId, body.brokerageCode, 1),
    handle: async (call) =>
      call.answer(await call.command(COMMANDS.registerSetup, call.body), "The pending OCO was registered"),
  });
  add({
    operationId: "enterWithExits",
    method: "POST",
    path: "/api/v1/oco-orders/entries",
    tag: "OCO orders",
    summary: "Enter with exits",
    description:
      "Places a buy together with the pending OCO that it becomes: once the buy has ended, a group is made of what it " +
      "bought, also of a part. The answer comes with the brokerage's answer; without one in time `orderNo` is null and the " +
      "order may exist. A stop entry is answered once its trigger is under watch. The entry is listed, read, changed and " +
      "removed as a pending OCO; removing it cancels the buy.",
    scope: "trade",
    body: enterBody,
    data: enteredSchema,
    limit: (limits, { userId, body }) => limits.orders(userId, body.brokerageCode, 1),
    handle: async (call) =>
      call.answer(
        await call.command(COMMANDS.enter, call.body),
        (data) => `The entry was ${placedWord(orderStatusOf(data))}`,
      ),
  });
  add({
    operationId: "listPendingOcoOrders",
    method: "GET",
    path: "/api/v1/oco-orders/pending",
    tag: "OCO orders",
    summary: "List the pending OCOs of an account",
    description:
      "Pending OCOs that wait for their brokerage order. The list leaves out converted, failed and removed ones.",
    scope: "read",
    query: ofAccount.extend(partOfList),
    data: z.array(setupViewSchema),
    hasParts: true,
    handle: (call) => call.part(QUERIES.listSetups, call.query, "The pending OCOs of the account"),
  });
  add({
    operationId: "getPendingOcoOrder",
    method: "GET",
    path: "/api/v1/oco-orders/pending/:setupId",
    tag: "OCO orders",
    summary: "Show a pending OCO",
    description:
      "A pending OCO that waits for its brokerage order. Once it is over this is a 404 whose message contains the outcome, as its event does.",
    scope: "read",
    params: bySetupId,
    query: ofAnyBrokerage,
    data: setupViewSchema,
    hasVersion: true,
    handle: async (call) => {
      const body = { id: call.params.setupId, ...call.query };
      return call.answer(await call.ask(QUERIES.readSetup, body), "The pending OCO");
    },
  });
  add({
    operationId: "changePendingOcoOrder",
    method: "PATCH",
    path: "/api/v1/oco-orders/pending/:setupId",
    tag: "OCO orders",
    summary: "Change a pending OCO",
    description:
      "A field that is absent is unchanged; null takes dueDate, notes, stopLossTrailing, stopLossLadder or expiresAt away. A price replaces a percent and the other way round. The change is one step: all of it or none of it. A pending OCO that is over, or whose order was completed, cannot be changed (409), nor a trigger that was reached. If the last price has reached a new trigger, the `message` states that it buys immediately.",
    scope: "trade",
    params: bySetupId,
    body: changeSetupBody,
    data: setupViewSchema,
    canConflict: true,
    honoursIfMatch: true,
    hasVersion: true,
    limit: async (limits, call) => {
      const brokerage =
        call.body.brokerageCode ?? (await brokerageOf(call, QUERIES.brokerageOfSetup, call.params.setupId));
      return brokerage === undefined ? undefined : limits.orders(call.userId, brokerage, 1);
    },
    handle: async (call) => {
      const body = { id: call.params.setupId, change: call.body, ...call.versions };
      return call.answer(await call.command(COMMANDS.changeSetup, body), "The pending OCO was changed");
    },
  });
  add({
    operationId: "removePendingOcoOrder",
    method: "DELETE",
    path: "/api/v1/oco-orders/pending/:setupId",
    tag: "OCO orders",
    summary: "Remove a pending OCO",
    description:
      "A brokerage order that its owner placed is not cancelled: when it completes, no group is made. The buy of an entry is " +
      "cancelled; what was filled of it becomes a group once its end is known.",
    scope: "trade",
    params: bySetupId,
    query: ofBrokerage,
    data: z.literal(true),
    handle: async (call) => {
      const body = { id: call.params.setupId, brokerageCode: call.query.brokerageCode };
      return call.answer(await call.command(COMMANDS.removeSetup, body), "The pending OCO was removed");
    },
  });
}
