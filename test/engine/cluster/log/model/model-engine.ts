/**
 * One partition in one process of the model: it follows, and while it leads it decides, tries and sells, one order
 * after another.
 */

import { StreamLog } from "../../../../../engine/cluster/log/replicated-log.ts";
import type { LogStream } from "../../../../../engine/cluster/log/stream/log-stream.ts";
import type { LogRecord, RowStore } from "../../../../../engine/ports/log.ts";
import type { FollowedRecord, Leadership } from "../../../../../engine/ports/replica.ts";
import type { Delete, Put } from "../../../../../engine/ports/storage.ts";
import { decodeRecord } from "../../../../../engine/store/log/log-record.ts";
import { LoggedStore } from "../../../../../engine/store/log/logged-store.ts";
import { ALL_KEYS } from "../../../../../engine/table/keys.ts";
import type { Fence } from "../../../../../src/contract/gateway/fence.ts";
import type { Timers } from "../../../../../src/runtime/ports.ts";
import type { LoggedDisk } from "../../../../support/store/logged-disk.ts";
import { LEASE_MS, type ModelGateway, silent } from "./model-gateway.ts";
import type { ModelStream } from "./model-stream.ts";

const EVERY_MS = 150;
const OUTAGE_MS_MAX = 1_000;
/** The key of the row with the batch that the rows have reached, and the epoch of its leader. */
export const HEAD = "head";

interface Place {
  readonly name: string;
  readonly partition: number;
  /** Outlives the process. */
  readonly disk: LoggedDisk;
  /** It is paused, or gives up: another may follow. */
  readonly onHarm: (engine: ModelEngine) => void;
  readonly onClaim: (engine: ModelEngine) => void;
  /** Its process ends itself, and starts again. */
  readonly onEnd: (engine: ModelEngine) => void;
}

export class ModelEngine {
  readonly name: string;
  readonly partition: number;
  readonly disk: LoggedDisk;
  readonly #world: ModelGateway;
  readonly #place: Place;
  readonly #log: StreamLog;
  readonly #timers: Timers;
  #store: LoggedStore;
  #rows: RowStore;
  #leadership: Leadership | undefined;
  #thawAtMs = 0;
  #isStopAhead = false;
  #isGivingUp = false;
  #epoch = 0;
  #outageAtMs: number | undefined;
  hole: string | undefined;

