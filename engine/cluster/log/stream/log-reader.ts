/**
 * Converts the stream's messages to whole records and changes of leader.
 *
 * Owns: joining parts, and the checks that the messages are one log. Does not own: where messages come from.
 *
 * Invariants:
 * 1. Sequences are consecutive, and so are records: a missing or damaged message throws, and nothing follows.
 * 2. A frame carries the epoch of the last claim, and a claim's epoch is its own sequence.
 * 3. A record that a leader left unfinished is dropped with the next claim.
 */
import type { FollowedRecord } from "../../../ports/replica.ts";
import { decodeFrame, type Frame, NO_RECORD, type Part } from "./frame.ts";
import type { StreamMessage } from "./log-stream.ts";

export type LogEvent =
  | { readonly kind: "record"; readonly record: FollowedRecord }
  | { readonly kind: "claim"; readonly epoch: number; readonly owner: string }
  | { readonly kind: "beat" }
  | { readonly kind: "release"; readonly to: string | undefined };

/** The messages are not a valid log. The error's message names the stream message and the fault. */
class LogDamaged extends Error {
  override readonly name = "LogDamaged";
}

/** The next message is no longer in the log. The error's message names it. */
export class LogHole extends Error {
  override readonly name = "LogHole";
}

export class LogReader {
  #sequence: number | undefined;
  #epoch: number | undefined;
  #leaseMs: number | undefined;
  #position: number | undefined;
  #parts: Part[] = [];

  /** The sequence of the last message, its epoch, and the number of the last whole record. */
  get sequence(): number | undefined {
    return this.#sequence;
  }

  get epoch(): number | undefined {
    return this.#epoch;
  }

  /** The lease of the leader of that epoch. */
  get leaseMs(): number | undefined {
    return this.#leaseMs;
  }

  get position(): number | undefined {
    return this.#position;
  }

  /** Undefined while a record is not whole. Throws {@link LogDamaged} and {@link LogHole}. */
  take({ sequence, data }: StreamMessage): LogEvent | undefined {
    if (this.#sequence !== undefined && sequence !== this.#sequence + 1) {
      throw new LogHole(`the log lacks message ${this.#sequence + 1}`);
    }
    const frame = this.#decode(sequence, data);
    this.#sequence = sequence;
    this.#leaseMs = frame.leaseMs;
    if (frame.kind === "claim") return this.#takeClaim(sequence, frame);
    if (this.#epoch !== undefined && frame.epoch !== this.#epoch) {
      throw new LogDamaged(`message ${sequence} is of epoch ${frame.epoch}, and ${this.#epoch} leads`);
    }
    this.#epoch = frame.epoch;
    if (frame.kind === "part") return this.#takePart(sequence, frame);
    this.#compare(sequence, frame);
    return frame.kind === "beat" ? { kind: "beat" } : { kind: "release", to: frame.to };
  }

  #decode(sequence: number, data: Uint8Array): Frame {
    try {
      return decodeFrame(data);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new LogDamaged(`message ${sequence} of the log cannot be used (${reason})`, { cause });
    }
  }

  #takeClaim(sequence: number, frame: Frame & { kind: "claim" }): LogEvent {
    if (frame.epoch !== sequence) throw new LogDamaged(`message ${sequence} claims epoch ${frame.epoch}`);
    this.#parts = [];
    this.#compare(sequence, frame);
    this.#epoch = sequence;
    return { kind: "claim", epoch: sequence, owner: frame.owner };
  }

  #takePart(sequence: number, frame: Part): LogEvent | undefined {
    const { epoch, number, part, isLast } = frame;
    const isNext = this.#position === undefined || number === this.#position + 1;
    if (!isNext) throw new LogDamaged(`message ${sequence} is of record ${number}, after record ${this.#position}`);
    if (part !== this.#parts.length) {
      // Reading can begin in the middle of a record.
      if (this.#position === undefined && this.#parts.length === 0) return undefined;
      throw new LogDamaged(
        `message ${sequence} is part ${part} of record ${number}, after ${this.#parts.length} parts`,
      );
    }
    this.#parts.push(frame);
    if (!isLast) return undefined;
    const bytes = this.#parts.length === 1 ? frame.bytes : Buffer.concat(this.#parts.map((each) => each.bytes));
    this.#parts = [];
    this.#position = number;
    return { kind: "record", record: { sequence: number, bytes, epoch } };
  }

  /** Compares the last record's number in another frame with the number that was read. */
  #compare(sequence: number, { number }: Frame): void {
    const isSame = this.#position === undefined || number === this.#position;
    if (!isSame)
      throw new LogDamaged(`message ${sequence} follows record ${number}, and ${this.#position} was the last`);
    if (number !== NO_RECORD) this.#position = number;
  }
}
