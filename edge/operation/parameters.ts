/**
 * Parameters of paths and queries that several resources share.
 */
import { z } from "zod";
import { accountNumber, brokerageCode } from "../../src/contract/trading/oco.ts";

const ID_RULE = "must be a whole number above 0";

/** A pattern would be shown, of what the document calls an integer. */
const isDigits = (text: string): boolean => /^[0-9]{1,16}$/.test(text);

/** An id in a path: digits only, in the range where integers are exact. */
export const idParameter = z
  .string()
  .refine(isDigits, ID_RULE)
  .transform(Number)
  .refine((id) => id > 0 && Number.isSafeInteger(id), ID_RULE)
  .meta({ type: "integer", minimum: 1, description: "Id" });

export const byId = z.object({ id: idParameter });

/** Which brokerage, by its code (case-sensitive). */
export const ofBrokerage = z.object({ brokerageCode });

/** An id says all by itself; a brokerage that is given must be that of what it names. */
export const ofAnyBrokerage = z.object({ brokerageCode: brokerageCode.optional() });

/** Which account at which brokerage. */
export const ofAccount = z.object({ brokerageCode, accountNumber });

/** A whole number in a query, `preset` where it is not given. */
export function wholeNumberParameter(minimum: number, maximum: number, preset: number) {
  const rule = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .refine(isDigits, rule)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, rule)
    .default(preset)
    .meta({ type: "integer", minimum, maximum, default: preset });
}
