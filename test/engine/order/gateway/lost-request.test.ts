/**
 * An order, or its answer, that is lost on its way between engine and connector, as with a message server that dies:
 * its outcome is known long before its time is over, and it is placed once.
 */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { serveConnector } from "../../../../engine/connector/host/serve.ts";
import { connectGateway } from "../../../../engine/order/gateway/gateway.ts";
import type { Brokerage } from "../../../../engine/ports/brokerage.ts";
import { createMemoryBusServer } from "../../../../src/bus/memory/bus.ts";
import type { Bus } from "../../../../src/bus/port.ts";
import type { BrokerReply, OrderAnswer, PlaceRequest } from "../../../../src/contract/trading/order.ts";
import { loopTimers, steadyClock, systemClock } from "../../../../src/runtime/clock.ts";
import { CountingConnector } from "../../../support/brokerage/counting-connector.ts";
import { gatewaySettings, WarningLog } from "./harness.ts";

const ORDER: PlaceRequest = {
  ...{ userId: 7, accountNumber: "A1", clientOrderId: "name-1", symbol: "THYAO" },
  ...{ quantity: 1, buySell: 2, orderType: 1, price: 0 },
};
const never = new Promise<Uint8Array>(() => undefined);

let engine: Bus;
let brokerage: Brokerage;
let connector: CountingConnector;
/** The outcome of the next order on its way; everything after it arrives. */
let fate: "arrives" | "request lost" | "answer lost";
/** The order that was lost, to arrive after all. */
let arrive: () => Promise<Uint8Array>;

const place = (attempt: number): Promise<BrokerReply<OrderAnswer>> =>
  brokerage.place({ ...ORDER, fence: { partition: 0, epoch: 0, attempt } });

describe("an order over a bus that loses", () => {
  beforeEach(() => {
    const server = createMemoryBusServer({ onError: () => undefined });
    engine = server.connect();
    connector = new CountingConnector(["A1"]);
    fate = "arrives";
    const bus = server.connect();
    const respond: Bus["respond"] = (subject, handler, options) =>
      bus.respond(
        subject,
        async (message) => {
          const now = subject.endsWith(".place") ? fate : "arrives";
          if (now === "arrives") return handler(message);
          fate = "arrives";
          if (now === "answer lost") await handler(message);
          arrive = () => handler(message);
          return never;
        },
        options,
      );
    const lossy: Pick<Bus, "respond" | "publish"> = { respond, publish: (subject, data) => bus.publish(subject, data) };
    serveConnector(connector, { code: "PAPER", bus: lossy as Bus, log: new WarningLog(), steadyClock });
    const settings = gatewaySettings({ timeoutMs: 30_000, resend: "query" });
    brokerage = connectGateway({
      settings,
      bus: engine,
      timers: loopTimers,
      clock: systemClock,
      steadyClock,
      log: new WarningLog(),
    });
  });
  afterEach(() => brokerage.close());

  test("its request: it was not sent, never is by that attempt, and is by the next", async () => {
    fate = "request lost";
    const reply = await place(1);
    assert.ok(!reply.ok && reply.code === "NOT_SENT" && reply.isAttemptSpent === true, JSON.stringify(reply));
    assert.match(Buffer.from(await arrive()).toString(), /FENCED/);
    assert.equal(connector.orders.length, 0);
    assert.equal((await place(2)).ok, true);
    assert.equal(connector.orders.length, 1);
  });

  test("its answer: it has that answer", async () => {
    fate = "answer lost";
    assert.deepEqual(await place(1), { ok: true, data: { orderNo: "N1", orderStatus: 2 } });
    assert.equal(connector.orders.length, 1);
  });
});
