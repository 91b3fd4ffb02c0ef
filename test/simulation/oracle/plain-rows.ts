/**
 * The content of the disk, read as plain JSON: the oracle and the checks share no code with the engine that wrote it.
 */
import type { MemoryDisk } from "../../support/store/memory-store.ts";
import { plainName } from "./plain-name.ts";

/** A row as a client sees it. */
export interface PlainRow {
  readonly id: number;
  readonly groupId: number;
  readonly symbol: string;
  readonly accountNumber: string;
  readonly orderType: number;
  readonly quantity: number;
  readonly price: number;
  readonly status: number;
  readonly triggeredPrice: number | null;
  readonly triggeredDate: string | null;
  readonly triggerErrorMessage: string | null;
  readonly dueDate: string | null;
  readonly notes: string | null;
  readonly createdDate: string;
  readonly updatedDate: string | null;
}

/** The context of a group's snapshot, as far as the checks read it. */
interface PlainGroup {
  readonly key: string;
  readonly groupId: number;
  readonly accountNumber: string;
  readonly symbol: string;
  readonly dueAtMs: number | null;
  /** Lots that ended sells of the stop-loss have sold. */
  readonly soldQuantity: number;
  /** The moment when its exit acts by itself: a cancel that had no effect is asked for again. */
  readonly exitAtMs: number | null;
  readonly isTrailing: boolean;
  /** Orders of its stop-loss by their numbers; after it was armed again, its next one counts. */
  readonly orderCount: number;
  readonly rows: readonly {
    readonly id: number;
    readonly price: number;
    readonly quantity: number;
    readonly status: number;
    readonly isInFlight: boolean;
    /** When a price fired it, also while its order has no answer yet. */
    readonly triggeredAtMs: number | null;
    /** Lots that its order did not sell. */
    readonly unsoldQuantity: number;
  }[];
}

/** A pending setup as it is stored, as far as the checks read it. */
export interface PlainSetup {
  readonly setupId: number;
  readonly notes: string | null;
  /** Empty: an entry's order number, and the brokerage has not answered it. */
  readonly brokerOrderNo: string;
  readonly dueAtMs: number | null;
  /** Its order. */
  readonly buy: { readonly askAtMs: number | null; readonly orders: readonly { readonly filledQuantity: number }[] };
  readonly createdAtMs: number;
  readonly entry?: {
    readonly ending?: object;
    readonly trigger?: { readonly reachedPrice?: number };
    readonly expiresAtMs?: number;
  };
  readonly outcome:
    | { readonly type: "converted"; readonly groupId: number }
    | { readonly type: "conversionFailed"; readonly reason: string; readonly timeMs: number }
    | { readonly type: "entryRefused"; readonly reason: string }
    | { readonly type: "removed"; readonly isPartFilled: boolean; readonly isByOwner: boolean }
    | null;
}

/** Whether it is a stop entry that no price has reached. */
export function isWaitingForPrice({ outcome, entry }: PlainSetup): boolean {
  return outcome === null && entry?.trigger !== undefined && entry.trigger.reachedPrice === undefined;
}

/** Whether it is an entry whose buy was refused or could not be sent. */
export function isRefused({ outcome }: PlainSetup): boolean {
  return outcome?.type === "entryRefused";
}

/** An order of a client as it is stored. */
interface PlainClientOrder {
  readonly execution: {
    readonly clientOrderId: string;
    readonly phase: string;
    readonly askAtMs: number | null;
    readonly orders: readonly { readonly filledQuantity: number; readonly averagePrice: number | null }[];
  };
}

/** One order of a pair as it is stored. */
interface PlainLeg {
  readonly quantity: number;
  readonly sentAtMs: number | null;
  readonly orderNo: string | null;
  readonly completedAtMs: number | null;
  readonly averagePrice: number | null;
}

interface PlainExecution {
  readonly askAtMs: number | null;
}

export interface PlainPair {
  readonly pairId: number;
  readonly buy: PlainLeg;
  readonly sell: PlainLeg;
  readonly sellAttempts: number;
  readonly soldQuantity: number;
  /** Orders that the brokerage took and that are not settled. */
  readonly executions: readonly PlainExecution[];
  /** For level bots. */
  readonly retryAtMs?: number | null;
}

/** A limit of a detail in hundredths; null = none. */
type Limit = number | null;

export interface PlainDetail {
  readonly symbol: string;
  readonly quantity: number;
  readonly limits: {
    readonly minBuyPrice: Limit;
    readonly maxBuyPrice: Limit;
    readonly minSellPrice: Limit;
    readonly maxSellPrice: Limit;
  };
  readonly isRemoved: boolean;
  readonly pairs: readonly PlainPair[];
  /** For webhook bots. */
  readonly algoName?: string;
  readonly period?: string;
  readonly deferredSellAtMs?: number | null;
}

