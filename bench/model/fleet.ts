/**
 * The capacity of a number of machines, by the price of each operation in processor time and memory. A model, not a
 * measurement.
 *
 * As built: every engine takes every tick, and a partition has as many copies as its operator wants. An engine's loop
 * is one processor. Servers of the log and edges run on the same machines, and get the rest of the processors.
 */

/** The price of one operation, as measured. Processor time in microseconds, memory in bytes. */
export interface Prices {
  readonly tickAtEngineUs: number;
  /** To be stored by all of them, and given to two engines. */
  readonly tickAtServersUs: number;
  /** To give a tick to one engine more. */
  readonly deliveryAtServersUs: number;
  readonly triggerAtLeaderUs: number;
  readonly triggerAtCopyUs: number;
  readonly triggerAtServersUs: number;
  /** At each engine that leads it or has a copy: a copy is kept ready. */
  readonly rowBytes: number;
  /** At its edge. */
  readonly streamBytes: number;
}

export interface Fleet {
  readonly machines: number;
  readonly enginesPerMachine: number;
  readonly ticksPerSecond: number;
  /** The copies of a partition, without its leader. */
  readonly copies: number;
  readonly engineMemoryBytes: number;
  readonly edgeMemoryBytes: number;
}

export interface Carried {
  readonly engines: number;
  /** Of the whole fleet, lastingly. */
  readonly triggersPerSecond: number;
  readonly rows: number;
  readonly streams: number;
  /** The permitted load of an engine's loop: its share for ticks, and for the triggers of others. */
  readonly tickShare: number;
  readonly copyShare: number;
  /** Processors that the servers of the log are busy with at that load, all three together. */
  readonly serverProcessors: number;
}

/** Busier than this, an engine's loop makes orders wait for each other. */
const BUSY_SHARE_MAX = 0.6;
const US_PER_SECOND = 1_000_000;

export function carriedBy(fleet: Fleet, prices: Prices): Carried {
  const engines = fleet.machines * fleet.enginesPerMachine;
  const copies = Math.min(fleet.copies, engines - 1);
  const budgetUs = BUSY_SHARE_MAX * US_PER_SECOND;
  const ticksUs = fleet.ticksPerSecond * prices.tickAtEngineUs;
  // Leaders are spread evenly, and so are copies: each engine has this share of each trigger on average.
  const copiedUs = (prices.triggerAtCopyUs * copies) / engines;
  const borneUs = prices.triggerAtLeaderUs / engines + copiedUs;
  const triggersPerSecond = Math.max(0, (budgetUs - ticksUs) / borneUs);
  const tickServersUs = prices.tickAtServersUs + Math.max(0, engines - 2) * prices.deliveryAtServersUs;
  const serverUs = fleet.ticksPerSecond * tickServersUs + triggersPerSecond * prices.triggerAtServersUs;
  return {
    engines,
    triggersPerSecond,
    rows: (engines * fleet.engineMemoryBytes) / prices.rowBytes / (1 + copies),
    streams: (fleet.machines * fleet.edgeMemoryBytes) / prices.streamBytes,
    tickShare: ticksUs / budgetUs,
    copyShare: (triggersPerSecond * copiedUs) / budgetUs,
    serverProcessors: serverUs / US_PER_SECOND,
  };
}