  constructor(world: ModelGateway, place: Place) {
    const { name, partition, disk } = place;
    this.#world = world;
    this.#place = place;
    this.name = name;
    this.partition = partition;
    this.disk = disk;
    this.#timers = this.#gatedTimers();
    [this.#rows, this.#store] = this.#openCopy();
    this.#log = new StreamLog({
      stream: this.#gatedStream(),
      owner: name,
      leaseMs: LEASE_MS,
      steadyClock: world.time,
      timers: this.#timers,
      log: silent,
      newId: () => (world.plants.isClaimIdReused === true ? "claim" : `${name}-${world.random()}`),
      keepBytes: 0,
      // Nothing is removed: a copy whose process was paused may be far behind.
      heldByOthers: () => undefined,
    });
  }

  get leads(): boolean {
    return this.#leadership !== undefined;
  }

  get mayAct(): boolean {
    return this.#leadership?.mayAct() === true;
  }

  /** The number of the last record of its copy. */
  get standsAt(): number {
    return this.#store.standsAt ?? 0;
  }

  /** The keys of its copy, whole or on their way to the disk. */
  async keys(): Promise<string[]> {
    const keys: string[] = [];
    for await (const page of this.#store.scan(ALL_KEYS)) for (const [key] of page) if (key !== HEAD) keys.push(key);
    return keys;
  }

  freeze(forMs: number): void {
    this.#thawAtMs = this.#world.time.nowMs() + forMs;
  }

  /** Pauses it at the next notification that it may act, before it does. */
  stopBeforeNextAct(): void {
    this.#isStopAhead = true;
  }

  /** It gives the partition up after the order that it is at. */
  giveUp(): void {
    this.#isGivingUp = true;
  }

  /** Runs until there is a hole. */
  async run(): Promise<void> {
    try {
      for (;;) await this.#liveOnce();
    } catch (error) {
      this.hole ??= error instanceof Error ? error.message : String(error);
    }
  }

  #openCopy(): [RowStore, LoggedStore] {
    const { random } = this.#world;
    const rows = this.disk.openRows({ timers: this.#timers, tookMs: () => random() * 20, failsNow: () => false });
    const fatal = (reason: string): void => {
      this.hole = reason;
    };
    return [rows, LoggedStore.openCopy({ rows, timers: this.#timers, fatal })];
  }

  async #liveOnce(): Promise<void> {
    [this.#rows, this.#store] = this.#openCopy();
    const store = this.#store;
    await this.#log.follow(store.standsAt, {
      owns: (record) => this.#owns(record),
      onRecord: (record) => this.#take(record),
      onClaim: ({ epoch }) => {
        this.#epoch = epoch;
      },
      onHole: (reason) => {
        this.hole = reason;
      },
      onDamage: (reason) => {
        this.hole = reason;
      },
    });
    const leadership = await this.#log.claim(0, new AbortController().signal);
    this.#leadership = leadership;
    this.#epoch = leadership.epoch;
    this.#isGivingUp = false;
    this.#place.onClaim(this);
    const lost = new Promise<"lost">((resolve) => leadership.onLost(() => resolve("lost")));
    const end = await Promise.race([this.#lead(leadership, store).catch(() => lost), lost]);
    this.#leadership = undefined;
    if (end === "lost" && this.#world.plants.isEndedByFence === true) this.#place.onEnd(this);
    await store.close();
  }

  /** Accepts a record as a folder that keeps a copy does: rows of later records may be on disk already. */
  #owns({ sequence, bytes }: LogRecord): boolean {
    const own = this.#store.read(HEAD);
    const told = decodeRecord(bytes).operations.find(({ key }) => key === HEAD);
    if (own === undefined || told?.type !== "put") return false;
    return batchOf(own) > sequence || Buffer.from(own).equals(told.value);
  }

  #take(record: FollowedRecord): Promise<void> | undefined {
    if (this.#world.plants.isEpochForgotten === true && record.epoch !== this.#epoch) {
      throw new Error(`record ${record.sequence} is of epoch ${record.epoch}, not ${this.#epoch}`);
    }
    return this.#store.follow(record);
  }

  async #lead(leadership: Leadership, store: LoggedStore): Promise<"given"> {
    store.lead(leadership.log);
    if (!store.isBegun) await this.#gate(store.begin(1, this.#rowsOf(leadership.epoch, 1)));
    const { partition } = this;
    const fence = (): Promise<unknown> => this.#gate(this.#world.fence(partition, leadership.epoch));
    while ((await fence()) === undefined);
    for (let number = 1; !this.#isGivingUp; number += 1) {
      if (store.read(`sold ${number}`) !== undefined) continue;
      await this.#gate(this.#world.pause(EVERY_MS));
      if (store.read(`decide ${number}`) === undefined) await this.#write(leadership, store, `decide ${number}`);
      await this.#sell(leadership, store, number);
    }
    this.#place.onHarm(this);
    await leadership.release();
    return "given";
  }

  /** Asks back or looks before it repeats; no attempt is used before it is durable. */
  async #sell(leadership: Leadership, store: LoggedStore, number: number): Promise<void> {
    const { plants } = this.#world;
    const name = `order-${this.partition}-${number}`;
    const fenceOf = (attempt: number): Fence => ({ partition: this.partition, epoch: leadership.epoch, attempt });
    for (let isRecalled = false; ; ) {
      let tried = 0;
      while (store.read(`try ${number} ${tried + 1}`) !== undefined) tried += 1;
      if (tried > 0 && !isRecalled && plants.isRepeatBlind !== true) {
        await this.#whenMayAct(leadership);
        const found = await this.#gate(this.#world.find(name, fenceOf(tried)));
        if (found?.ok === true) break;
        if (found?.code !== "NOT_FOUND") continue;
      }
      await this.#write(leadership, store, `try ${number} ${tried + 1}`);
      await this.#whenMayAct(leadership);
      const placed = await this.#gate(this.#world.place(name, fenceOf(tried + 1)));
      if (placed?.ok === true) break;
      const asked = placed === undefined ? await this.#gate(this.#world.recall(name, fenceOf(tried + 1))) : undefined;
      if (asked?.ok !== true) isRecalled = false;
      else if (asked.data.attempt === "answered" && asked.data.answer.ok) break;
      else isRecalled = asked.data.attempt === "recalled";
    }
    await this.#write(leadership, store, `sold ${number}`);
  }

  async #whenMayAct(leadership: Leadership): Promise<void> {
    await this.#gate(leadership.whenMayAct());
    if (!this.#isStopAhead) return;
    this.#isStopAhead = false;
    this.#place.onHarm(this);
    this.freeze(3 * LEASE_MS);
    await this.#gate(Promise.resolve());
  }

  async #write({ epoch, log }: Leadership, store: LoggedStore, key: string): Promise<void> {
    const batch = (log.lastSequence ?? 0) + 1;
    const operations = [...this.#rowsOf(epoch, batch), { type: "put", key, value: Buffer.from("1") } as const];
    if (this.#world.plants.isCopyFirst === true) await this.#rows.writeUnsynced(operations);
    await this.#gate(store.write(operations));
  }

  /** Returns the rows of a batch: no two leaders ever write the same. */
  #rowsOf(epoch: number, batch: number): (Put | Delete)[] {
    return [
      { type: "put", key: HEAD, value: Buffer.from(JSON.stringify({ epoch, batch })) },
      { type: "put", key: `batch ${batch} of ${epoch}`, value: Buffer.from("1") },
    ];
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
    const stream = this.#world.streams[this.partition] as ModelStream;
    const thawed = (): Promise<void> => this.#thawed();
    return {
      installation: stream.installation,
      life: stream.life,
      append: (append) => this.#ask(stream.append(append)),
      read: (sequence) => this.#ask(stream.read(sequence)),
      state: () => this.#ask(stream.state()),
      purge: (sequence) => this.#ask(stream.purge(sequence)),
      follow: async function* (sequence, signal) {
        for await (const message of stream.follow(sequence, signal)) {
          await thawed();
          yield message;
        }
      },
    };
  }

  async #ask<T>(answer: Promise<T>): Promise<T> {
    try {
      const value = await this.#gate(answer);
      this.#outageAtMs = undefined;
      return value;
    } catch (error) {
      this.#endWithOutage();
      throw error;
    }
  }

  #endWithOutage(): void {
    const { plants, time } = this.#world;
    if (plants.isEndedByOutage !== true) return;
    this.#outageAtMs ??= time.nowMs();
    // It ends by its own decision: no fault harmed it.
    if (time.nowMs() - this.#outageAtMs >= OUTAGE_MS_MAX) this.#place.onEnd(this);
  }
}

function batchOf(head: Uint8Array): number {
  return (JSON.parse(Buffer.from(head).toString()) as { readonly batch: number }).batch;
}
