/** The plan of a group: what it watches, what its exit does, and every order of it (behaviour 14.5). */
import { readGroupBody } from "../../../src/contract/command.ts";
import type { PlanView } from "../../../src/contract/trading/plan.ts";
import { viewExit } from "../../../src/domain/oco/exit.ts";
import { type OcoGroup, versionOf } from "../../../src/domain/oco/group.ts";
import { formatTime } from "../../../src/domain/time.ts";
import { findGroup } from "../../projection/find-group.ts";
import { ocoRowViews } from "../../projection/oco.ts";
import { forUser, type QueryContext } from "../context.ts";
import { orderView, readSells } from "./receipt.ts";

export const readPlan = forUser({
  schema: readGroupBody,
  handle: async (context, userId, { id, brokerageCode }) => {
    if (brokerageCode !== undefined && context.brokerages.find(brokerageCode) === undefined) {
      return { ok: false, code: "INVALID", message: "brokerageCode is not known" };
    }
    const group = findGroup(context, userId, id)?.group;
    if (group === undefined || (brokerageCode !== undefined && group.brokerageCode !== brokerageCode)) {
      return { ok: false, code: "NOT_FOUND", message: `OCO order ${id} was not found` };
    }
    return { ok: true, data: await planOf(context, group) };
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
      stopLoss: group.exit?.stopLoss ?? "untilSold",
      ...exit,
      nextOrderDate: nextAtMs === null ? null : formatTime(nextAtMs),
    },
    orders: byTime.map(({ rowId, sell }) => ({ rowId, ...orderView(sell) })),
  };
}
