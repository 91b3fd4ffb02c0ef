/**
 * Which trading is allowed: everything, only orders that reduce a position, or nothing except stop-losses
 * (behaviour 18).
 *
 * Owns: which of several states counts, which orders each allows, how each can be left. Does not own: where states are
 * stored.
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

/** The confirmation word that leaves `halted`. */
export const RESUME = "RESUME";
/** The confirmation word that sells everything that an account holds. */
export const FLATTEN = "FLATTEN";
/** The confirmation word that resets a paper account. */
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

/** Returns why an order of a client or a bot cannot be sent; undefined if it can. */
export function refuseOrder(current: TradingState | undefined, buySell: BuySell): Refusal | undefined {
  if (current === undefined || current.state === "active") return undefined;
  const { state, reason } = current;
  if (state === "halted") return refuse("TRADING_HALTED", `trading is halted: ${reason}`);
  return buySell === BUY ? refuse("TRADING_REDUCING", `only sells are taken: ${reason}`) : undefined;
}

/** Returns why a change from one state to the other is refused; undefined if it is allowed. */
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