/** Fields that only level bots have. */
export interface PlainLevelDetail extends PlainDetail {
  readonly buyGap: number;
  readonly sellGap: number;
  readonly targetProfit: number;
  readonly profit: number;
  readonly anchor: number | null;
  /** Absent: every price counts for the anchor. */
  readonly confirmTicks?: 1 | 2;
  /** A price over the anchor that no second one has confirmed. */
  readonly before?: { readonly price: number } | null;
  readonly realisedProfit: string;
}

/** A bot as it is stored, as far as the checks read it. */
export interface PlainBot {
  readonly kind: string;
  readonly botId: number;
  readonly name: string;
  readonly isActive: boolean;
  readonly lastPairNumber: number;
  readonly webhookSecret?: string;
  readonly levelsChangedAtMs?: number;
  readonly details: readonly PlainDetail[];
  /** Orders of pairs that are over. */
  readonly pastOrders: readonly { readonly execution: PlainExecution }[];
}

/** A closed pair of a level bot. */
interface PlainHistoryRow {
  readonly id: number;
  readonly systemId: number;
  readonly buyQuantity: number;
  /** Null: it held lots that an order of an earlier pair bought late. */
  readonly buyOrderDate: string | null;
  readonly sellQuantity: number;
  readonly profit: number;
}

/** An order that waits in the outbox, by its name without the installation. */
interface PlainEntry {
  readonly name: string;
  readonly attempt: number;
  readonly promise: string;
}

/** The stored state of an actor. */
interface PlainActor {
  readonly kind: string;
  readonly context: object;
}

export const ACTIVE = 1;
export const TRIGGERED = 2;
export const FAILED = 3;
export const CANCELLED = 4;

export class PlainDisk {
  readonly #disk: MemoryDisk;
  readonly #actors = new WeakMap<Uint8Array, PlainActor>();
  readonly #parsed = new WeakMap<Uint8Array, readonly PlainRow[]>();

  constructor(disk: MemoryDisk) {
    this.#disk = disk;
  }

  /** The keys under a prefix that ends in a slash. */
  keys(prefix: string): string[] {
    return this.#disk.entries.keysIn({ gte: prefix, lt: `${prefix.slice(0, -1)}0` });
  }

