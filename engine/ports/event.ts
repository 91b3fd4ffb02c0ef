/**
 * Where the history of events meets those who read it. Interfaces only.
 */

import type { TargetBody, TargetTestReply, TargetView } from "../../src/contract/trading/notification.ts";
import type { Result } from "../../src/domain/refusal.ts";
import type { ActorKindName } from "../../src/machine/actor-event.ts";

/** Events that were stored, for their users to read. */
export interface EventReader {
  /** Every event up to this sequence is durable. */
  readonly durableThrough: number;
  /** The user's events after the sequence, a page of them. */
  since(userId: number, after: number): Promise<EventSlice>;
}

export interface EventSlice {
  /** Oldest first, as they were published. */
  readonly events: readonly object[];
  /** The user has no other event up to here. */
  readonly through: number;
  /** False: there may be more after `through`. */
  readonly isLast: boolean;
  /** Events between where the page starts and this are gone; null: none. */
  readonly gapTo: number | null;
}

/** How long events are kept: until either is passed. */
export interface EventRetention {
  readonly ageMsMax: number;
  /** Counted in sequence numbers, of which some are none of events: a bound, not a promise. */
  readonly countMax: number;
}

/** Users' notification targets. What changes something is to be called inside a turn. */
export interface NotificationTargets {
  create(userId: number, body: TargetBody): Result<TargetView & { readonly secret: string | null }>;
  update(userId: number, id: number, body: TargetBody): Result<TargetView>;
  remove(userId: number, id: number): Result<true>;
  list(userId: number): readonly TargetView[];
  /** Sends a test message now. The detail is for the log of whoever asked: it knows the request. */
  test(userId: number, id: number): Promise<Result<TargetTestReply>>;
}

/** What the operator says of sending. */
export interface AlertSettings {
  /** Where e-mail is handed in; undefined: none is sent. */
  readonly smtpUrl: string | undefined;
  readonly smtpFrom: string;
  readonly telegramUrl: string;
  /** Whether webhooks may reach addresses that are not public, and without TLS. */
  readonly arePrivateAllowed: boolean;
}

/** Where events go: stored in this turn's batch, published once it is durable, at least once. */
export interface Events {
  /** `source`: what the payload can be rendered from again, to be stored in its place where that is shorter. */
  emit(userId: number, type: string, payload: object, source?: RenderSource): void;
}

/** What the payload of an actor's event is rendered from. */
export interface RenderSource {
  readonly kind: ActorKindName;
  /** The context as it is stored: JSON. */
  readonly context: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The payload as JSON; undefined where it is not rendered yet. */
  readonly json?: string | undefined;
}
