/** Restrictions of trading, as the service reports and takes them (behaviour 18). */

export interface TradingState {
  readonly scope: "installation" | "user" | "account";
  readonly brokerageCode: string | null;
  readonly accountNumber: string | null;
  readonly state: "reducing" | "halted";
  readonly reason: string;
  readonly includingStops: boolean;
  readonly since: string;
}

export const TRADING_STATE_PATH = "/api/v1/trading-state";

/** The body that ends a restriction. */
export function resumption(of: Pick<TradingState, "scope"> & Partial<TradingState>): object {
  return { ...of, state: "active", reason: "resumed at the dashboard", confirm: "RESUME" };
}
