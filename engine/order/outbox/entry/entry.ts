/**
 * The outbox's rows: one per order that has no outcome yet, and one per lane for its quota.
 *
 * Owns: their keys and their form. Does not own: their use.
 *
 * Invariants:
 * 1. Rows are checked as strictly when they are read as when they are written.
 * 2. An entry without a recorded attempt (`wasMaybeSent` false) certainly exists nowhere: an attempt is stored before
 *    the order leaves. Entries of brokerages that promise `idempotent` are the exception: each counts as sent.
 * 3. The number of an attempt never falls and is never used twice: connectors recognise late requests by it.
 */

import { z } from "zod";
import { assert } from "../../../../src/assert.ts";
import { type ResendPromise, resendSchema } from "../../../../src/contract/trading/order.ts";
import { MARKET } from "../../../../src/domain/order/order.ts";
import { QUANTITY_MAX } from "../../../../src/domain/price/quantity.ts";
import { textOf } from "../../../../src/runtime/json.ts";
import type { OrderOrigin, OutboxOrder } from "../../../ports/order.ts";
import { TABLES } from "../../../table/tables.ts";
import type { UsesByAge } from "../lane/pacing.ts";
import { isUsualEntry } from "./entry-check.ts";

const PACE_PREFIX = TABLES.outbox.within("pace");

/** The row of an order; key order is commit order. */
export const outboxKey = (sequence: number): string => TABLES.outbox.key(sequence);
/** The row of a lane's quota. */
export const paceKey = (userId: number, brokerageCode: string): string =>
  TABLES.outbox.key("pace", userId, brokerageCode);

/** The version of an entry with named fields: in memory, and in earlier stores. */
const ENTRY_VERSION = 1;
/** The version of a packed entry, as it is stored now. */
const PACKED_VERSION = 2;
const PACKED_FIELDS = 20;
const PACE_VERSION = 1;

const naturalNumber = z.number().int().nonnegative();
const name = z.string().min(1).max(100);

const orderSchema = z
  .strictObject({
    userId: z.number().int().positive(),
    brokerageCode: z.string().regex(/^[A-Za-z0-9_]{1,32}$/),
    accountNumber: name,
    clientOrderId: name,
    urgency: z.enum(["stopLoss", "triggered", "client"]),
    symbol: z.string().regex(/^[A-Z0-9_]{1,16}$/),
    quantity: z.number().int().min(1).max(QUANTITY_MAX),
    buySell: z.union([z.literal(1), z.literal(2)]),
    orderType: z.union([z.literal(1), z.literal(2)]),
    price: z.number().nonnegative().max(9_999_999),
    referenceOrderNo: name.exactOptional(),
    origin: z.discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("actor"), actorId: naturalNumber, name: z.string().min(1) }),
      z.strictObject({ kind: z.literal("command"), commandId: z.string().min(1) }),
    ]),
  })
  .refine(
    (order) => (order.orderType === MARKET) === (order.price === 0),
    "a market order has price 0, a limit has one",
  );

const entrySchema = z
  .strictObject({
    version: z.literal(ENTRY_VERSION),
    sequence: naturalNumber,
    order: orderSchema,
    createdMs: naturalNumber,
    /** The brokerage's promise when this was stored. */
    promise: resendSchema,
    /** The last attempt that was stored; 0: none. Not counted up under the promise `idempotent`. */
    attempt: naturalNumber,
    /** When that attempt was stored; null if the attempt certainly led to no order. */
    attemptRecordedMs: naturalNumber.nullable(),
    /** `expiry`: the moment from which the brokerage does not accept that attempt. */
    expiresAtMs: naturalNumber.nullable(),
    quarantine: z.strictObject({ sinceMs: naturalNumber, reason: z.string() }).nullable(),
  })
  .refine((entry) => entry.attempt > 0 || entry.attemptRecordedMs === null, "what is recorded is an attempt")
  .refine(
    (entry) => (entry.expiresAtMs !== null) === (entry.promise === "expiry" && entry.attemptRecordedMs !== null),
    "an attempt under the promise of expiry expires, no other does",
  );
