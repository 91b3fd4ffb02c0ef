/** The status of a process that publishes a venue's prices, on `feed.<NAME>.status` (docs/prices.md). */
import { z } from "zod";

const count = z.number().int().nonnegative();

export const feedStatusSchema = z.object({
  name: z.string().regex(/^[A-Za-z0-9_]{1,32}$/),
  /** Whether it has its subscription with the venue. */
  connected: z.boolean(),
  /** When that state began, ISO 8601. */
  since: z.string(),
  /** When the last tick went out; null before the first. */
  lastTick: z.string().nullable(),
  symbols: count,
  /** Connected, and no trade for longer than it should be. */
  silent: z.boolean(),
  ticks: count,
  /** Trades that were refused because they came too late. */
  delayed: count,
  /** How late the prices come, in milliseconds, if they are delayed data: all of them are refused. */
  behindMs: z.number().nonnegative().optional(),
  /** Symbols that the venue did not give. */
  refused: z.array(z.string()),
});
export type FeedStatus = Readonly<z.infer<typeof feedStatusSchema>>;

/** The same as the engine knows it. `gone`: the process sends nothing any more. `delayed`: it has no current prices. */
export const publisherStatsSchema = feedStatusSchema
  .omit({ connected: true, silent: true })
  .extend({ state: z.enum(["connected", "delayed", "silent", "down", "gone"]) });
export type PublisherStats = z.infer<typeof publisherStatsSchema>;
