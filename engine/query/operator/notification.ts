/**
 * Reads of a user's notification targets.
 */
import { z } from "zod";
import { TARGET_QUERIES } from "../../../src/contract/trading/notification.ts";
import type { NotificationTargets } from "../../ports/event.ts";
import { forUser, type QueryHandler } from "../context.ts";

/** The queries over a partition's targets, by name. */
export function notificationQueries(targets: NotificationTargets): ReadonlyMap<string, QueryHandler> {
  const list = forUser({
    schema: z.object({}),
    handle: async (_context, userId) => ({ ok: true, data: targets.list(userId) }),
  });
  return new Map([[TARGET_QUERIES.list, list]]);
}
