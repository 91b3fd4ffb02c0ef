/** A whole connector against a scripted broker: real sockets, a real folder, no bus. */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type FixSettings, parseFixConfig } from "../../../../../engine/connector/fix/config.ts";
import { fixConnector } from "../../../../../engine/connector/fix/start.ts";
import type { Field, FixMessage } from "../../../../../engine/connector/fix/wire/message.ts";
import { Tag } from "../../../../../engine/connector/fix/wire/tag.ts";
import type { OrderRecord, PlaceRequest } from "../../../../../src/contract/trading/order.ts";
import { loopTimers, steadyClock, systemClock } from "../../../../../src/runtime/clock.ts";
import type { Timers } from "../../../../../src/runtime/ports.ts";
import { temporaryFolder } from "../../../../support/machine/process.ts";
import { untilTrue } from "../../../../support/machine/until-true.ts";
import { ScriptedPeer, type SendOptions } from "./peer.ts";
import { RecordedLog, throwing } from "./session-world.ts";

export const ACCOUNT = { userId: 1, accountNumber: "ACC1" };

export function configFor(
  port: number,
  folder: string,
  change: { session?: object; orders?: object } = {},
): FixSettings {
  const session = {
    ...{ senderCompId: "ME", targetCompId: "DESK", addresses: [`127.0.0.1:${port}`], heartbeatSeconds: 1 },
    ...{ reconnectSeconds: 0.02, reconnectSecondsMax: 0.1, refusedSeconds: 0.05, logoutTimeoutSeconds: 0.3 },
    ...change.session,
  };
  const orders = { answerTimeoutSeconds: 10, ...change.orders };
  const accounts = [{ accountNumber: "ACC1", number: "9001", users: [1] }];
  return parseFixConfig({ code: "ACME", folder: "state", session, orders, accounts }, folder, {});
}

/** What a reply comes to, in a word. */
export const codeOf = (reply: { readonly ok: boolean; readonly code?: string }): string | undefined =>
  reply.ok ? "ok" : reply.code;

export class FixWorld {
  readonly peer: ScriptedPeer;
  readonly log = new RecordedLog();
  readonly updates: OrderRecord[] = [];
  started!: Awaited<ReturnType<typeof fixConnector.open>>;
  lastPrice: number | undefined = 100;
  /** How long the broker's silence is borne: short only where a test is about it. */
  answerTimeoutSeconds = 10;
  /** The connector's timers. */
  timers: Timers = loopTimers;
  readonly folder: string;
  readonly #remove: () => Promise<void>;
  #execCount = 0;

  private constructor(peer: ScriptedPeer, folder: string, remove: () => Promise<void>) {
    this.peer = peer;
    this.folder = folder;
    this.#remove = remove;
  }

  static async make(): Promise<FixWorld> {
    const { path, remove } = await temporaryFolder();
    return new FixWorld(await ScriptedPeer.start(), path, remove);
  }

  /** What the broker does with each kind of message. */
  brokerDoes(by: Readonly<Record<string, (message: FixMessage) => void>>): void {
    this.peer.onApplication = (message) => by[message.type]?.(message);
  }

  async start(change: { session?: object; orders?: object } = {}): Promise<void> {
    const orders = { answerTimeoutSeconds: this.answerTimeoutSeconds, ...change.orders };
    const settings = configFor(this.peer.port, this.folder, { ...change, orders });
    this.peer.beginString = settings.session.beginString;
    this.started = await fixConnector.open({
      ...{ settings, clock: systemClock, steadyClock, timers: this.timers, log: this.log, fatal: throwing },
      lastPriceOf: () => this.lastPrice,
      mayCreate: true,
    });
    this.started.connector.onUpdate((record) => this.updates.push(record));
    await untilTrue(() => this.started.session.isLive);
  }

  async restart(change: { session?: object; orders?: object } = {}): Promise<void> {
    await this.started.stop();
    await this.start(change);
  }

  /** Puts the folder back as it was before a start that placed the order, and leaves the connector stopped. */
  async putBackFolderWithout(clientOrderId: string, before: () => unknown = () => undefined): Promise<void> {
    const [state, copy] = [join(this.folder, "state"), join(this.folder, "copy")];
    await this.start();
    await before();
    await this.started.stop();
    cpSync(state, copy, { recursive: true });
    await this.start();
    await this.place(clientOrderId);
    await this.started.stop();
    rmSync(state, { recursive: true });
    cpSync(copy, state, { recursive: true });
  }

  async end(): Promise<void> {
    await this.started?.stop();
    await this.peer.stop();
    await this.#remove();
  }

  place(clientOrderId: string, change: Partial<PlaceRequest> = {}) {
    const order = { symbol: "THYAO", quantity: 100, buySell: 2 as const, orderType: 1 as const, price: 0 };
    return this.started.connector.place({ ...ACCOUNT, ...order, clientOrderId, ...change });
  }

  find(clientOrderId: string) {
    return this.started.connector.findOrder({ ...ACCOUNT, clientOrderId });
  }

  cancel(orderNo: string) {
    return this.started.connector.cancel({ ...ACCOUNT, orderNo, symbol: "THYAO" });
  }

  /** An ExecutionReport about `order` (a D, F or H, or a name). */
  report(
    order: FixMessage | string,
    status: string,
    filled: number,
    more: readonly Field[] = [],
    options: SendOptions = {},
  ) {
    this.#execCount += 1;
    const name = typeof order === "string" ? order : (order.get(Tag.ClOrdID) ?? "");
    const set = new Set(more.map(([tag]) => tag));
    const fields: Field[] = [
      [Tag.OrderID, `N${name}`],
      [Tag.ExecID, `E${this.#execCount}`],
      [Tag.ExecType, status === "1" || status === "2" ? "F" : status],
      [Tag.OrdStatus, status],
      [Tag.ClOrdID, name],
      [Tag.Symbol, "THYAO"],
      [Tag.Side, "2"],
      [Tag.LeavesQty, String(Math.max(0, 100 - filled))],
      [Tag.CumQty, String(filled)],
      [Tag.AvgPx, filled === 0 ? "0" : "12.5"],
    ];
    return this.peer.send("8", [...fields.filter(([tag]) => !set.has(tag)), ...more], options);
  }

  /** The answer to a question about an order that the broker does not know. */
  unknown(question: FixMessage): void {
    const id = question.get(Tag.OrdStatusReqID);
    this.report(question, "8", 0, [
      ...([
        [Tag.ExecType, "I"],
        [Tag.OrderID, "NONE"],
        [Tag.OrdRejReason, "5"],
      ] as const),
      ...(id === undefined ? [] : [[Tag.OrdStatusReqID, id] as const]),
    ]);
  }
}
