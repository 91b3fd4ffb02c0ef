/**
 * Whether trading goes on: everything, only what reduces a position, or nothing but stop-losses (behaviour 18).
 *
 * Owns: which of several states counts, what each lets pass, how one may be left. Does not own: where states are kept.
 */
import { type Refusal, refuse } from "../refusal.ts";
import { BUY, type BuySell } from "./order.ts";

/** From the loosest to the strictest. */
export const TRADING_STATES = ["active", "reducing", "halted"] as const;
type StateName = (typeof TRADING_STATES)[number];

export interface TradingState {
  readonly state: StateName;
  readonly reason: string;
  /** True: stop-losses do not fire either. Only with `halted`. */
  readonly includingStops: boolean;
}

/** What is said to leave `halted`. */
export const RESUME = "RESUME";
/** What is said to sell all that an account holds. */
export const FLATTEN = "FLATTEN";
/** What is said to set a paper account back. */
export const RESET = "RESET";

/** The stricter of two; of two equally strict ones the first. */
export function stricter(left: TradingState | undefined, right: TradingState | undefined): TradingState | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return rankOf(right) > rankOf(left) ? right : left;
}

function rankOf({ state, includingStops }: TradingState): number {
  return TRADING_STATES.indexOf(state) + (includingStops ? 1 : 0);
}

/** Whether levels of a group fire; `isStopLoss`: its stop-loss's level (behaviour 18.3). */
export function mayFire(current: TradingState | undefined, isStopLoss: boolean): boolean {
  return current?.state !== "halted" || (isStopLoss && !current.includingStops);
}

/** Why an order of a client or a bot may not be sent; undefined where it may. */
export function refuseOrder(current: TradingState | undefined, buySell: BuySell): Refusal | undefined {
  if (current === undefined || current.state === "active") return undefined;
  const { state, reason } = current;
  if (state === "halted") return refuse("TRADING_HALTED", `trading is halted: ${reason}`);
  return buySell === BUY ? refuse("TRADING_REDUCING", `only sells are taken: ${reason}`) : undefined;
}

/** Why one state may not become the other; undefined where it may. */
export function refuseChange(
  before: TradingState | undefined,
  after: Pick<TradingState, "state" | "includingStops">,
  confirm: string | undefined,
): Refusal | undefined {
  if (after.includingStops && after.state !== "halted") {
    return refuse("INVALID", "includingStops is only for the state halted");
  }
  const isLeaving = before?.state === "halted" && after.state !== "halted";
  if (isLeaving && confirm !== RESUME) return refuse("INVALID", `confirm must be "${RESUME}" to leave halted`);
  return undefined;
}