export type OutboxEntry = Readonly<z.infer<typeof entrySchema>>;

/**
 * Packs an entry for the store: its fields and its order's in a fixed order without their names, as every row that
 * fires writes one. This takes less than half of the bytes.
 */
function packEntry(entry: OutboxEntry): readonly unknown[] {
  const { order } = entry;
  return [
    PACKED_VERSION,
    entry.sequence,
    entry.createdMs,
    entry.promise,
    entry.attempt,
    entry.attemptRecordedMs,
    entry.expiresAtMs,
    entry.quarantine,
    order.userId,
    order.brokerageCode,
    order.accountNumber,
    order.clientOrderId,
    order.urgency,
    order.symbol,
    order.quantity,
    order.buySell,
    order.orderType,
    order.price,
    order.referenceOrderNo ?? null,
    packOrigin(order.origin),
  ];
}

/** An actor's origin becomes a list of two, a command's a text. */
function packOrigin(origin: OrderOrigin): unknown {
  return origin.kind === "actor" ? [origin.actorId, origin.name] : origin.commandId;
}

/** Returns the fields of a packed entry by name. The schema checks their values. */
function unpackEntry(fields: readonly unknown[]): object {
  assert(fields.length === PACKED_FIELDS && fields[0] === PACKED_VERSION, "the list is not a packed entry");
  const [, sequence, createdMs, promise, attempt, attemptRecordedMs, expiresAtMs, quarantine, ...ofOrder] = fields;
  const [userId, brokerageCode, accountNumber, clientOrderId, urgency, symbol, ...ofDeal] = ofOrder;
  const [quantity, buySell, orderType, price, referenceOrderNo, origin] = ofDeal;
  return {
    version: ENTRY_VERSION,
    sequence,
    order: {
      userId,
      brokerageCode,
      accountNumber,
      clientOrderId,
      urgency,
      symbol,
      quantity,
      buySell,
      orderType,
      price,
      ...(referenceOrderNo === null ? {} : { referenceOrderNo }),
      origin: unpackOrigin(origin),
    },
    createdMs,
    promise,
    attempt,
    attemptRecordedMs,
    expiresAtMs,
    quarantine,
  };
}

function unpackOrigin(origin: unknown): unknown {
  if (!Array.isArray(origin)) return { kind: "command", commandId: origin };
  const [actorId, name, ...more]: readonly unknown[] = origin;
  return more.length === 0 ? { kind: "actor", actorId, name } : origin;
}

const paceSchema = z.strictObject({
  version: z.literal(PACE_VERSION),
  writtenMs: naturalNumber,
  userId: z.number().int().positive(),
  brokerageCode: z.string().min(1),
  /** Age in seconds at `writtenMs`, and count. */
  uses: z.array(z.tuple([naturalNumber, z.number().int().positive()]).readonly()).readonly(),
});
export type PaceRow = Readonly<z.infer<typeof paceSchema>>;

/** A row of the outbox as read from the store. */
type OutboxRow =
  | { readonly kind: "order"; readonly entry: OutboxEntry }
  | { readonly kind: "pace"; readonly pace: PaceRow }
  | { readonly kind: "unreadable"; readonly reason: string };

/** Whether the order may have reached the brokerage, according to this entry. */
export function wasMaybeSent(entry: OutboxEntry): boolean {
  return entry.promise === "idempotent" || entry.attemptRecordedMs !== null;
}

/** The brokerage's settings for an attempt. */
export interface AttemptRules {
  readonly promise: ResendPromise;
  /** How long an order stays acceptable under the promise of expiry. */
  readonly expiryMs: number;
}

/** Makes the first entry of an order, without an attempt. */
export function firstEntry(sequence: number, order: OutboxOrder, promise: ResendPromise, nowMs: number): OutboxEntry {
  return {
    version: ENTRY_VERSION,
    sequence,
    order,
    createdMs: nowMs,
    promise,
    attempt: 0,
    attemptRecordedMs: null,
    expiresAtMs: null,
    quarantine: null,
  };
}

