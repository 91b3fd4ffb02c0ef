/**
 * The chart of a synthetic OCO group.
 *
 * Owns: the order of a group's life (watching, stopping, closed) and which effects each event asks for.
 * Does not own: the rules themselves (`domain/oco/oco.ts`), watching, storing and sending.
 *
 * Invariants:
 * 1. `stopping` is exactly the time in which the stop-loss is in flight; `closed` is final: no Active row, no sell whose
 *    answer or whose end is not known, nothing that may still be bought for it.
 * 2. Every sell asked for has a name of its own; a name is asked for once.
 * 3. An event that does not fit the state changes nothing.
 */
import { unreachable } from "../assert.ts";
import type { Market } from "../domain/market/calendar.ts";
import { underPresentName } from "../domain/market/rename.ts";
import { adjustGroup, adjustWaiting, releaseGroup } from "../domain/oco/adjust.ts";
import { type ChangeRequested, changeGroup } from "../domain/oco/change.ts";
import { capAtHeld, carryOn, exitDeadlineMs, sellNow, sliceStopLoss, stopExit } from "../domain/oco/exit.ts";
import {
  canCancel,
  isActive,
  isBuying,
  isDue,
  isFlattening,
  isHeldByAction,
  isOpen,
  isStopping,
  type OcoGroup,
  RAISE,
  STOP_LOSS,
  stopLossOf,
  TRIGGER_FAILED,
  TRIGGERED,
} from "../domain/oco/group.ts";
import { type Bought, grow } from "../domain/oco/growth.ts";
import { climb, isClimbDue, noteSold } from "../domain/oco/ladder.ts";
import type { Decision } from "../domain/oco/oco.ts";
import * as oco from "../domain/oco/oco.ts";
import { renameGroup } from "../domain/oco/rename-group.ts";
import { sellByTime, timedExitMs } from "../domain/oco/timed-exit.ts";
import { isTrailing, nextPriceOf, walkTicks } from "../domain/oco/trailing.ts";
import { isUnderWay } from "../domain/order/execution.ts";
import type { OrderPlaced } from "../domain/order/order-news.ts";
import { nameOf, orderNoOf } from "../domain/order/order-number.ts";
import { askAgain, hearOfSell, joined, noteDoubts } from "../domain/order/sell-end.ts";
import type { HeldLots } from "../domain/order/sell-ledger.ts";
import { livePrice } from "../domain/price/price.ts";
import { directParts, type Verdict, walkDirectly } from "./chart.ts";
import { type Effect, earlier, type Facts, type FollowedOrder, followedOrders, type Watch } from "./effect.ts";
import type {
  CorporateActionEvent,
  DeadlineEvent,
  OrderNewsEvent,
  OrderRefusedEvent,
  PriceReachedEvent,
  SymbolRenamedEvent,
  TicksPassedEvent,
} from "./wake-event.ts";

/**
 * `isHalted`: no order of the stop-loss may leave, as even that was halted. `market`: where its next order is sent; absent:
 * not known, or no order can follow. `lotsMax`: the most lots that one order may have; absent: any number. `heldMax`: the
 * lots that the account still holds; absent: not known.
 */
export type GroupEvent = GroupHappening & {
  readonly isHalted?: boolean;
  readonly market?: Market;
  readonly lotsMax?: number;
  readonly heldMax?: HeldLots;
};

type GroupHappening =
  | PriceReachedEvent
  | TicksPassedEvent
  | OrderPlaced
  | OrderRefusedEvent
  | OrderNewsEvent
  | DeadlineEvent
  | CorporateActionEvent
  | SymbolRenamedEvent
  /** The owner lets the levels fire that a corporate action holds. */
  | { readonly type: "releaseHold"; readonly timeMs: number }
  | { readonly type: "cancel"; readonly timeMs: number }
  /** The lots of an account that is flattened are sold now. */
  | { readonly type: "sellNow"; readonly timeMs: number }
  /** The owner wants no more of the stop-loss to be sold; `mayReclaim` as in the news of orders. */
  | { readonly type: "stopExit"; readonly timeMs: number; readonly mayReclaim: boolean }
  | ({ readonly type: "change" } & ChangeRequested)
  /** What an entry has bought for it so far. */
  | ({ readonly type: "grow" } & Bought);

