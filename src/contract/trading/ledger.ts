/** The held lots of an account, and the lots that can still be sold. */
import { z } from "zod";
import { accountNumber, brokerageCode } from "./oco.ts";

/** Query of `accounts.sellLedger`. */
export const sellLedgerBody = z.object({ brokerageCode, accountNumber });

const lots = z.number().int();

/** One symbol of an account. Null: not known, which is never zero. */
export const ledgerRowSchema = z
  .object({
    symbol: z.string(),
    held: lots.nullable().meta({ description: "Lots that the brokerage reports as held" }),
    heldAsOf: z.string().nullable().meta({ description: "When the brokerage reported it" }),
    openSells: lots
      .nullable()
      .meta({ description: "Lots of the day's sells that can still be filled, regardless of who placed them" }),
    committed: z
      .object({
        groups: lots.meta({ description: "Stop-loss quantities of active OCO groups" }),
        bots: lots.meta({ description: "Lots that open pairs of bots bought and have not begun to sell" }),
        entries: lots.meta({ description: "Stop-loss quantities of pending OCOs" }),
      })
      .meta({ description: "Lots that this service may still sell by itself" }),
    worstCase: lots
      .nullable()
      .meta({ description: "held less openSells and all that is committed; negative when too much is" }),
    overcommitted: z.boolean().nullable(),
  })
  .meta({ id: "SellLedgerRow" });
export type LedgerRowView = z.infer<typeof ledgerRowSchema>;
