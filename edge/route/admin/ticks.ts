/**
 * Ticks sent by an operator: published on the bus like any publisher's (behaviour 11.7).
 *
 * Invariant: all of them or none; what the feed would drop without a word is refused here with one.
 */
import { z } from "zod";
import type { Bus } from "../../../src/bus/port.ts";
import { symbolSchema } from "../../../src/contract/operator/reference.ts";
import { tickSubject } from "../../../src/contract/subject.ts";
import {
  publishedTicksSchema,
  publishTicksBody,
  TICK_AHEAD_MS_MAX,
  type TickInput,
} from "../../../src/contract/tick.ts";
import type { MonotonicClock } from "../../../src/runtime/ports.ts";
import type { Refusal } from "../../client/engine-client.ts";
import type { ReferenceClient } from "../../client/reference-client.ts";
import { answerRefusal, refusal } from "../../middleware/errors.ts";
import type { AddOperation } from "../../operation/operation.ts";
import { answerData } from "../../server/request-state.ts";
import { requestIdOf } from "../reference/reference-answer.ts";

const symbolsSchema = z.array(symbolSchema.pick({ symbol: true }));

interface TickOperationParts {
  readonly bus: Bus;
  readonly reference: ReferenceClient;
  readonly clock: MonotonicClock;
}

/** Adds the sending of ticks. */
export function addTickOperation(add: AddOperation, { bus, reference, clock }: TickOperationParts): void {
  const known = new KnownSymbols(reference);
  add({
    operationId: "publishTicks",
    method: "POST",
    path: "/admin/v1/ticks",
    tag: "Administration",
    summary: "Send ticks",
    description:
      "They go out on the bus like any publisher's, in their order. A tick that is older than the last one of its " +
      "symbol is ignored by the engine.",
    scope: "admin",
    body: publishTicksBody,
    data: publishedTicksSchema,
    // A tick says what a price is: said twice it is no other.
    isIdempotent: false,
    handle: async ({ context, body: { ticks } }) => {
      const symbols = await known.read(requestIdOf(context));
      if ("ok" in symbols) return answerRefusal(context, symbols);
      const wrong = findWrong(ticks, symbols, clock.nowMs());
      if (wrong !== undefined) return answerRefusal(context, refusal("INVALID", wrong));
      if (!(await publish(bus, ticks))) {
        return answerRefusal(context, refusal("UNAVAILABLE", "the bus is lost; some ticks may have gone out"));
      }
      const published = ticks.length;
      return answerData(context, published === 1 ? "The tick was sent" : "The ticks were sent", { published });
    },
  });
}

/** The symbols there are, parsed once for each answer that the cache keeps. */
class KnownSymbols {
  readonly #reference: ReferenceClient;
  #json: Uint8Array | undefined;
  #symbols: ReadonlySet<string> = new Set();

  constructor(reference: ReferenceClient) {
    this.#reference = reference;
  }

  async read(requestId: string): Promise<ReadonlySet<string> | Refusal> {
    const answer = await this.#reference.symbols(requestId);
    if (!answer.ok) return answer;
    if (answer.json !== this.#json) {
      this.#symbols = new Set(symbolsSchema.parse(JSON.parse(answer.json.toString())).map(({ symbol }) => symbol));
      this.#json = answer.json;
    }
    return this.#symbols;
  }
}

function findWrong(ticks: readonly TickInput[], symbols: ReadonlySet<string>, nowMs: number): string | undefined {
  for (const [index, { symbol, time }] of ticks.entries()) {
    if (!symbols.has(symbol)) return `ticks[${index}].symbol is not known`;
    if (time !== undefined && time !== null && time > nowMs + TICK_AHEAD_MS_MAX) {
      return `ticks[${index}].time must not be more than ${TICK_AHEAD_MS_MAX / 1000} s in the future`;
    }
  }
  return undefined;
}

/** False where the bus did not take all of them. */
async function publish(bus: Bus, ticks: readonly TickInput[]): Promise<boolean> {
  if (bus.status !== "connected") return false;
  for (const { symbol, price, time } of ticks) {
    bus.publish(tickSubject(symbol), Buffer.from(JSON.stringify({ price, ...(time == null ? {} : { time }) })));
  }
  return bus.flush().then(
    () => true,
    () => false,
  );
}
