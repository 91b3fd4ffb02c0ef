/** The effect of an event on a pending OCO setup. Types only. */
import type { Bought } from "./oco/growth.ts";
import type { GroupPlan } from "./oco/oco-plan.ts";
import type { ExecutionStep } from "./order/execution.ts";
import type { PendingSetup } from "./setup.ts";

/** A notification to a setup's owner about anything except its end. */
export interface SetupNotice {
  readonly type:
    | "setup.orderLost"
    | "setup.orderFound"
    | "setup.changed"
    | "setup.unprotected"
    | "setup.triggered"
    | "setup.cancelRefused";
  readonly message: string | null;
}

/** A setup after an event, and the group to be opened, if one is. */
export interface SetupDecision {
  readonly setup: PendingSetup;
  readonly group: GroupPlan | null;
  readonly notices: readonly SetupNotice[];
  /** Steps of the order, with the facts to report. */
  readonly told: readonly ExecutionStep[];
  /** True: the trigger of the entry was reached, and its buy must be sent. */
  readonly isBuying?: true;
  /** True: the buy of the entry must be cancelled, or taken back if it was not sent. */
  readonly isRecalling?: true;
  /** The growth that the group of the entry takes over. */
  readonly growth?: Omit<Bought, "ids"> & { readonly groupId: number };
}
