/**
 * Synthetic OCO orders (behaviour 11.3).
 */
import { z } from "zod";
import { COMMANDS, QUERIES } from "../../../src/contract/command.ts";
import { changeGroupBody, createGroupBody, ocoRowSchema } from "../../../src/contract/trading/oco.ts";
import { outlookSchema } from "../../../src/contract/trading/outlook.ts";
import { planSchema } from "../../../src/contract/trading/plan.ts";
import { receiptSchema } from "../../../src/contract/trading/receipt.ts";
import { brokerageOf } from "../../operation/brokerage-of.ts";
import type { AddOperation } from "../../operation/operation.ts";
import {
  byId,
  choicesParameter,
  ofAccount,
  ofAnyBrokerage,
  ofBrokerage,
  partOfList,
  sinceParameter,
} from "../../operation/parameters.ts";

const tag = "OCO orders";
const path = "/api/v1/oco-orders";

const STATUSES = ["1", "2", "3", "4"];
const statusesParameter = choicesParameter(
  (text) => (STATUSES.includes(text) ? Number(text) : undefined),
  "1 (Active), 2 (Triggered), 3 (TriggerFailed) or 4 (Cancelled)",
).optional();

/** Adds the operations on OCO groups. */
export function addOcoOperations(add: AddOperation): void {
  add({
    operationId: "createOcoOrder",
    method: "POST",
    path,
    tag,
    summary: "Create an OCO group",
    description:
      "The stop-loss row and its take-profit rows are watched against the live price from here on. At most one group of an account and symbol is active at a time. Answers the stop-loss row; its id is the groupId.",
    scope: "trade",
    body: createGroupBody,
    data: ocoRowSchema,
    hasVersion: true,
    limit: (limits, { userId, body }) => limits.orders(userId, body.brokerageCode, 1),
    handle: async (call) =>
      call.answer(await call.command(COMMANDS.createGroup, call.body), "The OCO group was created"),
  });
  add({
    operationId: "listOcoOrders",
    method: "GET",
    path,
    tag,
    summary: "List the OCO rows of an account",
    description:
      "All groups and statuses, group by group, the stop-loss first. With `limit` the rows come in parts: follow `X-Next-Cursor` until an answer lacks it. A part begins at a row and not at a number, so that no row comes twice or is left out while rows change.",
    scope: "read",
    query: ofAccount.extend({
      status: statusesParameter,
      since: sinceParameter.describe("Only rows that were made or changed then or later, ISO 8601"),
      ...partOfList,
    }),
    data: z.array(ocoRowSchema),
    hasParts: true,
    handle: (call) => {
      const { status: statuses, since: sinceMs, ...part } = call.query;
      return call.part(QUERIES.listGroups, { ...part, statuses, sinceMs }, "The OCO rows of the account");
    },
  });
  add({
    operationId: "getOcoOrder",
    method: "GET",
    path: `${path}/:id`,
    tag,
    summary: "Show an OCO group",
    description: "All rows of the group, the stop-loss first. The id of any of them is accepted.",
    scope: "read",
    params: byId,
    query: ofAnyBrokerage,
    data: z.array(ocoRowSchema),
    hasVersion: true,
    handle: async (call) =>
      call.answer(await call.ask(QUERIES.readGroup, { ...call.params, ...call.query }), "The OCO group"),
  });
  add({
    operationId: "getOcoReceipt",
    method: "GET",
    path: `${path}/:id/receipt`,
    tag,
    summary: "The receipt of a row that has fired",
    description:
      "Why and when it fired, and the outcome of its sell: the tick, the moments of decided, durable, sent, acknowledged and filled, the attempts and the brokerage's number. A row that has not fired has no receipt (400).",
    scope: "read",
    params: byId,
    data: receiptSchema,
    handle: async (call) => call.answer(await call.ask(QUERIES.readReceipt, { id: call.params.id }), "The receipt"),
  });
  add({
    operationId: "getOcoPlan",
    method: "GET",
    path: `${path}/:id/plan`,
    tag,
    summary: "The plan of an OCO group",
    description:
      "Its rows, how its stop-loss is sold and how far that is, and every order of the group. The id of any of its rows is accepted.",
    scope: "read",
    params: byId,
    query: ofAnyBrokerage,
    data: planSchema,
    hasVersion: true,
    handle: async (call) =>
      call.answer(await call.ask(QUERIES.readPlan, { ...call.params, ...call.query }), "The plan of the OCO group"),
  });
  add({
    operationId: "getOcoOutlook",
    method: "GET",
    path: `${path}/:id/outlook`,
    tag,
    summary: "What would happen to an OCO group now",
    description:
      "Of each row that a price can fire: whether it would fire now, the order that would leave, and why, by the measures of the exchange, the session, the day's band, a held symbol and the trading state. Null: not known. The id of any of its rows is accepted.",
    scope: "read",
    params: byId,
    query: ofAnyBrokerage,
    data: outlookSchema,
    hasVersion: true,
    handle: async (call) =>
      call.answer(
        await call.ask(QUERIES.readOutlook, { ...call.params, ...call.query }),
        "The outlook of the OCO group",
      ),
  });
  add({
    operationId: "stopOcoExit",
    method: "POST",
    path: `${path}/:id/stop-exit`,
    tag,
    summary: "Stop the exit of an OCO group",
    description:
      "Once a stop-loss has fired, further orders sell what an order left. This ends it: an open order is cancelled at the brokerage, no other one leaves, and the exit ends with what was filled once that end is confirmed. A group whose stop-loss is not being sold has no exit (400).",
    scope: "trade",
    isIdempotent: false,
    params: byId,
    query: ofAnyBrokerage,
    data: z.literal(true),
    handle: async (call) =>
      call.answer(
        await call.command(COMMANDS.stopExit, { ...call.params, ...call.query }),
        "The exit is being stopped",
      ),
  });
  add({
    operationId: "releaseOcoOrder",
    method: "POST",
    path: `${path}/:id/release`,
    tag,
    summary: "Release an OCO group whose symbol is held",
    description:
      "While a symbol is held, no level of it fires. This lets the levels of one group fire again: they are immediately compared with the last live price. A group whose symbol is not held, or without a row under watch, is a 400.",
    scope: "trade",
    isIdempotent: false,
    params: byId,
    query: ofAnyBrokerage,
    data: z.literal(true),
    handle: async (call) =>
      call.answer(
        await call.command(COMMANDS.releaseGroup, { ...call.params, ...call.query }),
        "The OCO group was released",
      ),
  });
  add({
    operationId: "changeOcoOrder",
    method: "PATCH",
    path: `${path}/:id`,
    tag,
    summary: "Change a running OCO group",
    description:
      "The id of any row of the group is accepted. A field that is absent is unchanged; null takes dueDate or notes away. The change is one step: all of it or none of it, and the group is watched throughout. A row whose sell is on its way cannot be changed or left out (409). Answers the plan of the group as it is now.",
    scope: "trade",
    params: byId,
    body: changeGroupBody,
    data: planSchema,
    canConflict: true,
    honoursIfMatch: true,
    hasVersion: true,
    limit: async (limits, call) => {
      const brokerage = call.body.brokerageCode ?? (await brokerageOf(call, QUERIES.brokerageOfGroup, call.params.id));
      return brokerage === undefined ? undefined : limits.orders(call.userId, brokerage, 1);
    },
    handle: async (call) => {
      const body = { ...call.params, change: call.body, ...call.versions };
      return call.answer(await call.command(COMMANDS.changeGroup, body), "The OCO group was changed");
    },
  });
  add({
    operationId: "cancelOcoOrder",
    method: "DELETE",
    path: `${path}/:id`,
    tag,
    summary: "Cancel an OCO group",
    description:
      "The id of any row of the group is accepted. All its Active rows are cancelled, except a row whose sell is on its way to the brokerage: the message then reports it.",
    scope: "trade",
    params: byId,
    query: ofBrokerage,
    data: z.literal(true),
    honoursIfMatch: true,
    handle: async (call) => {
      const body = { id: call.params.id, brokerageCode: call.query.brokerageCode, ...call.versions };
      return call.answer(await call.command(COMMANDS.cancelGroup, body), "The OCO group was cancelled");
    },
  });
}
