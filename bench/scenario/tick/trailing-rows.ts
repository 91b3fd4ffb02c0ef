/**
 * A million rows that trail, and ten groups on one symbol whose price walks up.
 *
 * Silent ticks are timed with the rows and with as many that do not trail. In the walk each tick is a new high, given
 * once no group can be fired by the one before, and followed by a turn of the loop as between two messages. The same walk
 * has a hundred groups on another symbol. The writes that are counted are those until every raise is on disk. The
 * baseline does a raise the plain way: a loop over the rows of the symbol that keeps each one's high and stop in memory,
 * without a step, a store or an index.
 */
import type { Store } from "../../../engine/ports/storage.ts";
import { livePrice } from "../../../src/domain/price/price.ts";
import { barsOf } from "../../harness/figure/report.ts";
import { absolute, againstFloor, type Figure, type Scenario } from "../../harness/figure/result.ts";
import { median } from "../../harness/figure/statistics.ts";
import { nsPerCall, sleep } from "../../harness/figure/timing.ts";
import { type OwnedGroup, SYMBOLS, symbolOf } from "../../harness/load/owned-group.ts";
import { silentTicks } from "../../harness/load/tick-runner.ts";
import { createGroups, type OpenedPartition, openPartition } from "../../harness/partition.ts";

const ROWS = 1_000_000;
const ROUNDS = 5;
const SETTLED_MS = 2_000;
/** Behind the owners that have a group. */
const FIRST_OWNER = 10_000;
const FEW = { symbol: "FEW", groups: 10 };
const MANY = { symbol: "MANY", groups: 100 };
const FIRST_PRICE = 1_000;
/** Raises a stop-loss by one step of the tick table or by less. */
const RISE = 2.5;
const DISTANCE = 100;

const groupOn = (symbol: string, userId: number): OwnedGroup => ({
  userId,
  body: {
    symbol,
    stopLossPrice: 500,
    stopLossQuantity: 10,
    takeProfitItems: [{ price: 9_000_000, quantity: 10 }],
    stopLossTrailing: { distance: DISTANCE, confirmTicks: 1 },
  },
});

/** A partition in which rows are armed that no tick here reaches, as trailing groups or others would arm them. */
async function subjectOf(rows: number, countsEveryTick: boolean) {
  const writes = { count: 0 };
  const opened = await openPartition((store) => counting(store, writes));
  const { partition } = opened;
  for (let row = 0; row < rows; row += 1) {
    const step = Math.floor(row / SYMBOLS) % 900;
    const symbol = symbolOf(row);
    const shared = { symbol, ...(countsEveryTick && { countsEveryTick: true }) };
    partition.watchbook.arm(FIRST_OWNER + row, { ...shared, watch: 0, side: "below", level: 8_000 - step * 5 });
    partition.watchbook.arm(FIRST_OWNER + row, { ...shared, watch: 1, side: "above", level: 12_000 + step * 10 });
  }
  return { opened, writes, silent: silentTicks((tick) => partition.onTick(tick)) };
}

/** Counts the rows that are written. */
function counting(store: Store, writes: { count: number }): Store {
  return {
    read: (key) => store.read(key),
    scan: (range) => store.scan(range),
    close: () => store.close(),
    write: (operations) => {
      writes.count += operations.length;
      return store.write(operations);
    },
  };
}

/** Walks the price of a symbol up. */
class Walk {
  readonly #opened: OpenedPartition;
  readonly #symbol: string;
  #price = FIRST_PRICE;

  constructor(opened: OpenedPartition, symbol: string) {
    this.#opened = opened;
    this.#symbol = symbol;
  }

