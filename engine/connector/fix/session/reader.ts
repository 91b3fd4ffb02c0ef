/**
 * Messages of a live session, by their numbers.
 *
 * Owns: which messages are taken, dropped, asked for and answered. Does not own: connecting and ending (`session.ts`),
 * the meaning of application messages (`SessionUser`).
 */
import type { Log } from "../../../../src/runtime/ports.ts";
import { type FixMessage, readText } from "../wire/message.ts";
import { MsgType, Tag } from "../wire/tag.ts";
import type { Numbers } from "./numbers.ts";
import type { SessionSender } from "./sender.ts";
import { answerResendRequest, judge, judgeGapFill, type Verdict } from "./sequence.ts";

/**
 * Receives the events of the session. All of it is synchronous; records that must be stored are appended before a call
 * returns.
 */
export interface SessionUser {
  /** An application message, or a Reject (35=3) of one of ours. In order, each number once. */
  onMessage(message: FixMessage): void;
  /** The session is up, or continues in another life: what an earlier life left open must be asked for. */
  onLive(): void;
  onDown(reason: string): void;
  /** The peer filled numbers that it was asked for: something can have been left out. */
  onFilled(): void;
}

/** The reader's requests to the session around it. */
interface SessionControl {
  /** The peer has lost count: takes its numbers if the settings allow it, else ends the session. */
  lostCount(reason: string, take: (numbers: Numbers) => Numbers): boolean;
  resetByPeer(reason: string): void;
  peerLoggedOut(reason: string): void;
  drop(reason: string): void;
}

interface ReaderOptions {
  readonly sender: SessionSender;
  readonly control: SessionControl;
  readonly user: SessionUser;
  readonly log: Log;
  /** Monotonic. */
  readonly nowMs: () => number;
}

type Ask = Extract<Verdict, { kind: "ask" }>;

export class SessionReader {
  readonly #options: ReaderOptions;
  #gapSinceMs: number | undefined;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** For how long a gap has been open. */
  get gapMs(): number {
    return this.#gapSinceMs === undefined ? 0 : this.#options.nowMs() - this.#gapSinceMs;
  }

  /** The verdict on the peer's logon, which has a number as every message has. */
  begin(verdict: Verdict | undefined): void {
    this.#options.sender.forgetGap();
    this.#gapSinceMs = undefined;
    if (verdict?.kind === "take") this.#expect(verdict.incoming);
    else if (verdict?.kind === "ask") this.#ask(verdict);
  }

  read(message: FixMessage): void {
    const number = message.int(Tag.MsgSeqNum) ?? 0;
    if (message.type === MsgType.SequenceReset) this.#readSequenceReset(message, number);
    else if (message.type === MsgType.Logon && message.is(Tag.ResetSeqNumFlag)) {
      this.#options.control.resetByPeer("the counterparty reset the numbers in the middle of a session");
    } else this.#readNumbered(message, number);
  }

