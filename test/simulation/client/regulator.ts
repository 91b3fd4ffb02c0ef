/**
 * An exchange that takes measures on symbols, as the engine's partition learns of them (behaviour 23).
 *
 * Owns: which effects a symbol may be under, and the form that an order of a group must have then. Does not own: when
 * it acts.
 */
import type { Reply } from "../../../src/contract/command.ts";
import { BAND_COMMANDS } from "../../../src/contract/operator/band.ts";
import type { PlaceRequest } from "../../../src/contract/trading/order.ts";
import type { Effects } from "../../../src/domain/market/measure.ts";
import { plainName } from "../oracle/plain-name.ts";
import type { PlainDisk } from "../oracle/plain-rows.ts";
import type { Life } from "../world/life.ts";
import { LEAST_MILLI } from "../world/market.ts";
import type { Random } from "../world/random.ts";
import type { Report } from "../world/report.ts";
import type { VirtualTime } from "../world/virtual-time.ts";
import { FLOOR_PRICE } from "./holder.ts";
import type { Requests } from "./requests.ts";

const OPERATOR = 1;
const MARKET = 1;
const FREE: Effects = {};
/** Measures that leave an order unchanged are rare. */
const CHOICES: readonly (readonly [number, Effects])[] = [
  [3, { halted: true }],
  [1, { noChannel: true }],
  [4, { noMarket: true, noCancel: true, noReduce: true }],
  [1, { noMarket: true, halted: true }],
  [0.5, { grossSettlement: true }],
  [0.5, { auctionOnly: true, noShort: true }],
];

/** The effects that a symbol may be under at the moment, the oldest first: one if it is certain. */
interface Standing {
  readonly possible: readonly { readonly version: number; readonly effects: Effects }[];
  /** Since when, by the wall clock, these are all. */
  readonly sinceMs: number;
}

interface RegulatorOptions {
  readonly requests: Requests;
  readonly random: Random;
  readonly report: Report;
  readonly time: VirtualTime;
  readonly disk: PlainDisk;
  readonly symbols: readonly [string, ...string[]];
  readonly life: () => Life;
  /** Orders are cut under a cap only if a stop-loss is sold until it is sold. */
  readonly hasCaps: boolean;
  /** False: moments cannot be compared, as the clock is set. */
  readonly hasClock: boolean;
}

export class Regulator {
  readonly #options: RegulatorOptions;
  readonly #wanted = new Map<string, Effects>();
  readonly #standings = new Map<string, Standing>();
  /** Symbols that were ever under a measure that takes no market orders. */
  readonly #withoutMarket = new Set<string>();
  /** Since when the floor of a symbol is certainly known, by the wall clock. */
  readonly #floorSinceMs = new Map<string, number>();
  readonly #seen = new Set<string>();
  #startedAtMs = 0;
  #version = 0;
  /** How often a measure in force is changed or ended. */
  #changeShare: number | undefined;

  constructor(options: RegulatorOptions) {
    this.#options = options;
  }

