/**
 * Halts trading, allows only sells, or resumes trading (behaviour 18).
 *
 * Invariant: the state is durable before bots are switched off, a few in each turn: a bot's order in between is
 * refused. A repetition continues with the bots that are left.
 */
import {
  installationStateRequest,
  TRADING_STATE_COMMANDS,
  tradingStateRequest,
} from "../../../src/contract/trading/trading-state.ts";
import { refuseOrder } from "../../../src/domain/order/trading-state.ts";
import { accept, type Result } from "../../../src/domain/refusal.ts";
import { textOf } from "../../../src/runtime/json.ts";
import type { AccountPlace } from "../../ports/brokerage.ts";
import type { StateChange, StatePlace } from "../../ports/order.ts";
import { type BotPlace, botPlacesOf } from "../../projection/bots.ts";
import { viewKey } from "../../table/keys.ts";
import { padded, under } from "../../table/tables.ts";
import { type AnyCommandHandler, type CommandContext, type CommandTurn, checked, replyOf } from "../context.ts";
import { BOT_COMMANDS } from "./bot.ts";

const BOTS_PER_TURN = 64;
const KINDS = { levelBot: "level", webhookBot: "webhook" } as const;
type BotName = keyof typeof KINDS;

interface BotId {
  readonly kind: BotName;
  readonly id: number;
}

const setOwnState = checked({
  schema: tradingStateRequest,
  handle: async (context, body, turn) => {
    const place = await placeOf(context, turn.userId, body.scope === "account" ? body : undefined);
    return place.ok ? set(context, turn, place.value, body) : place;
  },
});

const setInstallationState = checked({
  schema: installationStateRequest,
  handle: (context, body, turn) =>
    set(context, turn, { scope: "installation", userId: null, brokerageCode: null, accountNumber: null }, body),
});

export const tradingStateCommands: ReadonlyMap<string, AnyCommandHandler> = new Map([
  [TRADING_STATE_COMMANDS.set, setOwnState],
  [TRADING_STATE_COMMANDS.setInstallation, setInstallationState],
]);

/** Halts an account: a stricter state of it remains. Its bots are switched off. */
export function haltAccount(context: CommandContext, turn: CommandTurn, account: AccountPlace, reason: string) {
  const current = context.tradingStates.of(account);
  const includingStops = current?.state === "halted" && current.includingStops;
  return set(context, turn, { scope: "account", ...account }, { state: "halted", reason, includingStops });
}

/** Finds the caller's account. If its brokerage cannot confirm it now, its name is used: it affects this user only. */
async function placeOf(
  { accounts }: CommandContext,
  userId: number,
  account: BotPlace | undefined,
): Promise<Result<StatePlace>> {
  if (account === undefined) return accept({ scope: "user", userId, brokerageCode: null, accountNumber: null });
  const { brokerageCode } = account;
  const found = await accounts.resolve(userId, brokerageCode, account.accountNumber);
  if (!found.ok && found.code !== "UNAVAILABLE") return found;
  const { accountNumber } = found.ok ? found.value : account;
  return accept({ scope: "account", userId, brokerageCode, accountNumber });
}

async function set(context: CommandContext, turn: CommandTurn, place: StatePlace, change: StateChange) {
  const done = await turn.decide(() => replyOf(setState(context, place, change)));
  if (!done.ok || change.state !== "halted") return done;
  const bots = await listBots(context, place);
  for (let start = 0; start < bots.length; start += BOTS_PER_TURN) {
    const some = bots.slice(start, start + BOTS_PER_TURN);
    const off = await turn.decide(() => {
      for (const bot of some) switchOff(context, bot);
      return { ok: true, data: true };
    });
    if (!off.ok) return off;
  }
  return done;
}

/** In a turn: sets a state and takes back orders that would leave against it. */
export function setState(
  { outbox, tradingStates }: CommandContext,
  place: StatePlace,
  change: StateChange,
): Result<true> {
  const changed = tradingStates.setInTurn(place, change);
  // They wait for their quota or for the brokerage.
  if (changed.ok) outbox.withdrawRefused((order) => refuseOrder(tradingStates.of(order), order.buySell));
  return changed;
}

function switchOff(context: CommandContext, { kind, id }: BotId): void {
  const found = context.actors.find(kind, id);
  const isOn = found?.isEnded === false && found.context.isActive;
  if (isOn && !context.actors.isQuarantined(id)) BOT_COMMANDS[kind].switchOff(context, id);
}

/** Lists the bots of a scope from the store. */
export async function listBots({ store }: CommandContext, place: StatePlace): Promise<BotId[]> {
  const bots: BotId[] = [];
  for (const kind of Object.keys(KINDS) as BotName[]) {
    const prefix = `${botPlacesOf(KINDS[kind])}${place.userId === null ? "" : `${padded(place.userId)}/`}`;
    for await (const page of store.scan(under(viewKey(prefix)))) {
      for (const [key, value] of page) {
        const { brokerageCode, accountNumber } = JSON.parse(textOf(value)) as BotPlace;
        const isMeant =
          place.scope !== "account" || (place.brokerageCode === brokerageCode && place.accountNumber === accountNumber);
        if (isMeant) bots.push({ kind, id: Number(key.slice(key.lastIndexOf("/") + 1)) });
      }
    }
  }
  return bots;
}
