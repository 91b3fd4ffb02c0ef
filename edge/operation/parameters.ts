/**
 * Parameters of paths and queries that several resources share.
 */
import { z } from "zod";
import { accountNumber, brokerageCode, symbolCode } from "../../src/contract/trading/oco.ts";
import { parseTime } from "../../src/domain/time.ts";

const ID_RULE = "must be a whole number above 0";

/** A pattern would appear in the document, on a field that it calls an integer. */
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

/** An id identifies an item by itself; a given brokerage must be the item's. */
export const ofAnyBrokerage = z.object({ brokerageCode: brokerageCode.optional() });

/** Which account at which brokerage. */
export const ofAccount = z.object({ brokerageCode, accountNumber });

/** A whole number in a query, `preset` if it is not given. */
export function wholeNumberParameter(minimum: number, maximum: number, preset: number) {
  return numberBetween(minimum, maximum).default(preset).meta({ type: "integer", minimum, maximum, default: preset });
}

function numberBetween(minimum: number, maximum: number) {
  const rule = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .refine(isDigits, rule)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, rule);
}

/** Text of a form of its own. The document shows no `maxLength` of it, as not every text of that length is accepted. */
function textOfForm(lengthMax: number) {
  return z.string().refine((text) => text.length <= lengthMax, `must have at most ${lengthMax} characters`);
}

/** Choices separated by commas, each once. `read` returns the choice of a text; undefined if it is not a choice. */
export function choicesParameter<T>(read: (text: string) => T | undefined, choices: string) {
  return textOfForm(200)
    .transform((text) => text.split(",").map(read))
    .refine((values): values is T[] => !values.includes(undefined), `must be ${choices}, separated by commas`)
    .transform((values) => [...new Set(values)])
    .meta({ type: "string", description: `Only these: ${choices}, separated by commas` });
}

/** A moment in a query: epoch milliseconds of a time as ISO 8601. */
const momentParameter = textOfForm(64).transform((text, { issues, value }) => {
  const moment = parseTime(text, "since");
  if (moment.ok) return moment.value;
  issues.push({ code: "custom", message: "must be an ISO 8601 time such as 2026-03-01T10:00:00Z", input: value });
  return z.NEVER;
});

const PART_ROWS_MAX = 1_000;

/** The requested part of a list (behaviour 11.8). */
export const partOfList = {
  symbol: symbolCode.optional().meta({ description: "Only this symbol" }),
  limit: numberBetween(1, PART_ROWS_MAX)
    .optional()
    .meta({
      ...{ type: "integer", minimum: 1, maximum: PART_ROWS_MAX },
      description: "Most rows of the answer; its header `X-Next-Cursor` is where the next part begins",
    }),
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,600}$/, "is not a value that this list returned")
    .optional()
    .meta({ description: "`X-Next-Cursor` of the part before" }),
};

/** Only rows that have been in this state since then, or for less long. */
export const sinceParameter = momentParameter.optional().meta({ type: "string" });
