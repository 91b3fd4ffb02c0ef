/**
 * Loaded into an engine before its own code (`--import`): switches the price history's taking of prices off and on
 * while the engine runs. So both are measured in one process; two processes of the same program differ by more than the
 * history costs.
 */
import { PriceHistory } from "../../engine/history/price-history.ts";

/** The parent's request, answered by `true`. */
export interface HistoryRequest {
  readonly takesPrices: boolean;
}

let takesPrices = true;

process.on("message", (message) => {
  if (typeof message !== "object" || message === null || !("takesPrices" in message)) return;
  takesPrices = message.takesPrices === true;
  process.send?.(true);
});

const original = PriceHistory.prototype.onTick;
PriceHistory.prototype.onTick = function (tick) {
  if (takesPrices) original.call(this, tick);
};
