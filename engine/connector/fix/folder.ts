/**
 * The folder of one session, and the state that its journal adds up to.
 *
 * Invariant: a folder belongs to one session. The numbers and orders of another session are never continued.
 */
import { z } from "zod";
import type { Clock } from "../../../src/runtime/ports.ts";
import { UserError } from "../../../src/runtime/user-error.ts";
import { type FolderOptions, openConnectorFolder } from "../host/state/folder.ts";
import type { JournalFile } from "../host/state/journal.ts";
import { isOver } from "./order/order.ts";
import { cancelRecordSchema, orderRecordSchema, SentOrders } from "./order/sent-orders.ts";
import {
  applyNumbersRecord,
  expectedRecordSchema,
  FIRST_NUMBERS,
  type Numbers,
  numbersRecordSchema,
  renderNumbers,
  sentRecordSchema,
} from "./session/numbers.ts";

/** The journal is shortened whenever it has grown by this much. */
const GROWN_BYTES_MAX = 64 * 1024 * 1024;

const ownerRecordSchema = z.object({ kind: z.literal("owner"), version: z.literal(1), session: z.string() });
const recordSchema = z.discriminatedUnion("kind", [
  ownerRecordSchema,
  numbersRecordSchema,
  sentRecordSchema,
  expectedRecordSchema,
  orderRecordSchema,
  cancelRecordSchema,
]);
type SessionRecord = z.infer<typeof recordSchema>;

interface SessionFolder {
  readonly journal: JournalFile;
  readonly numbers: Numbers;
  readonly sentOrders: SentOrders;
  /** Keeps the journal short from here on. */
  keepShort(numbers: () => Numbers): void;
  close(): Promise<void>;
}

/**
 * Folds a journal's records into numbers and orders. Throws a `UserError` for another session's records, or for
 * unreadable ones.
 */
function foldRecords(records: readonly unknown[], session: string): { numbers: Numbers; sentOrders: SentOrders } {
  const sentOrders = new SentOrders();
  let numbers = FIRST_NUMBERS;
  for (const record of records) {
    const read = recordSchema.safeParse(record);
    if (!read.success) throw new UserError("the journal holds a record of another version", { reason: "data" });
    numbers = applyRecord(read.data, session, numbers, sentOrders);
  }
  return { numbers, sentOrders };
}

/** Describes a journal's records, a line each, for the operator of the folder. Throws if they cannot be read. */
export function describeSession(records: readonly unknown[]): string[] {
  const { session } = ownerRecordSchema.parse(records[0]);
  const { numbers, sentOrders } = foldRecords(records, session);
  const orders = sentOrders.orders();
  const open = orders.filter((order) => !isOver(order));
  const inDoubt = orders.filter(({ standing }) => standing === "leaving" || standing === "lost");
  const { life, nextOutgoing, incoming, behindMs } = numbers;
  return [
    `session ${session}: life ${life}, the next number is ${nextOutgoing} out and ${incoming.expected} in`,
    ...(behindMs === null ? [] : ["it is older than what was sent: an order that is not in it may exist"]),
    `orders: ${orders.length}, ${open.length} of them not over`,
    ...inDoubt.map(({ clientOrderId, symbol }) => `order ${clientOrderId} of ${symbol}: its outcome is not known`),
  ];
}

function applyRecord(record: SessionRecord, session: string, numbers: Numbers, sentOrders: SentOrders): Numbers {
  switch (record.kind) {
    case "owner":
      if (record.session === session) return numbers;
      throw new UserError(`the folder belongs to the session ${record.session}, not to ${session}`, {
        reason: "data",
      });
    case "order":
    case "cancel":
      sentOrders.restore(record);
      return numbers;
    default:
      return applyNumbersRecord(numbers, record);
  }
}

interface SessionFolderOptions extends FolderOptions {
  readonly session: string;
  readonly clock: Clock;
}

/** Locks and opens the folder. Throws a `UserError` if it does not exist or cannot be used. */
export async function openSessionFolder(options: SessionFolderOptions): Promise<SessionFolder> {
  const { session, clock } = options;
  const snapshot = (numbers: Numbers, sentOrders: SentOrders): object[] => [
    { kind: "owner", version: 1, session } satisfies SessionRecord,
    renderNumbers(numbers),
    ...sentOrders.snapshot(clock.nowMs()),
  ];
  const { journal, records, close } = await openConnectorFolder(options, {
    isOwner: (record) => ownerRecordSchema.safeParse(record).success,
    shorten: (before) => {
      const { numbers, sentOrders } = foldRecords(before, session);
      return snapshot(numbers, sentOrders);
    },
  });
  const { numbers, sentOrders } = foldRecords(records, session);
  const keepShort: SessionFolder["keepShort"] = (now) =>
    journal.keepShort(GROWN_BYTES_MAX, () => snapshot(now(), sentOrders));
  return { journal, numbers, sentOrders, keepShort, close };
}
