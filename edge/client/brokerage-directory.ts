/**
 * The facts of brokerages that the edge needs: their quotas. Asked from the engine and kept for a minute.
 *
 * Invariant: a directory that cannot be read stops no request. The last known one serves, and before the first a
 * brokerage is unknown, which the engine will report itself.
 */
import { z } from "zod";
import { QUERIES } from "../../src/contract/command.ts";
import { type BrokerageView, brokerageSchema } from "../../src/contract/trading/trading.ts";
import type { MonotonicClock } from "../../src/runtime/ports.ts";
import { type EngineClient, SHARED_PARTITION } from "./engine-client.ts";

const FRESH_MS = 60_000;
const RETRY_MS = 1_000;

export class BrokerageDirectory {
  readonly #engine: EngineClient;
  readonly #clock: MonotonicClock;
  #byCode: ReadonlyMap<string, BrokerageView> = new Map();
  #staleAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(engine: EngineClient, clock: MonotonicClock) {
    this.#engine = engine;
    this.#clock = clock;
  }

  /** The brokerage of this code (case-sensitive). */
  async find(code: string): Promise<BrokerageView | undefined> {
    if (this.#clock.monotonicMs() >= this.#staleAtMs) {
      this.#reading ??= this.#read();
      // An old directory is as good as a new one for one more request.
      if (this.#byCode.size === 0) await this.#reading;
    }
    return this.#byCode.get(code);
  }

  async #read(): Promise<void> {
    const ask = { userId: null, requestId: "brokerage-directory", body: {} };
    const reply = await this.#engine.query(QUERIES.listBrokerages, ask, { partition: SHARED_PARTITION });
    const read = reply.ok ? z.array(brokerageSchema).safeParse(reply.data) : undefined;
    if (read?.success) this.#byCode = new Map(read.data.map((brokerage) => [brokerage.code, brokerage]));
    this.#staleAtMs = this.#clock.monotonicMs() + (read?.success ? FRESH_MS : RETRY_MS);
    this.#reading = undefined;
  }
}
