/**
 * Users' notification targets, and their progress.
 *
 * Owns: which targets exist, up to which event each was sent, and when a failing one is tried again or given up.
 * Does not own: the history of events, the way to a target (sender.ts).
 *
 * Invariants:
 * 1. Each event that a target wants is sent at least once, in order, under its id. The progress is stored after the
 *    sending, and events are read from the history, so that a crash loses none. An event that the target refuses for
 *    good is tried a few times, then counted and left out: it holds no later one back.
 * 2. One engine runs a partition, and one event of a target is in progress at a time.
 * 3. A target that fails is tried again with back-off for a day, then it is dead until its owner updates it. No target
 *    holds up another target or a trigger: sending is I/O outside of the loop's work.
 */
import {
  type StoredTarget,
  storedTargetSchema,
  TARGETS_MAX,
  type TargetBody,
  type TargetTestReply,
  type TargetView,
} from "../../src/contract/trading/notification.ts";
import { fitsPattern } from "../../src/domain/event-pattern.ts";
import { accept, type Result, refuse } from "../../src/domain/refusal.ts";
import { formatTime } from "../../src/domain/time.ts";
import type { Cancel, Clock, Log, Timers } from "../../src/runtime/ports.ts";
import type { Inbox } from "../ports/actor.ts";
import type { EventReader, NotificationTargets } from "../ports/event.ts";
import type { Journal, Store } from "../ports/storage.ts";
import { TABLES } from "../table/tables.ts";
import type { Failure } from "./failure.ts";
import type { EventToSend, Sender, Sent } from "./sender.ts";

const LOOK_MS = 500;
const FIRST_RETRY_MS = 1_000;
const RETRY_MS_MAX = 10 * 60 * 1000;
const GIVEN_UP_MS = 24 * 60 * 60 * 1000;
/** Tries of an event that its target refuses for good: a fault of the target's own can pass within seconds. */
const REFUSED_TRIES_MAX = 3;
const SECRET_BYTES = 24;

interface TargetsOptions {
  readonly store: Store;
  readonly journal: Journal;
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly history: EventReader & { lastOf(userId: number): number };
  readonly sender: Pick<Sender, "send" | "whyNot">;
  readonly randomBytes: (byteCount: number) => Uint8Array;
}

interface Running {
  target: StoredTarget;
  isSending: boolean;
  retryMs: number;
  notBeforeMs: number;
  /** The event that was refused for good last, and how often. */
  refused: { readonly sequence: number; readonly count: number };
}

/** An event of the history. */
type HistoryEvent = EventToSend & { readonly sequence: number };
type Refused = Extract<Sent, { readonly ok: false }>;

export class Targets implements NotificationTargets {
  readonly #options: TargetsOptions;
  readonly #running = new Map<number, Running>();
  #cancel: Cancel = () => undefined;
  #isStopped = false;

  private constructor(options: TargetsOptions) {
    this.#options = options;
  }

  /** Reads the targets back. Nothing is sent before `start`. */
  static async open(options: TargetsOptions): Promise<Targets> {
    const targets = new Targets(options);
    for await (const page of options.store.scan(TABLES.notificationTargets.range)) {
      for (const [, bytes] of page) {
        targets.#run(storedTargetSchema.parse(JSON.parse(Buffer.from(bytes).toString())));
      }
    }
    return targets;
  }

  /** Begins to send. */
  start(): void {
    this.#lookLater();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  create(userId: number, body: TargetBody): Result<TargetView & { readonly secret: string | null }> {
    const why = this.#options.sender.whyNot({ body });
    if (why !== undefined) return refuse("INVALID", why);
    if (this.list(userId).length >= TARGETS_MAX)
      return refuse("INVALID", `there may be at most ${TARGETS_MAX} targets`);
    const { journal, history, clock, randomBytes } = this.#options;
    const [targetId = 0] = journal.allocateIds(1);
    const bytes = Buffer.from(randomBytes(SECRET_BYTES)).toString("base64");
    const secret = body.kind === "webhook" ? `whsec_${bytes}` : null;
    const sentThrough = history.durableThrough;
    const target: StoredTarget = {
      ...{ version: 1, userId, targetId, body, secret, sentThrough, failure: null, skipped: null, delivery: null },
      createdAtMs: clock.nowMs(),
    };
    this.#run(target);
    this.#keep(target);
    return accept({ ...viewOf(target), secret });
  }

