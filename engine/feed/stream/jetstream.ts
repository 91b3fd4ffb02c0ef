/**
 * The stream of ticks on a NATS server with JetStream (2.9 or later).
 *
 * Owns: the stream's configuration, reading a range of it. Does not own: when and why to read (catch-up.ts).
 *
 * Invariants:
 * 1. An existing stream is adopted: only subjects and replicas are added, its age raised and its duplicate window
 *    shortened; nothing is removed from it.
 * 2. A range is read through a consumer that ends with the read; a gap in its own numbering ends the read. While no
 *    consumer can be made, the stream's leader is asked for message after message.
 * 3. A consumer can be on a server that is itself catching up: it ends early there, or yields nothing. So a range is
 *    read only once its last message was visited, or the leader, which knows that sequence, does not hold it.
 * 4. Requests are small: a pull asks for at most `BATCH` messages, and for no more than exist.
 */
import {
  AckPolicy,
  type ConsumerInfo,
  DeliverPolicy,
  DiscardPolicy,
  ErrorCode,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  type MsgRequest,
  type NatsConnection,
  NatsError,
  nanos,
  RetentionPolicy,
  StorageType,
  type StoredMsg,
  type StreamConfig,
  type StreamInfo,
} from "nats";
import { askAgain } from "../../../src/bus/nats/reliable-request.ts";
import { subjectMatches } from "../../../src/bus/subject.ts";
import {
  ALL_TICKS_SUBJECT,
  TICK_BATCH_SUBJECT,
  TICK_MARK_SUBJECT,
  tickSubject,
} from "../../../src/contract/subject.ts";
import type { Timers } from "../../../src/runtime/ports.ts";
import { UserError } from "../../../src/runtime/user-error.ts";
import {
  type EndPosition,
  type StoredTicks,
  StreamRefusal,
  type TickRange,
  type TickStream,
  type TickStreamState,
} from "./tick-stream.ts";

export const TICK_STREAM = "TICKS";

/** Under `ticks.>` for the stream, but with three tokens: no subscriber of ticks sees it as one. */
export const END_SUBJECT = TICK_MARK_SUBJECT;

const REQUEST_TIMEOUT_MS = 2_000;
/** The server that must answer can have been elected a moment after the question. */
const ASK_AGAIN_MS = 250;
const PULL_EXPIRES_MS = 3_000;
const BATCH = 1_000;
const SINGLE_BATCH = 100;
/** After this many a consumer is tried again: its server has caught up by now, or another one makes the next. */
const SINGLE_MAX = 5_000;
/** After this time, missed ticks are requested message by message. */
const MADE_WITHIN_MS = 100;
const UNUSED_CONSUMER_MS = 30_000;
/** How much longer than needed ticks are kept, so that the oldest one is not removed while it is read. */
const SPARE_SECONDS = 60;

/** The shortest that servers accept: a publisher that repeats message ids must lose no tick. */
const DUPLICATE_WINDOW_NANOS = nanos(100);
const NO_BYTES = new Uint8Array(0);
const SUBJECTS = [TICK_BATCH_SUBJECT, ALL_TICKS_SUBJECT];
/** JetStream is off, or off for this account. Other errors of code 503 are temporary. */
const NOT_ENABLED: ReadonlySet<number> = new Set([10_039, 10_076]);

interface JetStreamTicksOptions {
  readonly connection: NatsConnection;
  readonly timers: Pick<Timers, "after">;
  /** Ticks are kept for a little longer. */
  readonly keepSeconds: number;
  /**
   * The least number of servers that hold them; default: one. Servers that sync every message before they answer are
   * far too slow with one, which waits for the disk; several do not.
   */
  readonly replicas?: number | undefined;
}

/** One reading of a range. */
interface Reading {
  /** The next sequence to visit; beyond `to` at the end. */
  next: number;
  readonly to: number;
  readonly signal: AbortSignal;
  readonly visit: (stored: StoredTicks) => void;
}

/** Makes the stream's client; opens nothing yet. */
export async function jetStreamTicks(options: JetStreamTicksOptions): Promise<TickStream> {
  const { connection } = options;
  const manager = await connection.jetstreamManager({ checkAPI: false, timeout: REQUEST_TIMEOUT_MS });
  return new JetStreamTicks(options, manager, connection.jetstream({ timeout: REQUEST_TIMEOUT_MS }));
}

class JetStreamTicks implements TickStream {
  readonly #manager: JetStreamManager;
  readonly #client: JetStreamClient;
  readonly #timers: Pick<Timers, "after">;
  readonly #maxAgeNanos: number;
  readonly #replicas: number;

  constructor(
    { keepSeconds, replicas = 1, timers }: JetStreamTicksOptions,
    manager: JetStreamManager,
    client: JetStreamClient,
  ) {
    this.#manager = manager;
    this.#client = client;
    this.#timers = timers;
    this.#maxAgeNanos = nanos((keepSeconds + SPARE_SECONDS) * 1_000);
    this.#replicas = replicas;
  }

