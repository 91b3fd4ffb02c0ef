/** Stops the exit of a group's stop-loss (behaviour 14.4). */
import { readGroupBody } from "../../../src/contract/command.ts";
import { isExiting } from "../../../src/domain/oco/exit.ts";
import { groupClaim } from "../../../src/machine/group.ts";
import { findGroup } from "../../projection/find-group.ts";
import { checked, waitsForOperator } from "../context.ts";

export const stopExit = checked({
  schema: readGroupBody,
  handle: async (context, { id, brokerageCode }, turn) => {
    if (brokerageCode !== undefined && context.brokerages.find(brokerageCode) === undefined) {
      return { ok: false, code: "INVALID", message: "brokerageCode is not known" };
    }
    return turn.decide(() => {
      const found = findGroup(context, turn.userId, id);
      const isMeant = brokerageCode === undefined || found?.group.brokerageCode === brokerageCode;
      if (found === undefined || !isMeant) {
        return { ok: false, code: "NOT_FOUND", message: `OCO order ${id} was not found` };
      }
      if (found.isEnded || !isExiting(found.group)) {
        return { ok: false, code: "INVALID", message: "the stop-loss of the group is not being sold" };
      }
      const { groupId } = found.group;
      if (context.actors.isQuarantined(groupId)) return waitsForOperator("the group");
      const timeMs = context.clock.nowMs();
      const holder = context.actors.holderOf(groupClaim(found.group));
      const mayReclaim = holder === undefined || holder === groupId;
      context.actors.deliver("group", groupId, { type: "stopExit", timeMs, mayReclaim });
      return { ok: true, data: true };
    });
  },
});
