/**
 * Asks the engine, over the bus alone.
 *
 * Owns: which partition a request goes to, the check of answers, and the meaning of a bus failure for a client. Does
 * not own: the meaning of commands and queries, HTTP.
 *
 * Invariants:
 * 1. Never rejects: a fault is returned as a refusal, and passed to `onFault` with its cause if an operator should
 *    know.
 * 2. No request that can have been handled is sent twice here. The answer to a command whose outcome is not known
 *    states that.
 * 3. While a partition is handed over it has no subscriber. A request that certainly reached no engine is asked again
 *    for a short while, if the client waits for an answer anyway.
 */

import { z } from "zod";
import { type Bus, BusError, NoResponderError } from "../../src/bus/port.ts";
import {
  type Envelope,
  type PageHeader,
  pageHeaderSchema,
  type Reply,
  replySchema,
} from "../../src/contract/command.ts";
import type { FieldFault } from "../../src/contract/issue.ts";
import { OPERATOR_QUERIES } from "../../src/contract/operator/operator.ts";
import { CLUSTER_SUBJECT, commandSubject, querySubject } from "../../src/contract/subject.ts";
import { partitionOf } from "../../src/domain/partition.ts";
import { parseJson } from "../../src/runtime/json.ts";
import type { Schedule } from "../../src/runtime/ports.ts";

/** A refusing reply; a check of the edge also lists all faults of the request. */
export type Refusal = Extract<Reply, { readonly ok: false }> & { readonly faults?: readonly FieldFault[] };

/** Users, keys, tokens, symbols, restrictions and lists live here (behaviour 12.5). */
export const SHARED_PARTITION = 0;

/** How long the engine may take over accounts, orders and bots (behaviour 7). */
const TIMEOUT_MS = 30_000;
/** Any engine answers this immediately. */
const CLUSTER_TIMEOUT_MS = 2_000;
/**
 * The pause before a request without a subscriber is asked again; in total longer than another engine takes to take
 * over.
 */
const ASK_AGAIN_MS = 100;
const ASK_AGAIN_COUNT = 30;
const NEWLINE = 0x0a;
const LAST_PAGE_HEADER: PageHeader = { ok: true, next: null };
/** Most lists are one page: its header line need not be parsed to be known. */
const LAST_PAGE = Buffer.from(`${JSON.stringify(LAST_PAGE_HEADER)}\n`);

/**
 * By the very array that the bus handed over, which is not changed any more (`bus/port.ts`, invariant 6). An engine in
 * this process answers with the same array for as long as a list is unchanged, and it then is the same page.
 */
const readPages = new WeakMap<Uint8Array, Page>();

export interface Ask {
  /** The requesting user, as verified; null without a login. */
  readonly userId: number | null;
  readonly requestId: string;
  readonly idempotency?: NonNullable<Envelope["idempotency"]> | undefined;
  readonly body: unknown;
}

export interface AskOptions {
  /** Default: the partition of the user, or the shared one without a user. */
  readonly partition?: number;
  /** Default: 30,000. */
  readonly timeoutMs?: number;
  /** False: the question is whether a process subscribes now. Default: true. */
  readonly mayWait?: boolean;
}

/** One page of stored rows: JSON objects joined with commas, as they are stored. `next` is null at the end. */
export interface Page {
  readonly ok: true;
  readonly next: string | null;
  readonly rows: Uint8Array;
}

interface EngineClientOptions {
  readonly bus: Bus;
  readonly partitions: number;
  /** Schedules requests that are asked again; absent: no request is. */
  readonly schedule?: Schedule;
  /** Receives answers that make no sense and errors of handlers. */
  readonly onFault: (error: unknown, context: { readonly type: string; readonly requestId: string }) => void;
}

export class EngineClient {
  readonly partitions: number;
  readonly #bus: Bus;
  readonly #schedule: Schedule | undefined;
  readonly #onFault: EngineClientOptions["onFault"];

  constructor(options: EngineClientOptions) {
    this.partitions = options.partitions;
    this.#bus = options.bus;
    this.#schedule = options.schedule;
    this.#onFault = options.onFault;
  }

