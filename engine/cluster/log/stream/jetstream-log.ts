/**
 * The stream of a log on three or more nats-servers (2.10.27 or later) that sync before they acknowledge.
 *
 * Owns: the stream's name and configuration, the meaning of the servers' errors. Does not own: following
 * (stream-reader.ts), the stored messages (frame.ts), who is allowed to append.
 *
 * Invariants:
 * 1. A stream is made once and never deleted; a second engine uses it as it is. A restore has a life of its own, in
 *    streams of its own. The newest life counts, and an engine that only looks for it never makes it.
 * 2. Requests that need a certain answer go to the stream's leader: appends, `read`, `state`.
 */
import {
  DiscardPolicy,
  ErrorCode,
  type JetStreamClient,
  type JetStreamManager,
  type NatsConnection,
  NatsError,
  nanos,
  RetentionPolicy,
  StorageType,
  type StreamInfo,
} from "nats";
import { z } from "zod";
import { Asking, askAgain } from "../../../../src/bus/nats/reliable-request.ts";
import type { Timers } from "../../../../src/runtime/ports.ts";
import { findStreamFaults, StreamRefused } from "../server/stream-check.ts";
import type { AppendAnswer, Appended, LogStream, StreamMessage, StreamState } from "./log-stream.ts";
import { StreamReader } from "./stream-reader.ts";

/** Short, because a message that is sent again is stored once. */
const APPEND_TIMEOUT_MS = 500;
const REQUEST_TIMEOUT_MS = 1_000;
const ASK_AGAIN_MS = 200;
const DUPLICATE_WINDOW_MS = 120_000;
const WRONG_LAST_SEQUENCE = 10_071;
const NAME_IN_USE = 10_058;
const MESSAGE_ID = "Nats-Msg-Id";
const FORMAT = "1";
const UNHEARD = "no nats-server takes it: the stream has no leader, or JetStream is off there, as a full disk makes it";
const NAME = /^JOURNAL_\d+_(\d+)$/;

const metadataSchema = z.looseObject({
  format: z.literal(FORMAT),
  installation: z.string(),
  partitions: z.coerce.number().int().positive(),
});

interface JetStreamLogOptions {
  readonly connection: NatsConnection;
  readonly timers: Timers;
  readonly partition: number;
  readonly partitions: number;
  /** Returns a name for an installation whose log is made now. */
  readonly newInstallation: () => string;
  /** How many servers hold a log that is made now. */
  readonly replicas: number;
}

/**
 * The stream of a partition's log in one life of the installation. `life` is 0, or the name of the restore that began
 * it.
 */
export const logName = (partition: number, life: number): string =>
  life === 0 ? `JOURNAL_${partition}` : `JOURNAL_${partition}_${life}`;

/** The newest life of all partitions: the restore that makes all earlier lives obsolete. */
export async function newestLife(manager: JetStreamManager): Promise<number> {
  let newest = 0;
  for await (const name of manager.streams.names()) newest = Math.max(newest, Number(NAME.exec(name)?.[1] ?? 0));
  return newest;
}

/** Whether a stream of this name is the log of a partition, in any life. */
export const isLogName = (name: string): boolean => /^JOURNAL_\d+(_\d+)?$/.test(name);

/**
 * Returns the names of all logs on the servers, of every life; empty if JetStream is off for this account. Rejects if
 * the servers do not answer.
 */
export async function findLogs(connection: NatsConnection): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    const manager = await connection.jetstreamManager({ checkAPI: false, timeout: REQUEST_TIMEOUT_MS });
    for await (const name of manager.streams.names()) if (isLogName(name)) names.push(name);
  } catch (error) {
    if (!isOff(error)) throw error;
  }
  return names;
}

/** Finds the partition's log, or makes it. Throws {@link StreamRefused} if the stream that it finds cannot be used. */
export async function openJetStreamLog(options: JetStreamLogOptions): Promise<LogStream> {
  const manager = await options.connection.jetstreamManager({ checkAPI: false, timeout: REQUEST_TIMEOUT_MS });
  const life = await newestLife(manager);
  const found = await find(manager, logName(options.partition, life));
  if (found === undefined && life !== 0) {
    // Not a refusal: a restore may still be making it, and servers that just elected a leader may not know it yet.
    throw new Error(
      `stream ${logName(options.partition, life)} is missing: if the restore that made life ${life} did not come to its end, run it again`,
    );
  }
  return openLife(options, manager, life, found ?? (await make(manager, options, 0)));
}

/** Makes the partition's log of a new life. */
export async function makeJetStreamLog(options: JetStreamLogOptions, life: number): Promise<LogStream> {
  const manager = await options.connection.jetstreamManager({ checkAPI: false, timeout: REQUEST_TIMEOUT_MS });
  return openLife(options, manager, life, await make(manager, options, life));
}

