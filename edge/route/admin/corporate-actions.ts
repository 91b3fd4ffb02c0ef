/**
 * Corporate actions, over all partitions (behaviour 28).
 *
 * Does not own: the way to each partition (`partitions.ts`), the effect of an action (the engines).
 *
 * Invariant: if a partition does not answer, the request is refused with its number and can be repeated.
 */
import { z } from "zod";
import {
  ACTION_COMMANDS,
  ACTION_QUERIES,
  actionChangedSchema,
  actionRequest,
  actionViewSchema,
  removeActionBody,
} from "../../../src/contract/operator/corporate-action.ts";
import type { EngineClient } from "../../client/engine-client.ts";
import { refusal } from "../../middleware/errors.ts";
import type { AddOperation } from "../../operation/operation.ts";
import { answerData } from "../../server/request-state.ts";
import { acrossPartitions, tellEach } from "./partitions.ts";

const tag = "Administration";
const entered = z.object({ actionId: z.string() });
const ENTERED_LATE =
  "The corporate action was entered; exDate has begun: levels from before it follow now, levels that were made since do not change";

/** Adds the operations on corporate actions. */
export function addCorporateActionOperations(add: AddOperation, engine: EngineClient): void {
  add({
    operationId: "listCorporateActions",
    method: "GET",
    path: "/admin/v1/corporate-actions",
    tag,
    summary: "List the corporate actions",
    description: "One entry for each partition.",
    scope: "admin",
    data: z.array(actionViewSchema),
    handle: (call) => call.pages(acrossPartitions(engine, ACTION_QUERIES.list, undefined), "The corporate actions"),
  });
  add({
    operationId: "addCorporateAction",
    method: "POST",
    path: "/admin/v1/corporate-actions",
    tag,
    summary: "Enter a corporate action",
    description:
      "At the beginning of exDate the levels of the symbol follow: groups, pending OCOs and bots, once each. If that day has begun, they follow immediately. The same action again is a 409.",
    scope: "admin",
    body: actionRequest,
    data: entered,
    handle: async (call) => {
      const told = await tellEach(engine, (partition) => call.command(ACTION_COMMANDS.add, call.body, { partition }));
      if (!told.ok) return call.refuse(told);
      const changes = told.data.map((data) => actionChangedSchema.parse(data));
      const [{ actionId } = { actionId: "" }] = changes;
      if (changes.some(({ isChanged }) => isChanged)) {
        const isImmediate = changes.some((change) => change.isImmediate);
        return answerData(call.context, isImmediate ? ENTERED_LATE : "The corporate action was entered", { actionId });
      }
      return call.refuse(refusal("CONFLICT", `corporate action ${actionId} was entered already`));
    },
  });
  add({
    operationId: "removeCorporateAction",
    method: "DELETE",
    path: "/admin/v1/corporate-actions/:actionId",
    tag,
    summary: "Remove a corporate action",
    description: "Before its exDate only: from then on levels follow it.",
    scope: "admin",
    params: removeActionBody,
    data: entered,
    handle: async (call) => {
      const { actionId } = call.params;
      const told = await tellEach(engine, (partition) =>
        call.command(ACTION_COMMANDS.remove, { actionId }, { partition }),
      );
      return told.ok ? answerData(call.context, "The corporate action was removed", { actionId }) : call.refuse(told);
    },
  });
}