  /**
   * Sends a command. After `UNAVAILABLE` it can have been carried out anyway: the message states which. Only a command
   * with a key waits for an engine. A client without a key can have given up by then, and would send the command again.
   */
  command(type: string, ask: Ask, options: AskOptions = {}): Promise<Reply> {
    const subject = commandSubject(this.#partitionFor(ask, options));
    const mayWait = ask.idempotency !== undefined && options.mayWait !== false;
    return this.#reply(subject, type, ask, { ...options, mayWait }, unknownOutcome);
  }

  /** Asks for data that fits in one message. */
  query(type: string, ask: Ask, options: AskOptions = {}): Promise<Reply> {
    const subject = querySubject(this.#partitionFor(ask, options));
    return this.#reply(subject, type, ask, options, noAnswer);
  }

  /** Asks for the state of the partitions that engines share: the first engine to answer counts. */
  cluster(ask: Ask): Promise<Reply> {
    const options = { timeoutMs: CLUSTER_TIMEOUT_MS, mayWait: false };
    return this.#reply(CLUSTER_SUBJECT, OPERATOR_QUERIES.readCluster, ask, options, noAnswer);
  }

  /** Asks for one page of stored rows, from the cursor `from` (null: the first one). */
  async page(type: string, ask: Ask, from: string | null, options: AskOptions = {}): Promise<Page | Refusal> {
    const subject = querySubject(this.#partitionFor(ask, options));
    const paged = from === null ? ask : { ...ask, body: { ...asObject(ask.body), from } };
    try {
      const bytes = await this.#request(subject, type, paged, options);
      return this.#readPage(bytes, type, ask);
    } catch (error) {
      return this.#explain(error, type, ask, noAnswer);
    }
  }

  #partitionFor(ask: Ask, options: AskOptions): number {
    if (options.partition !== undefined) return options.partition;
    return ask.userId === null ? SHARED_PARTITION : partitionOf(ask.userId, this.partitions);
  }

  async #reply(
    subject: string,
    type: string,
    ask: Ask,
    options: AskOptions,
    explain: (error: BusError) => Refusal,
  ): Promise<Reply> {
    try {
      return this.#readReply(await this.#request(subject, type, ask, options), type, ask);
    } catch (error) {
      return this.#explain(error, type, ask, explain);
    }
  }

  async #request(subject: string, type: string, ask: Ask, options: AskOptions): Promise<Uint8Array> {
    const { userId, requestId, idempotency, body } = ask;
    const { timeoutMs = TIMEOUT_MS, mayWait = true } = options;
    const envelope: Envelope = { type, userId, requestId, idempotency, body };
    const bytes = Buffer.from(JSON.stringify(envelope));
    const schedule = this.#schedule;
    for (let left = mayWait ? ASK_AGAIN_COUNT : 0; ; left -= 1) {
      try {
        return await this.#bus.request(subject, bytes, timeoutMs);
      } catch (error) {
        if (left === 0 || schedule === undefined || !(error instanceof NoResponderError)) throw error;
        await new Promise<void>((resolve) => void schedule(ASK_AGAIN_MS, resolve));
      }
    }
  }

  /** Explains a failure to the client. An error that is not from the bus is a bug, and thrown. */
  #explain(error: unknown, type: string, { requestId }: Ask, explain: (error: BusError) => Refusal): Refusal {
    if (!(error instanceof BusError)) throw error;
    const isFault = error.code === "HANDLER_FAILED" || error.code === "REPLY_TOO_LARGE";
    if (isFault || error.code === "PERMISSION_DENIED") this.#onFault(error, { type, requestId });
    return explain(error);
  }

  #readReply(bytes: Uint8Array, type: string, ask: Ask): Reply {
    const reply = replySchema.safeParse(parseJson(bytes));
    if (!reply.success) return this.#senseless(reply.error, type, ask);
    if (reply.data.ok) return reply.data;
    const { code, message, retryAfterSeconds, version } = reply.data;
    const waits = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
    return { ok: false, code, message, ...waits, ...(version === undefined ? {} : { version }) };
  }

  #readPage(bytes: Uint8Array, type: string, ask: Ask): Page | Refusal {
    const known = readPages.get(bytes);
    if (known !== undefined) return known;
    if (isLastPage(bytes)) {
      const page: Page = { ok: true, next: null, rows: bytes.subarray(LAST_PAGE.length) };
      readPages.set(bytes, page);
      return page;
    }
    const end = bytes.indexOf(NEWLINE);
    if (end < 0) {
      const reply = this.#readReply(bytes, type, ask);
      return reply.ok ? this.#senseless(new Error("rows were asked for, a value came"), type, ask) : reply;
    }
    const header = pageHeaderSchema.safeParse(parseJson(bytes.subarray(0, end)));
    if (!header.success) return this.#senseless(header.error, type, ask);
    return { ok: true, next: header.data.next, rows: bytes.subarray(end + 1) };
  }

  #senseless(error: Error, type: string, { requestId }: Ask): Refusal {
    this.#onFault(error, { type, requestId });
    return { ok: false, code: "INTERNAL", message: "the service gave a malformed answer" };
  }
}

function unknownOutcome(error: BusError): Refusal {
  if (error.code === "PAYLOAD_TOO_LARGE") return tooLarge();
  if (error.isCertainlyNotHandled) return unavailable("the service is not available now; nothing was done");
  const advice = "look the state up before you repeat it, or repeat it with the same Idempotency-Key";
  if (error.code === "HANDLER_FAILED" || error.code === "REPLY_TOO_LARGE") {
    return { ok: false, code: "INTERNAL", message: `the request failed and may have had an effect; ${advice}` };
  }
  return unavailable(`no answer came in time and the request may have had an effect; ${advice}`);
}

function noAnswer(error: BusError): Refusal {
  if (error.code === "PAYLOAD_TOO_LARGE") return tooLarge();
  if (error.code === "HANDLER_FAILED" || error.code === "REPLY_TOO_LARGE") {
    return { ok: false, code: "INTERNAL", message: "the request failed" };
  }
  return unavailable("the service is not available now");
}

function unavailable(message: string): Refusal {
  return { ok: false, code: "UNAVAILABLE", message };
}

function tooLarge(): Refusal {
  return { ok: false, code: "PAYLOAD_TOO_LARGE", message: "the request is too large" };
}

function isLastPage(bytes: Uint8Array): boolean {
  return bytes.length >= LAST_PAGE.length && LAST_PAGE.compare(bytes, 0, LAST_PAGE.length) === 0;
}

const objectSchema = z.record(z.string(), z.unknown());

function asObject(body: unknown): Readonly<Record<string, unknown>> {
  return objectSchema.parse(body);
}
