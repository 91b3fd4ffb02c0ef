/**
 * Decisions of operators about orders and actors in quarantine or in doubt (behaviour 11.7).
 */
import { createUserBody, IDENTITY_COMMANDS } from "../../../src/contract/operator/identity.ts";
import {
  OPERATOR_COMMANDS,
  parseQuarantineId,
  type ReleaseBody,
  releaseCommandBody,
} from "../../../src/contract/operator/operator.ts";
import { accept, type Result, refuse } from "../../../src/domain/refusal.ts";
import type { Users } from "../../ports/operator.ts";
import { alarmSubject } from "../../projection/alarm.ts";
import { doubtfulOrderView, outboxOrderView, quarantinedActorView } from "../../projection/operator.ts";
import { actorKey } from "../../table/keys.ts";
import { type AnyCommandHandler, type CommandContext, checked, decidedBy, replyOf } from "../context.ts";

/** Releases an order or an actor, or settles a doubt. The edge checks that the caller is an operator. */
const release = checked({
  schema: releaseCommandBody,
  handle: async (context, { id, decision }, turn) => {
    const named = parseQuarantineId(id);
    if (named === undefined || named.partition !== context.partition)
      return refuse("NOT_FOUND", "the id was not found");
    const given = decision ?? undefined;
    return turn.decide(() => {
      return replyOf(RELEASES[named.type](context, named.number, given));
    });
  },
});

function releaseOrder(context: CommandContext, sequence: number, decision: ReleaseBody | undefined): Result<object> {
  if (decision?.action !== "resend" && decision?.action !== "placed" && decision?.action !== "refused") {
    return refuse("INVALID", "action of an order must be resend, placed or refused");
  }
  const released = context.operator.orders.releaseInTurn(sequence, decision);
  return released.ok ? accept(outboxOrderView(context.partition, released.value)) : released;
}

function releaseActor(context: CommandContext, actorId: number, decision: ReleaseBody | undefined): Result<object> {
  if (decision !== undefined && decision.action !== "retry")
    return refuse("INVALID", "action of an actor must be retry");
  const { actors } = context.operator;
  const before = actors.quarantine.find(actorId);
  if (before === undefined) return refuse("NOT_FOUND", `no actor ${actorId} is in quarantine`);
  context.log.warn({ event: "actor.released", actorId }, "an actor was released by hand");
  const bytes = context.journal.read(actorKey(actorId));
  actors.release(actorId);
  const after = actors.quarantine.find(actorId);
  if (after !== undefined) return refuse("CONFLICT", `the actor failed again: ${after.reason}`);
  const stored = bytes === undefined ? undefined : context.operator.actors.readStored(bytes);
  if (stored !== undefined && stored.userId !== null) {
    context.events.emit(stored.userId, "alarm.released", alarmSubject(stored, actorId));
  }
  return accept(quarantinedActorView(context.partition, actorId, before));
}

function settleDoubt(context: CommandContext, actorId: number, decision: ReleaseBody | undefined): Result<object> {
  if (decision?.action !== "filled" && decision?.action !== "notFilled") {
    return refuse("INVALID", "action of an order in doubt must be filled or notFilled");
  }
  if (context.actors.isQuarantined(actorId)) {
    return refuse("CONFLICT", `group ${actorId} is in quarantine: release it first`);
  }
  const settled = context.operator.doubts.settleInTurn(actorId, decision);
  return settled.ok ? accept(doubtfulOrderView(context.partition, settled.value)) : settled;
}

const RELEASES = { order: releaseOrder, actor: releaseActor, doubt: settleDoubt } as const;

export const operatorCommands: ReadonlyMap<string, AnyCommandHandler> = new Map([[OPERATOR_COMMANDS.release, release]]);

/** The commands over the installation's users. Creating a user keeps the promise of an `Idempotency-Key`. */
export function userCommands(users: Users): ReadonlyMap<string, AnyCommandHandler> {
  const createUser = decidedBy(createUserBody, ({ name }) => accept(users.createUser(name)));
  return new Map([[IDENTITY_COMMANDS.createUser, createUser]]);
}
