/**
 * Reads and writes of reference data: every question there is, with how long its answer may be kept.
 *
 * Owns: the questions and their periods. Does not own: keeping (`reference-cache.ts`), HTTP.
 *
 * Invariants:
 * 1. All of it is asked of the shared partition.
 * 2. What depends on the user is kept for that user alone.
 */
import { REFERENCE_QUERIES } from "../../src/contract/operator/reference.ts";
import { type EngineClient, SHARED_PARTITION } from "./engine-client.ts";
import type { ReferenceAnswer, ReferenceArea, ReferenceCache } from "./reference-cache.ts";

/** How long the engine may take over reference data (behaviour 7). */
export const REFERENCE_TIMEOUT_MS = 10_000;
const ASKED = { partition: SHARED_PARTITION, timeoutMs: REFERENCE_TIMEOUT_MS };
const SYMBOLS_PERIOD_MS = 60_000;
const LISTS_PERIOD_MS = 30_000;
const RESTRICTIONS_PERIOD_MS = 6 * 60 * 60 * 1000;
/** A list that changes between its pages is read from the start again; a list that keeps changing is refused. */
const ATTEMPTS_MAX = 5;

interface Question {
  readonly area: ReferenceArea;
  readonly periodMs: number;
  readonly type: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Null: the answer is the same for all. */
  readonly userId: number | null;
  readonly requestId: string;
}

export class ReferenceClient {
  readonly #engine: EngineClient;
  readonly #cache: ReferenceCache;

  constructor(engine: EngineClient, cache: ReferenceCache) {
    this.#engine = engine;
    this.#cache = cache;
  }

  /** All symbols. */
  symbols(requestId: string): Promise<ReferenceAnswer> {
    return this.#rows(ofSymbols(REFERENCE_QUERIES.listSymbols, {}, requestId));
  }

  symbol(symbol: string, requestId: string): Promise<ReferenceAnswer> {
    return this.#one(ofSymbols(REFERENCE_QUERIES.findSymbol, { symbol }, requestId));
  }

  /** The lists that the user can read. */
  lists(userId: number, requestId: string): Promise<ReferenceAnswer> {
    return this.#rows(ofLists(REFERENCE_QUERIES.listLists, {}, userId, requestId));
  }

  list(userId: number, id: number, requestId: string): Promise<ReferenceAnswer> {
    return this.#one(ofLists(REFERENCE_QUERIES.findList, { id }, userId, requestId));
  }

  /** Symbols with active restrictions; undefined: of all types. */
  restrictedSymbols(restrictionType: number | undefined, requestId: string): Promise<ReferenceAnswer> {
    const body = restrictionType === undefined ? {} : { restrictionType };
    return this.#rows(ofRestrictions(REFERENCE_QUERIES.listActiveRestrictions, body, requestId));
  }

  checkRestriction(code: string, restrictionType: number, requestId: string): Promise<ReferenceAnswer> {
    return this.#one(ofRestrictions(REFERENCE_QUERIES.checkRestriction, { code, restrictionType }, requestId));
  }

  restrictedByType(restrictionType: number, requestId: string): Promise<ReferenceAnswer> {
    return this.#rows(ofRestrictions(REFERENCE_QUERIES.listRestrictedByType, { restrictionType }, requestId));
  }

  /** Active and past ones of a symbol, newest first. */
  restrictionsOf(code: string, requestId: string): Promise<ReferenceAnswer> {
    return this.#rows(ofRestrictions(REFERENCE_QUERIES.listRestrictionsOf, { code }, requestId));
  }

  /**
   * To be called after a write from here, with any outcome: the message about it can arrive later than the next read.
   */
  changed(area: ReferenceArea): void {
    this.#cache.drop(area);
  }

  #one(question: Question): Promise<ReferenceAnswer> {
    return this.#read(question, async () => {
      const reply = await this.#engine.query(question.type, question, ASKED);
      return reply.ok ? { ok: true, json: Buffer.from(JSON.stringify(reply.data)) } : reply;
    });
  }

  #rows(question: Question): Promise<ReferenceAnswer> {
    return this.#read(question, () => this.#allPages(question));
  }

  #read(question: Question, ask: () => Promise<ReferenceAnswer>): Promise<ReferenceAnswer> {
    const { area, type, userId, body, periodMs } = question;
    return this.#cache.read(area, JSON.stringify([type, userId, body]), periodMs, ask);
  }

  async #allPages(question: Question): Promise<ReferenceAnswer> {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const { changeCount } = this.#cache;
      const { answer, isOnePage } = await this.#pass(question);
      if (!answer.ok || isOnePage || changeCount === this.#cache.changeCount) return answer;
    }
    return { ok: false, code: "UNAVAILABLE", message: "the list is changing; try again" };
  }

  async #pass(question: Question): Promise<{ readonly answer: ReferenceAnswer; readonly isOnePage: boolean }> {
    const parts: Uint8Array[] = [OPEN];
    for (let from: string | null = null; ; ) {
      const page = await this.#engine.page(question.type, question, from, ASKED);
      if (!page.ok) return { answer: page, isOnePage: false };
      if (page.rows.byteLength > 0) parts.push(...(parts.length > 1 ? [COMMA, page.rows] : [page.rows]));
      if (page.next === null) {
        return { answer: { ok: true, json: Buffer.concat([...parts, CLOSE]) }, isOnePage: from === null };
      }
      from = page.next;
    }
  }
}

const OPEN = Buffer.from("[");
const COMMA = Buffer.from(",");
const CLOSE = Buffer.from("]");

function ofSymbols(type: string, body: Question["body"], requestId: string): Question {
  return { area: "symbols", periodMs: SYMBOLS_PERIOD_MS, type, body, userId: null, requestId };
}

function ofLists(type: string, body: Question["body"], userId: number, requestId: string): Question {
  return { area: "lists", periodMs: LISTS_PERIOD_MS, type, body, userId, requestId };
}

function ofRestrictions(type: string, body: Question["body"], requestId: string): Question {
  return { area: "restrictions", periodMs: RESTRICTIONS_PERIOD_MS, type, body, userId: null, requestId };
}
