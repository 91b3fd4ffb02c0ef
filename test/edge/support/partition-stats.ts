/** Figures as an engine reports them. */
const none = { malformed: 0, invalidPrice: 0, unknownSymbol: 0, future: 0, tooOld: 0, outlier: 0, coalesced: 0 };
const counts = { ...none, stale: 3 };
const timed = [1, 0, 2, ...Array.from({ length: 11 }, () => 0)];
/** Returns the figures that the engine of a partition reports. */
export const partitionStats = (partition: number) => ({
  partition,
  feed: {
    state: "live",
    ticks: { accepted: 7, ...counts },
    lastTickMs: 1_500,
    silentMs: 61_500,
    waitingCount: 0,
    holes: { missing: 2, tooOld: 0, recreated: 1, unreadable: 0, refused: 0 },
    stream: { clockAheadMs: 3, refusedSinceMs: null, unheardCount: 7 },
    publishers: [
      {
        ...{ name: "US", state: "silent", since: "2026-11-22T10:00:00.000Z", lastTick: null, symbols: 2, ticks: 7 },
        ...{ delayed: 3, refused: [] },
      },
      {
        ...{ name: "BIST", state: "delayed", since: "2026-11-22T10:00:00.000Z", lastTick: null, symbols: 2, ticks: 0 },
        ...{ delayed: 5, refused: [], behindMs: 900_000 },
      },
    ],
  },
  tickPosition: 12,
  outbox: {
    byState: { queued: 0, sending: 1, retrying: 0, settling: 0, quarantined: 2 },
    laneCount: 1,
    sendCount: 5,
    lookUpCount: 0,
    placedCount: 4,
    refusedCount: 0,
    unknownCount: 0,
    quarantineCount: 2,
    unreadableCount: 0,
  },
  brokerages: [{ code: "ACME", state: "down", since: null, needsLogin: true, resend: "query", refusal: null }],
  armedCount: 9,
  armedPrices: { silent: { refused: 1, none: 0 }, oldestAgeMs: 2_500 },
  heldSymbolCount: 1,
  memory: { resident: 9_000, heapUsed: 4_000 },
  deadlineCount: 1,
  quarantinedActorCount: 0,
  inboxLength: 0,
  eventsWaitingCount: 0,
  unreadableEventRowCount: 0,
  unsold: { "oco.triggerFailed": 1, "oco.sellIncomplete": 0, "setup.conversionFailed": 0, "pair.sellFailed": 0 },
  refusedReports: { completedInPart: 2 },
  batch: 44,
  batchSizes: { counts: [1, 3, ...Array.from({ length: 10 }, () => 0)], sum: 7, count: 4 },
  timings: {
    tickToDurable: { counts: timed, sum: 7, count: 4 },
    durableToSent: { counts: timed, sum: 7, count: 3 },
    logAppend: { counts: timed, sum: 7, count: 3 },
  },
  oldestOrderSinceMs: 2_500,
});
