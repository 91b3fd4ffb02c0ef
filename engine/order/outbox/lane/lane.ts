/**
 * A lane: the orders of one user at one brokerage, which share a quota (behaviour 7.1).
 *
 * Owns: which order is sent or looked up next, and when. Does not own: sending, storing, judging an answer.
 *
 * Invariants:
 * 1. At most one order of an account is being sent at any time; accounts are sent in parallel.
 * 2. Of the orders that can leave, stop-losses leave first, then other triggered orders, then clients' orders; equals
 *    by sequence. An order that waits for its next try holds back only the account's later orders in that ranking.
 * 3. Sends keep to the quota, repeated sends too; look-ups do not count.
 * 4. A lane has one timer for any number of orders; it may fire before there is work. A lane without work ends once its
 *    window is empty.
 * 5. Times are of the steady clock: a step of the wall clock neither shortens nor lengthens a wait.
 * 6. An account whose orders are not taken keeps the time since when, as long as one of its orders is tried again.
 * 7. Work begins in a microtask or later: orders that became durable together are ranked together.
 */
import { assert } from "../../../../src/assert.ts";
import type { Cancel, Clock, Timers } from "../../../../src/runtime/ports.ts";
import type { OutboxOrder } from "../../../ports/order.ts";
import type { TrackedOrder } from "../tracked-order.ts";
import { Heap } from "./heap.ts";
import { SlidingWindow } from "./pacing.ts";

/** Look-ups of one account at a time: a burst of unknown outcomes must not become a burst of look-ups. */
const LOOK_UPS_AT_ONCE = 4;
/** The most that the end of an idle lane is delayed: ten thousand lanes used together must not end together. */
const IDLE_SPREAD_MS = 4_000;
/** The timer fires at least this often, so that no delay is longer than a timer can take. */
const TIMER_MAX_MS = 60_000;
/** A timer that fires this late shows that the process was at a standstill. */
const LATE_MS = 2_000;

const RANK: Readonly<Record<OutboxOrder["urgency"], number>> = { stopLoss: 0, triggered: 1, client: 2 };

/** A place in a queue; it is void once the order has a later generation. */
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
  /** The number of orders that are submitted and not durable yet. */
  announcedCount: number;
  /** Steady time since which no order of the account was taken; undefined while the brokerage takes them. */
  failingSinceMs: number | undefined;
}

/** The user and brokerage whose orders share a lane. */
export interface LaneOwner {
  readonly userId: number;
  readonly brokerageCode: string;
}

/** The dependencies that all lanes share. Every user who ordered within a minute has a lane, so each is kept small. */
export interface LaneSetting {
  /** Steady: it never steps. */
  readonly steadyClock: Clock;
  readonly timers: Timers;
  /** Calls the lane's `begin` soon, never inside the call. */
  readonly soon: (lane: Lane) => void;
  /** Begins to send an order. `useQuota` is called when it leaves, else `skipQuota`; `endSend` when that is over. */
  readonly send: (lane: Lane, order: TrackedOrder) => void;
  /** Begins a look-up. `endLookUp` is called when it is over. */
  readonly lookUp: (lane: Lane, order: TrackedOrder) => void;
  /** Called when the lane has no work and its quota is whole: it can be forgotten. */
  readonly onIdle: (lane: Lane) => void;
  /** Called after a standstill of the process: work that was due long ago begins only now. */
  readonly onStandstill: () => void;
}

export class Lane implements LaneOwner {
  readonly userId: number;
  readonly brokerageCode: string;
  readonly window: SlidingWindow;
  readonly #setting: LaneSetting;
  /** From 0 to below 1. */
  readonly #spread: number;
  /** The accounts with work: a user has few at a brokerage. */
  #accounts: AccountQueue[] = [];
  readonly #waiting = new Heap<WaitingTicket>(isEarlier);
  #announcedCount = 0;
  #isRunning = false;
  #isPumpAsked = false;
  #cancelTimer: Cancel | undefined;
  /** Steady time; Infinity if no timer is set. */
  #timerAtMs = Number.POSITIVE_INFINITY;

