/**
 * The contexts of actors as they are stored, checked on reading as strictly as they were written.
 */
import { z } from "zod";
import { ACTION_POLICIES, type BaseMove } from "../../domain/market/corporate-action.ts";
import {
  type Corporate,
  EXIT_POLICIES,
  type Exit,
  type Growth,
  type Ladder,
  type OcoGroup,
  type OcoRow,
  type Pursuit,
  type TimedExit,
  type Trailing,
} from "../../domain/oco/group.ts";
import { QUANTITY_MAX } from "../../domain/price/quantity.ts";
import { TICK_TABLES } from "../../domain/price/tick-table.ts";
import type { SetupCorporate } from "../../domain/setup-corporate.ts";
import { corporateActionSchema } from "../operator/corporate-action.ts";
import { executionSnapshot, oldSell, packSell, unpackSell } from "./execution-snapshot.ts";
import { renamedSnapshot } from "./renamed-snapshot.ts";
import { isStoredGroup } from "./snapshot-check.ts";

const id = z.number().int().positive();
const quantity = z.number().int().min(1).max(QUANTITY_MAX);
const hundredths = z.number().int().min(1).max(999_999_900);
const timeMs = z.number().int().nonnegative();
const naturalNumber = z.number().int().nonnegative();

const ocoRow = z.strictObject({
  id,
  quantity,
  price: hundredths,
  status: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  isInFlight: z.boolean(),
  triggeredPrice: z.number().positive().nullable(),
  triggeredAtMs: timeMs.nullable(),
  triggerErrorMessage: z.string().nullable(),
  updatedAtMs: timeMs.nullable(),
  unsoldQuantity: z.number().int(),
});

const followedSell = z.strictObject({ row: naturalNumber, execution: executionSnapshot });

const pursuit = z.strictObject({
  day: naturalNumber,
  ordersToday: naturalNumber,
  nextAtMs: timeMs.nullable(),
  isForSession: z.boolean().exactOptional(),
  opensAtMs: timeMs.exactOptional(),
  sliceEndsAt: naturalNumber.nullable().exactOptional(),
  stop: z.strictObject({ reason: z.string(), isByOwner: z.boolean() }).nullable(),
  isRecalled: z.boolean(),
}) satisfies z.ZodType<Pursuit>;

const exit = z.strictObject({
  stopLoss: z.enum(EXIT_POLICIES),
  orderCount: id.exactOptional(),
  isStopped: z.literal(true).exactOptional(),
  isFlatten: z.literal(true).exactOptional(),
  pursuit: pursuit.exactOptional(),
}) satisfies z.ZodType<Exit>;

const arming = z.tuple([naturalNumber, timeMs]).readonly();

const hundredthsOrNull = hundredths.nullable();
const stored = z.strictObject({ stream: z.string(), sequence: naturalNumber });

/** The terms of a stop-loss that trails. */
export const trailingTermsFields = {
  distance: hundredthsOrNull,
  distanceBasisPoints: z.number().int().min(1).max(9_999).nullable(),
  activationPrice: hundredthsOrNull,
  step: hundredthsOrNull,
  confirmTicks: z.union([z.literal(1), z.literal(2)]),
  tickTable: z.enum(TICK_TABLES),
};

const trailing = z.strictObject({
  ...trailingTermsFields,
  high: hundredthsOrNull,
  before: z.strictObject({ price: naturalNumber, ownTimeMs: z.number().nullable() }).nullable(),
  movedBy: z.strictObject({ timeMs: z.number(), stored: stored.nullable() }).nullable(),
  movedFrom: z.strictObject({ timeMs: z.number(), stop: naturalNumber }).exactOptional(),
  toldAtMs: z.number().nullable(),
}) satisfies z.ZodType<Trailing>;

/** How the stop-loss rises as take-profits are sold. */
export const ladderSnapshot = z.strictObject({
  rungs: z
    .array(
      z.strictObject({
        afterTakeProfits: id,
        to: z.enum(["entry", "previousTakeProfit"]),
        offset: z.number().int(),
      }),
    )
    .min(1),
  entryPrice: z.number().positive().nullable(),
  tickTable: z.enum(TICK_TABLES),
  climbed: naturalNumber,
  dueAtMs: timeMs.nullable(),
}) satisfies z.ZodType<Ladder>;

/** When the stop-loss sells by the clock, as its owner gave it. */
export const exitTimesFields = {
  atMs: timeMs.nullable(),
  beforeCloseMinutes: id.nullable(),
};
const timedExit = z.strictObject({
  ...exitTimesFields,
  firesAtMs: timeMs.nullable(),
}) satisfies z.ZodType<TimedExit>;

const growth = z.strictObject({
  setupId: id,
  bought: id,
  isBuying: z.boolean(),
  tiers: z.array(naturalNumber).readonly().exactOptional(),
}) satisfies z.ZodType<Growth>;

