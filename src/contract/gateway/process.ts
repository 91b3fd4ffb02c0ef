/**
 * The messages that processes of a connector publish of themselves, on `connector.<CODE>.process`: each second, and
 * when they meet another one. Only one process can serve a brokerage, unless the connector promises `idempotent`.
 */
import { z } from "zod";

/** A process that published nothing for so long, in ms, has ended. */
export const HEARD_WITHIN_MS = 3_000;

export const connectorAnnouncementSchema = z.object({
  /** As in `status`: another one at each start. */
  instance: z.string().min(1).max(100),
  /** By its own wall clock. */
  startedMs: z.number(),
  host: z.string().max(255),
  pid: z.number().int(),
});
export type ConnectorAnnouncement = z.infer<typeof connectorAnnouncementSchema>;
