/**
 * The two ends of the bus that an engine and an edge in one process use. Each can be drained alone.
 */
import type { NatsConnection } from "nats";
import { createMemoryBusServer } from "./memory/bus.ts";
import { connectNatsBus } from "./nats/bus.ts";
import type { Bus, BusErrorListener } from "./port.ts";

export interface Buses {
  readonly engine: Bus;
  readonly edge: Bus;
  /** The engine's NATS connection, where there is a server. */
  readonly connection: NatsConnection | undefined;
  /** Without an echo, where there is a server: over it engines find one another. */
  readonly owner: Bus | undefined;
  close(): Promise<void>;
}

/** Connects both ends: over the server at `natsUrl`, or in the process without one. */
export async function connectBuses(natsUrl: string | undefined, onError: BusErrorListener): Promise<Buses> {
  if (natsUrl === undefined) {
    const server = createMemoryBusServer({ onError });
    const [engine, edge] = [server.connect(), server.connect()];
    return { engine, edge, connection: undefined, owner: undefined, close: () => drainAll(edge, engine) };
  }
  const shared = { servers: natsUrl, onError, waitOnFirstConnect: true };
  const engine = await connectNatsBus({ ...shared, name: "engine" });
  const edge = await connectNatsBus({ ...shared, name: "edge" });
  const owner = await connectNatsBus({ ...shared, name: "engine-owner", isEchoed: false });
  return { engine, edge, connection: engine.connection, owner, close: () => drainAll(edge, engine, owner) };
}

async function drainAll(...buses: readonly Bus[]): Promise<void> {
  for (const bus of buses) await bus.drain();
}
