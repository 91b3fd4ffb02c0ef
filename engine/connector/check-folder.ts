/**
 * Inspects the folder of a connector: can it be continued, and what in it waits for a person?
 *
 * Invariant: it only reads and changes nothing, so that it can inspect a backup. While the connector runs it can see a
 * last record half written, which is not damage.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

import { describeSession } from "./fix/folder.ts";
import { openEpochFile } from "./host/state/epoch-file.ts";
import { readRecords } from "./host/state/journal.ts";
import { describeSentOrders } from "./host/state/sent-orders.ts";

/** The brokerage of a journal by the kind of its first record; every other journal is of FIX. */
const PLACES: Readonly<Record<string, string>> = { alpaca: "Alpaca", algolab: "AlgoLab" };

interface ConnectorReport {
  readonly title: string;
  readonly notes: string[];
  readonly faults: string[];
}

/** True for a folder that a connector keeps. */
export function isConnectorFolder(folder: string): boolean {
  const journal = join(folder, "journal");
  return existsSync(journal) && statSync(journal).isFile();
}

/** The content of the folder: notes for its operator, and any damage. */
export function checkConnectorFolder(folder: string): ConnectorReport {
  const report: ConnectorReport = { title: folder, notes: [], faults: [] };
  const attempt = (what: string, read: () => void): void => {
    try {
      read();
    } catch (error) {
      report.faults.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  attempt("journal", () => {
    const bytes = readFileSync(join(folder, "journal"));
    const { records, length } = readRecords(bytes);
    if (length < bytes.length)
      report.notes.push(`a last record is cut off: ${bytes.length - length} bytes, never durable`);
    report.notes.push(...describe(records));
  });
  attempt("epochs", () => openEpochFile(join(folder, "epochs")));
  return report;
}

function describe(records: readonly unknown[]): string[] {
  const first = z.object({ kind: z.string() }).safeParse(records[0]);
  if (!first.success) throw new Error("it has no first record, so what was sent is not known");
  const place = PLACES[first.data.kind];
  return place === undefined ? describeSession(records) : describeSentOrders(records, place);
}
