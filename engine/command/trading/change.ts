/**
 * Changes a running group in place (behaviour 15).
 */
import { changeGroupCommand, type Reply } from "../../../src/contract/command.ts";
import { changesNothing, planChange } from "../../../src/domain/oco/change.ts";
import { isDue, type OcoGroup, stopLossOf, versionOf } from "../../../src/domain/oco/group.ts";
import { timedExitMs } from "../../../src/domain/oco/timed-exit.ts";
import { earlier } from "../../../src/machine/effect.ts";
import type { AccountPlace } from "../../ports/brokerage.ts";
import { findNamedGroup } from "../../projection/find-group.ts";
import { refuseUnknownBrokerage } from "../../projection/named-brokerage.ts";
import { planOf } from "../../projection/plan.ts";
import { TABLES } from "../../table/tables.ts";
import { type CommandContext, checked, refuseWhileFollowing, waitsForMissed, waitsForOperator } from "../context.ts";
import { describeHold, describeSale, refuseOtherVersion } from "./oco.ts";
import { addedLots, type Commit, describeExcess, judged } from "./sell-ledger.ts";

export const changeGroup = checked({
  schema: changeGroupCommand,
  handle: async (context, { id, change: request, versions }, turn) => {
    const { brokerageCode } = request;
    const unknown = refuseUnknownBrokerage(context, brokerageCode);
    if (unknown !== undefined) return unknown;
    const decided: { group?: OcoGroup } = {};
    const decide = (commit: Commit): Reply => {
      const found = findNamedGroup(context, turn.userId, { id, brokerageCode });
      if (!found.ok) return found;
      const { group } = found.value;
      const { groupId, symbol } = group;
      if (context.actors.isQuarantined(groupId)) return waitsForOperator("the group");
      if (context.feed.isCatchingUp()) return waitsForMissed(`prices of ${symbol}`);
      const behind = refuseWhileFollowing(context, symbol);
      if (behind !== undefined) return behind;
      const current = endIfDue(context, group);
      const other = refuseOtherVersion("group", versionOf(current), versions);
      if (other !== undefined) return other;
      const version = versionOf(current);
      const { clock, symbols, journal, actors } = context;
      const nowMs = clock.nowMs();
      const exchange = { zone: symbols.zoneOf(symbol), calendar: symbols.calendarOf(symbol) };
      const terms = { nowMs, table: symbols.tickTableOf(symbol), ...exchange };
      const plan = planChange(current, request, terms);
      if (!plan.ok) return plan;
      const change = plan.value;
      decided.group = current;
      if (changesNothing(current, change)) return { ok: true, data: null, version };
      const added = addedLots(current, change);
      const excess = commit("stopLossQuantity", symbol, added);
      if (excess !== undefined) return excess;
      const ids = change.added.length === 0 ? [] : journal.allocateIds(change.added.length);
      for (const rowId of ids) journal.insert(TABLES.addedRows.key(rowId), String(groupId));
      actors.deliver("group", groupId, { type: "change", change, ids, timeMs: nowMs });
      const after = actors.find("group", groupId)?.context ?? current;
      decided.group = after;
      const held = context.holds.isHeld(symbol, groupId) ? describeHold(context, symbol) : undefined;
      const { quantity } = stopLossOf(after);
      const excessOf = added > 0 ? describeExcess(context, group, symbol, quantity) : undefined;
      const told = describeSale(context, groupId, current) ?? excessOf ?? held;
      const message = told === undefined ? undefined : `The OCO group was changed; ${told}`;
      return { ok: true, data: null, version: versionOf(after), message };
    };
    const placeOf = (): AccountPlace | undefined => {
      const found = findNamedGroup(context, turn.userId, { id, brokerageCode });
      return found.ok ? found.value.group : undefined;
    };
    const reply = await judged(context, placeOf, (commit) => turn.decide(() => decide(commit)));
    // Its orders are read once all of the change is on the disk.
    return reply.ok && decided.group !== undefined ? { ...reply, data: await planOf(context, decided.group) } : reply;
  },
});

/** Returns the group as it is now: a group that ends, or sells, by the clock does so first (behaviour 4.7, 21.4). */
function endIfDue({ actors, clock }: CommandContext, group: OcoGroup): OcoGroup {
  const { groupId, dueAtMs } = group;
  const nowMs = clock.nowMs();
  const soldAtMs = timedExitMs(group);
  const isSold = soldAtMs !== null && soldAtMs <= nowMs;
  if (!isDue(group, nowMs) && !isSold) return group;
  const timeMs = earlier(dueAtMs, soldAtMs) ?? nowMs;
  actors.deliver("group", groupId, { type: "deadline", timeMs });
  return actors.find("group", groupId)?.context ?? group;
}
