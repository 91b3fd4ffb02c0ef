/**
 * The outbox: every committed order reaches its brokerage exactly once, or its owner is notified that none exists.
 *
 * Owns: the entries (`o/`), the way of an order from the batch to its outcome, quarantine.
 * Does not own: the meaning of an answer (settle.ts), a person's decisions (release.ts), the sequence of sending
 * (lane.ts), cancelling orders, making orders.
 *
 * Invariants:
 * 1. Nothing is sent before its entry is durable, and nothing at all before `start`.
 * 2. An entry records an attempt before that attempt is made. For brokerages that promise `idempotent` it does not:
 *    after a restart each of their entries counts as sent.
 * 3. An entry is removed in the batch that contains its outcome, and every write happens in a turn of the inbox.
 * 4. An order that may exist is neither reported as refused nor sent blindly (settle.ts).
 * 5. Lanes are independent: a brokerage or an account that hangs does not delay the orders of others.
 */
import { assert, unreachable } from "../../../src/assert.ts";
import type { OrderDecision, PartitionStats } from "../../../src/contract/operator/operator.ts";
import { isJudged, mayHaveBeenTaken } from "../../../src/contract/trading/order.ts";
import { heldForMs } from "../../../src/domain/market/measure.ts";
import type { Renaming } from "../../../src/domain/market/rename.ts";
import { isSellOfGroup } from "../../../src/domain/oco/sell-name.ts";
import { BUY } from "../../../src/domain/order/order.ts";
import { accept, type Refusal, type Result } from "../../../src/domain/refusal.ts";
import { Gathering } from "../../../src/runtime/gathering.ts";
import type { AccountPlace, Brokerage } from "../../ports/brokerage.ts";
import type { OrderPage, PendingOrderRecord, UnansweredOrderRecord } from "../../ports/operator.ts";
import type { OrderName, OrderOutcome, Outbox, OutboxOrder } from "../../ports/order.ts";
import { BrokerageCalls } from "./calls.ts";
import {
  attemptedEntry,
  decodeRow,
  encodeEntry,
  firstEntry,
  outboxKey,
  unmarkedEntry,
  wasMaybeSent,
} from "./entry/entry.ts";
import type { Lane } from "./lane/lane.ts";
import { Lanes } from "./lane/lanes.ts";
import type { OutboxOptions } from "./options.ts";
import { findDecidable, outcomeOf, releaseUnsent } from "./release.ts";
import { type BrokerageRules, callMsMax, rulesOf } from "./rules.ts";
import { decideNext, type Moment, type Next, type OrderNews, settlingPromise } from "./settle.ts";
import {
  applyNext,
  changedTerms,
  enterState,
  type FinishedOrder,
  hasOtherTerms,
  isAttemptRecordedInVain,
  isCertainlyUnsent,
  knownStateOf,
  logFields,
  needsAttemptRecord,
  noteDoubt,
  type TrackedOrder,
  toPendingOrder,
  trackOrder,
} from "./tracked-order.ts";
import { NO_COUNTS, UnsettledOrders } from "./unsettled-orders.ts";

/** How often the owner of an order is notified that a measure keeps it back. */
const HELD_TOLD_MS = 3_600_000;
/** Sells of groups that are accepted this soon after another one are settled together. */
const TOGETHER_MS = 10;

export class BrokerOutbox implements Outbox {
  readonly #options: OutboxOptions;
  readonly #calls: BrokerageCalls;
  readonly #unsettled = new UnsettledOrders();
  readonly #lanes: Lanes;
  readonly #finishing: Gathering<FinishedOrder>;
  #recovered: TrackedOrder[] = [];
  #phase: "recovering" | "running" | "stopped" = "recovering";
  /** Steady time of the last standstill's end. */
  #awakeSinceMs = Number.NEGATIVE_INFINITY;
  readonly #counts = { ...NO_COUNTS };