  #readNumbered(message: FixMessage, number: number): void {
    const { incoming } = this.#options.sender.numbers;
    const verdict = judge(incoming, { number, isPossibleDuplicate: message.is(Tag.PossDupFlag) });
    // A resend request and a logout are answered even beyond a gap: otherwise two sides can wait for each other
    // forever.
    if (message.type === MsgType.ResendRequest && number >= incoming.expected) this.#fillGap(message);
    this.#follow(verdict, number, message);
    if (message.type === MsgType.Logout && number >= incoming.expected) {
      this.#options.control.peerLoggedOut(`the counterparty logged out: ${readText(message.get(Tag.Text))}`);
    }
  }

  #follow(verdict: Verdict, number: number, message: FixMessage): void {
    switch (verdict.kind) {
      case "take":
        // The user first: what it failed to store must come again.
        this.#take(message);
        this.#expect(verdict.incoming);
        break;
      case "ask":
        this.#ask(verdict);
        break;
      case "tooLow":
        this.#tooLow(number);
        break;
      case "drop":
        break;
    }
  }

  #take(message: FixMessage): void {
    switch (message.type) {
      case MsgType.TestRequest:
        this.#options.sender.send(MsgType.Heartbeat, [[Tag.TestReqID, message.get(Tag.TestReqID) ?? "0"]]);
        break;
      case MsgType.Heartbeat:
      case MsgType.ResendRequest:
      case MsgType.Logout:
      case MsgType.Logon:
        break;
      default:
        this.#options.user.onMessage(message);
    }
  }

  #expect(incoming: Numbers["incoming"]): void {
    this.#options.sender.expect(incoming);
    this.#gapSinceMs = incoming.gap === undefined ? undefined : (this.#gapSinceMs ?? this.#options.nowMs());
  }

  #ask({ from, incoming }: Ask): void {
    this.#options.log.warn(
      { event: "fix.gapFound", from, shownBy: incoming.gap?.shownBy },
      "messages are missing: asked for them",
    );
    this.#expect(incoming);
    this.#options.sender.send(MsgType.ResendRequest, [
      [Tag.BeginSeqNo, String(from)],
      [Tag.EndSeqNo, "0"],
    ]);
  }

  /** The message itself is lost to us; the next logon settles what is open. */
  #tooLow(number: number): void {
    const { sender, control } = this.#options;
    const reason = `number ${number} came where ${sender.numbers.incoming.expected} is due`;
    const take = (numbers: Numbers) => ({ ...numbers, life: numbers.life + 1, incoming: { expected: number + 1 } });
    if (control.lostCount(reason, take)) control.drop(reason);
  }

  #readSequenceReset(message: FixMessage, number: number): void {
    const next = message.int(Tag.NewSeqNo) ?? 0;
    if (message.is(Tag.GapFillFlag)) this.#readGapFill(message, number, next);
    else this.#readJump(number, next);
  }

  #readGapFill(message: FixMessage, number: number, next: number): void {
    const { sender, user } = this.#options;
    const numbered = { number, isPossibleDuplicate: message.is(Tag.PossDupFlag) };
    const verdict = judgeGapFill(sender.numbers.incoming, numbered, next);
    if (verdict.kind === "refuse") this.#reject(number, "NewSeqNo (36) is too low");
    else if (verdict.kind === "take") {
      this.#expect(verdict.incoming);
      user.onFilled();
    } else this.#follow(verdict, number, message);
  }

  /** A reset without gap fill leaves messages out for good. */
  #readJump(number: number, next: number): void {
    const { sender, control, user } = this.#options;
    const { expected } = sender.numbers.incoming;
    if (next === expected) return;
    if (next < expected) {
      this.#reject(number, "NewSeqNo (36) is too low");
      return;
    }
    const take = (numbers: Numbers) => ({ ...numbers, life: numbers.life + 1, incoming: { expected: next } });
    if (control.lostCount(`the counterparty set its number from ${expected} to ${next}`, take)) user.onLive();
  }

  #reject(number: number, text: string): void {
    this.#options.log.warn({ event: "fix.rejectSent", number, text }, "a message was rejected");
    this.#options.sender.send(MsgType.Reject, [
      [Tag.RefSeqNum, String(number)],
      [Tag.Text, text],
    ]);
  }

  #fillGap(message: FixMessage): void {
    const { sender, log } = this.#options;
    const begin = message.int(Tag.BeginSeqNo) ?? 0;
    const fill = answerResendRequest(sender.numbers.nextOutgoing, begin, message.int(Tag.EndSeqNo) ?? 0);
    if (fill === undefined) {
      log.warn({ event: "fix.resendImpossible", begin }, "the counterparty asks for what was never sent");
      return;
    }
    log.warn(
      { event: "fix.gapFilled", ...fill },
      "the counterparty misses messages: filled, as orders are never repeated here",
    );
    sender.fillGap(fill.number, fill.next);
  }
}
