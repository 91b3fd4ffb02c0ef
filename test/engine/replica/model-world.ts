/**
 * Two engines over one log and one gateway, under a seeded clock: each sells what was decided, once, whatever happens to
 * it, to the log or to a request. The log, its reading, claims and leases are the real ones, and so is the gateway's fence;
 * the engine is as small as one can be that decides, tries and looks before it repeats.
 */

import { FenceKeeper } from "../../../engine/connector/host/fence.ts";
import { GuardedOrders } from "../../../engine/connector/host/guard.ts";
import type { FollowedRecord, Leadership } from "../../../engine/ports/replica.ts";
import type { LogStream } from "../../../engine/replica/log-stream.ts";
import { StreamLog } from "../../../engine/replica/replicated-log.ts";
import type { Fence } from "../../../src/contract/gateway/fence.ts";
import type { BrokerReply, OrderAnswer, OrderRecord } from "../../../src/contract/trading/order.ts";
import type { Timers } from "../../../src/runtime/ports.ts";
import { FakeTime } from "../../support/fake-time.ts";
import { ModelStream } from "./model-stream.ts";

export const LEASE_MS = 2_000;
const REQUEST_TIMEOUT_MS = 400;
const EVERY_MS = 150;
const ACCOUNT = { userId: 1, accountNumber: "1" };
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** What is left out, to see that the judge notices. */
export interface Plants {
  /** The copy is written before the log has it. */
  readonly isCopyFirst?: boolean;
  /** Requests carry neither epoch nor attempt. */
  readonly hasNoFence?: boolean;
  /** Every attempt is the first. */
  readonly hasNoAttempt?: boolean;
  /** What got no answer is sent again without looking. */
  readonly isRepeatBlind?: boolean;
  /** Claims go under one id. */
  readonly isClaimIdReused?: boolean;
}

/** Mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export class ModelWorld {
  readonly time = new FakeTime();
  readonly random: () => number;
  readonly plants: Plants;
  readonly stream: ModelStream;
  readonly engines: ModelEngine[] = [];
  /** How often the brokerage sold each order. It promises to find orders by their names, and nothing else. */
  readonly sales = new Map<string, number>();
  readonly #orders: GuardedOrders;
  hasFaults = true;
  takeoverCount = 0;

  constructor(seed: number, plants: Plants = {}) {
    this.random = seeded(seed);
    this.plants = plants;
    this.stream = new ModelStream(async () => {
      await this.pause(1 + this.random() * 15);
      return this.#isBadLuck(0.01) ? "lost" : this.#isBadLuck(0.01) ? "unanswered" : "stored";
    });
    const calls = {
      place: async ({ clientOrderId }: { readonly clientOrderId: string }) => this.#sell(clientOrderId),
      cancel: async () => ({ ok: false, code: "REJECTED", message: "no" }) as const,
      findOrder: async ({ clientOrderId = "" }) => this.#find(clientOrderId),
    };
    const fence = new FenceKeeper(this.time);
    this.#orders = new GuardedOrders(calls, { fence, resend: () => "query", log: silent });
  }

  get leader(): ModelEngine | undefined {
    return this.engines.find((engine) => engine.leads);
  }

  pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => void this.time.after(delayMs, resolve));
  }

  start(name: string, copy: readonly FollowedRecord[] = []): ModelEngine {
    const engine = new ModelEngine(this, name, copy);
    this.engines.push(engine);
    void engine.run();
    return engine;
  }

  /** It runs no more; another one goes on from its copy. */
  killAndRestart(engine: ModelEngine): void {
    engine.freeze(Number.POSITIVE_INFINITY);
    this.engines.splice(this.engines.indexOf(engine), 1);
    this.start(`${engine.name}'`, engine.copy);
  }

  fence(epoch: number): Promise<BrokerReply<{ epoch: number }> | undefined> {
    return this.#request(async () => this.#orders.raiseEpoch({ partition: 0, epoch }));
  }

  place(clientOrderId: string, epoch: number, attempt: number): Promise<BrokerReply<OrderAnswer> | undefined> {
    const order = { symbol: "A", quantity: 1, buySell: 2, orderType: 2, price: 1, ...ACCOUNT } as const;
    return this.#request(() => this.#orders.place({ ...order, clientOrderId, ...this.#fenceOf(epoch, attempt) }));
  }

  find(clientOrderId: string, epoch: number, attempt: number): Promise<BrokerReply<OrderRecord> | undefined> {
    return this.#request(() => this.#orders.findOrder({ ...ACCOUNT, clientOrderId, ...this.#fenceOf(epoch, attempt) }));
  }

  #fenceOf(epoch: number, attempt: number): { readonly fence?: Fence } {
    const { hasNoFence, hasNoAttempt } = this.plants;
    if (hasNoFence === true) return {};
    // Called when the request arrives: then none is ever under the bar.
    const seen = hasNoAttempt === true ? Math.floor(this.time.nowMs()) : attempt;
    return { fence: { partition: 0, epoch, attempt: seen } };
  }

  /** Undefined: no answer in time. The request may be lost, arrive much later, or only its answer may be lost. */
  async #request<T>(call: () => Promise<T>): Promise<T | undefined> {
    const wayMs = 1 + this.random() * 10;
    const isLate = this.#isBadLuck(0.06);
    const hasNoAnswer = this.#isBadLuck(0.03);
    if (this.#isBadLuck(0.03)) {
      await this.pause(REQUEST_TIMEOUT_MS);
      return undefined;
    }
    const answered = this.pause(isLate ? 500 + this.random() * 4_000 : wayMs).then(call);
    const timedOut = this.pause(REQUEST_TIMEOUT_MS).then(() => undefined);
    return isLate || hasNoAnswer ? timedOut : Promise.race([answered, timedOut]);
  }

  #sell(clientOrderId: string): BrokerReply<OrderAnswer> {
    this.sales.set(clientOrderId, (this.sales.get(clientOrderId) ?? 0) + 1);
    return { ok: true, data: { orderNo: clientOrderId } as OrderAnswer };
  }

  #find(clientOrderId: string): BrokerReply<OrderRecord> {
    if (this.sales.has(clientOrderId)) return { ok: true, data: { orderNo: clientOrderId } as OrderRecord };
    return { ok: false, code: "NOT_FOUND", message: "no such order" };
  }

  #isBadLuck(share: number): boolean {
    return this.hasFaults && this.random() < share;
  }
}

