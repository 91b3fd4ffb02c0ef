import { describe } from "node:test";
import { createMemoryBusServer } from "../../../../src/bus/memory/bus.ts";
import { connectNatsBus } from "../../../../src/bus/nats/bus.ts";
import { natsSuite, startNatsServer } from "../../../support/machine/nats-server.ts";
import { describeBrokerage } from "../conformance.ts";
import { type BusPair, makeGatewayHarness } from "./harness.ts";

function memoryPair(): BusPair {
  const server = createMemoryBusServer();
  const [engine, brokerage] = [server.connect(), server.connect()];
  return {
    engine,
    brokerage,
    async close() {
      await engine.drain();
      await brokerage.drain();
    },
  };
}

async function natsPair(): Promise<BusPair> {
  const server = await startNatsServer();
  const engine = await connectNatsBus({ servers: server.url, name: "engine" });
  const brokerage = await connectNatsBus({ servers: server.url, name: "brokerage" });
  return {
    engine,
    brokerage,
    async close() {
      await engine.drain();
      await brokerage.drain();
      await server.stop();
    },
  };
}

describe("a brokerage behind the bus in the process", () => {
  describeBrokerage("gateway over the bus", (settings) => makeGatewayHarness(memoryPair(), settings));
});

natsSuite("a brokerage behind NATS", () => {
  describeBrokerage("gateway over NATS", async (settings) => makeGatewayHarness(await natsPair(), settings));
});