/** Decides on `event`; undefined if the event does not affect the group. */
function decide(group: OcoGroup, event: GroupEvent): Decision | undefined {
  switch (event.type) {
    case "priceReached":
      return reachPrice(group, event);
    case "ticksPassed":
      return walkTicks(group, event.ticks, event.isHalted !== true);
    case "orderPlaced":
    case "orderRefused": {
      const { name, timeMs } = event;
      if (!oco.awaitsAnswer(group, name)) return undefined;
      return event.type === "orderPlaced"
        ? oco.settle(group, { name, refusal: null, timeMs, placed: event })
        : oco.settle(group, {
            ...{ name, refusal: event.message, timeMs, quantity: event.quantity },
            ...{ mayReclaim: event.mayReclaim, isUnreached: event.isUnreached },
          });
    }
    case "orderUpdated":
    case "orderMissing":
    case "orderDecided":
      return hearOfSell(group, underPresentName(event, group));
    case "sellNow":
      return sellNow(group, event.timeMs);
    case "stopExit":
      return stopExit(group);
    case "cancel":
      return oco.cancelOpen(group, event.timeMs);
    case "change":
      return changeGroup(group, event);
    case "grow":
      return grow(group, event);
    case "corporateAction":
      return adjustGroup(group, event.adjustment, event.timeMs);
    case "symbolRenamed":
      return renameGroup(group, event.renaming, event.timeMs);
    case "releaseHold":
      return releaseGroup(group, event.timeMs);
    case "deadline":
      return passDeadline(group, event);
    default:
      return unreachable(event);
  }
}

function reachPrice(group: OcoGroup, event: PriceReachedEvent): Decision | undefined {
  if (isHeldByAction(group)) return undefined;
  if (oco.firesStopLoss(group, event)) return oco.fireStopLoss(group, event);
  const fired = oco.firesTakeProfit(group, event) ? oco.fireTakeProfits(group, event) : undefined;
  const price = event.watches.includes(RAISE) ? livePrice(event.price) : undefined;
  if (price === undefined) return fired;
  const tick = { symbol: group.symbol, price, timeMs: event.timeMs, isCaughtUp: false };
  const raised = walkTicks(fired?.group ?? group, [tick], false);
  return fired === undefined || raised === undefined ? (raised ?? fired) : joined(fired, raised);
}

function passDeadline(
  group: OcoGroup,
  { timeMs, isHalted = false }: DeadlineEvent & { readonly isHalted?: boolean },
): Decision | undefined {
  // Alone, as a raise does not change the plan; anything else that is due keeps its deadline.
  const climbed = isClimbDue(group, timeMs) && !isDue(group, timeMs) ? climb(group, timeMs) : undefined;
  if (climbed !== undefined) return { ...climbed, sells: [], keepsVersion: true };
  const due = isDue(group, timeMs) ? oco.cancelOpen(group, timeMs) : sellByTime(group, timeMs, isHalted);
  const asked = askAgain(due?.group ?? group, timeMs);
  const passed = due === undefined || asked === undefined ? (asked ?? due) : joined(due, asked);
  const nextAtMs = exitDeadlineMs(group);
  return passed === undefined && nextAtMs !== null && nextAtMs <= timeMs ? oco.unchanged(group) : passed;
}

function verdictOn(group: OcoGroup, event: GroupEvent): Verdict<OcoGroup> | undefined {
  const decided = decide(group, event);
  if (decided === undefined) return undefined;
  // Ticks fire a stop-loss or raise it: no exit is under way then.
  const isExiting = decided.group.exit !== undefined && event.type !== "ticksPassed";
  const sliced = sliceStopLoss(isExiting ? carryOn(decided, event) : decided, event.lotsMax);
  const capped = event.heldMax === undefined ? sliced : capAtHeld(sliced, event.heldMax, momentOf(event, sliced.group));
  const decision = "timeMs" in event ? adjustWaiting(capped, event.timeMs) : capped;
  const effects: Effect[] = [];
  for (const { name, row, quantity, isAtFloor } of decision.sells) {
    const urgency = row === STOP_LOSS ? "stopLoss" : "triggered";
    const submit = { type: "submit", name, urgency, symbol: group.symbol, buySell: 2, quantity } as const;
    effects.push(isAtFloor === true ? { ...submit, isAtFloor } : submit);
  }
  for (const { type, ...data } of decision.notices) effects.push({ type: "emit", event: type, data });
  for (const { execution, facts } of decision.told ?? []) effects.push({ type: "tell", execution, facts });
  if (decision.isRecalling === true) effects.push(...recalls(decision.group));
  const { growth } = decision.group;
  if (growth?.isBuying === true && isOpen(stopLossOf(group)) && !isOpen(stopLossOf(decision.group))) {
    effects.push({ type: "endEntry", setupId: growth.setupId });
  }
  const noted = noteDoubts(decision.group);
  const context = decision.keepsVersion === true ? noted : counted(group, noted);
  return { context: "timeMs" in event ? noteSold(context, event.timeMs) : context, effects };
}

