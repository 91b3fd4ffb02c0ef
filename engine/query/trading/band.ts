/** Today's band of a symbol (behaviour 17.3). */
import { readBandBody } from "../../../src/contract/operator/band.ts";
import { refuseUnknownBrokerage } from "../../projection/named-brokerage.ts";
import { forUser } from "../context.ts";

export const readBand = forUser({
  schema: readBandBody,
  handle: async ({ bands, symbols, brokerages }, _userId, { symbol, brokerageCode }) => {
    if (!symbols.isKnown(symbol)) return { ok: false, code: "NOT_FOUND", message: "the symbol was not found" };
    const unknown = refuseUnknownBrokerage({ brokerages }, brokerageCode);
    if (unknown !== undefined) return unknown;
    return { ok: true, data: bands.find(symbol, brokerageCode) ?? null };
  },
});
