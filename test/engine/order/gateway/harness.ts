/** A paper brokerage on the far side of a bus, for the tests of the gateway. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveConnector } from "../../../../engine/connector/host/serve.ts";
import { connectGateway } from "../../../../engine/order/gateway/gateway.ts";
import type { Brokerage } from "../../../../engine/ports/brokerage.ts";
import type { Bus } from "../../../../src/bus/port.ts";
import { type BrokerageSettings, brokerageSettingsSchema } from "../../../../src/contract/trading/order.ts";
import { loopTimers, steadyClock, systemClock } from "../../../../src/runtime/clock.ts";
import type { Cancel, Log } from "../../../../src/runtime/ports.ts";
import { PaperWorld } from "../../connector/paper/harness.ts";
import type { BrokerageHarness, HarnessSettings } from "../conformance.ts";

/** What a test's log took: the warnings only. */
export class WarningLog implements Log {
  readonly warnings: { readonly fields: object; readonly message: string }[] = [];

  debug(): void {}
  info(): void {}
  error(): void {}
  warn(fields: object, message: string): void {
    this.warnings.push({ fields, message });
  }
}

/** The settings of a brokerage behind the gateway. */
export function gatewaySettings(fields: Partial<BrokerageSettings> = {}): BrokerageSettings {
  return brokerageSettingsSchema.parse({ code: "PAPER", name: "Paper Brokerage", adapter: "gateway", ...fields });
}

/** The two ends of a bus, and the way to end both. */
export interface BusPair {
  readonly engine: Bus;
  readonly brokerage: Bus;
  close(): Promise<void>;
}

/** Puts a world's paper brokerage on a bus. */
export function servePaper(bus: Bus, { paper }: PaperWorld): Cancel {
  return serveConnector(paper, { code: paper.settings.code, bus, log: new WarningLog(), steadyClock });
}

/** A harness of the conformance suite: the adapter on one end of the bus, a paper brokerage on the other. */
export async function makeGatewayHarness(buses: BusPair, settings: HarnessSettings): Promise<BrokerageHarness> {
  const folder = await mkdtemp(join(tmpdir(), "gateway-conformance-"));
  const world = await PaperWorld.open({ folder, paper: settings });
  const connect = (): Brokerage =>
    connectGateway({
      settings: gatewaySettings(),
      bus: buses.engine,
      timers: loopTimers,
      clock: systemClock,
      steadyClock,
      log: new WarningLog(),
    });
  let stopServing = servePaper(buses.brokerage, world);
  let brokerage = connect();
  await buses.engine.flush();
  await buses.brokerage.flush();
  return {
    get brokerage() {
      return brokerage;
    },
    async fillPrice(symbol, price) {
      world.tick(symbol, price);
    },
    lastSmsCode: () => world.messages.at(-1)?.code,
    async restart() {
      stopServing();
      await brokerage.close();
      await world.restart();
      stopServing = servePaper(buses.brokerage, world);
      brokerage = connect();
      await buses.engine.flush();
      await buses.brokerage.flush();
    },
    async close() {
      stopServing();
      await brokerage.close();
      await world.paper.close();
      await buses.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