  /** The secret stays; events from while it was dead or inactive are not sent. */
  update(userId: number, id: number, body: TargetBody): Result<TargetView> {
    const running = this.#find(userId, id);
    if (running === undefined) return notFound(id);
    if (running.target.body.kind !== body.kind) return refuse("INVALID", "kind of a target cannot be changed");
    const why = this.#options.sender.whyNot({ body });
    if (why !== undefined) return refuse("INVALID", why);
    const isRevived = running.target.failure?.isDead === true || !running.target.body.isActive;
    const sentThrough = isRevived ? this.#options.history.durableThrough : running.target.sentThrough;
    // A try at the address of before states nothing about another one.
    const delivery = isSameWay(running.target.body, body) ? running.target.delivery : null;
    running.target = { ...running.target, body, sentThrough, failure: null, delivery };
    running.notBeforeMs = 0;
    running.retryMs = FIRST_RETRY_MS;
    this.#keep(running.target);
    return accept(viewOf(running.target));
  }

  remove(userId: number, id: number): Result<true> {
    if (this.#find(userId, id) === undefined) return notFound(id);
    this.#running.delete(id);
    this.#options.journal.remove(keyOf({ userId, targetId: id }));
    return accept(true);
  }

  list(userId: number): readonly TargetView[] {
    return [...this.#running.values()]
      .filter(({ target }) => target.userId === userId)
      .map(({ target }) => viewOf(target));
  }

  async test(userId: number, id: number): Promise<Result<TargetTestReply>> {
    const running = this.#find(userId, id);
    if (running === undefined) return notFound(id);
    const { clock } = this.#options;
    const event = { id: `test-${id}-${clock.nowMs()}`, type: "test", time: formatTime(clock.nowMs()), userId };
    const sent = await this.#deliver(running, event);
    this.#change(running, (target) => target);
    if (sent.ok) return accept({ delivered: true, message: "The test message was taken", detail: null });
    return accept({ delivered: false, message: sent.message, detail: sent.detail });
  }

  #find(userId: number, id: number): Running | undefined {
    const running = this.#running.get(id);
    return running?.target.userId === userId ? running : undefined;
  }

  #run(target: StoredTarget): void {
    const refused = { sequence: 0, count: 0 };
    this.#running.set(target.targetId, { target, isSending: false, retryMs: FIRST_RETRY_MS, notBeforeMs: 0, refused });
  }