  async open(): Promise<"ready" | "absent"> {
    try {
      const { config } = await this.#info();
      await this.#adopt(config);
    } catch (error) {
      if (isAbsent(error)) return "absent";
      if (!isNotFound(error)) throw error;
      await this.#manager.streams.add({
        name: TICK_STREAM,
        description: "Live ticks, kept for engines that missed them",
        subjects: SUBJECTS,
        retention: RetentionPolicy.Limits,
        discard: DiscardPolicy.Old,
        storage: StorageType.File,
        num_replicas: this.#replicas,
        max_age: this.#maxAgeNanos,
        duplicate_window: DUPLICATE_WINDOW_NANOS,
      });
    }
    return "ready";
  }

  async state(): Promise<TickStreamState> {
    const { state, created, config } = await this.#info();
    return { firstSequence: state.first_seq, lastSequence: state.last_seq, isShared: isShared(config), created };
  }

  async timeOf(sequence: number): Promise<number | undefined> {
    return (await this.#message({ seq: sequence }))?.time.getTime();
  }

  /**
   * Finds the end by storing a message. The server stores in the order in which it receives, but a little later than it
   * delivers. The last sequence alone could therefore lack ticks from just before. It is the answer if marking is not
   * allowed.
   */
  async findEnd(onStored: () => void): Promise<EndPosition> {
    try {
      const { seq } = await this.#ask(() =>
        this.#client.publish(END_SUBJECT, NO_BYTES, { timeout: REQUEST_TIMEOUT_MS }),
      );
      onStored();
      return { sequence: seq, timeMs: (await this.timeOf(seq)) ?? null };
    } catch (error) {
      if (isRefusal(error)) throw new StreamRefusal(error.message, { cause: error });
      if (!isDenied(error)) throw error;
      return { sequence: (await this.state()).lastSequence, timeMs: null };
    }
  }

  async firstSince({ from, to }: TickRange, timeMs: number): Promise<number> {
    let [first, last] = [from, to + 1];
    while (first < last) {
      const middle = Math.floor((first + last) / 2);
      const storedMs = await this.timeOf(middle);
      if (storedMs !== undefined && storedMs < timeMs) first = middle + 1;
      else last = middle;
    }
    return first;
  }

  async firstTick(from: number): Promise<number | undefined> {
    const requests = [TICK_BATCH_SUBJECT, tickSubject("*")].map((subject) => ({ seq: from, next_by_subj: subject }));
    const asked = requests.map((request) => this.#message(request));
    const found = (await Promise.all(asked)).flatMap((message) => (message === undefined ? [] : [message.seq]));
    return found.length === 0 ? undefined : Math.min(...found);
  }

  async read({ from, to }: TickRange, signal: AbortSignal, visit: (stored: StoredTicks) => void): Promise<void> {
    const reading: Reading = { next: from, to, signal, visit };
    while (reading.next <= to) {
      await this.#readQuickly(reading);
      const enoughFrom = reading.next + SINGLE_MAX;
      await this.#readSingly(reading, () => reading.next >= enoughFrom);
    }
  }

  /** Reads through a consumer, as far as its server yields the range. */
  async #readQuickly(reading: Reading): Promise<void> {
    const settings = {
      ack_policy: AckPolicy.None,
      mem_storage: true,
      num_replicas: 1,
      inactive_threshold: nanos(UNUSED_CONSUMER_MS),
      ...{ deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: reading.next },
    };
    const making = this.#ask(() => this.#manager.consumers.add(TICK_STREAM, settings));
    let isMade = false;
    const made = making.then(
      () => {
        isMade = true;
      },
      () => undefined,
    );
    try {
      await Promise.race([made, new Promise<void>((go) => this.#timers.after(MADE_WITHIN_MS, go))]);
      const { next } = reading;
      if (!isMade) await this.#readSingly(reading, () => isMade);
      if (reading.next === next) await this.#pull(await making, reading);
    } catch (error) {
      // Its server can have stopped, or not have started yet.
      if (!(error instanceof NatsError)) throw error;
    } finally {
      // Without this, the consumer would end by itself a little later.
      making.then(({ name }) => this.#manager.consumers.delete(TICK_STREAM, name)).catch(() => undefined);
    }
  }

  /**
   * Reads from the stream's leader, message by message, until `isEnough`. Rejects if a leader that was just elected
   * does not know the end of the range yet.
   */
  async #readSingly(reading: Reading, isEnough: () => boolean): Promise<void> {
    const { to, signal, visit } = reading;
    while (reading.next <= to && !isEnough()) {
      const { next } = reading;
      const sequences = Array.from({ length: Math.min(SINGLE_BATCH, to - next + 1) }, (_, index) => next + index);
      const found = await this.#messages(sequences, to);
      signal.throwIfAborted();
      for (const { seq: sequence, subject, data, time } of found) {
        visit({ sequence, subject, data, timeMs: time.getTime() });
        reading.next = sequence + 1;
      }
      reading.next = next + sequences.length;
    }
  }

  /**
   * Returns the messages that exist. A missing one counts only if the leader that misses it knows the stream up to
   * `knownTo`.
   */
  async #messages(sequences: readonly number[], knownTo: number): Promise<StoredMsg[]> {
    const found = await Promise.all(sequences.map((seq) => this.#message({ seq })));
    if (found.includes(undefined)) {
      const { lastSequence } = await this.state();
      if (lastSequence < knownTo) throw new Error("the leader of the tick stream is catching up itself");
      const again = sequences.map((seq, index) => found[index] ?? this.#message({ seq }));
      found.splice(0, found.length, ...(await Promise.all(again)));
    }
    return found.filter((message) => message !== undefined);
  }

  #info(): Promise<StreamInfo> {
    return this.#ask(() => this.#manager.streams.info(TICK_STREAM));
  }

  /** Sends a request that is safe to repeat. */
  #ask<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    return askAgain(ask, this.#timers, ASK_AGAIN_MS);
  }

  async #pull(info: ConsumerInfo, reading: Reading): Promise<void> {
    const { to, signal, visit } = reading;
    const consumer = this.#client.consumers.getPullConsumerFor(info);
    let pending = info.num_pending;
    let delivered = 0;
    while (pending > 0) {
      signal.throwIfAborted();
      const deliveredBefore = delivered;
      const messages = await consumer.fetch({ max_messages: Math.min(BATCH, pending), expires: PULL_EXPIRES_MS });
      // Leaving the loop also closes them. The promise of close() settles only while a caller iterates.
      const close = (): void => void messages.close();
      signal.addEventListener("abort", close);
      try {
        for await (const message of messages) {
          signal.throwIfAborted();
          const { deliverySequence, streamSequence, pending: left } = message.info;
          delivered += 1;
          if (deliverySequence !== delivered) throw new Error("stored ticks were lost on the way");
          // A server that lags starts after its own last message, not at the requested one.
          if (streamSequence < reading.next) return;
          if (streamSequence <= to) visit(storedTicks(message));
          reading.next = streamSequence + 1;
          if (streamSequence >= to) return;
          pending = left;
        }
      } finally {
        signal.removeEventListener("abort", close);
      }
      if (delivered === deliveredBefore) throw new Error("the tick stream gave no message in time");
    }
  }

  /** Undefined if the leader does not hold such a message. */
  async #message(request: MsgRequest): Promise<StoredMsg | undefined> {
    try {
      return await this.#ask(() => this.#manager.streams.getMessage(TICK_STREAM, request));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #adopt(config: StreamConfig): Promise<void> {
    if (config.retention !== RetentionPolicy.Limits) {
      throw new UserError(
        `stream ${TICK_STREAM} has retention ${config.retention}, but ticks need ${RetentionPolicy.Limits}`,
      );
    }
    const isCovered = SUBJECTS.every((subject) => config.subjects.some((own) => subjectMatches(own, subject)));
    const isKeptLong = config.max_age === 0 || config.max_age >= this.#maxAgeNanos;
    const isShort = config.duplicate_window <= DUPLICATE_WINDOW_NANOS;
    const isHeldByEnough = config.num_replicas >= this.#replicas;
    if (isCovered && isKeptLong && isShort && isHeldByEnough) return;
    const others = config.subjects.filter((own) => !SUBJECTS.some((subject) => subjectMatches(subject, own)));
    await this.#manager.streams.update(TICK_STREAM, {
      subjects: isCovered ? config.subjects : [...others, ...SUBJECTS],
      max_age: isKeptLong ? config.max_age : this.#maxAgeNanos,
      duplicate_window: DUPLICATE_WINDOW_NANOS,
      num_replicas: Math.max(config.num_replicas, this.#replicas),
    });
  }
}

