/**
 * The judgement over pending setups at the end of a world: each order that was completed has exactly one group with the
 * levels that follow from its fill, or a reason for its absence; an order that was undone leaves no group.
 */
import { ORDER_COMPLETED } from "../../../src/domain/order/order.ts";
import { expectedLevels, type SetupModel } from "../client/setups.ts";
import { ACTIVE, type PlainSetup } from "../oracle/plain-rows.ts";
import type { Ending } from "./ending.ts";

/** Judges every setup; to be called before the groups are judged, whose fates it settles. */
export function checkSetups(ending: Ending): void {
  const { disk, report, setups } = ending;
  for (const setup of setups) {
    const what = `setup n${setup.number}`;
    const { group, asked } = setup;
    const stored = disk.setupsByNotes(`n${setup.number}`);
    const groupCount = disk.countGroups(`n${setup.number}`);
    const [first] = stored;
    if (stored.length > 1) report.violate(`${what} exists ${stored.length} times`);
    if (groupCount > 1) report.violate(`${what} became ${groupCount} groups`);
    if (asked.final?.ok === true && first === undefined) report.violate(`${what} was acknowledged and is lost`);
    if (asked.final?.ok === false && asked.final.code === "INVALID" && first !== undefined) {
      report.violate(`${what} was refused (${asked.final.message}) and exists`);
    }
    const isConverted = first?.outcome?.type === "converted";
    if (isConverted !== groupCount > 0) report.violate(`${what} ended otherwise than its ${groupCount} groups say`);
    if (first !== undefined) checkOutcome(ending, setup, first, what);
    if (group !== undefined && groupCount === 0 && group.fate === "asked") group.fate = "none";
  }
  checkClaims(ending);
}

function checkOutcome(ending: Ending, setup: SetupModel, { outcome, setupId }: PlainSetup, what: string): void {
  const { report, events } = ending;
  const record = setup.order?.record;
  const isByOwner = outcome?.type === "removed" && outcome.isByOwner;
  if (outcome === null || record === undefined) {
    report.violate(`${what} is registered and its order has ended (${record?.orderStatus})`);
    return;
  }
  report.count(`setups: ${outcome.type}`);
  if (setup.order?.isFilledLate === true && outcome.type === "converted") {
    report.count("setups: converted by a fill after the order's end");
  }
  if (events.get(setupId)?.has(`setup.${outcome.type}`) !== true) {
    report.violate(`${what}: setup.${outcome.type} was never published`);
  }
  if (isByOwner) {
    report.count("setups: removed by their owner");
    if (setup.removal === "none") report.violate(`${what} was removed by its owner, who never asked for it`);
    return;
  }
  if (setup.removal === "acknowledged") report.violate(`${what} was removed and ended as ${JSON.stringify(outcome)}`);
  if (record.orderStatus !== ORDER_COMPLETED) {
    // Its due date came first, or before the engine knew how the order ended.
    if (endedAtDue(setup, outcome)) return;
    const isTrue = outcome.type === "removed" && outcome.isPartFilled === record.filledQuantity > 0;
    if (!isTrue) report.violate(`${what} ended as ${JSON.stringify(outcome)}, its order with ${record.orderStatus}`);
    return;
  }
  if (outcome.type === "removed") report.violate(`${what} was removed and its order is completed`);
  if (outcome.type === "converted") checkConverted(ending, setup, outcome.groupId, what);
  if (outcome.type === "conversionFailed") checkFailed(ending, setup, outcome, what);
}

function endedAtDue({ dueMs }: SetupModel, outcome: PlainSetup["outcome"]): boolean {
  return outcome?.type === "conversionFailed" && dueMs !== null && outcome.timeMs >= dueMs;
}

/** The oracle checks that the rows match the levels when it admits the group. */
function checkConverted({ disk, report }: Ending, { group }: SetupModel, groupId: number, what: string): void {
  if (group === undefined) {
    report.violate(`${what} became group ${groupId} and its levels are not in order`);
    return;
  }
  const [stopLoss] = disk.rows(group.viewKey ?? "");
  if (group.fate !== "exists" || stopLoss?.id !== groupId) report.violate(`${what} is not the group ${groupId}`);
}

function checkFailed(
  { report, groups, disk, hasSteppedClock }: Ending,
  setup: SetupModel,
  outcome: Extract<PlainSetup["outcome"], { readonly type: "conversionFailed" }>,
  what: string,
): void {
  const { reason, timeMs } = outcome;
  if (reason === "") report.violate(`${what} failed to convert without a reason`);
  if (expectedLevels(setup) === undefined || hasSteppedClock) return;
  if (endedAtDue(setup, outcome)) return;
  const isTaken = groups.some(({ owner, viewKey }) => {
    const isSame =
      owner.userId === setup.owner.userId &&
      owner.brokerageCode === setup.owner.brokerageCode &&
      owner.accountNumber === setup.owner.accountNumber &&
      owner.symbol === setup.owner.symbol;
    const rows = isSame ? disk.rows(viewKey ?? "") : [];
    const endMs = (status: number, updated: string | null): number =>
      status === ACTIVE ? Number.POSITIVE_INFINITY : Date.parse(updated ?? "");
    return rows.some(
      ({ createdDate, status, updatedDate }) =>
        Date.parse(createdDate) <= timeMs && endMs(status, updatedDate) >= timeMs,
    );
  });
  if (!isTaken) report.violate(`${what} failed to convert (${reason}) and nothing was in its way`);
}

/** Claims on orders are held by registered setups, and none of them is left. */
function checkClaims({ disk, report }: Ending): void {
  const [claim] = disk.keys("c/setup/");
  if (claim !== undefined) report.violate(`${claim} is held by setup ${disk.text(claim)}, which has ended`);
}
