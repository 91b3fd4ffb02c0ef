/** Owners who make groups around the price, some with a stop-loss that rises with sold take-profits. */
import { COMMANDS, type Reply } from "../../../src/contract/command.ts";
import { gridDown, gridUp } from "../oracle/naive-grid.ts";
import type { PlainDisk } from "../oracle/plain-rows.ts";
import type { Exchange } from "../world/exchange.ts";
import type { Random } from "../world/random.ts";
import type { Report } from "../world/report.ts";
import type { StreamTick, TickStream } from "../world/tick-stream.ts";
import type { VirtualTime } from "../world/virtual-time.ts";
import { DayGroup, type NaiveRung } from "./day-group.ts";
import type { SessionVenue } from "./session-venue.ts";

interface DayOwnersOptions {
  readonly random: Random;
  readonly report: Report;
  readonly time: VirtualTime;
  readonly disk: PlainDisk;
  readonly venue: SessionVenue;
  readonly stream: TickStream;
  readonly exchange: Exchange;
  readonly hasOversellGuard: boolean;
  /** Whether a new group follows its position. */
  readonly follows: () => boolean;
  readonly ask: (type: string, userId: number, body: object) => Promise<Reply>;
}

const USERS_MAX = 5;

export class DayOwners {
  readonly #options: DayOwnersOptions;
  readonly groups: DayGroup[] = [];
  #count = 0;

  constructor(options: DayOwnersOptions) {
    this.#options = options;
  }

  /** Makes a group around the last price, unless the owner has one of the symbol. */
  async create(symbol: string): Promise<void> {
    const { random, report, time, disk, venue, stream, exchange, hasOversellGuard, follows, ask } = this.#options;
    const userId = random.whole(1, USERS_MAX);
    // Each account holds one symbol, so that its lots are the lots of its group.
    const accountNumber = `A${userId}-${symbol === "AAA" ? 1 : 2}`;
    const before = this.groups.filter(({ options }) => options.accountNumber === accountNumber);
    if (before.some((group) => !this.#isDone(group))) return;
    this.#count += 1;
    const number = this.#count;
    const { milli } = venue.listing(symbol);
    const stopMilli = gridDown(Math.round(milli * (0.99 - random.next() * 0.08)));
    const quantity = random.whole(4, 30) * 10;
    const takeProfits = this.#takeProfits(milli, quantity);
    const ladder = random.chance(0.6) ? this.#ladder(milli, takeProfits) : undefined;
    const isToBeHeld = random.chance(0.1);
    const isFollowing = follows();
    // Without the guard a stop-loss sells its own quantity, more than is held too (behaviour 4.3).
    venue.held.set(accountNumber, hasOversellGuard ? quantity : Number.POSITIVE_INFINITY);
    venue.symbols.set(accountNumber, symbol);
    const body = {
      ...{
        brokerageCode: exchange.settings.code,
        accountNumber,
        symbol: venue.names.of(symbol),
        dueDate: null,
        notes: `d${number}`,
      },
      ...{ stopLossPrice: stopMilli / 1000, stopLossQuantity: quantity },
      takeProfitItems: takeProfits.map((one) => ({ price: one.milli / 1000, quantity: one.quantity })),
      ...(ladder !== undefined && {
        entryPrice: ladder.entryMilli / 1000,
        stopLossLadder: ladder.rungs.map(({ after, to, offsetMilli }) => {
          return { afterTakeProfits: after, to, offset: offsetMilli / 1000 };
        }),
      }),
      ...(isToBeHeld && { corporateActions: "hold" }),
      ...(isFollowing && { followPosition: true }),
    };
    const askedSequence = stream.lastSequence;
    const reply = await ask(COMMANDS.createGroup, userId, body);
    const viewKey = disk.groupsByNotes().get(`d${number}`);
    if (viewKey === undefined) {
      if (!reply.ok && !/already exists/.test(reply.message))
        report.violate(`d${number} was refused: ${reply.message}`);
      return;
    }
    report.count(ladder === undefined ? "days: groups" : "days: groups with a ladder");
    const [stop, ...rows] = disk.rows(viewKey);
    if (stop === undefined) return;
    const group = new DayGroup({
      ...{
        number,
        userId,
        accountNumber,
        symbol,
        hasGuard: hasOversellGuard,
        isToBeHeld,
        isFollowing,
        viewKey,
        ladder,
      },
      createdMs: time.wallClock.nowMs(),
      stop: { id: stop.id, milli: stopMilli, quantity },
      takeProfits: takeProfits.map((one, index) => ({ ...one, id: rows[index]?.id ?? 0 })),
    });
    // Which of these came before it is not known if the engine died in between.
    const isOfSymbol = (tick: StreamTick): boolean => venue.names.symbolOf(tick.symbol) === symbol;
    const last = stream.ticks.slice(0, askedSequence).findLast(isOfSymbol);
    for (const tick of [...(last === undefined ? [] : [last]), ...stream.ticks.slice(askedSequence)]) {
      if (isOfSymbol(tick)) group.touch(tick.milli, false);
    }
    this.groups.push(group);
  }

  /** The last group of each account of a symbol: the ones before it have sold their lots. */
  newest(symbol: string): readonly DayGroup[] {
    const byAccount = new Map(this.groups.map((group) => [group.options.accountNumber, group]));
    return [...byAccount.values()].filter(({ options }) => options.symbol === symbol);
  }

  /** All rows are over, and no order is left. */
  #isDone(group: DayGroup): boolean {
    const { exchange } = this.#options;
    const isSettled = [...exchange.orders.values()].flat().every(({ request, endedMs }) => {
      return request.accountNumber !== group.options.accountNumber || endedMs < Number.POSITIVE_INFINITY;
    });
    return group.isOver && isSettled && group.stop.state !== "fired";
  }

  #takeProfits(milli: number, quantity: number): { readonly milli: number; readonly quantity: number }[] {
    const { random } = this.#options;
    const count = random.whole(1, 4);
    let level = milli;
    return Array.from({ length: count }, () => {
      level = gridUp(Math.round(level * (1.004 + random.next() * 0.02)));
      return { milli: level, quantity: Math.max(1, Math.floor(quantity / count) - random.whole(0, 3)) };
    });
  }

  #ladder(milli: number, takeProfits: readonly { readonly milli: number }[]) {
    const { random } = this.#options;
    const entryMilli = milli - random.whole(0, 20) * 10;
    const rungs: NaiveRung[] = [];
    for (const [index] of takeProfits.entries()) {
      if (index > 0 && random.chance(0.3)) continue;
      const to = index > 0 && random.chance(0.6) ? "previousTakeProfit" : "entry";
      rungs.push({ after: index + 1, to, offsetMilli: -random.whole(0, 30) * 10 });
    }
    return { entryMilli, rungs };
  }
}
