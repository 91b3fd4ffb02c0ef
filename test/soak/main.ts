/**
 * The memory that an engine needs under steady load: npm run soak -- [--minutes N] [--ticks N] [--triggers N]
 *
 * Each second has so many prices and so many groups that fire; each sell is filled, and the next group replaces each
 * fired one. Prints the memory of the engine by kind. Exit code 1: a group was not sold exactly once, or memory grew:
 * - outside of the JavaScript heap: 5 % more in the last quarter than in the third, by medians;
 * - in the heap after a collection: 10 % more than in the first half, by minima, as a quarter sees few collections.
 * The memory that the heap reserves between two collections rises and falls over minutes, and does not count.
 */
import { parseArgs } from "node:util";
import { z } from "zod";
import { eachInFlight } from "../../bench/harness/load/in-flight.ts";
import {
  BROKERAGE,
  creationOf,
  type OwnedGroup,
  SYMBOLS,
  symbolOf,
  userOf,
} from "../../bench/harness/load/owned-group.ts";
import { World } from "../../bench/harness/world.ts";
import { replySchema } from "../../src/contract/command.ts";
import { OPERATOR_QUERIES, partitionStatsSchema } from "../../src/contract/operator/operator.ts";
import { brokerSubject, commandSubject, querySubject, tickSubject } from "../../src/contract/subject.ts";

const [QUIET_PRICE, STOP_PRICE, FIRING_PRICE] = [100, 99, 98.5];
const IN_FLIGHT = 32;
const TIMEOUT_MS = 60_000;
const SLICES = 50;
const SECOND_MS = 1_000;
const READ_EVERY_SECONDS = 15;
const OUTSIDE_GROWTH_MAX = 1.05;
const COLLECTED_GROWTH_MAX = 1.1;
const QUANTITY = 10;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    ticks: { type: "string", default: "1000" },
    triggers: { type: "string", default: "30" },
  },
});
const settings = z
  .object({
    minutes: z.coerce.number().positive(),
    ticks: z.coerce.number().int().positive(),
    triggers: z.coerce.number().int().positive().max(SYMBOLS),
  })
  .parse(values);

const orderSchema = z.object({ clientOrderId: z.string(), accountNumber: z.string(), symbol: z.string() });

const world = await World.open();
/** How often each order arrived. */
const placed = new Map<string, number>();
serveBrokerage();
await world.startEngine();
await world.writeSymbols();
const readings: Record<string, number>[] = [];
try {
  const endMs = performance.now() + settings.minutes * 60 * SECOND_MS;
  let dueMs = performance.now();
  for (let second = 0; performance.now() < endMs; second += 1) {
    await runSecond(second, dueMs);
    dueMs = Math.max(dueMs + SECOND_MS, performance.now());
    if (second % READ_EVERY_SECONDS === 0) await readMemory(second);
  }
  await untilSettled();
} finally {
  await world.close();
}
process.exitCode = report() ? 0 : 1;

/** Creates this second's groups, then fires them between ticks that fire nothing. */
async function runSecond(second: number, dueMs: number): Promise<void> {
  const first = second * settings.triggers;
  await eachInFlight(settings.triggers, IN_FLIGHT, async (index) => {
    const envelope = creationOf(groupAt(first + index));
    const bytes = await world.bus.request(commandSubject(0), Buffer.from(JSON.stringify(envelope)), TIMEOUT_MS);
    const reply = replySchema.parse(JSON.parse(Buffer.from(bytes).toString()));
    if (!reply.ok) throw new Error(reply.message);
  });
  const quiet = settings.ticks - 2 * settings.triggers;
  for (let slice = 0; slice < SLICES; slice += 1) {
    for (let tick = slice; tick < quiet; tick += SLICES)
      publish(symbolOf(tick * 7 + second), QUIET_PRICE + (tick % 10) / 10);
    for (let index = slice; index < settings.triggers; index += SLICES) {
      publish(symbolOf(first + index), FIRING_PRICE);
      publish(symbolOf(first + index), QUIET_PRICE);
    }
    const waitMs = dueMs + ((slice + 1) * SECOND_MS) / SLICES - performance.now();
    if (waitMs > 0) await sleep(waitMs);
  }
}

function groupAt(index: number): OwnedGroup {
  const takeProfitItems = [{ price: 110, quantity: QUANTITY }];
  const body = { symbol: symbolOf(index), stopLossPrice: STOP_PRICE, stopLossQuantity: QUANTITY, takeProfitItems };
  return { userId: userOf(index), body };
}

