/** The history of events, as its readers use it. Interfaces only. */

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
  /** Events from the start of the page up to this sequence are lost; null: none are. */
  readonly gapTo: number | null;
}

/** How long events are kept: until either is passed. */
export interface EventRetention {
  readonly ageMsMax: number;
  /** Counted in sequence numbers, some of which belong to other rows: a bound, not a promise. */
  readonly countMax: number;
}

/** Users' notification targets. Calls that change something belong inside a turn. */
export interface NotificationTargets {
  create(userId: number, body: TargetBody): Result<TargetView & { readonly secret: string | null }>;
  update(userId: number, id: number, body: TargetBody): Result<TargetView>;
  remove(userId: number, id: number): Result<true>;
  list(userId: number): readonly TargetView[];
  /** Sends a test message now. The detail is for the log of the caller: it knows the request. */
  test(userId: number, id: number): Promise<Result<TargetTestReply>>;
}

/** The operator's settings for sending. */
export interface AlertSettings {
  /** Where e-mail is handed in; undefined: no e-mail is sent. */
  readonly smtpUrl: string | undefined;
  readonly smtpFrom: string;
  readonly telegramUrl: string;
  /** Whether webhooks can reach addresses that are not public, and without TLS. */
  readonly arePrivateAllowed: boolean;
}

/** Where events go: stored in this turn's batch, published once it is durable, at least once. */
export interface Events {
  /**
   * Emits an event. `source`: the data from which the payload can be rendered again, stored in its place if it is
   * shorter.
   */
  emit(userId: number, type: string, payload: object, source?: RenderSource): void;
}

/** The data from which the payload of an actor's event is rendered. */
export interface RenderSource {
  readonly kind: ActorKindName;
  /** The stored form of the context: JSON. */
  readonly context: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The payload as JSON; undefined if it is not rendered yet. */
  readonly json?: string | undefined;
}
