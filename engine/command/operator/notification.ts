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
import { type AnyCommandHandler, checked, replyOf } from "../context.ts";

/** The commands over a partition's targets, by name. */
export function notificationCommands(targets: NotificationTargets): ReadonlyMap<string, AnyCommandHandler> {
  return new Map([
    [
      TARGET_COMMANDS.create,
      checked({
        schema: targetBody,
        handle: (_context, body, turn) => turn.decide(() => replyOf(targets.create(turn.userId, body))),
      }),
    ],
    [
      TARGET_COMMANDS.update,
      checked({
        schema: updateTargetBody,
        handle: (_context, { id, target }, turn) => turn.decide(() => replyOf(targets.update(turn.userId, id, target))),
      }),
    ],
    [
      TARGET_COMMANDS.remove,
      checked({
        schema: targetIdBody,
        handle: (_context, { id }, turn) => turn.decide(() => replyOf(targets.remove(turn.userId, id))),
      }),
    ],
    [
      TARGET_COMMANDS.test,
      checked({
        schema: targetIdBody,
        handle: async (_context, { id }, turn) => replyOf(await targets.test(turn.userId, id)),
      }),
    ],
  ]);
}