  /** `spread`: from 0 to below 1, different for each lane. */
  constructor(setting: LaneSetting, owner: LaneOwner, ordersPerMinute: number, spread: number) {
    this.userId = owner.userId;
    this.brokerageCode = owner.brokerageCode;
    this.#setting = setting;
    this.#spread = spread;
    this.window = new SlidingWindow(ordersPerMinute);
  }

  /** Lets the lane begin work from now on. */
  start(): void {
    this.#isRunning = true;
    this.#askPump();
  }

  /** Stops the lane: it begins no more work. */
  stop(): void {
    this.#isRunning = false;
    this.#clearTimer();
  }

  /** Whether an order of the account that is submitted now will probably leave as soon as it is durable. */
  expectsToSendAtOnce(accountNumber: string): boolean {
    if (!this.#isRunning) return false;
    const account = this.#find(accountNumber);
    const isFree =
      account === undefined || (!account.isSending && account.sends.size === 0 && account.announcedCount === 0);
    return isFree && this.window.freeCount(this.#setting.steadyClock.nowMs()) > this.#announcedCount;
  }

  /** Notes a submitted order of the account, which will `arrive` once it is durable. */
  announce(accountNumber: string): void {
    this.#account(accountNumber).announcedCount += 1;
    this.#announcedCount += 1;
  }

  /** Takes in an announced order, which is now durable. */
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

  /** Looks again for work after the ticket of an order became void: the orders that it held back can leave. */
  reconsider(): void {
    this.#askPump();
  }

  /** Notes that the account is not served: time limits of this order and later ones run from now at the latest. */
  noteFailing(order: TrackedOrder): void {
    this.#account(order.entry.order.accountNumber).failingSinceMs ??= this.#setting.steadyClock.nowMs();
  }

  /** Notes that the brokerage judged an order of the account: nothing is held back from now on. */
  noteServed(order: TrackedOrder): void {
    const account = this.#find(order.entry.order.accountNumber);
    if (account !== undefined) account.failingSinceMs = undefined;
  }

  /** Since when an order that leaves now was kept back by its account's failure; now if it was not kept back. */
  triedSinceMs(order: TrackedOrder): number {
    const nowMs = this.#setting.steadyClock.nowMs();
    const failingSinceMs = this.#find(order.entry.order.accountNumber)?.failingSinceMs ?? nowMs;
    return Math.max(failingSinceMs, order.queuedMs);
  }

  /** Sends again or looks up at `atMs`; other orders are not held back by that wait. */
  wait(order: TrackedOrder, atMs: number, purpose: WaitingTicket["purpose"]): void {
    this.#waiting.push({ ...ticketOf(order), atMs, purpose });
    this.#askPump();
  }

  /** Notes that an order leaves now: its place in the quota counts from this moment. */
  useQuota(): void {
    this.window.useReserved(this.#setting.steadyClock.nowMs());
  }

  /** Notes that an order that began to be sent does not leave: it needs no place in the quota. */
  skipQuota(): void {
    this.window.release();
  }

  /** Notes that the call that sent an order is over. */
  endSend(order: TrackedOrder): void {
    const account = this.#account(order.entry.order.accountNumber);
    assert(account.isSending, "only a send that began ends");
    account.isSending = false;
    this.#askPump();
  }

  /** Notes that a look-up is over. */
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

  /** Begins all work that can begin, as `soon` asked for. */
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

  /** Returns the account whose first order leaves next. */
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
    // A timer that fires earlier is kept, and then sets the next one: at most once a minute, not once for every order.
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

  /** When work can begin; Infinity if only the end of a call or of a write can bring work. */
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

/** Returns the first valid ticket and removes the void ones before it. */
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
