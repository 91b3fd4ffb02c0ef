/**
 * Changes of a user's notification targets.
 */
import {
  TARGET_COMMANDS,
  targetBody,
  targetIdBody,
  updateTargetBody,
} from "../../../src/contract/trading/notification.ts";
import type { NotificationTargets } from "../../ports/event.ts";
import { type AnyCommandHandler, checked, decidedBy, replyOf } from "../context.ts";

/** The commands over a partition's targets, by name. */
export function notificationCommands(targets: NotificationTargets): ReadonlyMap<string, AnyCommandHandler> {
  return new Map([
    [TARGET_COMMANDS.create, decidedBy(targetBody, (body, userId) => targets.create(userId, body))],
    [
      TARGET_COMMANDS.update,
      decidedBy(updateTargetBody, ({ id, target }, userId) => targets.update(userId, id, target)),
    ],
    [TARGET_COMMANDS.remove, decidedBy(targetIdBody, ({ id }, userId) => targets.remove(userId, id))],
    [
      TARGET_COMMANDS.test,
      checked({
        schema: targetIdBody,
        handle: async (_context, { id }, turn) => replyOf(await targets.test(turn.userId, id)),
      }),
    ],
  ]);
}
