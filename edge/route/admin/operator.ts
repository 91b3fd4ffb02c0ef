/**
 * Items in progress, stuck items, and releases, over all partitions (behaviour 11.7).
 *
 * Does not own: asking each partition (`partitions.ts`), what is stuck and why.
 */
import { z } from "zod";
import {
  OPERATOR_COMMANDS,
  OPERATOR_QUERIES,
  outboxOrderSchema,
  parseQuarantineId,
  quarantinedSchema,
  releaseBody,
} from "../../../src/contract/operator/operator.ts";
import type { EngineClient } from "../../client/engine-client.ts";
import { answerRefusal, refusal } from "../../middleware/errors.ts";
import type { AddOperation } from "../../operation/operation.ts";
import { acrossPartitions } from "./partitions.ts";

const tag = "Administration";

const ofPartition = z.object({
  partition: z
    .string()
    .regex(/^[0-9]{1,4}$/, "must be a partition's number")
    .transform(Number)
    .optional()
    .meta({ type: "integer", minimum: 0, description: "Only this partition; default: all" }),
});
const byQuarantineId = z.object({
  id: z.string().max(64).meta({ description: "As the quarantine shows it: order-0-17, actor-1-42, doubt-0-42" }),
});

/** Adds outbox, quarantine and releases. */
export function addOperatorOperations(add: AddOperation, engine: EngineClient): void {
  add({
    operationId: "listOutbox",
    method: "GET",
    path: "/admin/v1/outbox",
    tag,
    summary: "List the orders that have no outcome yet",
    description: "Of all users, in the order of their commits, with their state and the reason for it.",
    scope: "admin",
    query: ofPartition,
    data: z.array(outboxOrderSchema),
    handle: (call) => {
      const pages = acrossPartitions(engine, OPERATOR_QUERIES.listOutbox, call.query.partition);
      return call.pages(pages, "The orders without an outcome");
    },
  });
  add({
    operationId: "listQuarantine",
    method: "GET",
    path: "/admin/v1/quarantine",
    tag,
    summary: "List what waits for a person's decision",
    description:
      "Orders that may exist at a brokerage that cannot confirm it (type order), groups, setups, bots and token families " +
      "that a fault stopped (type actor), and orders that their brokerage took and does not know any more (type doubt).",
    scope: "admin",
    query: ofPartition,
    data: z.array(quarantinedSchema),
    handle: (call) => {
      const pages = acrossPartitions(engine, OPERATOR_QUERIES.listQuarantine, call.query.partition);
      return call.pages(pages, "What waits for a decision");
    },
  });
  add({
    operationId: "releaseQuarantined",
    method: "POST",
    path: "/admin/v1/quarantine/:id/release",
    tag,
    summary: "Release an order or an actor",
    description:
      "For an order state the outcome: resend (no order exists), placed (it exists under orderNo) or refused (none exists " +
      "and none will be sent). An order that is being settled can be released too. An actor needs no body: it tries " +
      "again with all that came since; if it fails once more it stays in quarantine, and the answer is 409. For an order " +
      "in doubt state what was filled of it in all (filled), or that nothing more was (notFilled); what follows is " +
      "as after a confirmed end.",
    scope: "admin",
    params: byQuarantineId,
    body: releaseBody.optional(),
    data: quarantinedSchema,
    handle: async (call) => {
      const named = parseQuarantineId(call.params.id);
      if (named === undefined || named.partition >= engine.partitions) {
        return answerRefusal(call.context, refusal("NOT_FOUND", "there is nothing of this id in quarantine"));
      }
      const body = { id: call.params.id, decision: call.body ?? null };
      const reply = await call.command(OPERATOR_COMMANDS.release, body, { partition: named.partition });
      return call.answer(reply, "It was released");
    },
  });
}