  #keep(target: StoredTarget): void {
    this.#options.journal.put(keyOf(target), JSON.stringify(target));
  }

  #lookLater(): void {
    if (this.#isStopped) return;
    this.#cancel = this.#options.timers.after(LOOK_MS, () => {
      for (const running of this.#running.values()) if (this.#isDue(running)) void this.#sendTo(running);
      this.#lookLater();
    });
  }

  #isDue({ target, isSending, notBeforeMs }: Running): boolean {
    const { history, clock } = this.#options;
    if (isSending || !target.body.isActive || target.failure?.isDead === true) return false;
    return clock.nowMs() >= notBeforeMs && history.lastOf(target.userId) > target.sentThrough;
  }

  /** Sends all that is due, until one fails. */
  async #sendTo(running: Running): Promise<void> {
    running.isSending = true;
    const { history, log } = this.#options;
    const { targetId, userId } = running.target;
    try {
      const { events, through, gapTo } = await history.since(userId, running.target.sentThrough);
      if (gapTo !== null)
        log.warn(
          { event: "target.eventsGone", targetId, userId, gapTo },
          "events for a notification target are no longer stored",
        );
      for (const given of events) {
        const event = given as HistoryEvent;
        // It can have been changed or removed while the one before was sent.
        const { target } = running;
        if (this.#isStopped || this.#running.get(targetId) !== running || !target.body.isActive) return;
        if (!target.body.events.some((pattern) => fitsPattern(event.type, pattern))) continue;
        const sent = await this.#deliver(running, event);
        if (sent.ok) this.#advance(running, event.sequence);
        else if (this.#isRefusedForGood(running, event, sent)) this.#skip(running, event, sent);
        else return this.#fail(running, sent);
      }
      this.#advance(running, through);
    } catch (err) {
      if (!this.#isStopped)
        log.error({ event: "target.cannotRead", err, targetId }, "events of a notification target cannot be read");
    } finally {
      running.isSending = false;
    }
  }

  /** Sends a message. The next change stores the result as the last delivery, unless the owner changed the target. */
  async #deliver(running: Running, event: EventToSend): Promise<Sent> {
    const { sender, clock } = this.#options;
    const { target } = running;
    const sent = await sender.send(target, event);
    if (running.target.body === target.body) {
      const delivery = { atMs: clock.nowMs(), message: sent.ok ? null : sent.message };
      running.target = { ...running.target, delivery };
    }
    this.#follow(running, target, sent);
    return sent;
  }

  #advance(running: Running, sequence: number): void {
    running.retryMs = FIRST_RETRY_MS;
    this.#change(running, (target) => ({ ...target, sentThrough: sequence, failure: null }));
  }

  /** True once an event was refused for good so often that trying on would only hold the later ones back. */
  #isRefusedForGood(running: Running, { sequence }: HistoryEvent, { concern }: Refused): boolean {
    if (concern !== "message") return false;
    const { refused } = running;
    running.refused = { sequence, count: refused.sequence === sequence ? refused.count + 1 : 1 };
    return running.refused.count >= REFUSED_TRIES_MAX;
  }

  /** Leaves an event out. That is not a failure of the target, which continues with the next. */
  #skip(running: Running, { id: eventId, type, sequence }: HistoryEvent, { message, detail }: Failure): void {
    const { clock, log } = this.#options;
    const { targetId, userId } = running.target;
    log.warn(
      { event: "target.refusedEvent", targetId, userId, eventId, type, message, detail },
      "a notification target refused an event for good",
    );
    const atMs = clock.nowMs();
    running.retryMs = FIRST_RETRY_MS;
    this.#change(running, (target) => {
      const skipped = { count: (target.skipped?.count ?? 0) + 1, eventId, message, atMs };
      return { ...target, sentThrough: sequence, failure: null, skipped };
    });
  }

  /** Adopts the supergroup that a Telegram group became, unless its owner named another chat since. */
  #follow(running: Running, sentTo: StoredTarget, { movedToChatId: chatId }: Sent): void {
    const { body } = running.target;
    if (chatId === undefined || body !== sentTo.body || body.kind !== "telegram") return;
    this.#options.log.info(
      { event: "target.moved", targetId: sentTo.targetId, chatId },
      "the Telegram group of a target became a supergroup",
    );
    this.#change(running, (target) => ({ ...target, body: { ...body, chatId } }));
  }

  #fail(running: Running, { message, detail, concern, retryAfterMs }: Refused): void {
    const { clock, log } = this.#options;
    const nowMs = clock.nowMs();
    running.notBeforeMs = nowMs + Math.max(running.retryMs, Math.min(retryAfterMs ?? 0, GIVEN_UP_MS));
    running.retryMs = Math.min(2 * running.retryMs, RETRY_MS_MAX);
    this.#change(running, (target) => {
      const sinceMs = target.failure?.sinceMs ?? nowMs;
      const isDead = concern === "gone" || nowMs - sinceMs > GIVEN_UP_MS;
      const fields = { targetId: target.targetId, userId: target.userId, message, detail };
      if (isDead) {
        log.warn(
          { event: "target.givenUp", ...fields },
          "a notification target is given up: see its failure, and save it again to have it tried",
        );
      } else if (message !== target.failure?.message) {
        // Once, and not at each of the tries of a day.
        log.info({ event: "target.failing", ...fields }, "a notification target fails and is tried again");
      }
      return { ...target, failure: { sinceMs, message, isDead } };
    });
  }

  /** Runs in a turn of its own, unless the target was removed. */
  #change(running: Running, change: (target: StoredTarget) => StoredTarget): void {
    running.target = change(running.target);
    this.#options.inbox.enqueue(() => {
      if (this.#running.get(running.target.targetId) === running) this.#keep(running.target);
    });
  }
}

function keyOf({ userId, targetId }: Pick<StoredTarget, "userId" | "targetId">): string {
  return TABLES.notificationTargets.key(userId, targetId);
}

function notFound(id: number): Result<never> {
  return refuse("NOT_FOUND", `notification target ${id} was not found`);
}

function addressOf(body: TargetBody): string {
  return body.kind === "webhook" ? body.url : body.kind === "email" ? body.address : body.chatId;
}

/** Whether messages for both bodies take the same way. */
function isSameWay(one: TargetBody, other: TargetBody): boolean {
  const [token, otherToken] = [one, other].map((body) => (body.kind === "telegram" ? body.botToken : ""));
  return addressOf(one) === addressOf(other) && token === otherToken;
}

function viewOf({ targetId: id, body, failure, skipped, delivery, createdAtMs }: StoredTarget): TargetView {
  const { kind, name, events, isActive } = body;
  const address = addressOf(body);
  return {
    ...{ id, kind, name, address, events, isActive },
    state: failure === null ? "idle" : failure.isDead ? "dead" : "failing",
    failureMessage: failure?.message ?? null,
    failingSince: failure === null ? null : formatTime(failure.sinceMs),
    skippedCount: skipped?.count ?? 0,
    lastSkipped: skipped && { eventId: skipped.eventId, message: skipped.message, time: formatTime(skipped.atMs) },
    lastDelivery: delivery && { time: formatTime(delivery.atMs), message: delivery.message },
    createdDate: formatTime(createdAtMs),
  };
}
