/**
 * A line that cuts, swallows, garbles and delays, and a broker that books every order that reaches it: every order
 * exactly once, every fill reported once and in order. FIX_SEEDS=200 runs more seeds, FIX_SEED=<n> one.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fixConnector } from "../../../../../engine/connector/fix/start.ts";
import type { OrderRecord } from "../../../../../src/contract/trading/order.ts";
import { loopTimers, steadyClock, systemClock } from "../../../../../src/runtime/clock.ts";
import { randomOf } from "../../../../support/client/engine-client.ts";
import { temporaryFolder } from "../../../../support/machine/process.ts";
import { untilTrue } from "../../../../support/machine/until-true.ts";
import { BookingBroker } from "../support/booking-broker.ts";
import { FaultyLine } from "../support/faulty-line.ts";
import { ACCOUNT, configFor } from "../support/fix-world.ts";
import { ScriptedPeer } from "../support/peer.ts";
import { RecordedLog, throwing } from "../support/session-world.ts";

const ORDERS = 12;
const QUANTITY = 10;
const PARTS = 4;
const FAULTS = { cut: 0.05, swallow: 0.05, garble: 0.08, delayMsMax: 4 };
const CALM = { cut: 0, swallow: 0, garble: 0, delayMsMax: 0 };
const AT_ONCE = 5;

const seeds =
  process.env.FIX_SEED === undefined
    ? Array.from({ length: Number(process.env.FIX_SEEDS ?? "20") }, (_, index) => index + 1)
    : [Number(process.env.FIX_SEED)];

type Connector = Awaited<ReturnType<typeof fixConnector.open>>;

/**
 * Sells as the outbox does with a `query` brokerage: looks up an unknown order, and sends it again if it is proven
 * missing.
 */
async function sell({ connector }: Connector, clientOrderId: string): Promise<string> {
  const order = { symbol: "THYAO", quantity: QUANTITY, buySell: 2 as const, orderType: 1 as const, price: 0 };
  for (let attempt = 0; attempt < 6_000; attempt += 1) {
    const reply = await connector.place({ ...ACCOUNT, ...order, clientOrderId });
    if (reply.ok || reply.code === "REJECTED") return reply.ok ? "ok" : reply.message;
    if (reply.code === "NOT_SENT") await new Promise((resolve) => setTimeout(resolve, 20));
    else {
      const found = await lookUp(connector, clientOrderId);
      if (found !== "NOT_FOUND") return found;
    }
  }
  return "never settled";
}

async function lookUp(connector: Connector["connector"], clientOrderId: string): Promise<string> {
  let answer = "UNAVAILABLE";
  await untilTrue(async () => {
    const found = await connector.findOrder({ ...ACCOUNT, clientOrderId });
    answer = found.ok ? "ok" : found.code;
    return answer !== "UNAVAILABLE";
  });
  return answer;
}

async function run(seed: number): Promise<void> {
  const random = randomOf(seed);
  const peer = await ScriptedPeer.start();
  const broker = new BookingBroker(peer, PARTS);
  const line = await FaultyLine.open(peer.port, random, FAULTS);
  const { path, remove } = await temporaryFolder();
  const settings = configFor(line.port, path, { orders: { answerTimeoutSeconds: 0.4 } });
  const log = new RecordedLog();
  const started = await fixConnector.open({
    settings: { ...settings, session: { ...settings.session, heartbeatMs: 150, logonTimeoutMs: 400 } },
    ...{
      clock: systemClock,
      steadyClock,
      timers: loopTimers,
      log,
      fatal: throwing,
      lastPriceOf: () => 10,
      mayCreate: true,
    },
  });
  const told = new Map<string, number[]>();
  started.connector.onUpdate(({ clientOrderId, filledQuantity }: OrderRecord) => {
    const quantities = told.get(clientOrderId ?? "") ?? [];
    if (filledQuantity > 0 && quantities.at(-1) !== filledQuantity) quantities.push(filledQuantity);
    told.set(clientOrderId ?? "", quantities);
  });
  const names = Array.from({ length: ORDERS }, (_, index) => `s${seed}-${index}`);
  const ends = await Promise.all(
    names.map(async (name) => {
      await new Promise((resolve) => setTimeout(resolve, random() * 800));
      return sell(started, name);
    }),
  );
  line.faults = CALM;
  const isAllTold = () => names.every((name) => told.get(name)?.at(-1) === QUANTITY);
  for (let waits = 0; waits < 6_000 && !isAllTold(); waits += 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
  await started.stop();
  await line.close();
  await peer.stop();
  await remove();
  assert.deepEqual(
    ends,
    names.map(() => "ok"),
    `seed ${seed}`,
  );
  assert.deepEqual(broker.doubled, [], `seed ${seed}`);
  assert.equal(broker.bookings.length, ORDERS, `seed ${seed}`);
  for (const name of names) {
    const quantities = told.get(name) ?? [];
    assert.equal(quantities.at(-1), QUANTITY, `seed ${seed}: ${name} ${quantities}`);
    assert.deepEqual(
      [...quantities].sort((a, b) => a - b),
      quantities,
      `seed ${seed}: ${name} ${quantities}`,
    );
  }
}

test(`every order exactly once and every fill told over a faulty line (${seeds.length} seeds)`, async () => {
  const queue = [...seeds];
  const next = async (): Promise<void> => {
    for (let seed = queue.shift(); seed !== undefined; seed = queue.shift()) await run(seed);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
});
