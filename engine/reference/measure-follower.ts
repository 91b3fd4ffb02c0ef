/**
 * Learns the measures in force from the shared partition, for one partition.
 *
 * Invariants:
 * 1. A message of a change that was missed is made up for by the next reading, at the latest a minute later.
 * 2. While the shared partition does not answer, the measures that the partition stores count.
 */
import { z } from "zod";
import { type Bus, NoResponderError } from "../../src/bus/port.ts";
import type { SymbolMeasures } from "../../src/contract/operator/reference.ts";
import {
  REFERENCE_QUERIES,
  referenceChangedSchema,
  symbolMeasuresSchema,
} from "../../src/contract/operator/reference.ts";
import { REFERENCE_CHANGED_SUBJECT } from "../../src/contract/subject.ts";
import { parseJson } from "../../src/runtime/json.ts";
import type { Cancel, Log, Timers } from "../../src/runtime/ports.ts";
import { readSharedRows } from "./shared-rows.ts";

const FIRST_RETRY_MS = 100;
const RETRY_MAX_MS = 1_000;
const REFRESH_MS = 60_000;

interface MeasureFollowerOptions {
  readonly bus: Bus;
  readonly timers: Timers;
  readonly log: Log;
  /** Takes all measures in, in a turn of the partition. Rejects once the partition stops. */
  readonly take: (measures: readonly SymbolMeasures[]) => Promise<void>;
}

/** Follows until the returned function is called. */
export function followMeasures({ bus, timers, log, take }: MeasureFollowerOptions): Cancel {
  let [wanted, isReading, isStopped] = [0, false, false];
  let cancelNext: Cancel = () => undefined;
  let retryMs = FIRST_RETRY_MS;
  const read = async (): Promise<boolean> => {
    try {
      const rows = await readSharedRows(bus, REFERENCE_QUERIES.listMeasures, "measure-follower");
      const measures = z.array(symbolMeasuresSchema).parse(rows);
      if (!isStopped) await take(measures);
      return true;
    } catch (err) {
      // Usual at a start, a moment long; the follower of the symbols reports a longer silence.
      if (err instanceof NoResponderError) return false;
      const level = isStopped ? "info" : "warn";
      log[level]({ event: "measures.cannotRead", err }, "the measures of the shared partition could not be read");
      return false;
    }
  };
  const refresh = async (): Promise<void> => {
    wanted += 1;
    if (isReading) return;
    isReading = true;
    cancelNext();
    let isRead = false;
    for (let asked = -1; asked !== wanted && !isStopped; ) {
      asked = wanted;
      isRead = await read();
    }
    isReading = false;
    if (!isStopped) cancelNext = timers.after(isRead ? REFRESH_MS : retryMs, () => void refresh());
    retryMs = isRead ? FIRST_RETRY_MS : Math.min(2 * retryMs, RETRY_MAX_MS);
  };
  const unsubscribe = bus.subscribe(REFERENCE_CHANGED_SUBJECT, ({ data }) => {
    const change = referenceChangedSchema.safeParse(parseJson(data));
    if (!change.success || change.data.what === "restrictions" || change.data.what === "all") void refresh();
  });
  const unwatch = bus.onStatus((status) => {
    if (status === "connected") void refresh();
  });
  void refresh();
  return () => {
    isStopped = true;
    cancelNext();
    unsubscribe();
    unwatch();
  };
}
