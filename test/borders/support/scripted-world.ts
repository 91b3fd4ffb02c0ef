/** An engine, a brokerage that a test scripts line by line, and the events that the engine publishes. */
import assert from "node:assert/strict";
import type { NatsServerOptions } from "../../support/machine/nats-server.ts";
import { EngineWorld } from "../../support/world/engine-world.ts";
import { until } from "../../support/world/stack.ts";
import { ScriptedConnector } from "./connector.ts";

type Order = ScriptedConnector["orders"][number];
type Place = ConstructorParameters<typeof ScriptedConnector>[1]["place"];

export class ScriptedWorld {
  readonly engines: EngineWorld;
  readonly code: string;
  readonly connector: ScriptedConnector;
  readonly events: { readonly id: string; readonly type: string; readonly symbol?: string }[] = [];

  private constructor(engines: EngineWorld, code: string, place: Place | undefined) {
    this.engines = engines;
    this.code = code;
    const open: Place = (ask) => this.connector.accept(ask, 1, 0);
    this.connector = new ScriptedConnector(engines.nats, { code, resend: "query", place: place ?? open });
    engines.nats.subscribe("events.*.>", { callback: (_, message) => void this.events.push(message.json()) });
  }

  /** Starts an engine with one brokerage. `place` answers its orders; by default they stay open until the test acts. */
  static async start(
    code: string,
    settings: object = {},
    place?: Place,
    environment: Readonly<Record<string, string>> = {},
    server: NatsServerOptions = {},
  ): Promise<ScriptedWorld> {
    const brokerage = { code, name: code, adapter: "gateway", resend: "query", ordersPerMinute: 100_000, ...settings };
    const world = new ScriptedWorld(
      await EngineWorld.open({ brokerages: [brokerage], environment, server }),
      code,
      place,
    );
    await world.engines.nats.flush();
    await world.engines.startEngine();
    return world;
  }

  async close(): Promise<void> {
    this.connector.stop();
    await this.engines.close();
  }

  /** Changes an order at the brokerage, which publishes it. */
  tell(order: Order, change: Partial<Order>): void {
    Object.assign(order, change);
    this.engines.nats.publish(`broker.${this.code}.updates`, JSON.stringify(order));
  }

  /** Makes a group: a stop-loss of 100 lots at 90, take-profits of 40 at 110 and 60 at 120. Returns its id. */
  async createGroup(symbol: string): Promise<number> {
    const takeProfitItems = [
      { price: 110, quantity: 40 },
      { price: 120, quantity: 60 },
    ];
    const terms = { symbol, stopLossPrice: 90, stopLossQuantity: 100, takeProfitItems };
    const place = { brokerageCode: this.code, accountNumber: "A1" };
    const made = await this.engines.client.createGroup({ ...place, ...terms }, symbol);
    assert.ok("groupId" in made, JSON.stringify(made));
    return made.groupId;
  }

  ordersOf(symbol: string): Order[] {
    return this.connector.orders.filter((order) => order.symbol === symbol);
  }

  /** The types of the events that name a symbol. */
  typesOf(symbol: string): string[] {
    return this.events.filter((event) => JSON.stringify(event).includes(`"${symbol}"`)).map(({ type }) => type);
  }

  /** Waits for an event of a type that names a symbol; returns the types of all that do. Fails if none arrives. */
  async untilTold(symbol: string, type: string): Promise<string[]> {
    const told = await until(
      async () => this.typesOf(symbol),
      (types) => types.includes(type),
    );
    assert.ok(told.includes(type), `${type} is not among ${told.join()}`);
    return told;
  }
}
