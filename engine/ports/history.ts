/** What prices did before. Interfaces only. */
import type { Bar } from "../../src/domain/market/bars.ts";

export interface BarHistory {
  /** The kept minutes of a symbol that begin from `fromMs` to before `toMs` (epoch milliseconds), the oldest first. */
  read(symbol: string, fromMs: number, toMs: number): Promise<readonly Bar[]>;
}
