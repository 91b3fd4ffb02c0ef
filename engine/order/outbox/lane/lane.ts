/**
 * A lane: the orders of one user at one brokerage, which share a quota (behaviour 7.1).
 *
 * Owns: which of them is sent or looked up next, and when. Does not own: sending, storing, deciding what an answer means.
 *
 * Invariants:
 * 1. At most one order of an account is being sent at any time; accounts go in parallel.
 * 2. Of what may go, stop-losses go first, then what else was triggered, then clients' orders; equals by sequence. An
 *    order that waits for its next try holds back what comes after it in that order in its account, nothing else.
 * 3. Sends keep to the quota, re-sends too; look-ups do not count.
 * 4. One timer, whatever the number of orders; it may wake before there is something to do. A lane without work ends
 *    once its window is empty.
 * 5. Times are of the steady clock: a step of the wall clock neither shortens nor lengthens a wait.
 * 6. An account whose orders are not taken keeps the moment since when, for as long as one of them is tried again.
 * 7. Work is started in a microtask or later: orders that became durable together are weighed together.
 */
import { assert } from "../../../../src/assert.ts";
import type { Cancel, Clock, Timers } from "../../../../src/runtime/ports.ts";
import type { OutboxOrder } from "../../../ports/order.ts";
import type { TrackedOrder } from "../tracked-order.ts";
import { Heap } from "./heap.ts";
import { SlidingWindow } from "./pacing.ts";

/** Look-ups of one account at a time: a burst of unknown outcomes must not become a burst of look-ups. */
const LOOK_UPS_AT_ONCE = 4;
/** A lane without work ends this much later at most: ten thousand that were used at once must not all end at once. */
const IDLE_SPREAD_MS = 4_000;
/** The timer looks again at least this often: it needs no longer delay than timers take. */
const TIMER_MAX_MS = 60_000;
/** A timer that is this late tells of a process that stood still. */
const LATE_MS = 2_000;

const RANK: Readonly<Record<OutboxOrder["urgency"], number>> = { stopLoss: 0, triggered: 1, client: 2 };

/** A place in a queue; void once the order's generation has moved on. */
interface Ticket {
  readonly order: TrackedOrder;
  readonly generation: number;
}

interface WaitingTicket extends Ticket {
  readonly atMs: number;
  readonly purpose: "send" | "lookUp";
}

interface AccountQueue {
  readonly accountNumber: string;
  readonly sends: Heap<Ticket>;
  readonly lookUps: Heap<Ticket>;
  isSending: boolean;
  lookUpCount: number;
  /** Orders that are submitted and not durable yet. */
  announcedCount: number;
  /** Steady time: since when no order of the account was taken; undefined while the brokerage takes them. */
  failingSinceMs: number | undefined;
}

/** Whose orders share a lane. */
export interface LaneOwner {
  readonly userId: number;
  readonly brokerageCode: string;
}

/** What all lanes share. There is a lane for everybody who ordered within a minute: each is kept small. */
export interface LaneSetting {
  /** Steady: it never steps. */
  readonly steadyClock: Clock;
  readonly timers: Timers;
  /** Has the lane `begin` soon, never inside the call. */
  readonly soon: (lane: Lane) => void;
  /** Begins to send an order: answered by `useQuota` when it leaves and `endSend` when the call is over. */
  readonly send: (lane: Lane, order: TrackedOrder) => void;
  /** Begins a look-up: answered by `endLookUp`. */
  readonly lookUp: (lane: Lane, order: TrackedOrder) => void;
  /** The lane has no work and its quota is whole: it may be forgotten. */
  readonly onIdle: (lane: Lane) => void;
  /** The process stood still: what was to begin long ago begins now. */
  readonly onStandstill: () => void;
}

export class Lane implements LaneOwner {
  readonly userId: number;
  readonly brokerageCode: string;
  readonly window: SlidingWindow;
  readonly #setting: LaneSetting;
  /** From 0 to below 1. */
  readonly #spread: number;
  /** Those with work: a user has few at a brokerage. */
  #accounts: AccountQueue[] = [];
  readonly #waiting = new Heap<WaitingTicket>(isEarlier);
  #announcedCount = 0;
  #isRunning = false;
  #isPumpAsked = false;
  #cancelTimer: Cancel | undefined;
  /** Steady time; Infinity where none is set. */
  #timerAtMs = Number.POSITIVE_INFINITY;

  /** `spread`: from 0 to below 1, another for each lane. */
  constructor(setting: LaneSetting, owner: LaneOwner, ordersPerMinute: number, spread: number) {
    this.userId = owner.userId;
    this.brokerageCode = owner.brokerageCode;
    this.#setting = setting;
    this.#spread = spread;
    this.window = new SlidingWindow(ordersPerMinute);
  }

