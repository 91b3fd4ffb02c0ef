/** Notification targets: the receivers of events. */
import { z } from "zod";
import {
  createdTargetSchema,
  TARGET_COMMANDS,
  TARGET_QUERIES,
  targetBody,
  targetSchema,
  targetTestReplySchema,
  testedTargetSchema,
} from "../../src/contract/trading/notification.ts";
import type { Call } from "../operation/call.ts";
import type { AddOperation } from "../operation/operation.ts";
import { byId } from "../operation/parameters.ts";

const tag = "Notifications";
const path = "/api/v1/notification-targets";

/** Returns the caller's part of a test's result; the detail goes to the log. */
function toldOf(call: Pick<Call<unknown, unknown, unknown>, "warn">, targetId: number, data: unknown): object {
  const { detail, ...told } = targetTestReplySchema.parse(data);
  if (detail !== null)
    call.warn({ event: "target.testFailed", targetId, detail }, "a test message could not be handed over");
  return told;
}

/** Adds the operations on notification targets. */
export function addNotificationOperations(add: AddOperation): void {
  add({
    operationId: "createNotificationTarget",
    method: "POST",
    path,
    tag,
    summary: "Send events somewhere",
    description:
      "From now on the events are sent to a webhook (signed as Standard Webhooks specifies, under the event's id, at least once), to a Telegram chat or by e-mail. Webhooks must be public https addresses; redirects are not followed. A webhook's secret is shown once.",
    scope: "trade",
    body: targetBody,
    data: createdTargetSchema,
    handle: async (call) => call.answer(await call.command(TARGET_COMMANDS.create, call.body), "The target was made"),
  });
  add({
    operationId: "listNotificationTargets",
    method: "GET",
    path,
    tag,
    summary: "List notification targets",
    description:
      "Also the state of each: a target that fails is tried again for a day, then it is dead until it is updated.",
    scope: "read",
    data: z.array(targetSchema),
    handle: async (call) => call.answer(await call.ask(TARGET_QUERIES.list, {}), "The notification targets"),
  });
  add({
    operationId: "updateNotificationTarget",
    method: "PUT",
    path: `${path}/:id`,
    tag,
    summary: "Change a notification target",
    description: "The whole of it; the kind stays, and so does a webhook's secret. A dead one is tried again.",
    scope: "trade",
    params: byId,
    body: targetBody,
    data: targetSchema,
    handle: async (call) => {
      const body = { id: call.params.id, target: call.body };
      return call.answer(await call.command(TARGET_COMMANDS.update, body), "The target was changed");
    },
  });
  add({
    operationId: "deleteNotificationTarget",
    method: "DELETE",
    path: `${path}/:id`,
    tag,
    summary: "Remove a notification target",
    description: "Nothing is sent to it any more.",
    scope: "trade",
    params: byId,
    data: z.literal(true),
    handle: async (call) =>
      call.answer(await call.command(TARGET_COMMANDS.remove, { id: call.params.id }), "The target was removed"),
  });
  add({
    operationId: "testNotificationTarget",
    method: "POST",
    path: `${path}/:id/test`,
    tag,
    summary: "Send a test message",
    description:
      "Once and now; `data` states whether it was accepted. At most 6 a minute, to all of the user's targets together.",
    scope: "trade",
    params: byId,
    isIdempotent: false,
    data: testedTargetSchema,
    limit: (limits, { userId }) => limits.testMessages(userId),
    handle: async (call) => {
      const { id } = call.params;
      const reply = await call.command(TARGET_COMMANDS.test, { id });
      return call.answer(reply.ok ? { ok: true, data: toldOf(call, id, reply.data) } : reply, "The test was sent");
    },
  });
}
