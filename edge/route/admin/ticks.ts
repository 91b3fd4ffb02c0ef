/**
 * Ticks sent by an operator, or in a simulated market by traders (behaviour 11.7, 11.7a): published on the bus like any
 * publisher's.
 *
 * Invariant: all of them or none; a tick that the feed would drop silently is refused here with a message.
 */
import { z } from "zod";
import type { Bus } from "../../../src/bus/port.ts";
import { symbolSchema } from "../../../src/contract/operator/reference.ts";
import { tickSubject } from "../../../src/contract/subject.ts";
import { publishedTicksSchema, publishTicksBody, type TickInput } from "../../../src/contract/tick.ts";
import { TICK_AHEAD_MS_MAX } from "../../../src/domain/price/tick-time.ts";
import type { MonotonicClock } from "../../../src/runtime/ports.ts";
import type { Refusal } from "../../client/engine-client.ts";
import type { ReferenceClient } from "../../client/reference-client.ts";
import { answerRefusal, refusal } from "../../middleware/errors.ts";
import type { Call } from "../../operation/call.ts";
import type { AddOperation } from "../../operation/operation.ts";
import { answerData } from "../../server/request-state.ts";
import { requestIdOf } from "../reference/reference-answer.ts";

const symbolsSchema = z.array(symbolSchema.pick({ symbol: true }));

interface TickOperationParts {
  readonly bus: Bus;
  readonly reference: ReferenceClient;
  readonly clock: MonotonicClock;
  readonly isMarketSimulated: boolean;
}

type TickCall = Call<unknown, unknown, z.output<typeof publishTicksBody>>;

/** Adds the sending of ticks. */
export function addTickOperations(add: AddOperation, parts: TickOperationParts): void {
  const known = new KnownSymbols(parts.reference);
  // A tick states a price: repeated it changes nothing.
  const both = { method: "POST", body: publishTicksBody, data: publishedTicksSchema, isIdempotent: false } as const;
  add({
    ...both,
    operationId: "publishTicks",
    path: "/admin/v1/ticks",
    tag: "Administration",
    summary: "Send ticks",
    description:
      "They go out on the bus like any publisher's, in their order. A tick that is older than the last one of its " +
      "symbol is ignored by the engine.",
    scope: "admin",
    handle: (call) => send(call, known, parts),
  });
  add({
    ...both,
    operationId: "publishSimulatedTicks",
    path: "/api/v1/ticks",
    tag: "Symbols",
    summary: "Send ticks into a simulated market",
    description:
      "To see at a paper account what a price sets off. Refused (403) unless prices are simulated; the next price of " +
      "the simulation follows within seconds.",
    scope: "trade",
    handle: (call) =>
      parts.isMarketSimulated
        ? send(call, known, parts)
        : answerRefusal(call.context, refusal("FORBIDDEN", "ticks can be sent only into a simulated market")),
  });
}

async function send({ context, body: { ticks } }: TickCall, known: KnownSymbols, { bus, clock }: TickOperationParts) {
  const symbols = await known.read(requestIdOf(context));
  if ("ok" in symbols) return answerRefusal(context, symbols);
  const wrong = findWrong(ticks, symbols, clock.nowMs());
  if (wrong !== undefined) return answerRefusal(context, refusal("INVALID", wrong));
  if (!(await publish(bus, ticks))) {
    return answerRefusal(context, refusal("UNAVAILABLE", "the bus is lost; some ticks may have gone out"));
  }
  const published = ticks.length;
  return answerData(context, published === 1 ? "The tick was sent" : "The ticks were sent", { published });
}

/** The existing symbols, parsed once for each answer that the cache keeps. */
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

/** Returns false if the bus did not take all of them. */
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