/** Two names of its place: its positions are read by the second one. */
function claimsOf(group: OcoGroup): readonly string[] {
  if (!isActive(group)) return [];
  return group.followsPosition ? [groupClaim(group), positionClaim(group)] : [groupClaim(group)];
}

/** Ticks that fire the stop-loss have no moment of their own. */
function momentOf(event: GroupEvent, group: OcoGroup) {
  return "timeMs" in event ? event : { timeMs: stopLossOf(group).triggeredAtMs ?? group.createdAtMs };
}

/** Every change of a row counts, as does a changed term. */
function counted(before: OcoGroup, after: OcoGroup): OcoGroup {
  if (before.rows === after.rows) return after;
  const { changes } = before;
  // In front: V8 adds a field to a copy seven times slower than it copies into an object that has it.
  return changes === undefined ? { changes: 1, ...after } : { ...after, changes: changes + 1 };
}

/** The orders of the stop-loss that are not over: those without a number by the names that they may have. */
function recalls(group: OcoGroup): Effect[] {
  const effects: Effect[] = [];
  for (const { row, execution } of group.followed) {
    // One in doubt is a person's: its brokerage does not know it.
    if (row !== STOP_LOSS || !isUnderWay(execution) || execution.phase === "inDoubt") continue;
    effects.push({
      type: "cancelOrder",
      symbol: group.symbol,
      orderNo: orderNoOf(execution),
      clientOrderId: nameOf(execution),
    });
  }
  if (group.stopLossOrdersOpen === 0) return effects;
  const message = group.exit?.pursuit?.stop?.reason ?? "it would sell more than is left";
  for (const name of oco.stopLossSellNames(group)) effects.push({ type: "withdraw", name, message });
  return effects;
}

const BECOMES = {
  isOver: (group: OcoGroup) =>
    !isActive(group) &&
    group.stopLossOrdersOpen === 0 &&
    group.followed.length === 0 &&
    group.exit?.pursuit === undefined &&
    !isBuying(group),
  isStopping,
  isChanged: () => true,
};

const { base, becoming, act } = directParts(verdictOn);

const chart = base.extend({
  guards: {
    isOver: becoming(BECOMES.isOver),
    isStopping: becoming(BECOMES.isStopping),
    isChanged: becoming(BECOMES.isChanged),
  },
});

const TO_CLOSED = { guard: "isOver", target: "closed", actions: act } as const;
const TO_STOPPING = { guard: "isStopping", target: "stopping", actions: act } as const;
const STAYS_STOPPING = { guard: "isStopping", actions: act } as const;
const TO_WATCHING = { guard: "isChanged", target: "watching", actions: act } as const;
const STAYS = { guard: "isChanged", actions: act } as const;

const machine = chart.createMachine({
  id: "group",
  context: ({ input }) => input,
  initial: "watching",
  states: {
    watching: {
      on: {
        priceReached: [TO_CLOSED, TO_STOPPING, STAYS],
        ticksPassed: [TO_CLOSED, TO_STOPPING, STAYS],
        orderPlaced: [TO_CLOSED, STAYS],
        orderRefused: [TO_CLOSED, STAYS],
        orderUpdated: [TO_CLOSED, STAYS],
        orderMissing: [TO_CLOSED, STAYS],
        orderDecided: [TO_CLOSED, STAYS],
        cancel: [TO_CLOSED, STAYS],
        sellNow: [TO_STOPPING],
        stopExit: [TO_CLOSED, STAYS],
        change: [STAYS],
        grow: [TO_CLOSED, STAYS],
        corporateAction: [TO_CLOSED, STAYS],
        symbolRenamed: [STAYS],
        releaseHold: [STAYS],
        deadline: [TO_CLOSED, TO_STOPPING, STAYS],
      },
    },
    stopping: {
      on: {
        orderPlaced: [TO_CLOSED, STAYS_STOPPING, TO_WATCHING],
        orderRefused: [TO_CLOSED, STAYS_STOPPING, TO_WATCHING],
        orderUpdated: [TO_CLOSED, STAYS_STOPPING, TO_WATCHING],
        orderMissing: [TO_CLOSED, STAYS_STOPPING, TO_WATCHING],
        orderDecided: [TO_CLOSED, STAYS_STOPPING, TO_WATCHING],
        cancel: [TO_CLOSED, STAYS_STOPPING, TO_WATCHING],
        stopExit: [TO_CLOSED, STAYS_STOPPING, TO_WATCHING],
        grow: [TO_CLOSED, STAYS_STOPPING, TO_WATCHING],
        corporateAction: [STAYS_STOPPING],
        symbolRenamed: [STAYS_STOPPING],
        deadline: [TO_CLOSED, STAYS_STOPPING, TO_WATCHING],
      },
    },
    closed: { type: "final" },
  },
});

