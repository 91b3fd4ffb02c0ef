/** A whole Alpaca connector against a server that plays Alpaca: real sockets, a real folder, no bus. */
import { parseAlpacaConfig } from "../../../../../engine/connector/alpaca/config.ts";
import { alpacaConnector } from "../../../../../engine/connector/alpaca/start.ts";
import type { OrderRecord, PlaceRequest } from "../../../../../src/contract/trading/order.ts";
import { loopTimers, steadyClock, systemClock } from "../../../../../src/runtime/clock.ts";
import { temporaryFolder } from "../../../../support/machine/process.ts";
import { untilTrue } from "../../../../support/machine/until-true.ts";
import { RecordedLog, throwing } from "../../fix/support/session-world.ts";
import { AlpacaServer, KEY } from "./server.ts";

export const ACCOUNT = { userId: 1, accountNumber: "PAPER1" };
export const VARIABLES = { KEY_ID: KEY.keyId, SECRET: KEY.secret };

export function configOf(url: string, change: object = {}): object {
  return {
    ...{ type: "alpaca", code: "ALPACA", folder: "orders", url },
    accounts: [{ accountNumber: "PAPER1", users: [1], keyId: { env: "KEY_ID" }, secret: { env: "SECRET" } }],
    symbols: { BRK_B: "BRK.B" },
    ...{ requestTimeoutSeconds: 10, answerTimeoutSeconds: 10, settleSeconds: 60 },
    ...{ reconnectSeconds: 0.02, reconnectSecondsMax: 0.1, refusedSeconds: 0.1 },
    ...change,
  };
}

export class AlpacaWorld {
  readonly server: AlpacaServer;
  readonly log = new RecordedLog();
  readonly updates: OrderRecord[] = [];
  started!: Awaited<ReturnType<typeof alpacaConnector.open>>;
  /** Added to the machine's clock. */
  aheadMs = 0;
  readonly folder: string;
  readonly #remove: () => Promise<void>;

  private constructor(server: AlpacaServer, folder: string, remove: () => Promise<void>) {
    this.server = server;
    this.folder = folder;
    this.#remove = remove;
  }

  static async make(): Promise<AlpacaWorld> {
    const { path, remove } = await temporaryFolder();
    return new AlpacaWorld(await AlpacaServer.start(), path, remove);
  }

  /** Starts the connector; resolves once its session is up, or was refused. */
  async start(change: object = {}): Promise<void> {
    const settings = parseAlpacaConfig(configOf(this.server.url, change), this.folder, VARIABLES);
    this.started = await alpacaConnector.open({
      ...{ settings, timers: loopTimers, log: this.log, fatal: throwing, mayCreate: true },
      clock: { nowMs: () => systemClock.nowMs() + this.aheadMs },
      ...{ steadyClock, lastPriceOf: () => undefined },
    });
    this.started.connector.onUpdate((record) => this.updates.push(record));
    await untilTrue(() => this.isUp || this.started.sessions[0]?.isRefused === true);
  }

  async restart(change: object = {}): Promise<void> {
    await this.started.stop();
    await this.start(change);
  }

  get isUp(): boolean {
    return this.started.connector.status().session === "up";
  }

  async end(): Promise<void> {
    await this.started?.stop();
    await this.server.stop();
    await this.#remove();
  }

  place(clientOrderId: string, change: Partial<PlaceRequest> = {}) {
    const order = { symbol: "AAPL", quantity: 10, buySell: 2 as const, orderType: 1 as const, price: 0 };
    return this.started.connector.place({ ...ACCOUNT, ...order, clientOrderId, ...change });
  }

  find(clientOrderId: string) {
    return this.started.connector.findOrder({ ...ACCOUNT, clientOrderId });
  }

  cancel(orderNo: string) {
    return this.started.connector.cancel({ ...ACCOUNT, orderNo, symbol: "AAPL" });
  }
}