const baseMove = z.strictObject({ from: z.number(), to: z.number() }) satisfies z.ZodType<BaseMove>;

/** The policy of a group for corporate actions, and their results. */
const corporateSnapshot = z.strictObject({
  policy: z.enum(ACTION_POLICIES).exactOptional(),
  counted: z.array(z.string()).min(1).readonly().exactOptional(),
  note: z.string().exactOptional(),
  waiting: z
    .array(
      z.strictObject({
        action: corporateActionSchema,
        tickTable: z.enum(TICK_TABLES),
        sinceMs: timeMs.nullable(),
        move: baseMove.nullable(),
      }),
    )
    .min(1)
    .readonly()
    .exactOptional(),
  isHeld: z.literal(true).exactOptional(),
}) satisfies z.ZodType<Corporate>;

/** Corporate actions of a pending OCO. */
export const setupCorporateSnapshot = corporateSnapshot.extend({
  move: baseMove.exactOptional(),
}) satisfies z.ZodType<SetupCorporate>;

/** Fields that few groups have. */
const seldomFields = {
  exit: exit.exactOptional(),
  changes: id.exactOptional(),
  armings: z.array(arming).min(1).readonly().exactOptional(),
  trailing: trailing.exactOptional(),
  ladder: ladderSnapshot.exactOptional(),
  timedExit: timedExit.exactOptional(),
  growth: growth.exactOptional(),
  followsPosition: z.literal(true).exactOptional(),
  corporate: corporateSnapshot.exactOptional(),
  renamed: renamedSnapshot,
};

export const groupSnapshot = z.strictObject({
  version: z.literal(1),
  groupId: id,
  userId: id,
  brokerageCode: z.string(),
  accountNumber: z.string(),
  symbol: z.string(),
  createdAtMs: timeMs,
  dueAtMs: timeMs.nullable(),
  notes: z.string().nullable(),
  hasOversellGuard: z.boolean(),
  rows: z.array(ocoRow).min(1),
  stopLossOrdersOpen: naturalNumber,
  stopLossSoldQuantity: naturalNumber,
  cancelledByStopLoss: z.array(naturalNumber),
  followed: z.array(followedSell),
  ...seldomFields,
}) satisfies z.ZodType<OcoGroup>;

/** Marks the form of `packGroup`. */
const PACKED = 3;
const PACKED_GROUP_FIELDS = 15;
/** Groups with seldom fields have an object with them behind the fields of every group. */
const PACKED_SELDOM_FIELDS = z.strictObject(seldomFields).refine((fields) => Object.keys(fields).length > 0);
const PACKED_ROW_FIELDS = 10;
/** Of a row to which nothing has happened yet, as nearly all are: its id, quantity and price. */
const PACKED_NEW_ROW_FIELDS = 3;

/**
 * A group as it is stored: its fields in a fixed order without their names, as every trigger writes it twice and reads
 * it once. A third of the bytes, and half of the time.
 */
export function packGroup(group: OcoGroup): readonly unknown[] {
  const packed = packUsual(group);
  const { exit, changes, armings, trailing, ladder, timedExit: times, growth: grown, followsPosition } = group;
  const { corporate, renamed } = group;
  const isUsual = exit === undefined && armings === undefined && grown === undefined && followsPosition === undefined;
  const isStill = trailing === undefined && ladder === undefined && times === undefined && corporate === undefined;
  if (isUsual && isStill && renamed === undefined) {
    // Every group that has fired has changed.
    return changes === undefined ? packed : [...packed, { changes }];
  }
  const seldom = {
    ...(exit !== undefined && { exit }),
    ...(changes !== undefined && { changes }),
    ...(armings !== undefined && { armings }),
    ...(trailing !== undefined && { trailing }),
    ...(ladder !== undefined && { ladder }),
    ...(times !== undefined && { timedExit: times }),
    ...(grown !== undefined && { growth: grown }),
    ...(followsPosition && { followsPosition }),
    ...(corporate !== undefined && { corporate }),
    ...(renamed !== undefined && { renamed }),
  };
  return [...packed, seldom];
}

function packUsual(group: OcoGroup): readonly unknown[] {
  return [
    PACKED,
    group.groupId,
    group.userId,
    group.brokerageCode,
    group.accountNumber,
    group.symbol,
    group.createdAtMs,
    group.dueAtMs,
    group.notes,
    group.hasOversellGuard,
    group.stopLossOrdersOpen,
    group.rows.map(packRow),
    group.stopLossSoldQuantity,
    group.cancelledByStopLoss,
    group.followed.map(({ row, execution }) => packSell(row, execution)),
  ];
}

function packRow(row: OcoRow): readonly unknown[] {
  if (isNew(row)) return [row.id, row.quantity, row.price];
  return [
    row.id,
    row.quantity,
    row.price,
    row.status,
    row.isInFlight,
    row.triggeredPrice,
    row.triggeredAtMs,
    row.triggerErrorMessage,
    row.updatedAtMs,
    row.unsoldQuantity,
  ];
}

