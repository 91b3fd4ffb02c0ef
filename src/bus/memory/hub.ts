/**
 * The middle of the in-process bus: who gets which subject, and in which turn.
 *
 * Owns: the subscriptions of all connections, the routes found for subjects, the queue of what is to be delivered.
 * Does not own: deadlines, replies, handler errors; `deliver` of a member never throws.
 *
 * Invariants:
 * 1. One queue for everything keeps the order of each publisher towards each subscription.
 * 2. A route is found when a message is published and kept for its subject until a subscription that touches the
 *    subject comes or goes; the usual publish is one look-up in a Map.
 * 3. A turn delivers what was queued when it began, and a bounded part of it: what handlers publish, timers and I/O
 *    all get their turn. The queue itself has no bound: publishers share the thread with the subscribers.
 */
import { assert } from "../../assert.ts";
import type { ReplyOutcome } from "../handler-runner.ts";
import type { BusMessage } from "../port.ts";
import { hasWildcard, isSubject, subjectMatches } from "../subject.ts";

/** One subscription. */
export interface Member {
  readonly pattern: string;
  readonly queue: string | undefined;
  readonly deliver: (delivery: Delivery) => void;
  /** False once it was ended: nothing more is delivered, not even what is queued. */
  isActive: boolean;
}

/** Who gets a subject: every single member, and one member of each queue group. */
interface Route {
  readonly isEmpty: boolean;
  readonly singles: readonly Member[];
  readonly groups: readonly QueueGroup[];
}

interface QueueGroup {
  readonly members: Member[];
  next: number;
}

/** A message on its way. It is handed to handlers as it is, so that a tick costs one object. */
export class Delivery implements BusMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly route: Route;
  readonly reply: ((outcome: ReplyOutcome) => void) | undefined;

  constructor(subject: string, data: Uint8Array, route: Route, reply: ((outcome: ReplyOutcome) => void) | undefined) {
    this.subject = subject;
    this.data = data;
    this.route = route;
    this.reply = reply;
  }
}

/** Enough for a burst, and still a few milliseconds at most of unbroken work. */
const DELIVERIES_A_TURN_MAX = 4096;

/** Subjects seen once (an event of a user) must not pile up forever. */
const KEPT_ROUTES_MAX = 65_536;

const EMPTY_ROUTE: Route = { isEmpty: true, singles: [], groups: [] };

export class MemoryHub {
  readonly #defer: (task: () => void) => void;
  readonly #exact = new Map<string, Member[]>();
  readonly #wildcards: Member[] = [];
  readonly #routes = new Map<string, Route>();
  #queue: (Delivery | (() => void))[] = [];
  #batch: (Delivery | (() => void))[] = [];
  #batchNext = 0;
  #isTurnPlanned = false;
  readonly #turn = (): void => this.#takeTurn();

  constructor(defer: (task: () => void) => void) {
    this.#defer = defer;
  }

  add(member: Member): void {
    if (hasWildcard(member.pattern)) {
      this.#wildcards.push(member);
    } else {
      const members = this.#exact.get(member.pattern);
      if (members === undefined) this.#exact.set(member.pattern, [member]);
      else members.push(member);
    }
    this.#forgetRoutes(member.pattern);
  }

  /** Takes the member out of future routes; what is queued still reaches it while it is active. */
  remove(member: Member): void {
    const members = hasWildcard(member.pattern) ? this.#wildcards : this.#exact.get(member.pattern);
    const index = members?.indexOf(member) ?? -1;
    if (members === undefined || index < 0) return;
    members.splice(index, 1);
    if (members.length === 0) this.#exact.delete(member.pattern);
    this.#forgetRoutes(member.pattern);
  }

  /** Who gets `subject` now. An invalid subject is a bug. */
  route(subject: string): Route {
    const kept = this.#routes.get(subject);
    if (kept !== undefined) return kept;
    assert(isSubject(subject), () => `not a subject to publish to: ${JSON.stringify(subject)}`);
    const route = this.#findRoute(subject);
    if (this.#routes.size >= KEPT_ROUTES_MAX) this.#routes.clear();
    this.#routes.set(subject, route);
    return route;
  }

  /** Puts a message, or a step that must keep its place among them, at the end of the queue. */
  enqueue(item: Delivery | (() => void)): void {
    this.#queue.push(item);
    this.#planTurn();
  }

  /** Resolves when all that is queued now was delivered. */
  whenDelivered(): Promise<void> {
    return new Promise((resolve) => this.enqueue(resolve));
  }

  #planTurn(): void {
    if (this.#isTurnPlanned) return;
    this.#isTurnPlanned = true;
    this.#defer(this.#turn);
  }

  #takeTurn(): void {
    this.#isTurnPlanned = false;
    if (this.#batchNext === this.#batch.length) {
      this.#batch = this.#queue;
      this.#batchNext = 0;
      this.#queue = [];
    }
    const end = Math.min(this.#batch.length, this.#batchNext + DELIVERIES_A_TURN_MAX);
    while (this.#batchNext < end) {
      const item = this.#batch[this.#batchNext];
      this.#batchNext += 1;
      if (item instanceof Delivery) deliver(item);
      else item?.();
    }
    if (this.#batchNext === this.#batch.length) {
      this.#batch = [];
      this.#batchNext = 0;
    }
    if (this.#batch.length > 0 || this.#queue.length > 0) this.#planTurn();
  }

  #findRoute(subject: string): Route {
    const singles: Member[] = [];
    const groups = new Map<string, QueueGroup>();
    const take = (member: Member): void => {
      if (member.queue === undefined) {
        singles.push(member);
        return;
      }
      const group = groups.get(member.queue);
      if (group === undefined) groups.set(member.queue, { members: [member], next: 0 });
      else group.members.push(member);
    };
    for (const member of this.#exact.get(subject) ?? []) take(member);
    for (const member of this.#wildcards) if (subjectMatches(member.pattern, subject)) take(member);
    if (singles.length === 0 && groups.size === 0) return EMPTY_ROUTE;
    return { isEmpty: false, singles, groups: [...groups.values()] };
  }

  #forgetRoutes(pattern: string): void {
    if (!hasWildcard(pattern)) {
      this.#routes.delete(pattern);
      return;
    }
    for (const subject of this.#routes.keys()) {
      if (subjectMatches(pattern, subject)) this.#routes.delete(subject);
    }
  }
}

function deliver(delivery: Delivery): void {
  const { singles, groups } = delivery.route;
  for (const member of singles) if (member.isActive) member.deliver(delivery);
  for (const group of groups) nextOf(group)?.deliver(delivery);
}

/** The active member whose turn it is: in rotation, so that the work is shared evenly. */
function nextOf(group: QueueGroup): Member | undefined {
  for (let tried = 0; tried < group.members.length; tried += 1) {
    const member = group.members[group.next];
    group.next = (group.next + 1) % group.members.length;
    if (member?.isActive) return member;
  }
  return undefined;
}