/** The chart of one group. Its context is the group. */
export const groupMachine = walkDirectly(machine, verdictOn, BECOMES);

/** What the engine must watch and keep for a group. */
export function groupFacts(group: OcoGroup): Facts {
  const watches: Watch[] = [];
  const takeProfitsWatched = !isStopping(group);
  const isHeld = isHeldByAction(group);
  const { symbol } = group;
  const since = armedSinceMs(group);
  for (const [index, row] of group.rows.entries()) {
    if (isHeld || !isOpen(row)) continue;
    if (index === STOP_LOSS ? isFlattening(group) : !takeProfitsWatched) continue;
    const watch: Watch = { watch: index, symbol, side: index === STOP_LOSS ? "below" : "above", level: row.price };
    const isWalked = index === STOP_LOSS && isTrailing(group);
    watches.push(armed(group, index, isWalked ? { ...watch, countsEveryTick: true } : watch));
  }
  const raise = raiseWatch(group);
  if (raise !== undefined) watches.push(armed(group, STOP_LOSS, raise));
  return {
    watches,
    armedSinceMs: since,
    deadlineMs: deadlineMs(group),
    claims: claimsOf(group),
    follows:
      group.followed.length === 0
        ? NOTHING
        : group.followed.flatMap(({ execution }) => followedOrders(group, execution)),
  };
}

/** The watch of a row with the moment from which its level counts, if that is later than the moment of the group. */
function armed(group: OcoGroup, row: number, watch: Watch): Watch {
  const armedMs = group.armings?.find(([index]) => index === row)?.[1];
  return armedMs === undefined || armedMs <= armedSinceMs(group) ? watch : { ...watch, armedSinceMs: armedMs };
}

/** The next price that means something to a stop-loss that trails. */
function raiseWatch(group: OcoGroup): Watch | undefined {
  const level = isTrailing(group) ? nextPriceOf(group.trailing, stopLossOf(group).price) : undefined;
  if (level === undefined || group.trailing === undefined) return undefined;
  const { symbol, trailing: trails } = group;
  const watch = { watch: RAISE, symbol, side: "above", level, countsEveryTick: true, trails } as const;
  // A price does not confirm itself.
  return trails.before === null ? watch : { ...watch, onlyNewTicks: true };
}

const NOTHING: readonly FollowedOrder[] = [];

/** When something is due, or the brokerage must be asked again; null if neither. */
function deadlineMs(group: OcoGroup): number | null {
  let soonest = earlier(canCancel(group) ? group.dueAtMs : null, exitDeadlineMs(group));
  soonest = earlier(soonest, group.ladder?.dueAtMs ?? null);
  soonest = earlier(soonest, timedExitMs(group));
  for (const { execution } of group.followed) soonest = earlier(soonest, execution.askAtMs);
  return soonest;
}

/** The claim that keeps a second active group away (behaviour 4.1). */
export function groupClaim(group: Pick<OcoGroup, "userId" | "brokerageCode" | "accountNumber" | "symbol">): string {
  return `group/${group.userId}/${group.brokerageCode}/${group.accountNumber}/${group.symbol}`;
}

/** The claim of a group that shrinks with its position, which an active group alone can have. */
export function positionClaim(group: Parameters<typeof groupClaim>[0]): string {
  return `position/${group.userId}/${group.brokerageCode}/${group.accountNumber}/${group.symbol}`;
}

/** Take-profits are armed again when the stop-loss was refused: what came before that fires none of them. */
function armedSinceMs(group: OcoGroup): number {
  const { status, updatedAtMs } = stopLossOf(group);
  const isRearmed = status === TRIGGER_FAILED || (status === TRIGGERED && canCancel(group));
  return isRearmed ? Math.max(group.createdAtMs, updatedAtMs ?? 0) : group.createdAtMs;
}
