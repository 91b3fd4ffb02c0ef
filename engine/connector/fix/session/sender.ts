/**
 * The counters of a session and the way out.
 *
 * Owns: that a number is durable before its message reaches the socket, and is used once. Does not own: when a message
 * can be sent (`session.ts`).
 */
import type { Clock } from "../../../../src/runtime/ports.ts";
import type { JournalFile } from "../../host/state/journal.ts";
import { showMasked } from "../wire/mask.ts";
import { encode, type Field } from "../wire/message.ts";
import { isSessionType, MsgType, Tag } from "../wire/tag.ts";
import type { Connection } from "./connection.ts";
import { type Numbers, renderNumbers } from "./numbers.ts";
import { renderUtc } from "./schedule.ts";
import type { SessionSettings } from "./settings.ts";

/** The place of an own message: its life and number. */
export interface SentPlace {
  readonly life: number;
  readonly number: number;
}

interface SenderOptions {
  readonly settings: SessionSettings;
  readonly numbers: Numbers;
  readonly journal: JournalFile;
  readonly clock: Clock;
  /** Monotonic. */
  readonly steadyClock: Clock;
}

export class SessionSender {
  readonly #options: SenderOptions;
  #numbers: Numbers;
  connection: Connection | undefined;
  lastSentMs = 0;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#numbers = options.numbers;
  }

  get numbers(): Numbers {
    return this.#numbers;
  }

  /** Takes the next number. `onLeft` receives whether the message was given to the connection, once that is certain. */
  send(type: string, fields: readonly Field[], onLeft?: (hasLeft: boolean) => void): SentPlace {
    const number = this.#numbers.nextOutgoing;
    this.#numbers = { ...this.#numbers, nextOutgoing: number + 1 };
    const text = isSessionType(type) ? {} : { text: showMasked(fields) };
    this.#options.journal.append({ kind: "sent", number, type, ...text });
    this.#write(type, number, fields, onLeft);
    return { life: this.#numbers.life, number };
  }

  /** Reports that the messages from `number` to `next` - 1 will not come again. */
  fillGap(number: number, next: number): void {
    this.#write(MsgType.SequenceReset, number, [
      [Tag.PossDupFlag, "Y"],
      [Tag.OrigSendingTime, renderUtc(this.#options.clock.nowMs())],
      [Tag.GapFillFlag, "Y"],
      [Tag.NewSeqNo, String(next)],
    ]);
  }

  set(numbers: Numbers): void {
    this.#numbers = numbers;
    this.#options.journal.append(renderNumbers(numbers));
  }

  expect(incoming: Numbers["incoming"]): void {
    if (incoming.expected !== this.#numbers.incoming.expected) {
      this.#options.journal.append({ kind: "expected", number: incoming.expected });
    }
    this.#numbers = { ...this.#numbers, incoming };
  }

  /** Forgets the gap: a new connection asks again for missing messages. */
  forgetGap(): void {
    this.#numbers = { ...this.#numbers, incoming: { expected: this.#numbers.incoming.expected } };
  }

  /** Ends the connection once all that was sent before is written to it. */
  endSoon(reason: string): void {
    const { connection } = this;
    this.#options.journal.afterDurable(() => connection?.end(reason));
  }

  #write(type: string, number: number, fields: readonly Field[], onLeft?: (hasLeft: boolean) => void): void {
    const { journal, clock, settings, steadyClock } = this.#options;
    const { connection } = this;
    journal.afterDurable(() => {
      const isOpen = connection !== undefined && connection === this.connection && connection.isWritable;
      if (isOpen) {
        const header: Field[] = [
          [Tag.MsgType, type],
          [Tag.SenderCompID, settings.senderCompId],
          [Tag.TargetCompID, settings.targetCompId],
          [Tag.MsgSeqNum, String(number)],
          [Tag.SendingTime, renderUtc(clock.nowMs())],
        ];
        connection.write(encode(settings.beginString, [...header, ...settings.header, ...fields]));
        this.lastSentMs = steadyClock.nowMs();
      }
      onLeft?.(isOpen);
    });
  }
}
