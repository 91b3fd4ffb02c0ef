/**
 * The folder of one session, and what its journal comes to.
 *
 * Invariant: it belongs to one session: another one's numbers and orders are never gone on with.
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
  /** From here on the journal is kept short. */
  keepShort(numbers: () => Numbers): void;
  close(): Promise<void>;
}

/** What a journal's records come to. Throws an `UserError` for another session's, or what cannot be read. */
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

/** What a journal's records say, a line each, for whoever looks after the folder. Throws where they cannot be read. */
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

/** Locks and opens the folder. Throws an `UserError` where there is none, or one that cannot be used. */
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