/** Whether the stream takes messages that are not published under the subjects of ticks. */
function isShared({ subjects, sources = [], mirror }: StreamConfig): boolean {
  const isForeign = subjects.some((own) => !SUBJECTS.some((subject) => subjectMatches(subject, own)));
  return isForeign || sources.length > 0 || mirror !== undefined;
}

function storedTicks(message: JsMsg): StoredTicks {
  return {
    sequence: message.info.streamSequence,
    subject: message.subject,
    data: message.data,
    timeMs: Math.floor(message.info.timestampNanos / 1_000_000),
  };
}

function isNotFound(error: unknown): boolean {
  return error instanceof NatsError && error.code === ErrorCode.JetStream404NoMessages;
}

/** Whether the server reports that the stream took no message, or that no stream takes it. */
function isRefusal(error: unknown): error is NatsError {
  return error instanceof NatsError && (error.api_error !== undefined || error.code === ErrorCode.NoResponders);
}

/** The server does not let this user publish marks. */
function isDenied(error: unknown): boolean {
  return error instanceof NatsError && error.isPermissionError();
}

/** Whether no server answers for JetStream, or it reports that it is off. */
function isAbsent(error: unknown): boolean {
  if (!(error instanceof NatsError) || error.code !== ErrorCode.JetStreamNotEnabled) return false;
  return error.api_error === undefined || NOT_ENABLED.has(error.api_error.err_code ?? 0);
}