  /** Returns the median of the microseconds of a tick, until it fires no group any more. */
  async rise(ticks: number): Promise<number> {
    const { partition } = this.#opened;
    const tookUs: number[] = [];
    for (let done = 0; done < ticks; done += 1) {
      this.#price += RISE;
      const price = livePrice(this.#price);
      if (price === undefined) throw new Error(`${this.#price} is a price`);
      const startMs = performance.now();
      partition.onTick({ symbol: this.#symbol, price, timeMs: Date.now(), isCaughtUp: false });
      while (!isPassed(this.#opened)) await new Promise(setImmediate);
      tookUs.push((performance.now() - startMs) * 1_000);
      await new Promise(setImmediate);
    }
    while (!partition.walk.isIdle || partition.journal.isDirty) await new Promise(setImmediate);
    return median(tookUs);
  }
}

/** Whether no group waits for a tick except groups that it only raises. */
function isPassed({ partition }: OpenedPartition): boolean {
  return partition.walk.isCurrent && partition.inbox.isIdle;
}

/** Microseconds of a new high in a loop over rows. */
function plainUs(rows: number, atLeastMs: number): number {
  const trailing = Array.from({ length: rows }, () => ({ high: FIRST_PRICE, stop: FIRST_PRICE - DISTANCE }));
  let price = FIRST_PRICE;
  let fired = 0;
  const ns = nsPerCall((count) => {
    for (let done = 0; done < count; done += 1) {
      price += RISE;
      for (const row of trailing) {
        if (price <= row.stop) fired += 1;
        if (price <= row.high) continue;
        row.high = price;
        row.stop = Math.max(row.stop, price - DISTANCE);
      }
    }
  }, atLeastMs);
  if (fired > 0) throw new Error("a rising price fires nothing");
  return ns / 1_000;
}

export const scenario: Scenario = async ({ isQuick, say }) => {
  const rows = isQuick ? 30_000 : ROWS;
  const ticks = isQuick ? 100 : 20_000;
  const atLeastMs = isQuick ? 20 : 400;
  say(`arms ${rows} rows that trail, and as many that do not`);
  const trailing = await subjectOf(rows, true);
  const fixed = await subjectOf(rows, false);
  const { opened, writes } = trailing;
  for (const { symbol, groups } of [FEW, MANY]) {
    await createGroups(opened.partition, groups, 10, (index) => groupOn(symbol, index + 1));
  }
  await sleep(isQuick ? 10 : SETTLED_MS);
  const [few, many] = [new Walk(opened, FEW.symbol), new Walk(opened, MANY.symbol)];
  const rounds: Record<"silent" | "silentFixed" | "few" | "many" | "plain" | "written" | "writtenShort", number[]> = {
    ...{ silent: [], silentFixed: [], few: [], many: [], plain: [], written: [], writtenShort: [] },
  };
  const writtenBy = async (count: number): Promise<readonly [medianUs: number, written: number]> => {
    const before = writes.count;
    const medianUs = await few.rise(count);
    return [medianUs, writes.count - before];
  };
  for (let round = 0; round <= ROUNDS; round += 1) {
    // Ticks that wait behind other work of the partition would be timed as well.
    while (!isPassed(opened)) await new Promise(setImmediate);
    const silent = nsPerCall(trailing.silent, atLeastMs);
    const silentFixed = nsPerCall(fixed.silent, atLeastMs);
    const [, writtenShort] = await writtenBy(ticks / 10);
    const [fewUs, written] = await writtenBy(ticks);
    const manyUs = await many.rise(Math.max(10, ticks / 100));
    const plain = plainUs(FEW.groups, atLeastMs);
    say(
      `round ${round}: silent ${silent.toFixed(0)} and ${silentFixed.toFixed(0)} ns, ` +
        `new high ${fewUs.toFixed(0)} and ${manyUs.toFixed(0)} us, plain ${plain.toFixed(3)} us, rows ${written}`,
    );
    // No write of a round is left for the next.
    await sleep(isQuick ? 10 : SETTLED_MS);
    if (round === 0) continue;
    rounds.silent.push(silent);
    rounds.silentFixed.push(silentFixed);
    rounds.few.push(fewUs);
    rounds.many.push(manyUs);
    rounds.plain.push(plain);
    rounds.written.push(written);
    rounds.writtenShort.push(writtenShort);
  }
  for (const subject of [trailing, fixed]) await subject.opened.close();
  const rowText = rows.toLocaleString("en-US");
  const figure = (name: string, unit: string, values: readonly number[]): Figure => ({ name, unit, rounds: values });
  const silent = figure(`a silent tick, ${rowText} rows that trail`, "ns", rounds.silent);
  const silentFixed = figure(`a silent tick, ${rowText} rows that do not`, "ns", rounds.silentFixed);
  const highFew = figure(`a new high, ${FEW.groups} groups on its symbol, median`, "us", rounds.few);
  const highMany = figure(`a new high, ${MANY.groups} groups on its symbol, median`, "us", rounds.many);
  const plain = figure(`a new high, a plain loop over ${FEW.groups} rows`, "us", rounds.plain);
  const written = figure(`rows written by ${ticks} new highs`, "rows", rounds.written);
  const writtenShort = figure(`rows written by ${ticks / 10} new highs`, "rows", rounds.writtenShort);
  return {
    title: `A tick where ${rowText} rows trail: silent, and with a new high for ${FEW.groups} groups`,
    figures: [silent, silentFixed, highFew, highMany, plain, written, writtenShort],
    targets: [
      againstFloor("silent ticks, against rows that do not trail", silent, silentFixed, "atMost", 1.15),
      absolute("a new high, median", highFew, "atMost", 2, plain),
      againstFloor("rows written, ten times the ticks", written, writtenShort, "atMost", 1.15),
    ],
    charts: [barsOf("A silent tick", [silent, silentFixed]), barsOf("A new high", [highFew, highMany, plain])],
    notes: [
      `${SYMBOLS} symbols with rows, two more with groups; all subjects live in one process and take turns, ${ROUNDS} rounds`,
      `${(ticks * ROUNDS).toLocaleString("en-US")} ticks of the walk are timed, one at a time`,
    ],
  };
};
