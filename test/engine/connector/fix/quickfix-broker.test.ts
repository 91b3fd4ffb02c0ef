/**
 * The connector against a broker on QuickFIX's session layer: questions, cancellations, reports that are held back, a
 * broker that dies after it booked, numbers that are reset, and a faulty line before a broker that books every order
 * that reaches it. FIX_DESK_SEEDS=200 runs more seeds of the line.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { fixConnector } from "../../../../engine/connector/fix/start.ts";
import type { BrokerReply, OrderRecord } from "../../../../src/contract/trading/order.ts";
import { loopTimers, steadyClock, systemClock } from "../../../../src/runtime/clock.ts";
import { randomOf } from "../../../support/client/engine-client.ts";
import { temporaryFolder } from "../../../support/machine/process.ts";
import { untilTrue } from "../../../support/machine/until-true.ts";
import { FaultyLine } from "./support/faulty-line.ts";
import { ACCOUNT, configFor } from "./support/fix-world.ts";
import { quickFixBuildSuite } from "./support/quickfix.ts";
import { buildBroker, type KnownNames, QuickFixBroker } from "./support/quickfix-broker.ts";
import { RecordedLog, throwing } from "./support/session-world.ts";

const SEEDS = Number(process.env.FIX_DESK_SEEDS ?? "3");
const ORDERS = 6;
const QUANTITY = 100;
const codeOf = (reply: BrokerReply<unknown>): string => (reply.ok ? "ok" : reply.code);

quickFixBuildSuite("a broker on QuickFIX's session layer", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let program: string;
  let broker: QuickFixBroker;
  let started: Awaited<ReturnType<typeof fixConnector.open>>;
  let updates: OrderRecord[];
  let count = 0;
  let place: string;

  before(async () => {
    folder = await temporaryFolder();
    program = await buildBroker(folder.path);
  });
  after(() => folder.remove());
  beforeEach(() => {
    count += 1;
    updates = [];
    place = join(folder.path, `case-${count}`);
  });
  afterEach(async () => {
    await started.stop();
    await broker.stop();
  });

  const start = async (port: number, change: Parameters<typeof configFor>[2] = {}): Promise<void> => {
    started = await fixConnector.open({
      ...{ settings: configFor(port, place, change), clock: systemClock, steadyClock, timers: loopTimers },
      ...{ log: new RecordedLog(), fatal: throwing, lastPriceOf: () => 10, mayCreate: true },
    });
    started.connector.onUpdate((record) => updates.push(record));
    await untilTrue(() => started.session.isLive);
  };
  const open = async (knownNames: KnownNames, change: Parameters<typeof configFor>[2] = {}): Promise<void> => {
    broker = await QuickFixBroker.start(program, place, knownNames);
    await start(broker.port, change);
  };
  const send = (clientOrderId: string) => {
    const order = { symbol: "THYAO", quantity: QUANTITY, buySell: 2 as const, orderType: 1 as const, price: 0 };
    return started.connector.place({ ...ACCOUNT, ...order, clientOrderId });
  };
  const find = (clientOrderId: string) => started.connector.findOrder({ ...ACCOUNT, clientOrderId });

  test("an order is booked, filled in parts, and what is left of it cancelled", async () => {
    await open("accept");
    assert.equal(codeOf(await send("a1")), "ok");
    await broker.tell("fill a1 40");
    await untilTrue(() => updates.at(-1)?.filledQuantity === 40);
    const cancelled = await started.connector.cancel({ ...ACCOUNT, orderNo: "a1", symbol: "THYAO" });
    assert.deepEqual(cancelled, { ok: true, data: { orderNo: "a1", orderStatus: 3 } });
    const found = await find("a1");
    assert.deepEqual(found.ok && [found.data.orderStatus, found.data.filledQuantity], [3, 40]);
  });

  test("a fill that crosses the cancellation stands, and the refusal is told", async () => {
    await open("accept");
    await send("a1");
    await broker.tell("hold");
    await broker.tell("fill a1 100");
    const cancelling = started.connector.cancel({ ...ACCOUNT, orderNo: "a1", symbol: "THYAO" });
    await broker.tell("release");
    assert.equal(codeOf(await cancelling), "REJECTED");
    await untilTrue(() => updates.at(-1)?.orderStatus === 2);
  });

  for (const knownNames of ["accept", "refuse"] as const) {
    test(`reports that are held back beyond the time-out: looked up, one order (${knownNames})`, async () => {
      await open(knownNames, { orders: { answerTimeoutSeconds: 0.3 } });
      await broker.tell("hold");
      assert.equal(codeOf(await send("a1")), "UNAVAILABLE");
      await untilTrue(() => broker.booked.length === 1);
      assert.equal(codeOf(await send("a1")), "UNAVAILABLE");
      await broker.tell("release");
      await untilTrue(() => updates.length > 0);
      assert.equal(codeOf(await send("a1")), "ok");
      assert.deepEqual(broker.booked, ["a1"]);
    });

    test(`a broker that dies after it booked: found by asking, never sent again (${knownNames})`, async () => {
      await open(knownNames, { orders: { answerTimeoutSeconds: 0.3 } });
      await broker.tell("die");
      const sent = send("a1");
      await broker.ended();
      assert.equal(codeOf(await sent), "UNAVAILABLE");
      await broker.restart();
      await untilTrue(() => started.session.isLive);
      await settle("a1");
      assert.deepEqual(broker.booked, ["a1"]);
    });
  }

  test("after both sides began at 1 again open orders are asked for at once (AF), and what is unknown is not sent again", async () => {
    await open("accept", { session: { resetOn: "logon" }, orders: { massStatus: true, answerTimeoutSeconds: 1 } });
    await send("a1");
    await started.stop();
    await broker.tell("fill a1 30");
    await start(broker.port, { session: { resetOn: "logon" }, orders: { massStatus: true, answerTimeoutSeconds: 1 } });
    await untilTrue(() => updates.some(({ filledQuantity }) => filledQuantity === 30));
    await untilTrue(() => broker.output.includes("asked for all"));
    assert.deepEqual(broker.booked, ["a1"]);
  });

  test(`a faulty line before a broker that books every name again: each order once (${SEEDS} seeds)`, async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      place = join(folder.path, `seed-${seed}`);
      broker = await QuickFixBroker.start(program, place, "accept");
      const random = randomOf(seed);
      const line = await FaultyLine.open(broker.port, random, {
        cut: 0.04,
        swallow: 0.04,
        garble: 0.06,
        delayMsMax: 3,
      });
      await start(line.port, { orders: { answerTimeoutSeconds: 0.4 } });
      const names = Array.from({ length: ORDERS }, (_, index) => `s${seed}-${index}`);
      await Promise.all(names.map((name) => settle(name)));
      line.faults = { cut: 0, swallow: 0, garble: 0, delayMsMax: 0 };
      assert.deepEqual([...broker.booked].sort(), names, `seed ${seed}`);
      await started.stop();
      await line.close();
      if (seed < SEEDS) await broker.stop();
    }
  });

  /** Settles an order as the outbox does with a `query` brokerage. */
  async function settle(name: string): Promise<void> {
    await untilTrue(async () => {
      const reply = await send(name);
      assert.notEqual(codeOf(reply), "REJECTED");
      return reply.ok;
    });
  }
});
