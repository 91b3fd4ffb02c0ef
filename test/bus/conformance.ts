/** What every form of the bus must do. Each form's test file runs this suite over its own connections. */
import { after, afterEach, before, describe } from "node:test";
import type { Bus, BusErrorListener } from "../../src/bus/port.ts";
import { deliveryTests } from "./conformance-delivery.ts";
import { drainTests } from "./conformance-drain.ts";
import { requestTests } from "./conformance-requests.ts";
import type { BusForm, Reported } from "./conformance-support.ts";

interface BusFixture {
  /** A new connection to the same bus. */
  connect(onError: BusErrorListener): Promise<Bus>;
  stop(): Promise<void>;
}

export function busConformance(form: string, start: () => Promise<BusFixture>): void {
  describe(`${form} keeps the bus port`, () => {
    let fixture: BusFixture;
    let connected: Bus[] = [];
    let reported: Reported[] = [];

    before(async () => {
      fixture = await start();
    });
    afterEach(async () => {
      await Promise.all(connected.map((bus) => bus.drain()));
      connected = [];
      reported = [];
    });
    after(() => fixture.stop());

    async function connect(): Promise<Bus> {
      const bus = await fixture.connect((error, context) => reported.push({ error, context }));
      connected.push(bus);
      return bus;
    }

    const bus: BusForm = {
      connect,
      pair: async () => [await connect(), await connect()],
      reported: () => reported,
    };
    deliveryTests(bus);
    requestTests(bus);
    drainTests(bus);
  });
}
