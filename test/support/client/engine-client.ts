/** A client of the engine that is not the edge: plain requests over NATS, repeated until an answer arrives. */
import type { NatsConnection } from "nats";
import { pause } from "../world/stack.ts";

export interface OcoRow {
  readonly id: number;
  readonly groupId: number;
  /** 1: take-profit, 2: stop-loss. */
  readonly orderType: 1 | 2;
  readonly quantity: number;
  readonly price: number;
  /** 1 active, 2 triggered, 3 failed, 4 cancelled. */
  readonly status: number;
  readonly symbol: string;
  readonly accountNumber: string;
  readonly triggeredPrice: number | null;
  readonly triggerErrorMessage: string | null;
}

const ATTEMPTS_MAX = 300;
const ATTEMPT_PAUSE_MS = 100;
const REQUEST_MS = 5_000;

export class EngineClient {
  readonly #nats: NatsConnection;
  readonly #userId: number;
  readonly #partition: number;

  constructor(nats: NatsConnection, userId: number, partition = 0) {
    this.#nats = nats;
    this.#userId = userId;
    this.#partition = partition;
  }

  /** Sends a command until it has its answer: with a key, a repeat gets the first answer. */
  async command(type: string, body: object, key?: string): Promise<Record<string, unknown>> {
    const idempotency = key === undefined ? {} : { idempotency: { key, fingerprint: "f" } };
    const envelope = { type, userId: this.#userId, requestId: "test", body, ...idempotency };
    return this.#untilAnswered(type, async () => {
      const answer = JSON.parse(await this.#request("command", envelope)) as Record<string, unknown>;
      const isPassing = answer.ok !== true && (answer.code === "CONFLICT" || answer.code === "UNAVAILABLE");
      return isPassing ? undefined : answer;
    });
  }

  /** Sends a query until it has an answer, a refusal included. */
  async query(type: string, body: object): Promise<Record<string, unknown>> {
    const envelope = { type, userId: this.#userId, requestId: "test", body };
    return this.#untilAnswered(type, async () => JSON.parse(await this.#request("query", envelope)));
  }

  /** Creates a group, or returns the reason of its refusal. */
  async createGroup(body: object, key: string): Promise<{ readonly groupId: number } | { readonly refusal: string }> {
    const answer = await this.command("oco.create", body, key);
    if (answer.ok !== true) return { refusal: String(answer.message) };
    return { groupId: (answer.data as OcoRow).groupId };
  }

  /** All rows of an account. */
  rows(brokerageCode: string, accountNumber: string): Promise<OcoRow[]> {
    return this.records<OcoRow>("oco.list", { brokerageCode, accountNumber });
  }

  /** Every page of a list. */
  async records<T = Record<string, unknown>>(type: string, body: object): Promise<T[]> {
    const rows: T[] = [];
    let from: string | null = null;
    do {
      const envelope: object = { type, userId: this.#userId, requestId: "test", body: { ...body, from } };
      const page: string = await this.#untilAnswered(type, async () => {
        const text = await this.#request("query", envelope);
        return text.startsWith('{"ok":true') ? text : undefined;
      });
      const end = page.indexOf("\n");
      rows.push(...(JSON.parse(`[${page.slice(end + 1)}]`) as T[]));
      from = (JSON.parse(page.slice(0, end)) as { next: string | null }).next;
    } while (from !== null);
    return rows;
  }

  async #request(kind: "command" | "query", envelope: object): Promise<string> {
    const subject = `engine.${this.#partition}.${kind}`;
    const reply = await this.#nats.request(subject, JSON.stringify(envelope), { timeout: REQUEST_MS });
    return Buffer.from(reply.data).toString();
  }

  async #untilAnswered<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      // Killed just now: the next engine answers.
      const answer = await ask().catch(() => undefined);
      if (answer !== undefined) return answer;
      await pause(ATTEMPT_PAUSE_MS);
    }
    throw new Error(`${what} was never answered`);
  }
}

/** A small source of chance that a seed repeats. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000;
  };
}
