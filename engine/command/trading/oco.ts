/**
 * Creates and cancels OCO groups (behaviour 11.3; behaviour 4).
 */
import { cancelGroupBody, type Reply } from "../../../src/contract/command.ts";
import { type CreateGroupBody, createGroupBody } from "../../../src/contract/trading/oco.ts";
import { consequenceOf, textOfEffects } from "../../../src/domain/market/measure.ts";
import {
  canCancel,
  isDue,
  type OcoGroup,
  rowAt,
  STOP_LOSS,
  stopLossOf,
  versionOf,
} from "../../../src/domain/oco/group.ts";
import { awaitsAnswers } from "../../../src/domain/oco/oco.ts";
import { type GroupPlan, planGroup } from "../../../src/domain/oco/oco-plan.ts";
import { openGroup } from "../../../src/domain/oco/open-group.ts";
import { formatPrice, priceToNumber } from "../../../src/domain/price/price.ts";
import { accept, type Refusal, type Result, refuse } from "../../../src/domain/refusal.ts";
import { groupClaim } from "../../../src/machine/group.ts";
import type { Actors } from "../../ports/actor.ts";
import type { AccountPlace } from "../../ports/brokerage.ts";
import { findNamedGroup } from "../../projection/find-group.ts";
import { ocoRowView } from "../../projection/oco.ts";
import {
  type CommandContext,
  checked,
  refuseUnlessTraded,
  refuseWhileFollowing,
  waitsForMissed,
  waitsForOperator,
} from "../context.ts";
import { type Commit, describeExcess, judged } from "./sell-ledger.ts";

export const createGroup = checked<CreateGroupBody>({
  schema: createGroupBody,
  handle: async (context, body, turn) => {
    const { clock, symbols } = context;
    const { symbol: code } = body;
    const market = [symbols.tickTableOf(code), symbols.zoneOf(code), symbols.calendarOf(code)] as const;
    const plan = planGroup(body, clock.nowMs(), ...market);
    if (!plan.ok) return plan;
    const notTraded = refuseUnlessTraded(context, body.symbol);
    if (notTraded !== undefined) return notTraded;
    const account = await context.accounts.resolve(turn.userId, body.brokerageCode, body.accountNumber);
    if (!account.ok) return account;
    const { accountNumber } = account.value;
    const { brokerageCode, symbol } = body;
    const owner = { userId: turn.userId, brokerageCode, accountNumber, symbol };
    const { quantity } = plan.value.stopLoss;
    const decide = (commit: Commit): Reply => {
      const waiting = waitsForTicks(context, owner);
      if (waiting !== undefined) return waiting;
      const commitLots = () => commit("stopLossQuantity", symbol, quantity);
      const started = startGroup(context, context.actors, plan.value, owner, commitLots);
      if (!started.ok) return started;
      const { group, isReached } = started.value;
      context.bands.learn(owner, symbol);
      const sale = isReached ? describeSale(context, group.groupId) : undefined;
      const warnings = [
        sale,
        describeExcess(context, owner, symbol, quantity),
        describeNoPrice(context, symbol),
        describeBand(context, group),
        describeHold(context, symbol),
        describeMeasures(context, symbol),
        describeHalt(context, owner),
      ];
      const told = warnings.filter((warning) => warning !== undefined).join("; ");
      const data = ocoRowView(group, stopLossOf(group), STOP_LOSS);
      const fired = isReached ? context.actors.find("group", group.groupId)?.context : undefined;
      const version = versionOf((fired as OcoGroup | undefined) ?? group);
      return { ok: true, data, version, ...(told === "" ? {} : { message: `The OCO group was created; ${told}` }) };
    };
    const placeOf = (): AccountPlace => owner;
    return judged(context, placeOf, (commit) => turn.decide(() => decide(commit)));
  },
});

/**
 * In the turn that made or changed a group: states that the last price has reached a level of it, if it has (behaviour
 * 3.3). `before`: the group before its change.
 */
export function describeSale(
  { actors }: Pick<CommandContext, "actors">,
  groupId: number,
  before?: OcoGroup,
): string | undefined {
  const group = actors.find("group", groupId)?.context;
  const isNew = (index: number): boolean => before?.rows[index]?.isInFlight !== true;
  const fired = group?.rows.findIndex((row, index) => row.isInFlight && isNew(index)) ?? -1;
  if (group === undefined || fired < 0) return undefined;
  const { price, triggeredPrice } = rowAt(group, fired);
  const level = formatPrice(price);
  const reached = fired === STOP_LOSS ? `at or under the stop-loss ${level}` : `at or over the take-profit ${level}`;
  return `${group.symbol} is at ${triggeredPrice}, ${reached}, so it sells immediately`;
}

/** States that no price of the symbol is known, so that no level is reached until one arrives (behaviour 3.10). */
export function describeNoPrice({ prices }: Pick<CommandContext, "prices">, symbol: string): string | undefined {
  return prices.last(symbol) === undefined ? `no price of ${symbol} is known yet` : undefined;
}

/** States that the stop-loss cannot be reached today, as it lies under the day's floor (behaviour 17.3). */
function describeBand({ bands }: Pick<CommandContext, "bands">, group: OcoGroup): string | undefined {
  const { symbol, brokerageCode } = group;
  const floor = bands.find(symbol, brokerageCode)?.floorPrice;
  const level = priceToNumber(stopLossOf(group).price);
  if (floor === undefined || level >= floor) return undefined;
  return `the stop-loss ${level} lies under today's floor ${floor}, so no price reaches it today`;
}

/** States the effect of exchange measures on a sell of the symbol (behaviour 23.2). Undefined if none has an effect. */
function describeMeasures({ measures }: Pick<CommandContext, "measures">, symbol: string): string | undefined {
  const effects = measures.effectsOf(symbol);
  const text = textOfEffects(effects);
  return text === "" ? undefined : `${symbol} is under measures of its exchange (${text}): ${consequenceOf(effects)}`;
}

