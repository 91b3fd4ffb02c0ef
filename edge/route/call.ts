/**
 * One call of an operation: who calls, with what, and what an operation may do about it.
 */
import type { Reply } from "../../src/contract/command.ts";
import type { Ask, AskOptions, EngineClient } from "../client/engine-client.ts";
import { answerData, type EdgeContext } from "../exchange.ts";
import type { Caller } from "../middleware/auth.ts";
import { answerRefusal, type RefusalShape } from "../middleware/errors.ts";
import type { Idempotency } from "../middleware/idempotency.ts";
import { answerRows } from "./rows.ts";

export interface CallParts<P, Q, B> {
  readonly context: EdgeContext;
  readonly engine: EngineClient;
  readonly caller: Caller;
  readonly idempotency: Idempotency | undefined;
  readonly shape: RefusalShape;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

export class Call<P, Q, B> {
  readonly context: EdgeContext;
  readonly caller: Caller;
  readonly userId: number;
  /** Parameters of the path, checked. */
  readonly params: P;
  /** Parameters of the query, checked. */
  readonly query: Q;
  /** The body, checked; fields that the schema does not name are gone. */
  readonly body: B;
  readonly #parts: CallParts<P, Q, B>;

  constructor(parts: CallParts<P, Q, B>) {
    this.#parts = parts;
    this.context = parts.context;
    this.caller = parts.caller;
    this.userId = parts.caller.userId;
    this.params = parts.params;
    this.query = parts.query;
    this.body = parts.body;
  }

  /** Has the engine do something, under the request's `Idempotency-Key` if it has one. */
  command(type: string, body: unknown, options?: AskOptions): Promise<Reply> {
    return this.#parts.engine.command(type, { ...this.#ask(body), idempotency: this.#parts.idempotency }, options);
  }

  /** Asks the engine for something that one message holds. */
  ask(type: string, body: unknown, options?: AskOptions): Promise<Reply> {
    return this.#parts.engine.query(type, this.#ask(body), options);
  }

  /** Answers with a list of stored rows, passed through as bytes. */
  rows(type: string, body: unknown, message: string, options?: AskOptions): Promise<Response> {
    const ask = this.#ask(body);
    return answerRows(this.context, message, (from) => this.#parts.engine.page(type, ask, from, options));
  }

  /** Answers with what the engine said: its data under `message`, or its refusal. */
  answer(reply: Reply, message: string | ((data: unknown) => string)): Response {
    if (!reply.ok) return answerRefusal(this.context, reply, this.#parts.shape);
    return answerData(this.context, typeof message === "string" ? message : message(reply.data), reply.data);
  }

  #ask(body: unknown): Ask {
    return { userId: this.userId, requestId: this.context.get("exchange").requestId, body };
  }
}
