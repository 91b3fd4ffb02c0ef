/** The plan of a group: what it watches, what its exit does, and every order of it (behaviour 14.5). */
import { readGroupBody } from "../../../src/contract/command.ts";
import type { PlanView } from "../../../src/contract/trading/plan.ts";
import { viewExit } from "../../../src/domain/oco/exit.ts";
import { exitPolicyOf, type OcoGroup, versionOf } from "../../../src/domain/oco/group.ts";
import { viewLadder } from "../../../src/domain/oco/ladder.ts";
import { viewTrailing } from "../../../src/domain/oco/trailing.ts";
import { formatTime } from "../../../src/domain/time.ts";
import { findNamedGroup } from "../../projection/find-group.ts";
import { holdView } from "../../projection/hold.ts";
import { refuseUnknownBrokerage } from "../../projection/named-brokerage.ts";
import { ocoRowViews } from "../../projection/oco.ts";
import { forUser, type QueryContext } from "../context.ts";
import { orderView, readSells } from "./receipt.ts";

export const readPlan = forUser({
  schema: readGroupBody,
  handle: async (context, userId, { id, brokerageCode }) => {
    const unknown = refuseUnknownBrokerage(context, brokerageCode);
    if (unknown !== undefined) return unknown;
    const found = findNamedGroup(context, userId, { id, brokerageCode });
    return found.ok ? { ok: true, data: await planOf(context, found.value.group) } : found;
  },
});

async function planOf(context: QueryContext, group: OcoGroup): Promise<PlanView> {
  const { nextAtMs, ...exit } = viewExit(group);
  const sells = await Promise.all(
    group.rows
      .filter(({ triggeredAtMs }) => triggeredAtMs !== null)
      .map(async ({ id }) => (await readSells(context, id)).map((sell) => ({ rowId: id, sell }))),
  );
  const byTime = sells.flat().sort((left, right) => left.sell.answeredAtMs - right.sell.answeredAtMs);
  return {
    groupId: group.groupId,
    version: versionOf(group),
    rows: ocoRowViews(group),
    exit: {
      stopLoss: exitPolicyOf(group),
      ...exit,
      nextOrderDate: nextAtMs === null ? null : formatTime(nextAtMs),
    },
    trailing: viewTrailing(group),
    ladder: viewLadder(group),
    hold: holdOf(context, group),
    band: context.bands.find(group.symbol, group.brokerageCode) ?? null,
    orders: byTime.map(({ rowId, sell }) => ({ rowId, ...orderView(sell) })),
  };
}

function holdOf({ holds }: Pick<QueryContext, "holds">, { symbol, groupId }: OcoGroup): PlanView["hold"] {
  const hold = holds.find(symbol);
  return hold === undefined ? null : { ...holdView(hold), isReleased: !holds.isHeld(symbol, groupId) };
}
