/** The price history. Interfaces only. */
import type { Bar } from "../../src/domain/market/bars.ts";

export interface BarHistory {
  /**
   * The kept minutes of a symbol that begin from `fromMs` to before `toMs` (epoch milliseconds), the oldest first. They
   * come in slices: after each one the loop has a turn, as a month of minutes would block it.
   */
  read(symbol: string, fromMs: number, toMs: number): AsyncIterable<readonly Bar[]>;
}