/** Makes the entry that records attempt number `attempt`, which may then be sent. */
export function attemptedEntry(entry: OutboxEntry, attempt: number, rules: AttemptRules, nowMs: number): OutboxEntry {
  const expiresAtMs = rules.promise === "expiry" ? nowMs + rules.expiryMs : null;
  return { ...entry, promise: rules.promise, attempt, attemptRecordedMs: nowMs, expiresAtMs };
}

/** Makes the entry of an order that certainly was not accepted. Its next attempt has the next number. */
export function unmarkedEntry(entry: OutboxEntry): OutboxEntry {
  return { ...entry, attemptRecordedMs: null, expiresAtMs: null, quarantine: null };
}

/** Encodes an entry. Throws if the entry could not be read back. */
export function encodeEntry(entry: OutboxEntry): string {
  return JSON.stringify(packEntry(isUsualEntry(entry) ? entry : entrySchema.parse(entry)));
}

/** Encodes a lane's quota. `uses`: the uses that still count at `writtenMs`. */
export function encodePace(userId: number, brokerageCode: string, uses: UsesByAge, writtenMs: number): string {
  for (const [ageSeconds, count] of uses) {
    assert(Number.isSafeInteger(ageSeconds) && ageSeconds >= 0, () => `not an age: ${ageSeconds}`);
    assert(Number.isSafeInteger(count) && count > 0, () => `not a count: ${count}`);
  }
  assert(Number.isSafeInteger(writtenMs) && writtenMs >= 0, () => `not a time: ${writtenMs}`);
  return JSON.stringify({ version: PACE_VERSION, writtenMs, userId, brokerageCode, uses } satisfies PaceRow);
}

/**
 * Reads a row of the outbox. An entry is packed, or has named fields as in earlier stores. A row that makes no sense is
 * `unreadable`: it alone is set aside. A row of a newer version throws: this program is too old for the data folder and
 * must not start.
 */
export function decodeRow(key: string, bytes: Uint8Array): OutboxRow {
  try {
    const stored: unknown = JSON.parse(textOf(bytes));
    return key.startsWith(PACE_PREFIX) ? readPace(key, stored) : readEntry(key, stored);
  } catch (cause) {
    if (cause instanceof NewerRowError) throw cause;
    return { kind: "unreadable", reason: cause instanceof Error ? cause.message : String(cause) };
  }
}

function readPace(key: string, stored: unknown): OutboxRow {
  refuseNewer(key, versionOf(stored), PACE_VERSION);
  const pace = paceSchema.parse(stored);
  const ownKey = paceKey(pace.userId, pace.brokerageCode);
  assert(key === ownKey, `the quota under ${key} belongs under ${ownKey}`);
  return { kind: "pace", pace };
}

function readEntry(key: string, stored: unknown): OutboxRow {
  const isPacked = Array.isArray(stored);
  refuseNewer(key, isPacked ? stored[0] : versionOf(stored), isPacked ? PACKED_VERSION : ENTRY_VERSION);
  const entry = entrySchema.parse(isPacked ? unpackEntry(stored) : stored);
  assert(key === outboxKey(entry.sequence), `the entry under ${key} has the sequence ${entry.sequence}`);
  return { kind: "order", entry };
}

function refuseNewer(key: string, version: unknown, newest: number): void {
  if (typeof version === "number" && version > newest) throw new NewerRowError(key, version);
}

/** The data folder was written by a newer version of this program. */
export class NewerRowError extends Error {
  override readonly name = "NewerRowError";

  constructor(key: string, version: number) {
    super(`the outbox row ${key} has version ${version}, which is newer than this program`);
  }
}

const versioned = z.looseObject({ version: z.number() });

function versionOf(json: unknown): number {
  const found = versioned.safeParse(json);
  return found.success ? found.data.version : 0;
}
