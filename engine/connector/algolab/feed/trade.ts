/** A trade of AlgoLab's WebSocket. */
import { z } from "zod";

const SHARE_MARKET = "IMKBH";

/** A trade of the share market; every other market is refused. `date` becomes epoch milliseconds. */
export const tradeSchema = z.object({
  symbol: z.string(),
  market: z.literal(SHARE_MARKET),
  price: z.coerce.number().positive(),
  date: z
    .string()
    .transform((text) => Date.parse(text))
    .pipe(z.number()),
  /** The base price of the day; `undefined` if the trade lacks it. */
  refprice: z.coerce.number().positive().optional().catch(undefined),
});
export type AlgolabTrade = Readonly<z.infer<typeof tradeSchema>>;
