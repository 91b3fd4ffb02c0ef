/** The session of a symbol's exchange, as it crosses a process (behaviour 21.7). */
import { z } from "zod";
import { TAKEN_ORDERS } from "../../domain/market/calendar.ts";
import { symbolCode } from "../trading/oco.ts";

export const SESSION_QUERIES = { read: "symbols.session" } as const;

/** Body of `symbols.session`. */
export const readSessionBody = z.object({ symbol: symbolCode });

export const sessionSchema = z
  .object({
    symbol: z.string(),
    mic: z.string().meta({ description: "The calendar, by its market identifier code" }),
    phase: z.string().nullable().meta({ description: "The phase of now; null: the market is closed" }),
    takes: z.array(z.enum(TAKEN_ORDERS)).meta({ description: "Kinds of orders that the phase takes" }),
    changeDate: z.string().nullable().meta({
      description: "When the phase ends, or the next one begins if the market is closed; null: not within 60 days",
    }),
    nextPhase: z.string().nullable().meta({ description: "The phase that begins next; null: none within 60 days" }),
  })
  .meta({ id: "Session" });
export type SessionView = z.infer<typeof sessionSchema>;
