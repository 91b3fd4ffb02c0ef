/** What ended a group. */
import { say } from "../language/say.ts";
import { type OcoRow, TRIGGER_FAILED, TRIGGERED } from "../state/model.ts";

/** Why a group is over, and since when. `at` null: not known. */
export function endOf(rows: readonly OcoRow[]): { readonly reason: string; readonly at: string | null } | undefined {
  const [stop, ...takeProfits] = rows;
  if (stop === undefined) return undefined;
  const { status, triggeredDate, updatedDate, dueDate } = stop;
  if (status === TRIGGERED) return { reason: say("the stop-loss fired"), at: triggeredDate };
  if (status === TRIGGER_FAILED) return { reason: say("the stop-loss fired and was not sold"), at: triggeredDate };
  if (takeProfits.length > 0 && takeProfits.every((row) => row.status === TRIGGERED))
    return { reason: say("all take-profits fired"), at: updatedDate };
  const isDue = dueDate !== null && updatedDate !== null && Date.parse(updatedDate) >= Date.parse(dueDate);
  return { reason: isDue ? say("its date was reached") : say("cancelled"), at: updatedDate };
}