/** States that no level of the symbol fires yet (behaviour 16.1). Undefined if it is not held. */
export function describeHold({ holds }: Pick<CommandContext, "holds">, symbol: string): string | undefined {
  const hold = holds.find(symbol);
  return hold === undefined
    ? undefined
    : `${symbol} is held and no level of it fires until it is released: ${hold.reason}`;
}

/** States that take-profits, or all levels, do not fire while trading is halted (behaviour 18.3). */
function describeHalt({ tradingStates }: CommandContext, owner: AccountPlace): string | undefined {
  const current = tradingStates.of(owner);
  if (current?.state !== "halted") return undefined;
  return `trading is halted, so ${current.includingStops ? "no level of it fires" : "its take-profits do not fire"}: ${current.reason}`;
}

interface StartedGroup {
  /** The group as it was made. */
  readonly group: OcoGroup;
  /** Whether the last price has already reached a level of it. */
  readonly isReached: boolean;
}

/** In a turn: makes a group from a plan, unless an active group holds the claim (behaviour 4.1) or `commitLots` refuses. */
export function startGroup(
  context: Pick<CommandContext, "journal" | "clock" | "hasOversellGuard" | "exitPolicy">,
  actors: Actors,
  plan: GroupPlan,
  owner: Pick<OcoGroup, "userId" | "brokerageCode" | "accountNumber" | "symbol">,
  commitLots?: () => Refusal | undefined,
): Result<StartedGroup> {
  if (isHeld(actors, groupClaim(owner), context.clock.nowMs())) {
    return refuse("INVALID", `an active OCO group already exists for symbol ${owner.symbol}; cancel it first`);
  }
  const excess = commitLots?.();
  if (excess !== undefined) return excess;
  const ids = context.journal.allocateIds(1 + plan.takeProfits.length);
  const { exitPolicy } = context;
  const whole = plan.exitPolicy === undefined ? { ...plan, exitPolicy } : plan;
  const group = openGroup(whole, { ...owner, hasOversellGuard: context.hasOversellGuard }, ids, context.clock.nowMs());
  const isReached = actors.create("group", group.groupId, group, "oco.created");
  return accept({ group, isReached });
}

/**
 * Refuses for now a request for new levels while the symbol's levels follow a corporate action (behaviour 28.3), and a
 * request that would end a due group while an earlier missed tick may fire it (4.7).
 */
export function waitsForTicks(
  context: Pick<CommandContext, "actors" | "clock" | "feed" | "corporateActions" | "renames">,
  owner: Pick<OcoGroup, "userId" | "brokerageCode" | "accountNumber" | "symbol">,
): Refusal | undefined {
  const behind = refuseWhileFollowing(context, owner.symbol);
  if (behind !== undefined) return behind;
  if (!context.feed.isCatchingUp()) return undefined;
  if (dueHolder(context.actors, groupClaim(owner), context.clock.nowMs()) === undefined) return undefined;
  return waitsForMissed(`prices of ${owner.symbol}`);
}

/** Whether an active group has the claim. A group whose due date has passed is ended first (behaviour 4.7). */
export function isHeld(actors: Actors, claim: string, nowMs: number): boolean {
  const due = dueHolder(actors, claim, nowMs);
  if (due !== undefined) actors.deliver("group", due.groupId, { type: "deadline", timeMs: due.dueAtMs });
  return actors.holderOf(claim) !== undefined;
}

/** Returns the group that holds a claim although its due date has passed by the clock. */
function dueHolder(actors: Actors, claim: string, nowMs: number): { groupId: number; dueAtMs: number } | undefined {
  const groupId = actors.holderOf(claim);
  if (groupId === undefined) return undefined;
  const group = actors.find("group", groupId)?.context;
  if (group === undefined || group.dueAtMs === null || !isDue(group, nowMs)) return undefined;
  return { groupId, dueAtMs: group.dueAtMs };
}

/** Returns the 412 if the `versions` of an `If-Match` do not include the object's version (behaviour 15.6, 5.9). */
export function refuseOtherVersion(what: string, version: number, versions: readonly number[] | undefined) {
  if (versions === undefined || versions.includes(version)) return undefined;
  const message = `If-Match does not name the version of the ${what}, which is ${version} now`;
  return { ok: false, code: "PRECONDITION_FAILED", message, version } as const;
}

/** A sell on its way is not withdrawn, and may still be completed (behaviour 4.4). */
const CANCELLED_IN_PART =
  "What could be cancelled of the OCO group was cancelled; a sell that is on its way to the brokerage was not";

export const cancelGroup = checked({
  schema: cancelGroupBody,
  handle: async (context, body, turn) => {
    if (context.brokerages.find(body.brokerageCode) === undefined) {
      return { ok: false, code: "INVALID", message: "brokerageCode is not known" };
    }
    return turn.decide(() => {
      const found = findNamedGroup(context, turn.userId, body);
      if (!found.ok) return found;
      const { group, isEnded } = found.value;
      if (isEnded || !canCancel(group)) {
        return { ok: false, code: "INVALID", message: "the group has no Active row that can be cancelled" };
      }
      if (context.actors.isQuarantined(group.groupId)) return waitsForOperator("the group");
      const other = refuseOtherVersion("group", versionOf(group), body.versions);
      if (other !== undefined) return other;
      context.actors.deliver("group", group.groupId, { type: "cancel", timeMs: context.clock.nowMs() });
      return { ok: true, data: true, ...(awaitsAnswers(group) ? { message: CANCELLED_IN_PART } : {}) };
    });
  },
});