  constructor(options: OutboxOptions) {
    const { brokerages, timers } = options;
    this.#options = options;
    this.#finishing = new Gathering({
      ...{ timers, pauseMs: TOGETHER_MS },
      handle: (finished) => finished.forEach((each) => void this.#finishInTurn(each)),
    });
    this.#calls = new BrokerageCalls(options);
    this.#lanes = new Lanes({
      ...options,
      ordersPerMinute: (code) => rulesOf(brokerages, code, "query").ordersPerMinute,
      send: (lane, order) => this.#send(lane, order),
      lookUp: (lane, order) => void this.#lookUp(lane, order),
      onStandstill: () => this.#noteStandstill(),
    });
  }

  /** In a turn: stores the order in the batch; it leaves once that is durable. Throws if the order is not valid. */
  submit(order: OutboxOrder): void {
    const { brokerages, journal, clock, steadyClock } = this.#options;
    const nowMs = clock.nowMs();
    const sequence = journal.nextSequence();
    const rules = rulesOf(brokerages, order.brokerageCode, "query");
    const lane = this.#lanes.for(order);
    const fresh = firstEntry(sequence, order, rules.promise, nowMs);
    // An order that will leave immediately is stored with its attempt, which saves the usual case a second write.
    const isAttemptRecorded = rules.promise !== "idempotent" && lane.expectsToSendAtOnce(order.accountNumber);
    const entry = isAttemptRecorded ? attemptedEntry(fresh, 1, rules, nowMs) : fresh;
    const row = journal.insert(outboxKey(sequence), encodeEntry(entry));
    const tracked = trackOrder(entry, row, rules.promise, 0, nowMs);
    if (isAttemptRecorded) tracked.attemptRecordedMs = steadyClock.nowMs();
    this.#unsettled.add(tracked);
    lane.announce(order.accountNumber);
    journal.afterDurable(() => lane.arrive(tracked));
  }

  /** In a turn: orders that certainly were not sent have the new name of their symbol from here on (behaviour 30.4). */
  renameInTurn({ from, to }: Renaming): void {
    for (const order of this.#unsettled.unsentOf(from)) {
      order.entry = { ...order.entry, order: { ...order.entry.order, symbol: to } };
      this.#store(order);
    }
  }

  withdraw(name: OrderName, message: string): boolean {
    const order = this.#unsettled.named(name);
    if (order === undefined || !isCertainlyUnsent(order)) return false;
    this.#options.log.warn({ event: "order.withdrawn", ...logFields(order) }, "an order was taken back unsent");
    this.#finish(order, { type: "refused", code: "UNAVAILABLE", message });
    this.#lanes.for(order.entry.order).reconsider();
    return true;
  }

  withdrawOf(actorId: number, message: string): void {
    for (const { entry } of this.#unsettled.ofActor(actorId)) this.withdraw(entry.order, message);
  }

  withdrawRefused(refusalOf: (order: OutboxOrder) => Refusal | undefined): void {
    for (const { entry } of [...this.#unsettled.values()]) {
      const { urgency, buySell } = entry.order;
      const refusal = urgency === "client" || buySell === BUY ? refusalOf(entry.order) : undefined;
      if (refusal !== undefined) this.withdraw(entry.order, refusal.message);
    }
  }

  /**
   * Takes in a row of the outbox from the store: all rows, in key order, before `start` and the first `submit`. Nothing
   * is sent yet. A row that cannot be read is kept unchanged and reported; a row of a newer program throws.
   */
  recover(key: string, value: Uint8Array): void {
    assert(this.#phase === "recovering", "rows are recovered before the start");
    const { brokerages, clock, journal, log } = this.#options;
    const row = decodeRow(key, value);
    if (row.kind === "unreadable") {
      this.#counts.unreadableCount += 1;
      this.#lanes.recoverUnreadable(key);
      log.error({ event: "order.unreadable", key, reason: row.reason }, "an outbox row cannot be read: it is not sent");
    } else if (row.kind === "pace") {
      this.#lanes.recover(row.pace, journal.rowOf(key, value));
    } else {
      const { entry } = row;
      const current = rulesOf(brokerages, entry.order.brokerageCode, entry.promise).promise;
      const promise = settlingPromise(entry.promise, current);
      const order = trackOrder(entry, journal.rowOf(key, value), promise, entry.attempt, clock.nowMs());
      // Missed ticks and deadlines are processed before the start: an order that they withdraw must not have been sent.
      if (wasMaybeSent(entry)) noteDoubt(order);
      this.#unsettled.add(order);
      this.#recovered.push(order);
    }
  }

  /** Begins to send. Recovered orders return to their queue or to settlement, or remain in quarantine. */
  start(): void {
    assert(this.#phase === "recovering", "the outbox starts once");
    const orders = this.#recovered.filter(({ isDecided }) => !isDecided);
    this.#recovered = [];
    this.#lanes.restore(orders.map(({ entry }) => entry));
    this.#phase = "running";
    for (const order of orders) this.#resume(order);
    this.#lanes.start();
    this.#options.log.info({ event: "outbox.ready", byState: this.#unsettled.countByState() }, "the outbox sends");
  }

  /** Stops sending and looking up. Answers to calls under way are still reported. */
  stop(): void {
    this.#phase = "stopped";
    this.#lanes.stop();
    this.#finishing.flush();
  }

  /** Stops, waits for answers, and removes, in a turn, the attempt records of orders that certainly do not exist. */
  async drain(): Promise<void> {
    this.stop();
    await this.#calls.idle(this.#options.timers);
    this.#options.inbox.enqueue(() => {
      for (const order of this.#unsettled.values()) {
        if (!isAttemptRecordedInVain(order)) continue;
        order.entry = unmarkedEntry(order.entry);
        this.#store(order);
      }
    });
  }

  /** Orders without an outcome, in commit order. */
  pending(page: OrderPage = {}): readonly PendingOrderRecord[] {
    return this.#unsettled.list(page);
  }

  /** Orders that wait for a person's decision, in commit order. */
  quarantined(page: OrderPage = {}): readonly PendingOrderRecord[] {
    return this.#unsettled.list(page, "quarantined");
  }

  unansweredOf(account: AccountPlace): readonly UnansweredOrderRecord[] {
    return this.#unsettled.ofAccount(account);
  }

  /** Counters and gauges for the metrics. O(orders). */
  stats(): PartitionStats["outbox"] {
    return { byState: this.#unsettled.countByState(), laneCount: this.#lanes.size, ...this.#counts };
  }

  /** Returns when the market opens for waiting orders of an actor; null: none waits for it. O(orders). */
  sessionOf(actorId: number): number | null {
    const waits = this.#unsettled.ofActor(actorId).flatMap(({ state, sessionMs }) => {
      return state === "retrying" && sessionMs !== null ? [sessionMs] : [];
    });
    return waits.length === 0 ? null : Math.min(...waits);
  }

  #resume(order: TrackedOrder): void {
    if (order.entry.quarantine !== null) {
      this.#options.log.warn({ event: "order.inQuarantine", ...logFields(order) }, "an order waits in quarantine");
    } else if (wasMaybeSent(order.entry)) {
      order.isAttemptRecordSpent = true;
      this.#happened(order, { type: "recovered" });
    } else {
      order.wasInDoubt = order.entry.attempt > 0;
      this.#lanes.for(order.entry.order).add(order);
    }
  }

  #send(lane: Lane, order: TrackedOrder): void {
    const nowMs = this.#options.clock.nowMs();
    enterState(order, "sending", "", nowMs);
    order.isHeld = false;
    this.#placeRecorded(lane, order, !needsAttemptRecord(order, this.#rulesOf(order), nowMs));
  }

  /** Places it once its entry records this attempt, with the terms of the moment in which it leaves. */
  #placeRecorded(lane: Lane, order: TrackedOrder, isRecorded: boolean): void {
    const { inbox, journal, clock, steadyClock } = this.#options;
    if (isRecorded && changedTerms(order, this.#options.termsOf) === undefined) {
      void this.#place(lane, order);
      return;
    }
    inbox.enqueue(() => {
      const terms = changedTerms(order, this.#options.termsOf);
      if (terms !== undefined) order.entry = { ...order.entry, order: { ...order.entry.order, ...terms } };
      if (!isRecorded) {
        const rules = this.#rulesOf(order);
        order.entry = attemptedEntry(order.entry, order.attempt + 1, rules, clock.nowMs());
        order.promise = rules.promise;
        order.isAttemptRecordSpent = false;
        order.attemptRecordedMs = steadyClock.nowMs();
      }
      this.#store(order);
      // A measure may have begun during the write.
      journal.afterDurable(() => this.#placeRecorded(lane, order, true));
    });
  }

  async #place(lane: Lane, order: TrackedOrder): Promise<void> {
    if (this.#phase === "stopped") return;
    order.attempt += 1;
    order.firstSentMs ??= lane.triedSinceMs(order);
    const wait = this.#options.waitOf?.(order.entry.order);
    if (wait === undefined) lane.useQuota();
    else {
      lane.skipQuota();
      lane.endSend(order);
      this.#happened(order, { type: "sent", reply: { ok: false, code: "NOT_NOW", message: wait.reason } });
      return;
    }
    this.#counts.sendCount += 1;
    const brokerage = this.#brokerageOf(order);
    const calledMs = this.#options.steadyClock.nowMs();
    const reply = await this.#calls.send(brokerage, order);
    if (this.#options.steadyClock.nowMs() - calledMs > callMsMax(brokerage)) this.#noteStandstill();
    lane.endSend(order);
    if (!reply.ok) {
      const fields = { ...logFields(order), attempt: order.attempt, code: reply.code };
      this.#options.log.warn({ event: "order.notPlaced", ...fields }, "an order was not placed");
      if (mayHaveBeenTaken(reply.code)) this.#counts.unknownCount += 1;
      if (reply.isAttemptSpent === true) order.isAttemptRecordSpent = true;
      if (reply.isHeldBack === true && order.entry.order.urgency !== "client") {
        // Time in which this engine must not act does not count as tried.
        order.firstSentMs = this.#options.steadyClock.nowMs();
        lane.noteServed(order);
      }
    }
    if (isJudged(reply)) lane.noteServed(order);
    this.#happened(order, { type: "sent", reply });
  }

  async #lookUp(lane: Lane, order: TrackedOrder): Promise<void> {
    const { generation } = order;
    const asked = this.#now();
    this.#counts.lookUpCount += 1;
    const reply = await this.#calls.lookUp(this.#brokerageOf(order), order);
    lane.endLookUp(order);
    if (order.generation !== generation) {
      const fields = { ...logFields(order), isFound: reply.ok };
      this.#options.log.warn(
        { event: "order.answerAfterRelease", ...fields },
        "a look-up answered after its order was released by hand",
      );
      return;
    }
    this.#happened(order, { type: "lookedUp", asked, reply });
  }

  #happened(order: TrackedOrder, news: OrderNews): void {
    const { settleMs } = this.#rulesOf(order);
    const next = decideNext(knownStateOf(order, this.#awakeSinceMs), news, {
      now: this.#now(),
      random: this.#options.random(),
      settleMs,
      canLookUp: this.#brokerageOf(order)?.session?.().canLookUp ?? true,
      opensInMs: this.#opensInMs(order, news),
      hasOtherTerms: hasOtherTerms(order, this.#options.termsOf),
      heldForMs: heldForMs(this.#options.waitOf?.(order.entry.order), this.#options.clock.nowMs()),
    });
    this.#carryOut(order, next);
  }

  #opensInMs({ entry }: TrackedOrder, news: OrderNews): number | null {
    if (news.type !== "sent" || news.reply.ok || news.reply.code !== "NOT_NOW") return null;
    return this.#options.opensInMs?.(entry.order) ?? null;
  }

  /** In a turn: lets orders of a symbol that no measure keeps back any more be tried now. O(orders). */
  wakeHeld(symbol: string): void {
    const { steadyClock, waitOf, isSameSymbol = Object.is } = this.#options;
    for (const order of this.#unsettled.values()) {
      const what = order.entry.order;
      if (!order.isHeld || !isSameSymbol(what.symbol, symbol) || waitOf?.(what) !== undefined) continue;
      order.isHeld = false;
      order.generation += 1;
      order.queuedMs = steadyClock.nowMs();
      this.#lanes.for(what).wait(order, order.queuedMs, "send");
    }
  }

  /** In a turn, when an order begins to wait for its next try: notes whether a measure keeps it back. */
  #noteHeld(order: TrackedOrder): void {
    const { waitOf, onHeld, steadyClock } = this.#options;
    const wait = waitOf?.(order.entry.order);
    order.isHeld = wait !== undefined;
    const nowMs = steadyClock.nowMs();
    if (wait === undefined || (order.heldToldMs !== null && nowMs - order.heldToldMs < HELD_TOLD_MS)) return;
    order.heldToldMs = nowMs;
    onHeld?.(order.entry.order, wait.reason);
  }

  #carryOut(order: TrackedOrder, next: Next): void {
    const { inbox } = this.#options;
    // A person may release it before its turn comes.
    const { generation } = order;
    const { order: what } = order.entry;
    applyNext(order, next, this.#now());
    if (next.type === "finish") return void this.#finishSoon({ order, outcome: next.outcome });
    const inTurn = (act: () => void): void => void inbox.enqueue(() => order.generation === generation && act());
    switch (next.type) {
      case "quarantine":
        inTurn(() => this.#quarantine(order, next.reason));
        return;
      case "retry":
        this.#lanes.for(what).noteFailing(order);
        this.#lanes.for(what).add(order);
        return;
      case "sendAnew":
        this.#lanes.for(what).add(order);
        return;
      case "postpone":
        inTurn(() => this.#postpone(order, next));
        return;
      case "resend":
        inTurn(() => {
          this.#noteHeld(order);
          this.#lanes.for(what).wait(order, next.atMs, "send");
        });
        return;
      case "lookUp":
        this.#lanes.for(what).wait(order, next.atMs, "lookUp");
        return;
      default:
        unreachable(next);
    }
  }

  /** Only an accepted sell of a group leads to nothing that hurries. */
  #finishSoon(finished: FinishedOrder): void {
    const isPatient = finished.outcome.type === "placed" && isSellOfGroup(finished.order.entry.order.clientOrderId);
    if (isPatient && this.#phase === "running") this.#finishing.add(finished);
    else this.#finishInTurn(finished);
  }

  #finishInTurn({ order, outcome }: FinishedOrder): void {
    this.#options.inbox.enqueue(() => this.#finish(order, outcome));
  }

  /** In a turn: removes the order's entry and notifies its owner. */
  #finish(order: TrackedOrder, outcome: OrderOutcome): void {
    const { journal, onOutcome } = this.#options;
    const what = order.entry.order;
    this.#unsettled.remove(order);
    order.isDecided = true;
    order.generation += 1;
    if (outcome.type === "placed") this.#calls.remember(what, outcome.orderNo);
    this.#counts[`${outcome.type}Count`] += 1;
    journal.remove(order.row);
    this.#lanes.storeQuota(what);
    onOutcome(what, outcome);
  }

  /** In a turn: the order does not exist, perhaps for hours. Its entry shows it: a restart has no attempt to settle. */
  #postpone(order: TrackedOrder, { atMs, reason, sessionMs }: Extract<Next, { type: "postpone" }>): void {
    order.entry = unmarkedEntry(order.entry);
    this.#store(order);
    this.#noteHeld(order);
    if (order.notNowCount === 1 && !order.isHeld) this.#options.onPostponed(order.entry.order, reason);
    if (sessionMs !== null && sessionMs !== order.sessionMs)
      this.#options.onWaitsForSession?.(order.entry.order, sessionMs);
    order.sessionMs = sessionMs;
    // The pauses start again at the opening, which the brokerage may see a moment later.
    if (sessionMs !== null) order.notNowCount = 1;
    this.#lanes.for(order.entry.order).wait(order, atMs, "send");
  }

  /** In a turn: puts the order in quarantine, where a person must decide. */
  #quarantine(order: TrackedOrder, reason: string): void {
    const { log, onQuarantine } = this.#options;
    order.entry = { ...order.entry, quarantine: { sinceMs: order.sinceMs, reason } };
    this.#store(order);
    this.#counts.quarantineCount += 1;
    log.error(
      { event: "order.quarantined", ...logFields(order) },
      "an order may exist at a brokerage that does not know its outcome: see npm run cli -- quarantine",
    );
    onQuarantine(order.entry.order, reason);
  }

  /** In a turn: a person's decision. Returns the order as it was, to report once that is durable, or a refusal. */
  releaseInTurn(sequence: number, decision: OrderDecision): Result<PendingOrderRecord> {
    const found = findDecidable(this.#unsettled, sequence);
    if (!found.ok) return found;
    const order = found.value;
    const before = toPendingOrder(order);
    this.#options.log.warn(
      { event: "order.released", ...logFields(order), action: decision.action },
      "an order was released by hand",
    );
    const outcome = outcomeOf(decision);
    if (outcome === undefined) this.#sendAnew(order);
    else this.#finish(order, outcome);
    return accept(before);
  }

  /** In a turn: sends the order again, after a person confirmed that none exists. */
  #sendAnew(order: TrackedOrder): void {
    releaseUnsent(order, this.#rulesOf(order).promise, this.#options.clock.nowMs());
    this.#store(order);
    const { order: what } = order.entry;
    const lane = this.#lanes.for(what);
    lane.announce(what.accountNumber);
    this.#options.journal.afterDurable(() => lane.arrive(order));
  }

  #store(order: TrackedOrder): void {
    this.#options.journal.replace(order.row, encodeEntry(order.entry));
  }

  /** Notes a standstill: orders that could not be tried during it get their whole time limit again. */
  #noteStandstill(): void {
    this.#awakeSinceMs = this.#options.steadyClock.nowMs();
  }

  #now(): Moment {
    return { steadyMs: this.#options.steadyClock.nowMs(), wallMs: this.#options.clock.nowMs() };
  }

  #brokerageOf(order: TrackedOrder): Brokerage | undefined {
    return this.#options.brokerages.find(order.entry.order.brokerageCode);
  }

  #rulesOf({ entry }: TrackedOrder): BrokerageRules {
    return rulesOf(this.#options.brokerages, entry.order.brokerageCode, entry.promise);
  }
}