  /** Takes a measure, ends one, or sends the floor of the day. */
  act(): void {
    const { random, symbols, hasCaps } = this.#options;
    const symbol = random.pick(symbols);
    // Something is sold only under a measure that lasts.
    this.#changeShare ??= random.pick([0.15, 0.8]);
    if (!this.#floorSinceMs.has(symbol) && random.chance(0.7)) this.#tellFloor(symbol);
    if (this.#wanted.has(symbol) && !random.chance(this.#changeShare)) return;
    const capped: readonly (readonly [number, Effects])[] = hasCaps
      ? [[3, { valueCap: random.whole(1, 5) * 1_000 }]]
      : [];
    if (this.#wanted.has(symbol) && random.chance(0.5)) this.#wanted.delete(symbol);
    else this.#wanted.set(symbol, random.weighted([...CHOICES, ...capped], FREE));
    this.#give();
  }

  /** Ends all measures. */
  lift(): void {
    this.#wanted.clear();
    this.#give();
  }

  /** A life reads the disk, which contains the measures in force. */
  recover(): void {
    for (const symbol of this.#standings.keys()) {
      const text = this.#options.disk.text(`ms/${symbol}`);
      const [measure] = text === "" ? [] : (JSON.parse(text) as { measures: { effects: Effects }[] }).measures;
      this.#stand(symbol, [{ version: this.#version, effects: measure?.effects ?? FREE }]);
    }
  }

  /** A life has begun to act: it asks for the measures in force. */
  started(): void {
    const { time, random, life } = this.#options;
    const asking = life();
    this.#startedAtMs = time.wallClock.nowMs();
    time.after(random.whole(0, 2_000), () => {
      if (life() === asking && asking.isAlive) this.#give();
    });
  }

  /** Whether sells of the symbol may be limit orders at its floor. */
  mayBeAtFloor(symbol: string): boolean {
    return this.#withoutMarket.has(symbol);
  }

  /** An order leaves the engine. */
  onSent({ clientOrderId, symbol, orderType, price, quantity }: PlaceRequest): void {
    const { report, hasClock } = this.#options;
    const name = plainName(clientOrderId);
    const [, id] = /-r(\d+)/.exec(name) ?? [];
    const standing = this.#standings.get(symbol);
    if (id === undefined || standing === undefined) return;
    const isFirst = !this.#seen.has(name);
    this.#seen.add(name);
    const has = (flag: "halted" | "noChannel"): boolean =>
      standing.possible.every(({ effects }) => effects[flag] === true);
    if (has("halted") || has("noChannel")) report.violate(`${name} left under a measure that keeps it back`);
    const [only, ...others] = standing.possible;
    const row = isFirst && hasClock && others.length === 0 ? this.#rowOf(Number(id)) : undefined;
    if (row === undefined || only === undefined) return;
    const { noMarket, valueCap } = only.effects;
    // A level that fired before the measure may send its order unchanged.
    if (row.firedAtMs <= standing.sinceMs) return;
    if (noMarket === true && row.firedAtMs > (this.#floorSinceMs.get(symbol) ?? Number.POSITIVE_INFINITY)) {
      report.count("measures: sells at the floor");
      if (orderType === MARKET || price !== FLOOR_PRICE) report.violate(`${name} left as a market order`);
    }
    // After a start no live price may be known yet: the cap has no lots then (behaviour 23.5).
    if (typeof valueCap === "number" && row.isStopLoss && row.firedAtMs > this.#startedAtMs) {
      report.count("measures: sells under a cap");
      const lotsMax = Math.max(1, Math.floor((valueCap * 1_000) / LEAST_MILLI));
      if (quantity > lotsMax) report.violate(`${name} has ${quantity} lots under a cap of ${valueCap}`);
    }
  }

  #tellFloor(symbol: string): void {
    const { requests, time } = this.#options;
    const body = { source: "operator", bands: [{ symbol, floorPrice: FLOOR_PRICE, ceilingPrice: 150 }] };
    const onReply = (reply: Reply): void => {
      if (reply.ok) this.#floorSinceMs.set(symbol, time.wallClock.nowMs());
    };
    requests.send(requests.ask(BAND_COMMANDS.write, OPERATOR, body, requests.nextNumber(), { onReply }, false));
  }

  /** Gives the life all measures, as it would read them. */
  #give(): void {
    const { report, symbols } = this.#options;
    const life = this.#options.life();
    if (!life.isAlive || !life.isStarted) return;
    this.#version += 1;
    const version = this.#version;
    report.count("measures: told");
    report.note(() => `measures are ${JSON.stringify([...this.#wanted])}`);
    const all = [...this.#wanted].map(([symbol, effects]) => ({
      symbol,
      measures: [{ restrictionType: 99, effects }],
    }));
    for (const symbol of symbols) {
      const effects = this.#wanted.get(symbol) ?? FREE;
      if (effects.noMarket === true) this.#withoutMarket.add(symbol);
      const possible = this.#standings.get(symbol)?.possible ?? [{ version: 0, effects: FREE }];
      this.#stand(symbol, [...possible, { version, effects }]);
    }
    const { measures } = life.partition;
    void life.partition.decide(() => measures.replaceInTurn(all)).then(() => life.isAlive && this.#know(version));
  }

  /** The measures that were sent are durable. */
  #know(version: number): void {
    for (const [symbol, { possible }] of this.#standings) {
      this.#stand(
        symbol,
        possible.filter((one) => one.version >= version),
      );
    }
  }

  /** The moment remains if nothing changes. */
  #stand(symbol: string, possible: Standing["possible"]): void {
    const before = this.#standings.get(symbol);
    const texts = (states: Standing["possible"]): string =>
      [...new Set(states.map(({ effects }) => JSON.stringify(effects)))].join();
    const isSame = before !== undefined && texts(before.possible) === texts(possible);
    const sinceMs = isSame ? before.sinceMs : this.#options.time.wallClock.nowMs();
    const [first] = possible;
    const isCertain = new Set(possible.map(({ effects }) => JSON.stringify(effects))).size === 1;
    this.#standings.set(symbol, { possible: isCertain && first ? possible.slice(-1) : possible, sinceMs });
  }

  #rowOf(id: number): { readonly firedAtMs: number; readonly isStopLoss: boolean } | undefined {
    for (const { rows } of this.#options.disk.snapshots("a/")) {
      const index = rows.findIndex((row) => row.id === id);
      const firedAtMs = rows[index]?.triggeredAtMs ?? null;
      if (firedAtMs !== null) return { firedAtMs, isStopLoss: index === 0 };
    }
    return undefined;
  }
}
