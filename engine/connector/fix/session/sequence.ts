/**
 * The rules of the two counters, as plain functions: what to do with a message by its number.
 *
 * Invariants:
 * 1. A message is taken only if it has the expected number. Messages after a gap are dropped. The gap is asked for
 *    once, and again only if the answer itself has a hole or left something out.
 * 2. A taken number is never taken again. A number that was not taken is skipped only by the peer's own gap fill.
 * 3. A number below the expected one without PossDupFlag means that one side has lost its count: a person decides.
 */

interface Gap {
  /** The number that was asked from. */
  readonly from: number;
  /** The number that showed the gap when it was asked for. */
  readonly shownBy: number;
}

export interface Incoming {
  /** The number that the next message must have. */
  readonly expected: number;
  /** The numbers that were asked for and have not arrived yet. */
  readonly gap?: Gap;
}

interface Numbered {
  readonly number: number;
  readonly isPossibleDuplicate: boolean;
}

export type Verdict =
  | { readonly kind: "take"; readonly incoming: Incoming }
  | { readonly kind: "ask"; readonly from: number; readonly incoming: Incoming }
  | { readonly kind: "drop"; readonly why: "had" | "afterGap" }
  | { readonly kind: "tooLow" };

/** Judges a message that is not a gap fill. */
export function judge(incoming: Incoming, { number, isPossibleDuplicate }: Numbered): Verdict {
  const { expected } = incoming;
  if (number === expected) return { kind: "take", incoming: moveTo(incoming, expected + 1) };
  if (number < expected) return isPossibleDuplicate ? { kind: "drop", why: "had" } : { kind: "tooLow" };
  return judgeAfterGap(incoming, number, isPossibleDuplicate);
}

function judgeAfterGap(incoming: Incoming, number: number, isPossibleDuplicate: boolean): Verdict {
  const { expected, gap } = incoming;
  const isAsked = gap !== undefined && expected <= gap.shownBy;
  const isHoleInAnswer = isPossibleDuplicate && gap !== undefined && gap.from !== expected;
  if (isAsked && !isHoleInAnswer) return { kind: "drop", why: "afterGap" };
  return { kind: "ask", from: expected, incoming: { expected, gap: { from: expected, shownBy: number } } };
}

type FillVerdict = Verdict | { readonly kind: "refuse" };

/** Judges a SequenceReset in gap fill mode: the peer states that `number` up to `next` - 1 will not come. */
export function judgeGapFill(incoming: Incoming, message: Numbered, next: number): FillVerdict {
  const verdict = judge(incoming, message);
  if (verdict.kind !== "take") return verdict;
  if (next <= incoming.expected) return { kind: "refuse" };
  return { kind: "take", incoming: moveTo(incoming, next) };
}

function moveTo({ gap }: Incoming, expected: number): Incoming {
  return gap === undefined || expected > gap.shownBy ? { expected } : { expected, gap };
}

/** Returns the gap fill that answers a ResendRequest; undefined if the request covers no sent message. */
export function answerResendRequest(
  nextOutgoing: number,
  begin: number,
  end: number,
): { readonly number: number; readonly next: number } | undefined {
  const last = end === 0 ? nextOutgoing - 1 : Math.min(end, nextOutgoing - 1);
  return begin < 1 || begin > last ? undefined : { number: begin, next: last + 1 };
}

/** Reads the expected number from a refusing Logout, by the texts that engines use. */
export function readExpectedNumber(text: string): number | undefined {
  const found = /expect\w*[^\d]{0,20}(\d{1,9})/i.exec(text);
  return found === null ? undefined : Number(found[1]);
}

/** True for a refusal that is about numbers. */
export function isAboutNumbers(text: string): boolean {
  return /msgseqnum|sequence|seq(uence)?\s*num|too (low|high)/i.test(text);
}