class ModelEngine {
  readonly name: string;
  readonly copy: FollowedRecord[];
  readonly #texts: Set<string>;
  readonly #world: ModelWorld;
  readonly #log: StreamLog;
  #thawAtMs = 0;
  #isStopAhead = false;
  leads = false;
  hole: string | undefined;

  constructor(world: ModelWorld, name: string, copy: readonly FollowedRecord[]) {
    this.#world = world;
    this.name = name;
    this.copy = [...copy];
    this.#texts = new Set(copy.map(textOf));
    this.#log = new StreamLog({
      stream: this.#gatedStream(),
      owner: name,
      leaseMs: LEASE_MS,
      steadyClock: world.time,
      timers: this.#gatedTimers(),
      log: silent,
      newId: () => (world.plants.isClaimIdReused === true ? "claim" : `${name}-${world.random()}`),
      keepBytes: 0,
      heldByOthers: () => Number.MAX_SAFE_INTEGER,
    });
  }

  freeze(forMs: number): void {
    this.#thawAtMs = this.#world.time.nowMs() + forMs;
  }

  /** It stands still when it next was told that it may act, and before it does. */
  stopBeforeNextAct(): void {
    this.#isStopAhead = true;
  }

  /** Until there is a hole. */
  async run(): Promise<void> {
    try {
      for (;;) await this.#liveOnce();
    } catch (error) {
      this.hole ??= error instanceof Error ? error.message : String(error);
    }
  }

  async #liveOnce(): Promise<void> {
    await this.#log.follow(this.copy.at(-1)?.sequence, {
      owns: ({ bytes }) => Buffer.from(bytes).equals(this.copy.at(-1)?.bytes ?? Buffer.alloc(0)),
      onRecord: (record) => this.#take(record),
      onClaim: () => undefined,
      onHole: (reason) => (this.hole = reason),
      onDamage: (reason) => (this.hole = reason),
    });
    const leadership = await this.#log.claim(0, new AbortController().signal);
    this.#world.takeoverCount += 1;
    this.leads = true;
    const lost = new Promise<void>((resolve) => leadership.onLost(() => resolve()));
    await Promise.race([this.#lead(leadership).catch(() => undefined), lost]);
    this.leads = false;
  }

  async #lead(leadership: Leadership): Promise<void> {
    const { epoch } = leadership;
    let answer = await this.#gate(this.#world.fence(epoch));
    for (; answer === undefined; answer = await this.#gate(this.#world.fence(epoch)));
    for (let number = 1; ; number += 1) {
      if (this.#holds(`sold ${number}`)) continue;
      await this.#gate(this.#world.pause(EVERY_MS));
      if (!this.#holds(`decide ${number}`)) await this.#append(leadership, `decide ${number}`);
      await this.#sell(leadership, number);
    }
  }

  /** Looks before it repeats; no attempt is used before it is durable. */
  async #sell(leadership: Leadership, number: number): Promise<void> {
    const { epoch } = leadership;
    const { plants } = this.#world;
    const name = `order-${number}`;
    for (;;) {
      let tried = 0;
      while (this.#holds(`try ${number} ${tried + 1}`)) tried += 1;
      if (tried > 0 && plants.isRepeatBlind !== true) {
        await this.#mayAct(leadership);
        const found = await this.#gate(this.#world.find(name, epoch, tried));
        if (found?.ok === true) break;
        if (found?.code !== "NOT_FOUND") continue;
      }
      await this.#append(leadership, `try ${number} ${tried + 1}`);
      await this.#mayAct(leadership);
      const placed = await this.#gate(this.#world.place(name, epoch, tried + 1));
      if (placed?.ok === true) break;
    }
    await this.#append(leadership, `sold ${number}`);
  }

  async #mayAct(leadership: Leadership): Promise<void> {
    await this.#gate(leadership.whenMayAct());
    if (!this.#isStopAhead) return;
    this.#isStopAhead = false;
    this.freeze(3 * LEASE_MS);
    await this.#gate(Promise.resolve());
  }

  async #append(leadership: Leadership, text: string): Promise<void> {
    const last = leadership.log.lastSequence ?? 0;
    const record = { sequence: last + 1, bytes: Buffer.from(text), epoch: leadership.epoch };
    if (this.#world.plants.isCopyFirst === true) this.#take(record);
    await leadership.log.append(last, [record.bytes]);
    if (this.#world.plants.isCopyFirst !== true) this.#take(record);
  }

  #take(record: FollowedRecord): undefined {
    this.copy.push(record);
    this.#texts.add(textOf(record));
  }

  #holds(text: string): boolean {
    return this.#texts.has(text);
  }

  async #gate<T>(promise: Promise<T>): Promise<T> {
    try {
      return await promise;
    } finally {
      await this.#thawed();
    }
  }

  async #thawed(): Promise<void> {
    const { time } = this.#world;
    while (time.nowMs() < this.#thawAtMs) {
      if (this.#thawAtMs === Number.POSITIVE_INFINITY) await new Promise(() => undefined);
      await this.#world.pause(this.#thawAtMs - time.nowMs());
    }
  }

  #gatedTimers(): Timers {
    const { time } = this.#world;
    return {
      after: (delayMs, task) => {
        let isCancelled = false;
        const cancel = time.after(delayMs, () => void this.#thawed().then(() => (isCancelled ? undefined : task())));
        return () => {
          isCancelled = true;
          cancel();
        };
      },
      soon: (task) => time.soon(task),
    };
  }

  #gatedStream(): LogStream {
    const { stream } = this.#world;
    const thawed = (): Promise<void> => this.#thawed();
    return {
      installation: stream.installation,
      life: stream.life,
      append: (append) => this.#gate(stream.append(append)),
      read: (sequence) => this.#gate(stream.read(sequence)),
      state: () => this.#gate(stream.state()),
      purge: (sequence) => this.#gate(stream.purge(sequence)),
      follow: async function* (sequence, signal) {
        for await (const message of stream.follow(sequence, signal)) {
          await thawed();
          yield message;
        }
      },
    };
  }
}

export function textOf({ bytes }: FollowedRecord): string {
  return Buffer.from(bytes).toString();
}
