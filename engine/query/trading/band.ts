/** Today's band of a symbol (behaviour 17.3). */
import { readBandBody } from "../../../src/contract/operator/band.ts";
import { forUser } from "../context.ts";

export const readBand = forUser({
  schema: readBandBody,
  handle: async ({ bands, symbols, brokerages }, _userId, { symbol, brokerageCode }) => {
    if (!symbols.isKnown(symbol)) return { ok: false, code: "NOT_FOUND", message: "the symbol was not found" };
    if (brokerageCode !== undefined && brokerages.find(brokerageCode) === undefined) {
      return { ok: false, code: "INVALID", message: "brokerageCode is not known" };
    }
    return { ok: true, data: bands.find(symbol, brokerageCode) ?? null };
  },
});
