/** Compares the watches of the live engine with the watches after a fresh read of the disk, and with plain rows. */
import { ReachedBuffer } from "../../../engine/watch/reached-buffer.ts";
import type { PartitionWatchbook } from "../../../engine/watch/watchbook.ts";
import { ACTIVE, type PlainBot, type PlainDisk } from "../oracle/plain-rows.ts";
import type { Report } from "../world/report.ts";

const HIGHEST = 999_999_900;

/** Empties both watchbooks while comparing them. */
export function compareWatches(
  live: PartitionWatchbook,
  rebuilt: PartitionWatchbook,
  disk: PlainDisk,
  symbols: readonly string[],
  report: Report,
): void {
  const expected = { levels: 0, deadlines: 0 };
  for (const { rows, dueAtMs, exitAtMs, isTrailing } of disk.snapshots("a/")) {
    const isStopping = rows[0]?.isInFlight === true;
    const open = rows.filter(({ status, isInFlight }) => status === ACTIVE && !isInFlight);
    if (!isStopping) expected.levels += open.length;
    // And the next price that raises it.
    if (isTrailing && open.some(({ id }) => id === rows[0]?.id)) expected.levels += 1;
    if ((dueAtMs !== null && open.length > 0) || exitAtMs !== null) expected.deadlines += 1;
  }
  expected.levels += disk.countTriggers();
  // An order that ended is asked for again for an hour.
  expected.deadlines += disk.countTimedSetups() + disk.countTimedClientOrders();
  const bots = disk.bots().filter(({ kind }) => kind === "levelBot");
  for (const bot of disk.bots()) if (isWaiting(bot)) expected.deadlines += 1;
  // Only a bot's own rules give the number of its levels: there, the restarted engine must match a twin.
  if (bots.length > 0) expected.levels = live.armedCount;
  const sizes = `${live.armedCount} levels and ${live.deadlines.size} deadlines`;
  if (live.armedCount !== expected.levels || live.deadlines.size !== expected.deadlines) {
    report.violate(`the engine watches ${sizes}, rows ask for ${expected.levels} and ${expected.deadlines}`);
  }
  for (const symbol of symbols) {
    const own = contents(live, symbol);
    const twin = contents(rebuilt, symbol);
    if (own !== twin) report.violate(`the engine watches ${own} of ${symbol}, after a restart it would be ${twin}`);
  }
}

/** A bot waits for a sell that is tried again, while it is active, and for the next question about an order. */
function isWaiting({ isActive, details, pastOrders }: PlainBot): boolean {
  const pairs = details.flatMap((detail) => detail.pairs);
  const orders = [...pairs.flatMap(({ executions }) => executions), ...pastOrders.map(({ execution }) => execution)];
  const isRetried = isActive && pairs.some(({ retryAtMs }) => (retryAtMs ?? null) !== null);
  return isRetried || orders.some(({ askAtMs }) => askAtMs !== null);
}

function contents(watchbook: PartitionWatchbook, symbol: string): string {
  const buffer = new ReachedBuffer();
  watchbook.collect(symbol, HIGHEST, HIGHEST, buffer);
  watchbook.collect(symbol, 0, 0, buffer);
  const number = watchbook.everyTickNumber(symbol);
  if (number !== undefined) watchbook.collectEveryTick(number, HIGHEST, 0, buffer);
  const found = Array.from(
    { length: buffer.length },
    (_, index) => `${buffer.ownerAt(index)}/${buffer.watchAt(index)}`,
  );
  return found.sort().join(" ");
}
