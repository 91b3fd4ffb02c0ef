/**
 * Ends one group, pending OCO or bot whose brokerage is given up, within a turn.
 *
 * Invariant: an actor in quarantine is not touched: events for it would take effect unseen at its release.
 */
import { quarantineId } from "../../../src/contract/operator/operator.ts";
import type { Left, RetiredCounts } from "../../../src/contract/operator/retirement.ts";
import { awaitsOrders, type Bot, canDelete, openPairs } from "../../../src/domain/bot/bot.ts";
import { canCancel, type OcoGroup } from "../../../src/domain/oco/group.ts";
import type { ClientOrder } from "../../../src/domain/order/client-order.ts";
import { isUnderWay } from "../../../src/domain/order/execution.ts";
import { orderNoOf } from "../../../src/domain/order/order-number.ts";
import type { PendingSetup } from "../../../src/domain/setup.ts";
import type { StoredActor } from "../../ports/operator.ts";
import { actorKey } from "../../table/keys.ts";
import type { CommandContext } from "../context.ts";
import { BOT_COMMANDS } from "../trading/bot.ts";

/** The fields of one kind about what is left, in addition to the common ones. */
type Stays = Pick<Left, "reason" | "isBlocking"> & Partial<Pick<Left, "rowIds" | "pairIds">>;

/** Cancels an actor as its owner would, counts it, and returns what of it is left; undefined if nothing is. */
export function retireActor(
  context: CommandContext,
  brokerageCode: string,
  id: number,
  retired: RetiredCounts,
): Left | undefined {
  const bytes = context.journal.read(actorKey(id));
  const stored = bytes === undefined ? undefined : context.operator.actors.readStored(bytes);
  if (stored === undefined || isOfUser(stored.kind) || stored.brokerageCode !== brokerageCode) return undefined;
  const stays = context.actors.isQuarantined(id) ? undefined : retireLive(context, id, stored, retired);
  // If the actor failed during this, the host quarantined it, and nothing was done to it.
  const isQuarantined = context.actors.isQuarantined(id);
  const told = isQuarantined ? { reason: whyQuarantined(context, id), isBlocking: stored.needsBrokerage } : stays;
  if (told === undefined) return undefined;
  const { partition } = context;
  const name = isQuarantined ? quarantineId({ type: "actor", partition, number: id }) : String(id);
  return { type: stored.kind, partition, id: name, userId: stored.userId, rowIds: [], pairIds: [], ...told };
}

function whyQuarantined({ operator }: CommandContext, id: number): string {
  const reason = operator.actors.quarantine.find(id)?.reason ?? "";
  return `it waits in quarantine for a release: ${reason}`;
}

function retireLive(
  context: CommandContext,
  id: number,
  stored: StoredActor,
  retired: RetiredCounts,
): Stays | undefined {
  switch (stored.kind) {
    case "group":
      return retireGroup(context, id, retired);
    case "setup":
      return retireSetup(context, id, retired);
    case "levelBot":
    case "webhookBot":
      return retireBot(context, stored.kind, id, retired);
    case "clientOrder":
      return retireOrder(context, id);
    case "family":
    case "priceAlert":
      return undefined;
  }
}

/** Whether actors of a kind are of a user, not of an account. */
function isOfUser(kind: StoredActor["kind"]): kind is "family" | "priceAlert" {
  return kind === "family" || kind === "priceAlert";
}

/** Returns the context of an actor that has not ended. */
function liveContext(
  context: CommandContext,
  kind: "group" | "setup" | "levelBot" | "webhookBot" | "clientOrder",
  id: number,
): object | undefined {
  const found = context.actors.find(kind, id);
  return found === undefined || found.isEnded ? undefined : found.context;
}

function retireGroup(context: CommandContext, id: number, retired: RetiredCounts): Stays | undefined {
  const before = liveContext(context, "group", id) as OcoGroup | undefined;
  if (before !== undefined && canCancel(before)) {
    context.actors.deliver("group", id, { type: "cancel", timeMs: context.clock.nowMs() });
    if (!context.actors.isQuarantined(id)) retired.groups += 1;
  }
  const after = liveContext(context, "group", id) as OcoGroup | undefined;
  if (after === undefined) return undefined;
  const followed = new Set(after.followed.map(({ row }) => row));
  const rowIds = after.rows.filter((row, index) => row.isInFlight || followed.has(index)).map((row) => row.id);
  return { rowIds, reason: "a sell is on its way, or open at the brokerage", isBlocking: true };
}

function retireSetup(context: CommandContext, id: number, retired: RetiredCounts): Stays | undefined {
  if (liveContext(context, "setup", id) === undefined) return undefined;
  context.actors.deliver("setup", id, { type: "remove", timeMs: context.clock.nowMs() });
  const after = liveContext(context, "setup", id) as PendingSetup | undefined;
  if (after?.entry !== undefined) return { reason: "its buy is being cancelled at the brokerage", isBlocking: true };
  if (after !== undefined) return { reason: "it could not be removed", isBlocking: true };
  retired.setups += 1;
  return undefined;
}

/** Leaves a client's order alone: only its client cancels it. */
function retireOrder(context: CommandContext, id: number): Stays | undefined {
  const order = liveContext(context, "clientOrder", id) as ClientOrder | undefined;
  if (order === undefined || !isUnderWay(order.execution)) return undefined;
  return { reason: `order ${orderNoOf(order.execution)} of a client is open at the brokerage`, isBlocking: false };
}

/** Switches off a bot with open pairs, and withdraws its unsent orders; deletes any other bot. */
function retireBot(
  context: CommandContext,
  kind: "levelBot" | "webhookBot",
  id: number,
  retired: RetiredCounts,
): Stays | undefined {
  const before = liveContext(context, kind, id) as Bot | undefined;
  if (before === undefined) return undefined;
  if (before.isActive) BOT_COMMANDS[kind].switchOff(context, id);
  const off = liveContext(context, kind, id) as Bot | undefined;
  if (off !== undefined && !context.actors.isQuarantined(id) && canDelete(off)) {
    BOT_COMMANDS[kind].end(context, id);
    if (!context.actors.isQuarantined(id)) retired.endedBots += 1;
  } else if (before.isActive && !context.actors.isQuarantined(id)) retired.switchedOffBots += 1;
  const after = liveContext(context, kind, id) as Bot | undefined;
  if (after === undefined) return undefined;
  const pairIds = openPairs(after).map(({ pair }) => pair.pairId);
  const isBlocking = after.isActive || awaitsOrders(after);
  const reason = isBlocking
    ? "an order of its open pairs is not done; it is switched off"
    : "its pairs are open and are not sold any more; it is switched off";
  return { pairIds, reason, isBlocking };
}
