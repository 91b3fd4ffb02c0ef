// tier: real
/** The connector against QuickFIX's own brokers, unmodified. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { fixConnector } from "../../../../engine/connector/fix/start.ts";
import type { OrderRecord, PlaceRequest } from "../../../../src/contract/trading/order.ts";
import { loopTimers, steadyClock, systemClock } from "../../../../src/runtime/clock.ts";
import { temporaryFolder } from "../../../support/machine/process.ts";
import { untilTrue } from "../../../support/machine/until-true.ts";
import { ACCOUNT, configFor } from "./support/fix-world.ts";
import { QuickFixBroker, quickFixSuite } from "./support/quickfix.ts";
import { RecordedLog, throwing } from "./support/session-world.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let broker: QuickFixBroker;
let started: Awaited<ReturnType<typeof fixConnector.open>>;
let log: RecordedLog;
const updates: OrderRecord[] = [];

async function start(change: Parameters<typeof configFor>[2] = {}): Promise<void> {
  const settings = configFor(broker.port, folder.path, { orders: { answerTimeoutSeconds: 20 }, ...change });
  started = await fixConnector.open({
    ...{
      settings,
      clock: systemClock,
      steadyClock,
      timers: loopTimers,
      log,
      fatal: throwing,
      lastPriceOf: () => 10,
      mayCreate: true,
    },
  });
  started.connector.onUpdate((record) => updates.push(record));
  await untilTrue(() => started.session.isLive);
}

function place(clientOrderId: string, change: Partial<PlaceRequest> = {}) {
  const order = { symbol: "THYAO", quantity: 100, buySell: 2 as const, orderType: 2 as const, price: 10.5 };
  return started.connector.place({ ...ACCOUNT, ...order, clientOrderId, ...change });
}

beforeEach(async () => {
  folder = await temporaryFolder();
  log = new RecordedLog();
  updates.length = 0;
});
afterEach(async () => {
  await started.stop();
  await broker.stop();
  await folder.remove();
});

quickFixSuite("executor over FIX 4.4", () => {
  beforeEach(async () => {
    broker = await QuickFixBroker.start("executor", folder.path, "FIX.4.4");
  });
  test("fills a limit order, and a market order that goes as a limit", async () => {
    await start({ orders: { answerTimeoutSeconds: 20, marketAs: "limitIOC" } });
    assert.deepEqual(await place("a1"), {
      ok: true,
      data: { orderNo: "a1", orderStatus: 2, filledQuantity: 100, averagePrice: 10.5 },
    });
    assert.equal((await place("a2", { orderType: 1, price: 0 })).ok, true);
    await untilTrue(() => updates.length >= 2);
    assert.deepEqual(
      updates.map(({ filledQuantity, averagePrice }) => [filledQuantity, averagePrice]),
      [
        [100, 10.5],
        [100, 9.5],
      ],
    );
  });
  test("refuses what it does not take: a market order", async () => {
    await start();
    const refused = await place("a1", { orderType: 1, price: 0 });
    assert.equal(refused.ok ? "ok" : refused.code, "REJECTED");
  });
  test("the numbers go on when either side dies and when both do", async () => {
    await start();
    await place("a1");
    await broker.restart();
    await untilTrue(() => started.session.phase === "resting" || started.session.phase === "live");
    await untilTrue(() => started.session.isLive);
    assert.equal((await place("a2")).ok, true);
    await started.stop();
    await start();
    assert.equal((await place("a3")).ok, true);
    await started.stop();
    await broker.restart();
    await start();
    assert.equal((await place("a4")).ok, true);
    assert.equal(log.lines.filter(({ level }) => level === "error").length, 0);
  });
  test("a connector that lost its folder is told so and stops, or goes on with the broker's numbers", async () => {
    await start();
    await place("a1");
    await started.stop();
    const whole = folder.path;
    const lost = `${whole}/lost`;
    const settings = configFor(broker.port, lost);
    const shared = {
      clock: systemClock,
      steadyClock,
      timers: loopTimers,
      log,
      fatal: throwing,
      lastPriceOf: () => 10,
      mayCreate: true,
    };
    started = await fixConnector.open({ settings, ...shared });
    await untilTrue(() => started.session.phase === "halted");
    assert.match(started.session.reason, /expecting/);
    await started.stop();
    started = await fixConnector.open({
      settings: configFor(broker.port, lost, { session: { onUnexpectedReset: "reconcile" } }),
      ...shared,
    });
    await untilTrue(() => started.session.isLive);
    assert.equal((await place("a2")).ok, true);
  });
  test("resets at every logon where both agree on it", async () => {
    const session = { resetOn: "logon" };
    await start({ session, orders: { answerTimeoutSeconds: 20 } });
    await place("a1");
    await started.stop();
    await start({ session, orders: { answerTimeoutSeconds: 20 } });
    assert.equal((await place("a2")).ok, true);
    assert.equal(started.session.numbers.nextOutgoing, 3);
  });
});

quickFixSuite("ordermatch over FIX 4.2", () => {
  beforeEach(async () => {
    broker = await QuickFixBroker.start("ordermatch", folder.path, "FIX.4.2");
  });
  const session = { version: "FIX.4.2" };
  test("an order rests, is matched in parts, and the rest is cancelled", async () => {
    await start({ session, orders: { answerTimeoutSeconds: 20 } });
    assert.deepEqual(await place("s1"), { ok: true, data: { orderNo: "s1", orderStatus: 1 } });
    assert.equal((await place("b1", { buySell: 1, quantity: 40 })).ok, true);
    await untilTrue(() => updates.some(({ orderNo, filledQuantity }) => orderNo === "s1" && filledQuantity === 40));
    const cancelled = await started.connector.cancel({ ...ACCOUNT, orderNo: "s1", symbol: "THYAO" });
    assert.deepEqual(cancelled, { ok: true, data: { orderNo: "s1", orderStatus: 3 } });
    const found = await started.connector.findOrder({ ...ACCOUNT, clientOrderId: "s1" });
    assert.deepEqual(found.ok && [found.data.orderStatus, found.data.filledQuantity], [3, 40]);
  });
  test("a time in force that it does not take is a refusal in its words; a field map mends it", async () => {
    await start({ session, orders: { answerTimeoutSeconds: 20, marketAs: "limitIOC" } });
    const refused = await place("s1", { orderType: 1, price: 0 });
    assert.deepEqual(refused, { ok: false, code: "REJECTED", message: "Unsupported TIF, use Day" });
    await started.stop();
    await start({ session, orders: { answerTimeoutSeconds: 20, marketAs: "limitIOC", fields: { D: { "59": "0" } } } });
    assert.equal((await place("s2", { orderType: 1, price: 0 })).ok, true);
  });
});
