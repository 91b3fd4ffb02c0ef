/** The plan of a group: what it watches, what its exit does, and every order of it (behaviour 14.5). */
import { RESTRICTION_TYPES } from "../../src/contract/operator/reference.ts";
import type { PlanView } from "../../src/contract/trading/plan.ts";
import { viewExit } from "../../src/domain/oco/exit.ts";
import { exitPolicyOf, isHeldByAction, type OcoGroup, STOP_LOSS, versionOf } from "../../src/domain/oco/group.ts";
import { viewLadder } from "../../src/domain/oco/ladder.ts";
import { timedExitMs } from "../../src/domain/oco/timed-exit.ts";
import { viewTrailing } from "../../src/domain/oco/trailing.ts";
import type { OperatedHolds, OperatedOrders } from "../ports/operator.ts";
import type { DayBands, MeasureTable } from "../ports/reference.ts";
import type { Store } from "../ports/storage.ts";
import { holdView } from "./hold.ts";
import { ocoRowViews } from "./oco.ts";
import { dateOf, orderView, readSells } from "./sells.ts";

interface PlanPlace {
  readonly store: Store;
  readonly bands: Pick<DayBands, "find">;
  readonly measures: Pick<MeasureTable, "of">;
  readonly holds: Pick<OperatedHolds, "find" | "isHeld">;
  readonly operator: { readonly orders: Pick<OperatedOrders, "sessionOf"> };
}

/** The plan of `group`; its orders are read from the store. */
export async function planOf(context: PlanPlace, group: OcoGroup): Promise<PlanView> {
  const { nextAtMs: exitAtMs, waitsForSession, ...exit } = viewExit(group);
  const sessionMs = context.operator.orders.sessionOf(group.groupId);
  const nextAtMs = exitAtMs ?? sessionMs;
  const sells = await Promise.all(
    group.rows
      // A stop-loss that was set Active again has orders from before.
      .filter(({ triggeredAtMs }, index) => triggeredAtMs !== null || (index === STOP_LOSS && hasFiredBefore(group)))
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
      at: dateOf(group.timedExit?.atMs),
      beforeCloseMinutes: group.timedExit?.beforeCloseMinutes ?? null,
      sellDate: dateOf(timedExitMs(group)),
      nextOrderDate: dateOf(nextAtMs),
      waitsForSession: waitsForSession || (exitAtMs === null && sessionMs !== null),
    },
    trailing: viewTrailing(group),
    ladder: viewLadder(group),
    followPosition: group.followsPosition === true,
    hold: holdOf(context, group),
    corporateActions: {
      policy: group.corporate?.policy ?? "adjust",
      message: group.corporate?.note ?? null,
      isHeld: isHeldByAction(group),
      isWaiting: group.corporate?.waiting !== undefined,
    },
    band: context.bands.find(group.symbol, group.brokerageCode) ?? null,
    restrictions: restrictionsOf(context, group.symbol),
    orders: byTime.map(({ rowId, sell }) => ({ rowId, ...orderView(sell) })),
  };
}

function hasFiredBefore({ exit }: OcoGroup): boolean {
  return exit?.orderCount !== undefined;
}

/** Why no level of the group's symbol fires; null: they fire. */
export function holdOf({ holds }: Pick<PlanPlace, "holds">, { symbol, groupId }: OcoGroup): PlanView["hold"] {
  const hold = holds.find(symbol);
  return hold === undefined ? null : { ...holdView(hold), isReleased: !holds.isHeld(symbol, groupId) };
}

/** The measures on the group's symbol. */
export function restrictionsOf({ measures }: Pick<PlanPlace, "measures">, symbol: string): PlanView["restrictions"] {
  return measures.of(symbol).map((measure) => ({
    ...measure,
    restrictionTypeName: RESTRICTION_TYPES.get(measure.restrictionType) ?? "",
  }));
}
