/** Releases a group whose symbol is held (behaviour 16.4). */
import { type Reply, readGroupBody } from "../../../src/contract/command.ts";
import { canCancel, isHeldByAction } from "../../../src/domain/oco/group.ts";
import { refuse } from "../../../src/domain/refusal.ts";
import { findNamedGroup } from "../../projection/find-group.ts";
import { refuseUnknownBrokerage } from "../../projection/named-brokerage.ts";
import { checked, replyOf, waitsForMissed, waitsForOperator } from "../context.ts";
import { describeSale } from "./oco.ts";

export const releaseGroup = checked({
  schema: readGroupBody,
  handle: async (context, { id, brokerageCode }, turn) => {
    const unknown = refuseUnknownBrokerage(context, brokerageCode);
    if (unknown !== undefined) return unknown;
    return turn.decide(() => {
      const found = findNamedGroup(context, turn.userId, { id, brokerageCode });
      if (!found.ok) return found;
      const { group, isEnded } = found.value;
      const { groupId, symbol } = group;
      if (isEnded || !canCancel(group)) return refuse("INVALID", "the group has no row under watch");
      if (context.actors.isQuarantined(groupId)) return waitsForOperator("the group");
      if (context.feed.isCatchingUp()) return waitsForMissed(`prices of ${symbol}`);
      const isHeld = isHeldByAction(group);
      if (isHeld) {
        context.actors.deliver("group", groupId, { type: "releaseHold", timeMs: context.clock.nowMs() });
      }
      const reply: Reply =
        isHeld && context.holds.find(symbol) === undefined
          ? { ok: true, data: true }
          : replyOf(context.holds.releaseGroupInTurn(groupId, symbol));
      const sale = reply.ok ? describeSale(context, groupId, group) : undefined;
      return sale === undefined ? reply : { ...reply, message: `The OCO group was released; ${sale}` };
    });
  },
});