function openLife(options: JetStreamLogOptions, manager: JetStreamManager, life: number, info: StreamInfo): LogStream {
  const { connection, partition, partitions, timers } = options;
  const client = connection.jetstream({ timeout: APPEND_TIMEOUT_MS });
  const name = logName(partition, life);
  const metadata = metadataSchema.safeParse(info.config.metadata);
  if (!metadata.success)
    throw new StreamRefused(`stream ${name} was not made by this program, or by a newer version of it`);
  if (metadata.data.partitions !== partitions) {
    throw new StreamRefused(
      `stream ${name} is of an installation of ${metadata.data.partitions} partitions, and PARTITIONS is ${partitions}: it is fixed when the log is made`,
    );
  }
  const [fault] = findStreamFaults(info.config);
  if (fault !== undefined) throw new StreamRefused(fault);
  const { installation } = metadata.data;
  const asking = Asking.over(connection);
  const subject = subjectOf(partition, life);
  return new JetStreamLog({ client, manager, asking, timers, name, subject, installation, life });
}

async function find(manager: JetStreamManager, name: string): Promise<StreamInfo | undefined> {
  try {
    return await manager.streams.info(name);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

const subjectOf = (partition: number, life: number): string =>
  life === 0 ? `journal.${partition}` : `journal.${partition}.${life}`;

async function make(manager: JetStreamManager, options: JetStreamLogOptions, life: number): Promise<StreamInfo> {
  const { partition, partitions, replicas, newInstallation } = options;
  const name = logName(partition, life);
  try {
    return await manager.streams.add({
      name,
      description: `What partition ${partition} decided`,
      subjects: [subjectOf(partition, life)],
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.Old,
      storage: StorageType.File,
      num_replicas: replicas,
      duplicate_window: nanos(DUPLICATE_WINDOW_MS),
      deny_delete: true,
      // Epochs are stream sequences, and connectors have received the epochs of earlier lives.
      ...(life === 0 ? {} : { first_seq: life }),
      metadata: { format: FORMAT, installation: newInstallation(), partitions: String(partitions) },
    });
  } catch (error) {
    // Another engine made it first.
    if (!(error instanceof NatsError) || error.api_error?.err_code !== NAME_IN_USE) throw error;
    return manager.streams.info(name);
  }
}

interface JetStreamParts {
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly asking: Asking;
  readonly timers: Timers;
  readonly name: string;
  readonly subject: string;
  readonly installation: string;
  readonly life: number;
}

class JetStreamLog implements LogStream {
  readonly installation: string;
  readonly life: number;
  readonly #client: JetStreamClient;
  readonly #manager: JetStreamManager;
  readonly #asking: Asking;
  readonly #timers: Timers;
  readonly #name: string;
  readonly #subject: string;
  readonly #reader: StreamReader;

  constructor({ client, manager, asking, timers, name, subject, installation, life }: JetStreamParts) {
    this.#client = client;
    this.#manager = manager;
    this.#asking = asking;
    this.#timers = timers;
    this.#name = name;
    this.#subject = subject;
    this.installation = installation;
    this.life = life;
    this.#reader = new StreamReader({ client, manager, asking, timers, name, read: (sequence) => this.read(sequence) });
  }

  async append({ expectedSequence, id, data }: Appended): Promise<AppendAnswer> {
    try {
      const expect = { streamName: this.#name, lastSequence: expectedSequence };
      const options = { msgID: id, expect, timeout: APPEND_TIMEOUT_MS };
      const { seq } = await this.#asking.ask(
        () => this.#client.publish(this.#subject, data, options),
        this.#timers,
        APPEND_TIMEOUT_MS,
      );
      return { sequence: seq };
    } catch (error) {
      if (error instanceof NatsError && error.api_error?.err_code === WRONG_LAST_SEQUENCE) return "wrong";
      throw isUnheard(error) ? new Error(UNHEARD, { cause: error }) : error;
    }
  }

  async read(sequence: number): Promise<StreamMessage | undefined> {
    try {
      const { header, data } = await this.#ask(() => this.#manager.streams.getMessage(this.#name, { seq: sequence }));
      return { sequence, id: header.get(MESSAGE_ID), data };
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async state(): Promise<StreamState> {
    const { state } = await this.#ask(() => this.#manager.streams.info(this.#name));
    return { firstSequence: state.first_seq, lastSequence: state.last_seq, byteCount: state.bytes };
  }

  follow(sequence: number, signal: AbortSignal): AsyncIterable<StreamMessage> {
    return this.#reader.follow(sequence, signal);
  }

  async purge(sequence: number): Promise<void> {
    await this.#manager.streams.purge(this.#name, { seq: sequence });
  }

  /** Sends a request that is safe to repeat. */
  #ask<Answer>(send: () => Promise<Answer>): Promise<Answer> {
    const ask = (): Promise<Answer> => this.#asking.ask(send, this.#timers, REQUEST_TIMEOUT_MS);
    return askAgain(ask, this.#timers, ASK_AGAIN_MS);
  }
}

/** No server of the account has JetStream. */
function isOff(error: unknown): boolean {
  return isUnheard(error) || (error instanceof NatsError && error.code === ErrorCode.JetStreamNotEnabled);
}

function isUnheard(error: unknown): boolean {
  return error instanceof NatsError && error.code === ErrorCode.NoResponders;
}

function isNotFound(error: unknown): boolean {
  return error instanceof NatsError && error.code === ErrorCode.JetStream404NoMessages;
}