function publish(symbol: string, price: number): void {
  world.bus.publish(tickSubject(symbol), Buffer.from(JSON.stringify({ price })));
}

/** Takes each order, and reports it filled a moment later, as a brokerage does. */
function serveBrokerage(): void {
  const records = new Map<string, object>();
  world.bus.respond(brokerSubject(BROKERAGE, "place"), async ({ data }) => {
    const order = orderSchema.parse(JSON.parse(Buffer.from(data).toString()));
    placed.set(order.clientOrderId, (placed.get(order.clientOrderId) ?? 0) + 1);
    const now = new Date().toISOString();
    const record = {
      ...{ ...order, orderNo: `B-${order.clientOrderId}`, buySell: 2, orderType: 1, quantity: QUANTITY, price: 0 },
      ...{ orderStatus: 2, filledQuantity: QUANTITY, averagePrice: FIRING_PRICE, createdDate: now, updatedDate: now },
    };
    records.set(order.clientOrderId, record);
    setTimeout(() => {
      records.delete(order.clientOrderId);
      world.bus.publish(brokerSubject(BROKERAGE, "updates"), Buffer.from(JSON.stringify(record)));
    }, 20);
    return Buffer.from(JSON.stringify({ ok: true, data: { orderNo: record.orderNo, orderStatus: 1 } }));
  });
  world.bus.respond(brokerSubject(BROKERAGE, "findOrder"), async ({ data }) => {
    const { clientOrderId } = z.object({ clientOrderId: z.string() }).parse(JSON.parse(Buffer.from(data).toString()));
    const record = records.get(clientOrderId);
    const answer = record === undefined ? { ok: false, code: "UNAVAILABLE", message: "" } : { ok: true, data: record };
    return Buffer.from(JSON.stringify(answer));
  });
}

async function readMemory(second: number): Promise<void> {
  const stats = await readStats();
  const memory = stats.memory ?? {};
  readings.push(memory);
  const kinds = Object.entries(memory).map(([kind, bytes]) => `${kind} ${(bytes / 2 ** 20).toFixed(0)}`);
  process.stdout.write(`${second} s: ${kinds.join(", ")} MiB; ${placed.size} orders\n`);
}

async function readStats() {
  const envelope = { type: OPERATOR_QUERIES.readStats, userId: null, requestId: "soak", body: {} };
  const bytes = await world.bus.request(querySubject(0), Buffer.from(JSON.stringify(envelope)), TIMEOUT_MS);
  const reply = replySchema.parse(JSON.parse(Buffer.from(bytes).toString()));
  if (!reply.ok) throw new Error(reply.message);
  return partitionStatsSchema.parse(reply.data);
}

/** Waits until the engine watches no level that this soak fired, and has no order without an outcome. */
async function untilSettled(): Promise<void> {
  for (let wait = 0; wait < 60; wait += 1) {
    const { armedCount, outbox } = await readStats();
    const { quarantined: _, ...open } = outbox.byState;
    if (armedCount === 0 && Object.values(open).every((count) => count === 0)) return;
    await sleep(SECOND_MS);
  }
  throw new Error("some groups were not sold within a minute");
}

/** Prints the result; returns false if it is a fault. */
function report(): boolean {
  const doubled = [...placed.values()].filter((count) => count > 1).length;
  const quarter = Math.floor(readings.length / 4);
  const [before, last] = [readings.slice(-2 * quarter, -quarter), readings.slice(-quarter)];
  const outside = growthOf("outside of the JavaScript heap, last quarters", medianOf(before), medianOf(last));
  const halves = [readings.slice(0, 2 * quarter), readings.slice(2 * quarter)] as const;
  const collected = growthOf("in the heap once it was collected, by halves", leastOf(halves[0]), leastOf(halves[1]));
  process.stdout.write(`${placed.size} orders, ${doubled} of them doubled\n`);
  return doubled === 0 && !(outside > OUTSIDE_GROWTH_MAX) && !(collected > COLLECTED_GROWTH_MAX);
}

function growthOf(what: string, before: number, last: number): number {
  const growth = last / before;
  process.stdout.write(`${what}: ${mebibytes(before)} before, ${mebibytes(last)} then: ${growth.toFixed(3)}\n`);
  return growth;
}

function medianOf(part: readonly Record<string, number>[]): number {
  const sorted = part
    .map(({ anonymous = 0, heapReserved = 0 }) => anonymous - heapReserved)
    .sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function leastOf(part: readonly Record<string, number>[]): number {
  return part.reduce((least, { heapUsed = 0 }) => Math.min(least, heapUsed), Number.POSITIVE_INFINITY);
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