  /** From now on work is begun. */
  start(): void {
    this.#isRunning = true;
    this.#askPump();
  }

  /** Nothing is begun any more. */
  stop(): void {
    this.#isRunning = false;
    this.#clearTimer();
  }

  /** Whether an order of the account that is submitted now can be expected to leave as soon as it is durable. */
  expectsToSendAtOnce(accountNumber: string): boolean {
    if (!this.#isRunning) return false;
    const account = this.#find(accountNumber);
    const isFree =
      account === undefined || (!account.isSending && account.sends.size === 0 && account.announcedCount === 0);
    return isFree && this.window.freeCount(this.#setting.steadyClock.nowMs()) > this.#announcedCount;
  }

  /** An order of the account is submitted and will `arrive` once it is durable. */
  announce(accountNumber: string): void {
    this.#account(accountNumber).announcedCount += 1;
    this.#announcedCount += 1;
  }

  /** An announced order is durable. */
  arrive(order: TrackedOrder): void {
    const account = this.#find(order.entry.order.accountNumber);
    assert(account !== undefined && account.announcedCount > 0, "only what was announced arrives");
    account.announcedCount -= 1;
    this.#announcedCount -= 1;
    if (order.isDecided) this.#askPump();
    else this.add(order);
  }

  /** Puts a durable order in its account's queue; it is not sent before its `notBeforeMs`. */
  add(order: TrackedOrder): void {
    order.queuedMs = this.#setting.steadyClock.nowMs();
    this.#account(order.entry.order.accountNumber).sends.push(ticketOf(order));
    this.#askPump();
  }

  /** What is queued of an order counts no more: what it held back may go. */
  reconsider(): void {
    this.#askPump();
  }

  /** The order's account is not served: its time limit and that of what it holds back run from here at the latest. */
  noteFailing(order: TrackedOrder): void {
    this.#account(order.entry.order.accountNumber).failingSinceMs ??= this.#setting.steadyClock.nowMs();
  }

  /** The brokerage judged an order of the account: from here on nothing is held back. */
  noteServed(order: TrackedOrder): void {
    const account = this.#find(order.entry.order.accountNumber);
    if (account !== undefined) account.failingSinceMs = undefined;
  }

  /** Since when an order that leaves now could not be sent because its account is not served: at the latest now. */
  triedSinceMs(order: TrackedOrder): number {
    const nowMs = this.#setting.steadyClock.nowMs();
    const failingSinceMs = this.#find(order.entry.order.accountNumber)?.failingSinceMs ?? nowMs;
    return Math.max(failingSinceMs, order.queuedMs);
  }

  /** Sends again or looks up at `atMs`; holds nothing back meanwhile. */
  wait(order: TrackedOrder, atMs: number, purpose: WaitingTicket["purpose"]): void {
    this.#waiting.push({ ...ticketOf(order), atMs, purpose });
    this.#askPump();
  }

  /** An order leaves now: its place in the quota counts from this moment. */
  useQuota(): void {
    this.window.useReserved(this.#setting.steadyClock.nowMs());
  }

  /** The call that sent an order is over. */
  endSend(order: TrackedOrder): void {
    const account = this.#account(order.entry.order.accountNumber);
    assert(account.isSending, "only a send that began ends");
    account.isSending = false;
    this.#askPump();
  }

  /** A look-up is over. */
  endLookUp(order: TrackedOrder): void {
    const account = this.#account(order.entry.order.accountNumber);
    assert(account.lookUpCount > 0, "only a look-up that began ends");
    account.lookUpCount -= 1;
    this.#askPump();
  }

  #find(accountNumber: string): AccountQueue | undefined {
    for (const account of this.#accounts) if (account.accountNumber === accountNumber) return account;
    return undefined;
  }

  #account(accountNumber: string): AccountQueue {
    const known = this.#find(accountNumber);
    if (known !== undefined) return known;
    const account: AccountQueue = {
      accountNumber,
      sends: new Heap(goesBefore),
      lookUps: new Heap(goesBefore),
      isSending: false,
      lookUpCount: 0,
      announcedCount: 0,
      failingSinceMs: undefined,
    };
    this.#accounts.push(account);
    return account;
  }

  #askPump(): void {
    if (!this.#isRunning || this.#isPumpAsked) return;
    this.#isPumpAsked = true;
    this.#setting.soon(this);
  }

  /** Begins what can be begun, as it was asked for. */
  begin(): void {
    this.#isPumpAsked = false;
    this.#noteStandstill();
    if (this.#isRunning) this.#pump();
  }

  #pump(): void {
    const nowMs = this.#setting.steadyClock.nowMs();
    this.#wakeDue(nowMs);
    this.#startLookUps();
    this.#startSends(nowMs);
    if (this.#accounts.some(isWithoutWork)) this.#accounts = this.#accounts.filter((one) => !isWithoutWork(one));
    this.#setTimer(nowMs);
  }

  #wakeDue(nowMs: number): void {
    for (;;) {
      const next = this.#waiting.peek();
      if (next === undefined || next.atMs > nowMs) return;
      this.#waiting.pop();
      if (isVoid(next)) continue;
      const account = this.#account(next.order.entry.order.accountNumber);
      (next.purpose === "send" ? account.sends : account.lookUps).push(next);
    }
  }

  #startLookUps(): void {
    for (const account of this.#accounts) {
      while (account.lookUpCount < LOOK_UPS_AT_ONCE) {
        const next = peekValid(account.lookUps);
        if (next === undefined) break;
        account.lookUps.pop();
        account.lookUpCount += 1;
        this.#setting.lookUp(this, next.order);
      }
    }
  }

  #startSends(nowMs: number): void {
    while (this.window.freeCount(nowMs) > 0) {
      const account = this.#chooseAccount(nowMs);
      const next = account?.sends.pop();
      if (account === undefined || next === undefined) return;
      account.isSending = true;
      this.window.reserve(nowMs);
      this.#setting.send(this, next.order);
    }
  }

