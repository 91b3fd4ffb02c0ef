/**
 * What stop-losses of the partition may sell by what their accounts hold (behaviour 26.3).
 *
 * Owns: the last known holdings, and with `SELL_LEDGER=refuse` keeping them young. Does not own: the limit of an order
 * (`src/domain/order/sell-ledger.ts`).
 *
 * Invariants:
 * 1. A stop-loss waits for no brokerage: what is not known does not limit it.
 * 2. With another setting no position is read and no fill is counted here.
 */
import type { OcoGroup } from "../../src/domain/oco/group.ts";
import type { Execution } from "../../src/domain/order/execution.ts";
import { type SellLedgerRule, stopLotsMax } from "../../src/domain/order/sell-ledger.ts";
import type { Cancel, Clock, Fatal, Timers } from "../../src/runtime/ports.ts";
import { LastHoldings } from "../order/holdings.ts";
import type { AccountPlace, Brokerage, Brokerages } from "../ports/brokerage.ts";
import type { Store } from "../ports/storage.ts";
import { TABLES } from "../table/tables.ts";
import { repeat } from "./repeat.ts";

/** Shorter than the time for which a holding counts as known. */
const READ_MS = 50_000;
const GROUP_CLAIMS = `${TABLES.claims.prefix}group/`;

interface SellLimitsOptions {
  readonly sellLedger: SellLedgerRule;
  readonly clock: Clock;
  readonly steadyClock: Clock;
  readonly timers: Timers;
  readonly fatal: Fatal;
  readonly store: Pick<Store, "scan">;
  readonly brokerages: Brokerages;
}

export class SellLimits {
  readonly holdings: LastHoldings;
  readonly #isOn: boolean;
  readonly #options: SellLimitsOptions;
  /** When the positions at each brokerage were read last. */
  readonly #readAtMs = new Map<string, number>();
  readonly #reading = new Set<string>();

  constructor(options: SellLimitsOptions) {
    this.#options = options;
    this.#isOn = options.sellLedger === "refuse";
    this.holdings = new LastHoldings(options.clock);
  }

  /** The functions for actors. */
  get ofActors() {
    const { clock } = this.#options;
    if (!this.#isOn) return {};
    return { heldMaxOf: (group: OcoGroup) => stopLotsMax(this.holdings.find(group, group.symbol), clock.nowMs()) };
  }

  /** Counts lots that an own order filled. */
  noteFill(place: AccountPlace, execution: Execution, quantity: number): void {
    if (this.#isOn) this.holdings.noteFill(place, execution, quantity);
  }

  /** Reads the positions of accounts now and from time to time, until it is cancelled. */
  start(): Cancel {
    if (!this.#isOn) return () => undefined;
    let isStopped = false;
    const read = (): void => {
      this.#read().catch((err: unknown) => {
        if (!isStopped) this.#options.fatal("claims could not be read", err);
      });
    };
    read();
    const cancel = repeat(this.#options.timers, READ_MS, read);
    return () => {
      isStopped = true;
      cancel();
    };
  }

  /** Reads the positions of all accounts with active groups, at each brokerage one account after the other. */
  async #read(): Promise<void> {
    const accounts = await this.#accounts();
    for (const brokerage of this.#options.brokerages.all()) {
      const places = accounts.get(brokerage.settings.code);
      if (places !== undefined && this.#isDue(brokerage)) void this.#readAt(brokerage, [...places.values()]);
    }
  }

  #isDue({ settings: { code, portfolioIntervalSeconds } }: Brokerage): boolean {
    const agoMs = this.#options.steadyClock.nowMs() - (this.#readAtMs.get(code) ?? Number.NEGATIVE_INFINITY);
    return !this.#reading.has(code) && agoMs >= portfolioIntervalSeconds * 1_000;
  }

  async #readAt(brokerage: Brokerage, places: readonly AccountPlace[]): Promise<void> {
    const { code } = brokerage.settings;
    this.#reading.add(code);
    this.#readAtMs.set(code, this.#options.steadyClock.nowMs());
    for (const place of places) {
      const positions = await brokerage.positions({ ...place, includeOrders: false });
      if (positions.ok) this.holdings.learn(place, positions.data);
    }
    this.#reading.delete(code);
  }

  /** The accounts with active groups, by brokerage. */
  async #accounts(): Promise<ReadonlyMap<string, ReadonlyMap<string, AccountPlace>>> {
    const accounts = new Map<string, Map<string, AccountPlace>>();
    for await (const page of this.#options.store.scan({ ...TABLES.claims.range, keysOnly: true })) {
      for (const [key] of page) {
        if (!key.startsWith(GROUP_CLAIMS)) continue;
        const account = key.slice(GROUP_CLAIMS.length, key.lastIndexOf("/"));
        const [userId = "", brokerageCode = "", ...rest] = account.split("/");
        const ofBrokerage = accounts.get(brokerageCode) ?? new Map<string, AccountPlace>();
        accounts.set(brokerageCode, ofBrokerage);
        ofBrokerage.set(account, { userId: Number(userId), brokerageCode, accountNumber: rest.join("/") });
      }
    }
    return accounts;
  }
}
