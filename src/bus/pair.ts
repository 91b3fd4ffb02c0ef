/**
 * The two ends of the bus that an engine and an edge in one process use. Each can be drained alone.
 */
import type { NatsConnection } from "nats";
import { createMemoryBusServer } from "./memory.ts";
import { connectNatsBus } from "./nats.ts";
import type { Bus, BusErrorListener } from "./port.ts";

export interface Buses {
  readonly engine: Bus;
  readonly edge: Bus;
  /** The engine's NATS connection, where there is a server. */
  readonly connection: NatsConnection | undefined;
  close(): Promise<void>;
}

/** Connects both ends: over the server at `natsUrl`, or in the process where there is none. */
export async function connectBuses(natsUrl: string | undefined, onError: BusErrorListener): Promise<Buses> {
  if (natsUrl === undefined) {
    const server = createMemoryBusServer({ onError });
    const [engine, edge] = [server.connect(), server.connect()];
    return { engine, edge, connection: undefined, close: () => drainBoth(engine, edge) };
  }
  const shared = { servers: natsUrl, onError, waitOnFirstConnect: true };
  const engine = await connectNatsBus({ ...shared, name: "engine" });
  const edge = await connectNatsBus({ ...shared, name: "edge" });
  return { engine, edge, connection: engine.connection, close: () => drainBoth(engine, edge) };
}

async function drainBoth(engine: Bus, edge: Bus): Promise<void> {
  await edge.drain();
  await engine.drain();
}
