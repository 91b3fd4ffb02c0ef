// tier: real
/** The gateway over a real message server: no connector, no answer, and a server that dies. */

import { test } from "node:test";
import { connectGateway } from "../../../../engine/order/gateway/gateway.ts";
import type { Brokerage } from "../../../../engine/ports/brokerage.ts";
import { connectNatsBus } from "../../../../src/bus/nats/bus.ts";
import type { PlaceRequest } from "../../../../src/contract/trading/order.ts";
import { loopTimers, steadyClock, systemClock } from "../../../../src/runtime/clock.ts";
import { natsSuite, startNatsServer } from "../../../support/machine/nats-server.ts";
import { refusalOf, USER } from "../../connector/paper/harness.ts";
import { gatewaySettings, WarningLog } from "./harness.ts";

/** Long enough for any machine. */
const AMPLE_MS = 30_000;

const request: PlaceRequest = {
  ...{ userId: USER, accountNumber: "ACCOUNT-7", clientOrderId: "name-1", symbol: "THYAO" },
  ...{ quantity: 1, buySell: 2, orderType: 1, price: 0 },
};

natsSuite("the gateway over NATS", () => {
  test("nobody there is NOT_SENT, nobody answering UNAVAILABLE, a lost connection NOT_SENT", async () => {
    const nats = await startNatsServer();
    const bus = await connectNatsBus({ servers: nats.url, name: "engine" });
    const other = await connectNatsBus({ servers: nats.url, name: "connector" });
    const open = (timeoutMs: number): Brokerage =>
      connectGateway({
        settings: gatewaySettings({ timeoutMs }),
        bus,
        timers: loopTimers,
        clock: systemClock,
        steadyClock,
        log: new WarningLog(),
      });
    const [gateway, hasty] = [open(AMPLE_MS), open(300)];
    try {
      refusalOf(await gateway.place(request), "NOT_SENT");
      const stop = other.subscribe("broker.PAPER.place", () => undefined);
      await other.flush();
      refusalOf(await hasty.place(request), "UNAVAILABLE");
      stop();
      const lost = new Promise<void>((resolve) => {
        bus.onStatus((status) => status === "disconnected" && resolve());
      });
      await nats.kill("SIGKILL");
      await lost;
      refusalOf(await gateway.place(request), "NOT_SENT");
    } finally {
      await gateway.close();
      await hasty.close();
      await bus.drain();
      await other.drain();
      await nats.stop();
    }
  });

  test("a server that dies while the answer is awaited leaves the outcome UNKNOWN", async () => {
    const nats = await startNatsServer();
    const bus = await connectNatsBus({ servers: nats.url, name: "engine" });
    const other = await connectNatsBus({ servers: nats.url, name: "connector" });
    const gateway = connectGateway({
      settings: gatewaySettings({ timeoutMs: 2_000 }),
      bus,
      timers: loopTimers,
      clock: systemClock,
      steadyClock,
      log: new WarningLog(),
    });
    try {
      const heard = new Promise<void>((resolve) => other.subscribe("broker.PAPER.place", () => resolve()));
      await other.flush();
      const reply = gateway.place(request);
      await heard;
      await nats.kill("SIGKILL");
      refusalOf(await reply, "UNAVAILABLE");
    } finally {
      await gateway.close();
      await bus.drain();
      await other.drain();
      await nats.stop();
    }
  });
});