function isNew(row: OcoRow): boolean {
  return (
    row.status === 1 &&
    !row.isInFlight &&
    row.triggeredPrice === null &&
    row.triggeredAtMs === null &&
    row.triggerErrorMessage === null &&
    row.updatedAtMs === null &&
    row.unsoldQuantity === 0
  );
}

/** Reads a stored group, packed or in the earlier form. Throws if it is not a group, or is of another version. */
export function parseGroup(stored: unknown): OcoGroup {
  if (!isPacked(stored)) return isStoredGroup(stored) ? stored : groupSnapshot.parse(withExecutions(stored));
  const usual = unpackUsual(stored);
  const seldom = unpackSeldom(stored);
  // No rule connects seldom fields with the others.
  if (isStoredGroup(usual)) return seldom === undefined ? usual : { ...usual, ...seldom };
  return groupSnapshot.parse(withExecutions({ ...usual, ...seldom }));
}

const followingGroup = z.looseObject({ symbol: z.string(), followed: z.array(z.unknown()) });

/** A group that an older edition stored with the names of its fields. */
function withExecutions(group: unknown): unknown {
  const old = followingGroup.safeParse(group);
  if (!old.success) return group;
  return { ...old.data, followed: old.data.followed.map((sell) => oldSell(sell, old.data.symbol)) };
}

/** The brokerage of a stored context that can be incomplete, of any kind; undefined if it cannot be read. */
export function brokerageOfStored(stored: unknown): string | undefined {
  const code = isPacked(stored) ? stored[3] : looseProfile.safeParse(stored).data?.brokerageCode;
  return typeof code === "string" ? code : undefined;
}

const looseProfile = z.looseObject({ brokerageCode: z.string() });

function isPacked(stored: unknown): stored is readonly unknown[] {
  if (!Array.isArray(stored) || stored[0] !== PACKED) return false;
  return stored.length === PACKED_GROUP_FIELDS || stored.length === PACKED_GROUP_FIELDS + 1;
}

/** Returns the fields that few groups have; undefined for any other group. Throws if they are not valid. */
function unpackSeldom(fields: readonly unknown[]): Partial<OcoGroup> | undefined {
  if (fields.length === PACKED_GROUP_FIELDS) return undefined;
  const seldom = fields[PACKED_GROUP_FIELDS];
  return isChangesAlone(seldom) ? seldom : PACKED_SELDOM_FIELDS.parse(seldom);
}

/** True for what every group has once it has fired: the schema costs 9 us. */
function isChangesAlone(seldom: unknown): seldom is { readonly changes: number } {
  if (typeof seldom !== "object" || seldom === null || !("changes" in seldom)) return false;
  return Number.isSafeInteger(seldom.changes) && Number(seldom.changes) >= 1 && Object.keys(seldom).length === 1;
}

/** The check of a group judges the values of the fields. */
function unpackUsual(fields: readonly unknown[]): object {
  const rows = fields[11];
  const followed = fields[14];
  return {
    version: 1,
    groupId: fields[1],
    userId: fields[2],
    brokerageCode: fields[3],
    accountNumber: fields[4],
    symbol: fields[5],
    createdAtMs: fields[6],
    dueAtMs: fields[7],
    notes: fields[8],
    hasOversellGuard: fields[9],
    rows: Array.isArray(rows) ? rows.map(unpackRow) : rows,
    stopLossOrdersOpen: fields[10],
    stopLossSoldQuantity: fields[12],
    cancelledByStopLoss: fields[13],
    followed: Array.isArray(followed) ? followed.map((sell) => unpackSell(sell, fields[5])) : followed,
  };
}

function unpackRow(fields: unknown): unknown {
  if (!Array.isArray(fields)) return fields;
  if (fields.length === PACKED_NEW_ROW_FIELDS) return unpackNewRow(fields);
  if (fields.length !== PACKED_ROW_FIELDS) return fields;
  return {
    id: fields[0],
    quantity: fields[1],
    price: fields[2],
    status: fields[3],
    isInFlight: fields[4],
    triggeredPrice: fields[5],
    triggeredAtMs: fields[6],
    triggerErrorMessage: fields[7],
    updatedAtMs: fields[8],
    unsoldQuantity: fields[9],
  };
}

/**
 * Unpacks a row as `isNew` expects it, in the order of the fields of every other row: V8 then takes both for one form.
 */
function unpackNewRow(fields: readonly unknown[]): unknown {
  return {
    id: fields[0],
    quantity: fields[1],
    price: fields[2],
    status: 1,
    isInFlight: false,
    triggeredPrice: null,
    triggeredAtMs: null,
    triggerErrorMessage: null,
    updatedAtMs: null,
    unsoldQuantity: 0,
  };
}
