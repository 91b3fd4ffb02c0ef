/**
 * The folder of one session: its lock, its journal, what the journal comes to.
 *
 * Invariants:
 * 1. One process has it. Another one is refused, however the first ended.
 * 2. It is made only when that is asked for: without the folder nobody knows what was sent, and an order that was sent
 *    would be said not to exist.
 * 3. It belongs to one session: another one's numbers and orders are never gone on with.
 */
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { OperatorMistake } from "../../../src/operator-mistake.ts";
import type { Clock, Fatal, Timers } from "../../../src/runtime/ports.ts";
import { takeLock } from "../host/state/folder-lock.ts";
import { type JournalFile, openJournal } from "../host/state/journal.ts";
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
  /** Where the host keeps its epochs. */
  readonly epochsFile: string;
  /** From here on the journal is kept short. */
  keepShort(numbers: () => Numbers): void;
  close(): Promise<void>;
}

/** What a journal's records come to. Throws an `OperatorMistake` for another session's, or what cannot be read. */
function foldRecords(records: readonly unknown[], session: string): { numbers: Numbers; sentOrders: SentOrders } {
  const sentOrders = new SentOrders();
  let numbers = FIRST_NUMBERS;
  for (const record of records) {
    const read = recordSchema.safeParse(record);
    if (!read.success) throw new OperatorMistake("the journal holds a record of another version", { reason: "data" });
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
      throw new OperatorMistake(`the folder belongs to the session ${record.session}, not to ${session}`, {
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

interface FolderOptions {
  readonly folder: string;
  readonly session: string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly fatal: Fatal;
  /** Whether it is made where there is none. */
  readonly mayCreate: boolean;
}

/** Locks and opens the folder. Throws an `OperatorMistake` where there is none, or one that cannot be used. */
export async function openSessionFolder(options: FolderOptions): Promise<SessionFolder> {
  const { folder, session, clock, timers, fatal, mayCreate } = options;
  const file = join(folder, "journal");
  if (!mayCreate && !existsSync(file)) {
    throw new OperatorMistake(
      `${folder} holds no session. For a first start make it: npm run connector -- new <config.json>. A lost one is put ` +
        "back: without it what was sent is not known",
      { reason: "noInput" },
    );
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await takeLock(folder);
  const snapshot = (numbers: Numbers, sentOrders: SentOrders): object[] => [
    { kind: "owner", version: 1, session } satisfies SessionRecord,
    renderNumbers(numbers),
    ...sentOrders.snapshot(clock.nowMs()),
  ];
  try {
    const { journal, records } = await openJournal(
      file,
      {
        isOwner: (record) => ownerRecordSchema.safeParse(record).success,
        shorten: (before) => {
          const { numbers, sentOrders } = foldRecords(before, session);
          return snapshot(numbers, sentOrders);
        },
      },
      { timers, fatal },
    );
    const { numbers, sentOrders } = foldRecords(records, session);
    return {
      ...{ journal, numbers, sentOrders, epochsFile: join(folder, "epochs") },
      keepShort: (now) => journal.keepShort(GROWN_BYTES_MAX, () => snapshot(now(), sentOrders)),
      close: async () => {
        await journal.close();
        await lock.close();
      },
    };
  } catch (error) {
    await lock.close();
    throw error;
  }
}
