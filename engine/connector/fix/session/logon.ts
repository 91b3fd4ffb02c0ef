/** The meaning of the peer's first message, and which messages are not for us at all. Plain functions. */
import { type FixMessage, readText } from "../wire/message.ts";
import { MsgType, Tag } from "../wire/tag.ts";
import type { Numbers } from "./numbers.ts";
import { parseUtc } from "./schedule.ts";
import { type Incoming, isAboutNumbers, judge, readExpectedNumber, type Verdict } from "./sequence.ts";
import type { SessionSettings } from "./settings.ts";

export type LogonVerdict =
  | { readonly kind: "accepted"; readonly sequence: Verdict }
  /** `incoming`: the refusal itself had a number. */
  | { readonly kind: "refused"; readonly reason: string; readonly incoming?: Incoming }
  /**
   * `take`: the numbers that the peer has; `goesOn`: this very logon is valid with them. `isBehind`: the peer knows of
   * more messages of ours than are stored here.
   */
  | {
      readonly kind: "lostCount";
      readonly reason: string;
      readonly take: (numbers: Numbers) => Numbers;
      readonly goesOn: boolean;
      readonly isBehind: boolean;
    }
  /** Only a reset that both agree on makes the two counts one again. */
  | { readonly kind: "mustReset"; readonly reason: string; readonly isBehind: boolean };

/**
 * Returns why a message is not read: another version, other names, a clock that is off, no number. Undefined: it is for
 * us.
 */
export function refusalOf(
  settings: SessionSettings,
  beginString: string,
  message: FixMessage,
  nowMs: number,
): string | undefined {
  if (beginString !== settings.beginString) return `the counterparty speaks ${beginString}`;
  const sender = message.get(Tag.SenderCompID) ?? "";
  const target = message.get(Tag.TargetCompID) ?? "";
  if (sender !== settings.targetCompId || target !== settings.senderCompId) {
    return `the counterparty calls itself ${readText(sender, 40)} and us ${readText(target, 40)}`;
  }
  if ((message.int(Tag.MsgSeqNum) ?? 0) === 0) return "a message without MsgSeqNum (34)";
  if (message.is(Tag.PossDupFlag)) return undefined;
  const sentMs = parseUtc(message.get(Tag.SendingTime));
  if (sentMs === undefined) return "a message without SendingTime (52)";
  const offMs = nowMs - sentMs;
  if (Math.abs(offMs) <= settings.clockSkewMsMax) return undefined;
  return `the counterparty's clock is ${Math.round(Math.abs(offMs) / 1_000)} s ${offMs > 0 ? "behind" : "ahead of"} ours`;
}

/** Judges the first message after our Logon. */
export function judgeLogon(numbers: Numbers, message: FixMessage): LogonVerdict {
  const number = message.int(Tag.MsgSeqNum) ?? 0;
  const sequence = judge(numbers.incoming, { number, isPossibleDuplicate: message.is(Tag.PossDupFlag) });
  if (message.type !== MsgType.Logon) return judgeRefusal(numbers, message, sequence);
  const isReset = message.is(Tag.ResetSeqNumFlag);
  if (!numbers.isConfirmed && number !== 1) {
    const reason = `asked for a reset, the counterparty continued with number ${number}`;
    return { kind: "mustReset", reason, isBehind: false };
  }
  if (
    numbers.isConfirmed &&
    isReset &&
    !(number === 1 && numbers.incoming.expected === 1 && numbers.nextOutgoing === 2)
  ) {
    return { kind: "mustReset", reason: "the counterparty reset the numbers unasked", isBehind: false };
  }
  if (sequence.kind === "tooLow") {
    return {
      kind: "lostCount",
      reason: `the counterparty's logon has number ${number}, ${numbers.incoming.expected} is due`,
      take: (before) => ({ ...before, life: before.life + 1, incoming: { expected: number + 1 } }),
      goesOn: true,
      isBehind: false,
    };
  }
  return { kind: "accepted", sequence };
}

function judgeRefusal(numbers: Numbers, message: FixMessage, sequence: Verdict): LogonVerdict {
  const text = readText(message.get(Tag.Text));
  if (message.type !== MsgType.Logout && message.type !== MsgType.Reject) {
    return { kind: "refused", reason: `the counterparty answered the logon with 35=${readText(message.type, 4)}` };
  }
  const expected = readExpectedNumber(text);
  if (isAboutNumbers(text) && expected !== undefined) {
    return {
      kind: "lostCount",
      reason: `the counterparty expects another number: ${text}`,
      take: (before) => ({ ...before, life: before.life + 1, nextOutgoing: expected }),
      goesOn: false,
      // Our logon has taken a number: a peer that expects a later one had it before. After a reset it may mean an old
      // one.
      isBehind: numbers.isConfirmed && expected >= numbers.nextOutgoing,
    };
  }
  if (isAboutNumbers(text)) {
    const reason = `the counterparty has lost count: ${text}`;
    return { kind: "mustReset", reason, isBehind: numbers.isConfirmed && /too low/i.test(text) };
  }
  const reason = `the logon was refused: ${text === "" ? "no reason given" : text}`;
  return sequence.kind === "take"
    ? { kind: "refused", reason, incoming: sequence.incoming }
    : { kind: "refused", reason };
}
