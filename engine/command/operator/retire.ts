/**
 * Gives a brokerage up: its actors are cancelled as their owners would cancel them (behaviour 12.8).
 *
 * Owns: which actors and orders depend on a brokerage, and the report to the operator of what is left. Does not own:
 * the meaning of a cancel, a removal or a switch (the charts), orders on their way: they are followed to their end.
 *
 * Invariants:
 * 1. Nothing that may exist at the brokerage is forgotten: every repetition of the command reports it as left.
 * 2. A turn decides on few actors, so that triggers pass in between. A repetition changes nothing that is done.
 */
import { quarantineId } from "../../../src/contract/operator/operator.ts";
import {
  type Left,
  RETIREMENT_COMMAND,
  RETIREMENT_PLACE,
  type RetiredCounts,
  type Retirement,
  retireBody,
} from "../../../src/contract/operator/retirement.ts";
import { refuse } from "../../../src/domain/refusal.ts";
import { actorKey } from "../../table/keys.ts";
import { TABLES } from "../../table/tables.ts";
import { type AnyCommandHandler, type CommandContext, type CommandTurn, checked } from "../context.ts";
import { retireActor } from "./retire-actor.ts";

const ACTORS_PER_TURN = 64;
/** The most entries of one answer: with their reasons they are well below the limit of one message. */
const LEFT_PER_ANSWER = 1_000;

const retire = checked({
  schema: retireBody,
  handle: async (context, { brokerageCode, from }, turn) => {
    if (context.brokerages.find(brokerageCode) === undefined) {
      return refuse("NOT_FOUND", `brokerage ${brokerageCode} was not found: BROKERAGES_FILE does not list it`);
    }
    const [, list, number] = RETIREMENT_PLACE.exec(from ?? "actors-0") ?? [];
    const after = Number(number);
    if (list === "orders") return { ok: true, data: pendingOrders(context, brokerageCode, after) };
    context.log.warn({ event: "brokerage.givenUp", brokerageCode, from }, "an operator gives a brokerage up");
    return retireActors(context, brokerageCode, after, turn);
  },
});

async function retireActors(context: CommandContext, brokerageCode: string, afterId: number, turn: CommandTurn) {
  const { ids, next } = await actorsOf(context, brokerageCode, afterId);
  const retired: RetiredCounts = { groups: 0, setups: 0, switchedOffBots: 0, endedBots: 0 };
  const left: Left[] = [];
  for (let start = 0; start < ids.length; start += ACTORS_PER_TURN) {
    const some = ids.slice(start, start + ACTORS_PER_TURN);
    const done = await turn.decide(() => {
      for (const id of some) {
        const stays = retireActor(context, brokerageCode, id, retired);
        if (stays !== undefined) left.push(stays);
      }
      return { ok: true, data: true };
    });
    if (!done.ok) return done;
  }
  return { ok: true as const, data: { retired, left, next } satisfies Retirement };
}

/** Lists live actors of the brokerage by id. Rows on their way to the disk are found when the command is repeated. */
async function actorsOf(context: CommandContext, brokerageCode: string, afterId: number) {
  const { actors } = TABLES;
  const ids: number[] = [];
  // This saves parsing the snapshots of all other brokerages.
  const text = JSON.stringify(brokerageCode);
  for await (const page of context.store.scan({ ...actors.range, gte: actorKey(afterId + 1) })) {
    for (const [key, bytes] of page) {
      if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(text)) continue;
      if (context.operator.actors.readStored(bytes)?.brokerageCode !== brokerageCode) continue;
      ids.push(actors.numberOf(key));
      if (ids.length === LEFT_PER_ANSWER) return { ids, next: `actors-${ids.at(-1)}` };
    }
  }
  return { ids, next: "orders-0" };
}

/** Lists orders without an outcome: they may exist, and continue to their end. */
function pendingOrders({ operator, partition }: CommandContext, brokerageCode: string, after: number): Retirement {
  const orders = operator.orders.pending({ afterSequence: after - 1, limit: LEFT_PER_ANSWER });
  const left = orders
    .filter((order) => order.brokerageCode === brokerageCode)
    .map(({ sequence, userId, state, reason }): Left => {
      const id = quarantineId({ type: "order", partition, number: sequence });
      const why = state === "quarantined" ? "the order waits in quarantine for a release" : `the order is ${state}`;
      const told = reason === "" ? why : `${why}: ${reason}`;
      return { type: "order", partition, id, userId, rowIds: [], pairIds: [], reason: told, isBlocking: true };
    });
  const last = orders.length === LEFT_PER_ANSWER ? orders.at(-1) : undefined;
  const retired = { groups: 0, setups: 0, switchedOffBots: 0, endedBots: 0 };
  return { retired, left, next: last === undefined ? null : `orders-${last.sequence + 1}` };
}

export const retirementCommands: ReadonlyMap<string, AnyCommandHandler> = new Map([[RETIREMENT_COMMAND, retire]]);
