/**
 * Applies the facts of actors to the watchbook.
 *
 * Invariant: every change of the watchbook is the difference between two facts. That holds for an actor's own step, a
 * start that reads it and a copy that follows its row. So all three produce the same watchbook.
 */
import type { Facts, FollowedOrder, Watch } from "../../src/machine/effect.ts";
import type { Watchbook } from "../ports/actor.ts";

/** Puts all of an actor's facts under watch. */
export function watchFacts(watchbook: Watchbook, id: number, facts: Facts): void {
  for (const watch of facts.watches) watchbook.arm(id, watch);
  if (facts.deadlineMs !== null) watchbook.setDeadline(id, facts.deadlineMs);
  for (const order of facts.follows) watchbook.follow(id, order);
}

/** Takes all of an actor's facts out of the watch. */
export function unwatchFacts(watchbook: Watchbook, id: number, facts: Facts): void {
  for (const watch of facts.watches) watchbook.disarm(id, watch);
  if (facts.deadlineMs !== null) watchbook.clearDeadline(id, facts.deadlineMs);
  for (const order of facts.follows) watchbook.unfollow(id, order);
}

/** Applies the difference; `reached` levels are out of the watchbook already. Returns the newly armed levels. */
export function watchChanges(
  watchbook: Watchbook,
  id: number,
  before: Facts | undefined,
  after: Facts,
  reached: readonly number[],
): Watch[] {
  if (before === undefined) {
    watchFacts(watchbook, id, after);
    return [...after.watches];
  }
  const armed: Watch[] = [];
  for (const watch of after.watches) {
    const known = numbered(before.watches, watch.watch);
    const wasReached = reached.includes(watch.watch);
    if (known !== undefined && isSameWatch(known, watch)) {
      if (wasReached) watchbook.arm(id, watch);
      continue;
    }
    if (known !== undefined && !wasReached) watchbook.disarm(id, known);
    watchbook.arm(id, watch);
    armed.push(watch);
  }
  for (const watch of before.watches) {
    if (numbered(after.watches, watch.watch) === undefined && !reached.includes(watch.watch)) {
      watchbook.disarm(id, watch);
    }
  }
  if (before.deadlineMs !== after.deadlineMs) {
    if (before.deadlineMs !== null) watchbook.clearDeadline(id, before.deadlineMs);
    if (after.deadlineMs !== null) watchbook.setDeadline(id, after.deadlineMs);
  }
  const followed = before.follows;
  // A remaining order keeps its place among the orders that are looked up in turn.
  for (const order of without(followed, after.follows)) watchbook.unfollow(id, order);
  for (const order of without(after.follows, followed)) watchbook.follow(id, order);
  return armed;
}

/** Returns the orders that are not among `others`. */
function without(orders: readonly FollowedOrder[], others: readonly FollowedOrder[]): readonly FollowedOrder[] {
  if (orders.length === 0 || others.length === 0) return orders;
  return orders.filter((order) => !others.some((other) => isSameOrder(order, other)));
}

function isSameOrder(left: FollowedOrder, right: FollowedOrder): boolean {
  return (
    left.orderNo === right.orderNo &&
    left.brokerageCode === right.brokerageCode &&
    left.accountNumber === right.accountNumber &&
    (left.clientOrderId ?? null) === (right.clientOrderId ?? null) &&
    left.isQuiet === right.isQuiet &&
    left.isInDoubt === right.isInDoubt &&
    left.isSettled === right.isSettled
  );
}

/** An actor's watch of that number: it has a few, with a number each. */
function numbered(watches: readonly Watch[], number: number): Watch | undefined {
  for (const watch of watches) if (watch.watch === number) return watch;
  return undefined;
}

function isSameWatch(left: Watch, right: Watch): boolean {
  return (
    left.level === right.level &&
    left.side === right.side &&
    left.symbol === right.symbol &&
    left.countsEveryTick === right.countsEveryTick &&
    left.trails?.distance === right.trails?.distance &&
    left.trails?.distanceBasisPoints === right.trails?.distanceBasisPoints &&
    left.trails?.confirmTicks === right.trails?.confirmTicks
  );
}
