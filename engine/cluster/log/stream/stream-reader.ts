/**
 * Follows the stream of a log while servers start and stop.
 *
 * Owns: the consumer for reading, and the fallback without a consumer. Does not own: the content of messages.
 *
 * Invariants:
 * 1. Every message is returned once, in order. Reading uses a consumer or the stream's leader, never the subject
 *    itself, which also shows refused messages.
 * 2. A gap in a consumer's own numbering, its silence or its end makes a new consumer from the next message.
 * 3. No consumer can be made while the servers elect the leader that makes it. Until then the stream's leader is asked,
 *    so that the next log leader does not wait for the election.
 */
import {
  AckPolicy,
  ConsumerEvents,
  type ConsumerInfo,
  type ConsumerMessages,
  DeliverPolicy,
  ErrorCode,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  NatsError,
  nanos,
} from "nats";
import { type Asking, ConnectionLost } from "../../../../src/bus/nats/reliable-request.ts";
import type { Timers } from "../../../../src/runtime/ports.ts";
import type { StreamMessage } from "./log-stream.ts";
import { pause } from "./pause.ts";

const MAKE_WITHIN_MS = 1_000;
const READ_AGAIN_MS = 100;
/** A consumer that is silent for two heartbeats has ended. */
const HEARTBEAT_MS = 500;
const PULL_EXPIRES_MS = 5_000;
const PULLED_MESSAGES = 64;
const UNUSED_CONSUMER_MS = 30_000;
/** Errors after which the stream of a consumer must be looked up again. */
const GONE: ReadonlySet<string> = new Set([
  ConsumerEvents.HeartbeatsMissed,
  ConsumerEvents.ConsumerNotFound,
  ConsumerEvents.StreamNotFound,
  ConsumerEvents.ConsumerDeleted,
  ConsumerEvents.NoResponders,
]);

interface StreamReaderOptions {
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly asking: Asking;
  readonly timers: Timers;
  /** The name of the stream. */
  readonly name: string;
  /** Reads a message from the stream's leader. */
  readonly read: (sequence: number) => Promise<StreamMessage | undefined>;
}

export class StreamReader {
  readonly #options: StreamReaderOptions;

  constructor(options: StreamReaderOptions) {
    this.#options = options;
  }

  /** See `LogStream`. */
  async *follow(sequence: number, signal: AbortSignal): AsyncIterable<StreamMessage> {
    let next = sequence;
    while (!signal.aborted) {
      const from = next;
      const making = this.#makeConsumer(from);
      try {
        for await (const message of this.#readMeanwhile(making, next, signal)) {
          next = message.sequence + 1;
          yield message;
        }
        for await (const message of this.#consume(await making, signal)) {
          if (message.sequence < next) continue;
          next = message.sequence + 1;
          yield message;
        }
      } catch (error) {
        if (!isPassing(error)) throw error;
      }
      if (next === from) await pause(this.#options.timers, READ_AGAIN_MS, signal).catch(() => undefined);
    }
  }

  #makeConsumer(sequence: number): Promise<ConsumerInfo> {
    const { asking, timers, manager, name } = this.#options;
    const settings = {
      ack_policy: AckPolicy.None,
      mem_storage: true,
      num_replicas: 1,
      inactive_threshold: nanos(UNUSED_CONSUMER_MS),
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: sequence,
    };
    return asking.ask(() => manager.consumers.add(name, settings), timers, MAKE_WITHIN_MS);
  }

  /**
   * Yields messages from the stream's leader while the making of a consumer takes long. Ends when the consumer is made
   * or failed.
   */
  async *#readMeanwhile(
    making: Promise<ConsumerInfo>,
    sequence: number,
    signal: AbortSignal,
  ): AsyncIterable<StreamMessage> {
    const { timers, read } = this.#options;
    let isOver = false;
    const end = (): void => {
      isOver = true;
    };
    const over = making.then(end, end);
    let next = sequence;
    const readNext = (): Promise<StreamMessage | undefined> => read(next).catch(() => undefined);
    for (;;) {
      await Promise.race([over, pause(timers, READ_AGAIN_MS, signal).catch(end)]);
      if (isOver) return;
      for (let found = await readNext(); found !== undefined && !isOver; found = await readNext()) {
        next += 1;
        yield found;
      }
    }
  }

  /** Ends without an error when the consumer ends. */
  async *#consume(made: ConsumerInfo, signal: AbortSignal): AsyncIterable<StreamMessage> {
    const { client, manager, name } = this.#options;
    const consumer = client.consumers.getPullConsumerFor(made);
    const settings = { max_messages: PULLED_MESSAGES, expires: PULL_EXPIRES_MS, idle_heartbeat: HEARTBEAT_MS };
    // Bound: after a lost connection, messages are requested immediately. Otherwise nats.js first asks every five
    // seconds whether the consumer exists. If the consumer died with its server, nats.js waits for that without an
    // error and without a limit.
    const messages = await consumer.consume({ ...settings, bind: true });
    // The promise of close() settles only while a caller iterates.
    const close = (): void => void messages.close();
    signal.addEventListener("abort", close);
    if (signal.aborted) close();
    void closeWhenGone(messages, close);
    try {
      let delivered = 0;
      for await (const message of messages) {
        delivered += 1;
        if (signal.aborted || message.info.deliverySequence !== delivered) return;
        yield streamMessage(message);
      }
    } finally {
      signal.removeEventListener("abort", close);
      close();
      // Without this, the consumer would end by itself a little later.
      manager.consumers.delete(name, made.name).catch(() => undefined);
    }
  }
}

async function closeWhenGone(messages: ConsumerMessages, close: () => void): Promise<void> {
  for await (const { type } of await messages.status()) if (GONE.has(type)) close();
}

function streamMessage({ info, headers, data }: JsMsg): StreamMessage {
  return { sequence: info.streamSequence, id: headers?.get("Nats-Msg-Id") ?? "", data, pending: info.pending };
}

/** Whether an error is temporary, as when servers restart or the connection is lost. */
function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true;
  return error instanceof NatsError && error.code !== ErrorCode.ConnectionClosed;
}
