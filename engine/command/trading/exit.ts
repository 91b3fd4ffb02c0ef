/** Stops the exit of a group's stop-loss (behaviour 14.4). */
import { readGroupBody } from "../../../src/contract/command.ts";
import { isExiting } from "../../../src/domain/oco/exit.ts";
import { refuse } from "../../../src/domain/refusal.ts";
import { groupClaim } from "../../../src/machine/group.ts";
import { findNamedGroup } from "../../projection/find-group.ts";
import { refuseUnknownBrokerage } from "../../projection/named-brokerage.ts";
import { checked, waitsForOperator } from "../context.ts";

export const stopExit = checked({
  schema: readGroupBody,
  handle: async (context, { id, brokerageCode }, turn) => {
    const unknown = refuseUnknownBrokerage(context, brokerageCode);
    if (unknown !== undefined) return unknown;
    return turn.decide(() => {
      const found = findNamedGroup(context, turn.userId, { id, brokerageCode });
      if (!found.ok) return found;
      const { group, isEnded } = found.value;
      if (isEnded || !isExiting(group)) return refuse("INVALID", "the stop-loss of the group is not being sold");
      const { groupId } = group;
      if (context.actors.isQuarantined(groupId)) return waitsForOperator("the group");
      const timeMs = context.clock.nowMs();
      const holder = context.actors.holderOf(groupClaim(group));
      const mayReclaim = holder === undefined || holder === groupId;
      context.actors.deliver("group", groupId, { type: "stopExit", timeMs, mayReclaim });
      return { ok: true, data: true };
    });
  },
});
