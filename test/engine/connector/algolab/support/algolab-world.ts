/** A whole AlgoLab connector against a server that plays AlgoLab: real sockets, a real folder, no bus. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseAlgolabConfig } from "../../../../../engine/connector/algolab/config.ts";
import { algolabConnector } from "../../../../../engine/connector/algolab/start.ts";
import type { OrderRecord, PlaceRequest } from "../../../../../src/contract/trading/order.ts";
import { loopTimers, steadyClock, systemClock } from "../../../../../src/runtime/clock.ts";
import { temporaryFolder } from "../../../../support/machine/process.ts";
import { untilTrue } from "../../../../support/machine/until-true.ts";
import { RecordedLog, throwing } from "../../fix/support/session-world.ts";
import { AlgolabServer, API_KEY } from "./server.ts";

export const ACCOUNT = { userId: 1, accountNumber: "A1" };
export const OTHER_KEY = `API-${Buffer.alloc(32, 8).toString("base64")}`;
export const VARIABLES = { ALGOLAB_KEY: API_KEY, OTHER_KEY };

export function configOf(url: string, change: object = {}): object {
  return {
    ...{ type: "algolab", code: "ALGOLAB", folder: "orders", url, apiKey: { env: "ALGOLAB_KEY" } },
    accounts: [{ accountNumber: "A1", users: [1], subAccount: "100" }],
    manualTrading: false,
    ...change,
  };
}

/** A settling time that no slow machine uses up. */
export const SLOW_SETTLING = { settleMs: 60_000 };

export class AlgolabWorld {
  readonly server: AlgolabServer;
  readonly log = new RecordedLog();
  readonly updates: OrderRecord[] = [];
  started!: Awaited<ReturnType<typeof algolabConnector.open>>;
  /** Added to the machine's wall clock. */
  aheadMs = 0;
  /** Added to the machine's steady clock. */
  steadyAheadMs = 0;
  readonly folder: string;
  readonly #remove: () => Promise<void>;

  private constructor(server: AlgolabServer, folder: string, remove: () => Promise<void>) {
    this.server = server;
    this.folder = folder;
    this.#remove = remove;
  }

  static async make(): Promise<AlgolabWorld> {
    const { path, remove } = await temporaryFolder();
    return new AlgolabWorld(await AlgolabServer.start(), path, remove);
  }

  get sessionFile(): string {
    return join(this.folder, "session");
  }

  /** Starts the connector with a login, and waits until it is up. `timing` replaces waits that are long in service. */
  async start(change: object = {}, timing: object = {}): Promise<void> {
    await writeFile(this.sessionFile, `${this.server.hash}\n`);
    await this.startLoggedOut(change, timing);
    await untilTrue(() => this.started.session.isUp);
  }

  async startLoggedOut(change: object = {}, timing: object = {}): Promise<void> {
    const file = configOf(this.server.url, { sessionFile: "session", ...change });
    const settings = {
      ...parseAlgolabConfig(file, this.folder, VARIABLES),
      requestIntervalMs: 1,
      settleMs: 200,
      reconnectMs: 10,
      ...timing,
    };
    this.started = await algolabConnector.open({
      ...{ settings, timers: loopTimers, log: this.log, fatal: throwing, mayCreate: true },
      lastPriceOf: () => undefined,
      clock: { nowMs: () => systemClock.nowMs() + this.aheadMs },
      steadyClock: { nowMs: () => steadyClock.nowMs() + this.steadyAheadMs },
    });
    this.started.connector.onUpdate((record) => this.updates.push(record));
  }

  /** How often a request of this name arrived. */
  askedCount(name: string): number {
    return this.server.asked.filter((one) => one.name === name).length;
  }

  /** Log lines with this event. */
  linesOf(event: string) {
    return this.log.lines.filter(({ text }) => text.includes(`"event":"${event}"`));
  }

  async restart(change: object = {}, timing: object = {}): Promise<void> {
    await this.started.stop();
    await this.start(change, timing);
  }

  async end(): Promise<void> {
    await this.started?.stop();
    await this.server.stop();
    await this.#remove();
  }

  place(clientOrderId: string, change: Partial<PlaceRequest> = {}) {
    const order = { symbol: "THYAO", quantity: 10, buySell: 2 as const, orderType: 1 as const, price: 0 };
    return this.started.connector.place({ ...ACCOUNT, ...order, clientOrderId, ...change });
  }

  find(clientOrderId: string) {
    return this.started.connector.findOrder({ ...ACCOUNT, clientOrderId });
  }

  /** As if the settling time of every order had passed: `start({}, SLOW_SETTLING)` leaves no machine time for it. */
  passSettling(): void {
    this.aheadMs += SLOW_SETTLING.settleMs + 1;
    this.steadyAheadMs += SLOW_SETTLING.settleMs + 1;
  }

  /** Looks up until the answer is not that the order can still appear. */
  async settle(clientOrderId: string) {
    let reply = await this.find(clientOrderId);
    await untilTrue(async () => {
      reply = await this.find(clientOrderId);
      return reply.ok || reply.code !== "UNAVAILABLE";
    });
    return reply;
  }
}
