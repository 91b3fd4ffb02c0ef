/** When a world is at rest: nothing is on its way any more except what waits for a person. */
import type { FollowedOrder } from "../../../src/machine/effect.ts";
import type { Exchange } from "../world/exchange.ts";
import type { Life } from "../world/life.ts";

/** Whether the engine has done, stored and published everything, and every order of the brokerages has ended. */
export function isAtRest(life: Life, exchanges: readonly Exchange[]): boolean {
  const { outbox, inbox, walk, journal, events, watchbook } = life.partition;
  const { quarantined, ...byState } = outbox.stats().byState;
  const isBusy = Object.values(byState).some((count) => count > 0);
  const isOpen = exchanges.some(({ onTheWay, openCount, settings }) => {
    return onTheWay + openCount > 0 || hasUnsettled(watchbook.followed(settings.code));
  });
  const areEventsOut = events.waitingCount === 0;
  return !isBusy && !isOpen && inbox.isIdle && walk.isIdle && !journal.isDirty && areEventsOut;
}

/** Settled orders of clients are followed for a day more, and nothing is on its way for them. */
function hasUnsettled(followed: Iterable<FollowedOrder>): boolean {
  for (const { isSettled } of followed) if (isSettled !== true) return true;
  return false;
}