  /** The account whose first order goes next. */
  #chooseAccount(nowMs: number): AccountQueue | undefined {
    let chosen: AccountQueue | undefined;
    let first: Ticket | undefined;
    for (const account of this.#accounts) {
      const head = account.isSending ? undefined : peekValid(account.sends);
      if (head === undefined || head.order.notBeforeMs > nowMs) continue;
      if (first !== undefined && !goesBefore(head, first)) continue;
      chosen = account;
      first = head;
    }
    return chosen;
  }

  #setTimer(nowMs: number): void {
    const isIdle = this.#accounts.length === 0 && this.#waiting.size === 0;
    const wakeAtMs = isIdle ? this.window.emptyAtMs(nowMs) : this.#nextWorkMs(nowMs);
    if (isIdle && wakeAtMs <= nowMs) {
      this.#clearTimer();
      this.#setting.onIdle(this);
      return;
    }
    const spreadMs = isIdle ? this.#spread * IDLE_SPREAD_MS : 0;
    const delayMs = Math.max(1, Math.min(TIMER_MAX_MS, wakeAtMs - nowMs) + spreadMs);
    // One that is set for earlier is left: it sets the next, once a minute, where every order would set it again.
    if (wakeAtMs === Number.POSITIVE_INFINITY || this.#timerAtMs <= nowMs + delayMs) return;
    this.#clearTimer();
    this.#timerAtMs = nowMs + delayMs;
    this.#cancelTimer = this.#setting.timers.after(delayMs, () => {
      this.#noteStandstill();
      this.#clearTimer();
      this.#askPump();
    });
  }

  #noteStandstill(): void {
    if (this.#setting.steadyClock.nowMs() - this.#timerAtMs > LATE_MS) this.#setting.onStandstill();
  }

  #clearTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#timerAtMs = Number.POSITIVE_INFINITY;
  }

  /** When there is something to begin; Infinity when only the end of a call or a write can give something to do. */
  #nextWorkMs(nowMs: number): number {
    let atMs = this.#waiting.peek()?.atMs ?? Number.POSITIVE_INFINITY;
    const freeMs = this.window.nextFreeMs(nowMs);
    for (const account of this.#accounts) {
      const head = account.isSending ? undefined : peekValid(account.sends);
      if (head !== undefined) atMs = Math.min(atMs, Math.max(freeMs, head.order.notBeforeMs));
    }
    return atMs;
  }
}

function isEarlier(a: WaitingTicket, b: WaitingTicket): boolean {
  return a.atMs < b.atMs;
}

function ticketOf(order: TrackedOrder): Ticket {
  return { order, generation: order.generation };
}

function isVoid(ticket: Ticket): boolean {
  return ticket.generation !== ticket.order.generation;
}

/** The first ticket that still counts; those before it are thrown away. */
function peekValid(queue: Heap<Ticket>): Ticket | undefined {
  for (;;) {
    const head = queue.peek();
    if (head === undefined || !isVoid(head)) return head;
    queue.pop();
  }
}

function goesBefore({ order: { entry: a } }: Ticket, { order: { entry: b } }: Ticket): boolean {
  const rankDifference = RANK[a.order.urgency] - RANK[b.order.urgency];
  return rankDifference === 0 ? a.sequence < b.sequence : rankDifference < 0;
}

function isWithoutWork(account: AccountQueue): boolean {
  return (
    !account.isSending &&
    account.lookUpCount === 0 &&
    account.announcedCount === 0 &&
    peekValid(account.sends) === undefined &&
    peekValid(account.lookUps) === undefined
  );
}