  text(key: string): string {
    return Buffer.from(this.#disk.entries.get(key) ?? "").toString();
  }

  /** The rows of a view, the stop-loss first; empty if it does not exist. */
  rows(key: string): readonly PlainRow[] {
    const bytes = this.#disk.entries.get(key);
    if (bytes === undefined) return [];
    const known = this.#parsed.get(bytes);
    if (known !== undefined) return known;
    const rows: PlainRow[] = JSON.parse(`[${Buffer.from(bytes).toString()}]`);
    this.#parsed.set(bytes, rows);
    return rows;
  }

  /** Every listed group: the key of its view by its notes. */
  groupsByNotes(): Map<string, string> {
    const found = new Map<string, string>();
    for (const key of this.keys("v/oco/")) {
      const notes = this.rows(key)[0]?.notes;
      if (typeof notes === "string") found.set(notes, key);
    }
    return found;
  }

  /** Returns the number of listed groups with these notes. */
  countGroups(notes: string): number {
    return this.keys("v/oco/").filter((key) => this.rows(key)[0]?.notes === notes).length;
  }

  /** The stored snapshots of groups, live ones (`a/`) or ended ones (`z/`). */
  snapshots(prefix: "a/" | "z/"): PlainGroup[] {
    return this.keys(prefix).flatMap((key) => {
      const { kind, context } = this.actor(key);
      return kind === "group" ? [plainGroup(key, context)] : [];
    });
  }

  /** Returns the number of numbered orders of a group's stop-loss; 0 for a group that does not exist. */
  orderCount(groupId: number): number {
    const groups = [...this.snapshots("a/"), ...this.snapshots("z/")];
    return groups.find((group) => group.groupId === groupId)?.orderCount ?? 0;
  }

  /** The setups with these notes, registered ones and ended ones; entries that were refused come last. */
  setupsByNotes(notes: string): PlainSetup[] {
    const setups = [...this.keys("a/"), ...this.keys("z/")].flatMap((key) => {
      const { kind, context } = this.actor(key);
      const setup = context as PlainSetup;
      return kind === "setup" && setup.notes === notes ? [setup] : [];
    });
    return setups.sort((one, other) => Number(isRefused(one)) - Number(isRefused(other)));
  }

  /** Setups whose order will be asked for again, or whose due date is waited for. */
  countTimedSetups(): number {
    return this.#liveSetups().filter(({ buy, outcome, entry, dueAtMs }) => {
      const isTimed = dueAtMs !== null || entry?.expiresAtMs !== undefined;
      return buy.askAtMs !== null || (outcome === null && entry?.ending === undefined && isTimed);
    }).length;
  }

  /** Stop entries that wait for a price. */
  countTriggers(): number {
    return this.#liveSetups().filter(isWaitingForPrice).length;
  }

  /** Whether a stop entry waits for a price. */
  waitsForPrice(id: number): boolean {
    return this.#liveSetups().some((setup) => setup.setupId === id && isWaitingForPrice(setup));
  }

  #liveSetups(): PlainSetup[] {
    const actors = this.keys("a/").map((key) => this.actor(key));
    return actors.filter(({ kind }) => kind === "setup").map(({ context }) => context as PlainSetup);
  }

  /** Returns the stored order of a client by its plain name; undefined if it is not stored. */
  clientOrder(name: string): PlainClientOrder | undefined {
    for (const key of [...this.keys("a/"), ...this.keys("z/")]) {
      const { kind, context } = this.actor(key);
      const order = context as PlainClientOrder;
      if (kind === "clientOrder" && plainName(order.execution.clientOrderId) === name) return order;
    }
    return undefined;
  }

  /** Orders of clients that will be asked for again, or that are forgotten a day after they are settled. */
  countTimedClientOrders(): number {
    return this.keys("a/").filter((key) => {
      const { kind, context } = this.actor(key);
      if (kind !== "clientOrder") return false;
      const { phase, askAtMs } = (context as PlainClientOrder).execution;
      return phase === "settled" || askAtMs !== null;
    }).length;
  }

  /** The orders that wait in the outbox. */
  outbox(): PlainEntry[] {
    return this.keys("o/").flatMap((key) => (/^o\/\d/.test(key) ? [plainEntry(this.text(key))] : []));
  }

  /** The closed pairs of a bot as its owner is shown them. */
  pairHistory(botId: number): PlainHistoryRow[] {
    const keys = ["v/pair-history/", "v/webhook-pair-history/"].flatMap((prefix) => this.keys(prefix));
    const rows = keys.map((key): PlainHistoryRow => JSON.parse(this.text(key)));
    return rows.filter(({ systemId }) => systemId === botId);
  }

  /** Every bot. */
  bots(): PlainBot[] {
    return this.keys("a/").flatMap((key) => this.botUnder(key) ?? []);
  }

  /** The bot that is stored under a key, if one is. */
  botUnder(key: string): PlainBot | undefined {
    if (this.#disk.entries.get(key) === undefined) return undefined;
    const { kind, context } = this.actor(key);
    return kind === "levelBot" || kind === "webhookBot" ? { ...(context as PlainBot), kind } : undefined;
  }

  /** Returns the stored state of an actor under a key. */
  actor(key: string): PlainActor {
    const bytes = this.#disk.entries.get(key) ?? new Uint8Array();
    const known = this.#actors.get(bytes);
    if (known !== undefined) return known;
    const actor: PlainActor = JSON.parse(Buffer.from(bytes).toString());
    this.#actors.set(bytes, actor);
    return actor;
  }
}

/** A group is stored as its fields in a fixed order. */
function plainGroup(key: string, context: unknown): PlainGroup {
  const fields = context as readonly unknown[];
  const rows = fields[11] as readonly (readonly unknown[])[];
  const seldom = fields[15] as
    | { exit?: { orderCount?: number; pursuit?: { nextAtMs: number | null } }; trailing?: object }
    | undefined;
  return {
    key,
    groupId: fields[1] as number,
    accountNumber: fields[4] as string,
    symbol: fields[5] as string,
    dueAtMs: fields[7] as number | null,
    soldQuantity: fields[12] as number,
    exitAtMs: seldom?.exit?.pursuit?.nextAtMs ?? null,
    isTrailing: seldom?.trailing !== undefined,
    orderCount: seldom?.exit?.orderCount ?? 1,
    // A row of three fields is one to which nothing has happened.
    rows: rows.map((row) => {
      const [id, quantity, price, status = ACTIVE, isInFlight = false, , triggeredAtMs = null, , , unsold = 0] = row;
      return { id, quantity, price, status, isInFlight, triggeredAtMs, unsoldQuantity: unsold };
    }),
  } as PlainGroup;
}

/** An entry of the outbox is stored as its fields in a fixed order. */
function plainEntry(text: string): PlainEntry {
  const fields: readonly unknown[] = JSON.parse(text);
  const clientOrderId = fields[11] as string;
  return {
    name: plainName(clientOrderId).slice(clientOrderId.indexOf("-") + 1),
    attempt: fields[4] as number,
    promise: fields[3] as string,
  };
}
