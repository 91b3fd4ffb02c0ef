/** The plan of a group, by the id of any of its rows (behaviour 14.5). */
import { readGroupBody } from "../../../src/contract/command.ts";
import { versionOf } from "../../../src/domain/oco/group.ts";
import { findNamedGroup } from "../../projection/find-group.ts";
import { refuseUnknownBrokerage } from "../../projection/named-brokerage.ts";
import { planOf } from "../../projection/plan.ts";
import { forUser } from "../context.ts";

export const readPlan = forUser({
  schema: readGroupBody,
  handle: async (context, userId, { id, brokerageCode }) => {
    const named = { id, brokerageCode };
    const found = refuseUnknownBrokerage(context, brokerageCode) ?? findNamedGroup(context, userId, named);
    if (!found.ok) return found;
    const { group } = found.value;
    return { ok: true, data: await planOf(context, group), version: versionOf(group) };
  },
});
