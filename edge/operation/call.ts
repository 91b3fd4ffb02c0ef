/** One call of an operation: its caller, its input, and the actions of an operation on it. */
import type { Reply } from "../../src/contract/command.ts";
import type { LogEvent } from "../../src/runtime/log-event/log-events.ts";
import type { Log, LogFields } from "../../src/runtime/ports.ts";
import type { Ask, AskOptions, EngineClient, Page, Refusal } from "../client/engine-client.ts";
import type { Caller } from "../middleware/auth.ts";
import { answerRefusal, type RefusalShape } from "../middleware/errors.ts";
import type { Idempotency } from "../middleware/idempotency.ts";
import { answerData, type EdgeContext } from "../server/request-state.ts";
import { answerPart, answerRows, fromCursor } from "./rows.ts";

/** The checked input of a request. */
export interface CheckedRequest<P, Q, B> {
  readonly ok: true;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly idempotency: Idempotency | undefined;
  /** The versions that the request's `If-Match` names; undefined: any. */
  readonly versions: readonly number[] | undefined;
}

/** The parts that all calls of an operation share. */
export interface CallSetting {
  readonly engine: EngineClient;
  readonly shape: RefusalShape;
  readonly log: Log;
}

interface RowsOptions extends AskOptions {
  /** For rows with fields that the engine cannot know: each is parsed and replaced. */
  readonly mapRow?: (row: unknown) => unknown;
}

/** The requested part of an account's rows (behaviour 11.8); the engine knows the meaning of its filters. */
interface PartOfList {
  readonly brokerageCode: string;
  readonly accountNumber: string;
  readonly statuses?: readonly number[] | undefined;
  readonly states?: readonly string[] | undefined;
  readonly symbol?: string | undefined;
  readonly sinceMs?: number | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export class Call<P, Q, B> {
  readonly context: EdgeContext;
  readonly caller: Caller;
  readonly #request: CheckedRequest<P, Q, B>;
  readonly #setting: CallSetting;

  constructor(context: EdgeContext, caller: Caller, request: CheckedRequest<P, Q, B>, setting: CallSetting) {
    this.context = context;
    this.caller = caller;
    this.#request = request;
    this.#setting = setting;
  }

  get userId(): number {
    return this.caller.userId;
  }

  /** Parameters of the path, checked. */
  get params(): P {
    return this.#request.params;
  }

  /** Parameters of the query, checked. */
  get query(): Q {
    return this.#request.query;
  }

  /** The body, checked; fields that the schema does not name are removed. */
  get body(): B {
    return this.#request.body;
  }

  /** The versions that the request means, as a field of a command; none: any is meant. */
  get versions(): { readonly versions?: readonly number[] } {
    const { versions } = this.#request;
    return versions === undefined ? {} : { versions };
  }

  /** Sends a command to the engine, under the request's `Idempotency-Key` if it has one. */
  command(type: string, body: unknown, options?: AskOptions): Promise<Reply> {
    return this.#setting.engine.command(type, { ...this.#ask(body), idempotency: this.#request.idempotency }, options);
  }

  /** Asks the engine for data that fits in one message. */
  ask(type: string, body: unknown, options?: AskOptions): Promise<Reply> {
    return this.#setting.engine.query(type, this.#ask(body), options);
  }

  /** Answers with a list of stored rows, passed through as bytes unless there is a `mapRow`. */
  rows(type: string, body: unknown, message: string, options: RowsOptions = {}): Promise<Response> {
    const ask = this.#ask(body);
    return answerRows(this.context, message, (from) => this.#page(type, ask, from, options), this.#setting);
  }

  /**
   * Answers with the filtered rows of an account: with `limit` a part of them, else all from `cursor` on. Asks for the
   * stored list unchanged if the request lacks all of these.
   */
  part(
    type: string,
    { brokerageCode, accountNumber, cursor, ...given }: PartOfList,
    message: string,
  ): Promise<Response> {
    const filters = Object.entries(given).filter(([, value]) => value !== undefined);
    const account = { brokerageCode, accountNumber };
    if (filters.length === 0 && cursor === undefined) return this.rows(type, account, message);
    const ask = this.#ask({ ...account, part: Object.fromEntries(filters) });
    const start = cursor === undefined ? null : fromCursor(cursor);
    const fetchPage = (from: string | null) => this.#page(type, ask, from ?? start, {});
    if (given.limit === undefined) return answerRows(this.context, message, fetchPage, this.#setting);
    return answerPart(this.context, message, fetchPage, start, this.#setting.shape);
  }

  /** Answers with a list that is fetched in a way of its own. */
  pages(fetchPage: (ask: Ask, from: string | null) => Promise<Page | Refusal>, message: string): Promise<Response> {
    const ask = this.#ask({});
    return answerRows(this.context, message, (from) => fetchPage(ask, from), this.#setting);
  }

  /** Answers with the engine's reply: its data under its own message or else `message`, or its refusal. */
  answer(reply: Reply, message: string | ((data: unknown) => string)): Response {
    if (!reply.ok) return answerRefusal(this.context, reply, this.#setting.shape);
    const { data } = reply;
    const told = reply.message ?? (typeof message === "string" ? message : message(data));
    return answerData(this.context, told, data, reply.version);
  }

  /** Refuses for a reason of the edge's own. */
  refuse(refusal: Refusal): Response {
    return answerRefusal(this.context, refusal, this.#setting.shape);
  }

  /** Logs facts that the caller does not receive, under the request's id. */
  warn(fields: LogFields<LogEvent<"warn">>, message: string): void {
    const { requestId } = this.context.get("requestState");
    this.#setting.log.warn({ requestId, userId: this.userId, ...fields }, message);
  }

  #page(type: string, ask: Ask, from: string | null, options: RowsOptions): Promise<Page | Refusal> {
    const { mapRow } = options;
    const asked = this.#setting.engine.page(type, ask, from, options);
    if (mapRow === undefined) return asked;
    return asked.then((page) => (page.ok ? { ...page, rows: mapRows(page.rows, mapRow) } : page));
  }

  #ask(body: unknown): Ask {
    return { userId: this.userId, requestId: this.context.get("requestState").requestId, body };
  }
}

function mapRows(rows: Uint8Array, mapRow: (row: unknown) => unknown): Uint8Array {
  const parsed: unknown[] = JSON.parse(`[${Buffer.from(rows).toString()}]`);
  return Buffer.from(parsed.map((row) => JSON.stringify(mapRow(row))).join(","));
}
