/**
 * The uses of each brokerage, and its retirement, over all partitions.
 *
 * Owns: asking each partition in turn and joining their answers. Does not own: which items can be cancelled (the
 * engines).
 */
import { z } from "zod";
import {
  BROKERAGE_USE_QUERY,
  type BrokerageUseView,
  brokerageUseSchema,
  brokerageUsesSchema,
  type Left,
  leftSchema,
  RETIREMENT_COMMAND,
  type RetiredCounts,
  retiredCountsSchema,
  retirementSchema,
} from "../../../src/contract/operator/retirement.ts";
import type { EngineClient } from "../../client/engine-client.ts";
import { answerRefusal, refusal } from "../../middleware/errors.ts";
import type { AddOperation } from "../../operation/operation.ts";
import { answerData } from "../../server/request-state.ts";
import { ofPartition } from "./partitions.ts";

const tag = "Administration";
/** Each decides on up to a thousand groups, pending OCOs, bots or orders: well under the time a client waits. */
const COMMANDS_PER_REQUEST = 10;

const byCode = z.object({ code: z.string().regex(/^[A-Za-z0-9_]{1,32}$/, "must be a brokerage's code") });
const fromPlace = z.object({
  from: z
    .string()
    .regex(/^[0-9]{1,4}-(actors|orders)-[0-9]{1,16}$/, "must be the next of an answer before")
    .optional()
    .meta({ description: "The `next` of the answer before; default: from the beginning" }),
});

const retireAnswer = z.object({
  code: z.string(),
  retired: retiredCountsSchema,
  left: z.array(leftSchema).meta({ description: "What could not be cancelled" }),
  next: z.string().nullable().meta({ description: "Not null: ask again with it as `from`, there is more" }),
});

/** Adds the list of brokerages and the retirement of one. */
export function addBrokerageOperations(add: AddOperation, engine: EngineClient): void {
  add({
    operationId: "listBrokerageUse",
    method: "GET",
    path: "/admin/v1/brokerages",
    tag,
    summary: "List the brokerages and what hangs on each",
    description:
      "Of all users and partitions. An engine does not start without a brokerage of which anything is counted here.",
    scope: "admin",
    data: z.array(brokerageUseSchema),
    handle: async (call) => {
      const sums = new Map<string, BrokerageUseView>();
      for (let partition = 0; partition < engine.partitions; partition += 1) {
        const reply = await call.ask(BROKERAGE_USE_QUERY, {}, { partition });
        if (!reply.ok) return answerRefusal(call.context, ofPartition(partition, reply));
        for (const use of brokerageUsesSchema.parse(reply.data)) sums.set(use.code, added(sums.get(use.code), use));
      }
      return answerData(call.context, "The brokerages", [...sums.values()]);
    },
  });
  add({
    operationId: "retireBrokerage",
    method: "POST",
    path: "/admin/v1/brokerages/:code/retire",
    tag,
    summary: "Give a brokerage up",
    description:
      "Cancels every OCO group of the brokerage as its owner would, removes its pending OCOs, switches its bots off and " +
      "deletes those without open pairs. The answer contains the counts, and names what could not be cancelled: sells on " +
      "their way, orders without an outcome, open pairs, what is in quarantine. Repeated, the request continues with what is " +
      "left. Once nothing blocking is left, BROKERAGES_FILE may leave the brokerage out.",
    scope: "admin",
    params: byCode,
    query: fromPlace,
    data: retireAnswer,
    // The same request continues with the remaining items.
    isIdempotent: false,
    handle: async (call) => {
      const { code } = call.params;
      const total: RetiredCounts = { groups: 0, setups: 0, switchedOffBots: 0, endedBots: 0 };
      const left: Left[] = [];
      let place = placeOf(call.query.from);
      if (place.partition >= engine.partitions) {
        return answerRefusal(call.context, refusal("INVALID", "from must be the next of an answer before"));
      }
      for (let asked = 0; asked < COMMANDS_PER_REQUEST && place.partition < engine.partitions; asked += 1) {
        const { partition, from } = place;
        const reply = await call.command(RETIREMENT_COMMAND, { brokerageCode: code, from }, { partition });
        if (!reply.ok) return answerRefusal(call.context, ofPartition(partition, reply));
        const part = retirementSchema.parse(reply.data);
        for (const kind of Object.keys(total) as (keyof RetiredCounts)[]) total[kind] += part.retired[kind];
        left.push(...part.left);
        place = part.next === null ? { partition: partition + 1, from: null } : { partition, from: part.next };
      }
      const isDone = place.partition >= engine.partitions;
      const next = isDone ? null : `${place.partition}-${place.from ?? "actors-0"}`;
      const message = isDone ? "What could be cancelled was cancelled" : "There is more: ask again with next as from";
      return answerData(call.context, message, { code, retired: total, left, next });
    },
  });
}

function placeOf(next: string | undefined): { readonly partition: number; readonly from: string | null } {
  if (next === undefined) return { partition: 0, from: null };
  const end = next.indexOf("-");
  return { partition: Number(next.slice(0, end)), from: next.slice(end + 1) };
}

function added(sum: BrokerageUseView | undefined, use: BrokerageUseView): BrokerageUseView {
  if (sum === undefined) return use;
  return {
    code: use.code,
    groups: sum.groups + use.groups,
    setups: sum.setups + use.setups,
    levelBots: sum.levelBots + use.levelBots,
    webhookBots: sum.webhookBots + use.webhookBots,
    orders: sum.orders + use.orders,
    quarantined: sum.quarantined + use.quarantined,
  };
}
