/**
 * The two counters of a session, as they are stored.
 *
 * Invariants:
 * 1. A life is a period in which the numbers were never set back. A proof from one life does not count in another.
 * 2. A reset that the peer has not confirmed is repeated at the next logon: until then the two sides can disagree.
 */
import { z } from "zod";
import type { Incoming } from "./sequence.ts";

export interface Numbers {
  readonly life: number;
  /** The number of the next message of ours. */
  readonly nextOutgoing: number;
  readonly incoming: Incoming;
  /** The session day of the last reset; null before the first. */
  readonly day: string | null;
  readonly isConfirmed: boolean;
  /** When the peer last knew of more messages of ours than are stored here: this is an older copy; null: never. */
  readonly behindMs: number | null;
}

export const FIRST_NUMBERS: Numbers = {
  life: 1,
  nextOutgoing: 1,
  incoming: { expected: 1 },
  day: null,
  isConfirmed: true,
  behindMs: null,
};

const count = z.number().int().positive();
export const numbersRecordSchema = z.object({
  kind: z.literal("numbers"),
  life: count,
  nextOutgoing: count,
  expected: count,
  day: z.string().nullable(),
  isConfirmed: z.boolean(),
  behindMs: z.number().nullable().default(null),
});
/** One message of ours; `text` is its content with secrets masked, for operators who inspect the file. */
export const sentRecordSchema = z.object({
  kind: z.literal("sent"),
  number: count,
  type: z.string(),
  text: z.string().optional(),
});
export const expectedRecordSchema = z.object({ kind: z.literal("expected"), number: count });

export type NumbersRecord =
  | z.infer<typeof numbersRecordSchema>
  | z.infer<typeof sentRecordSchema>
  | z.infer<typeof expectedRecordSchema>;

/** The counters after one more record of the file. */
export function applyNumbersRecord(numbers: Numbers, record: NumbersRecord): Numbers {
  switch (record.kind) {
    case "numbers": {
      const { life, nextOutgoing, expected, day, isConfirmed, behindMs } = record;
      return { life, nextOutgoing, incoming: { expected }, day, isConfirmed, behindMs };
    }
    case "sent":
      return { ...numbers, nextOutgoing: record.number + 1 };
    case "expected":
      return { ...numbers, incoming: { expected: record.number } };
  }
}

/** All of the counters as one record. */
export function renderNumbers({ incoming, ...numbers }: Numbers): NumbersRecord {
  return { kind: "numbers", ...numbers, expected: incoming.expected };
}

/** Both counters at 1 in a new life. */
export function resetNumbers(numbers: Numbers, day: string | null): Numbers {
  const { life, behindMs } = numbers;
  return { life: life + 1, nextOutgoing: 1, incoming: { expected: 1 }, day, isConfirmed: false, behindMs };
}

/** True if the next logon must ask for a reset. */
export function isResetDue(resetOn: "never" | "daily" | "logon", numbers: Numbers, day: string): boolean {
  if (!numbers.isConfirmed || resetOn === "logon") return true;
  return resetOn === "daily" && numbers.day !== day;
}
