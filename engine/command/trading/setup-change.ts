/**
 * Changes the plan of a registered setup in place (behaviour 5.9), and the expiry and trigger of an entry (24.13).
 */
import { changeSetupCommand } from "../../../src/contract/command.ts";
import { versionOf } from "../../../src/domain/oco/group.ts";
import { refuse } from "../../../src/domain/refusal.ts";
import { DUE_DATE_PASSED, excessText, isDue } from "../../../src/domain/setup.ts";
import { leavesSetup, planSetupChange } from "../../../src/domain/setup-change.ts";
import { refuseUnknownBrokerage } from "../../projection/named-brokerage.ts";
import { findNamedSetup, refuseOver, setupView } from "../../projection/setup.ts";
import { checked, refuseWhileFollowing, waitsForMissed, waitsForOperator } from "../context.ts";
import { describeTrigger } from "./entry.ts";
import { refuseOtherVersion } from "./oco.ts";

export const changeSetup = checked({
  schema: changeSetupCommand,
  handle: async (context, { id, change, versions }, turn) => {
    const { brokerageCode, ...request } = change;
    const unknown = refuseUnknownBrokerage(context, brokerageCode);
    if (unknown !== undefined) return unknown;
    return turn.decide(() => {
      const { actors, clock, symbols } = context;
      const found = findNamedSetup(actors, turn.userId, { id, brokerageCode });
      if (!found.ok) return found;
      const setup = found.value;
      if (setup.outcome !== null) return refuseOver(setup);
      if (actors.isQuarantined(id)) return waitsForOperator("the pending OCO");
      const nowMs = clock.nowMs();
      // The clock is about to end it. While missed news is read back, an earlier fill counts first.
      if (isDue(setup, nowMs)) return refuse("CONFLICT", DUE_DATE_PASSED);
      const other = refuseOtherVersion("pending OCO", versionOf(setup), versions);
      if (other !== undefined) return other;
      const { symbol } = setup;
      const behind = refuseWhileFollowing(context, symbol);
      if (behind !== undefined) return behind;
      const movesTrigger = request.triggerPrice !== undefined;
      // A missed price may have reached the trigger before it is moved.
      if (movesTrigger && context.feed.isCatchingUp()) return waitsForMissed(`prices of ${symbol}`);
      const exchange = { zone: symbols.zoneOf(symbol), calendar: symbols.calendarOf(symbol) };
      const terms = { nowMs, table: symbols.tickTableOf(symbol), ...exchange };
      const plan = planSetupChange(setup, request, terms);
      if (!plan.ok) return plan;
      if (leavesSetup(setup, plan.value)) return { ok: true, data: setupView(setup), version: versionOf(setup) };
      actors.deliver("setup", id, { type: "changePlan", plan: plan.value, timeMs: nowMs });
      const after = actors.find("setup", id)?.context ?? setup;
      const told = movesTrigger ? describeTrigger(context, after) : excessText(after);
      const message = told ? `The pending OCO was changed; ${told}` : undefined;
      return { ok: true, data: setupView(after), version: versionOf(after), message };
    });
  },
});
