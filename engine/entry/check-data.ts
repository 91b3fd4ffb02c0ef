/**
 * Checks a closed data folder, a backup of one, or the folder of a connector, and prints the result:
 * `npm run check-data -- <folder>`.
 *
 * Exit codes: 0 no fault, 65 faults in the data, 64 a wrong command line.
 */

import { z } from "zod";
import { assert } from "../../src/assert.ts";
import { storedBandSchema } from "../../src/contract/operator/band.ts";
import { storedActionSchema } from "../../src/contract/operator/corporate-action.ts";
import type { StoredHold } from "../../src/contract/operator/hold.ts";
import { storedMeasuresSchema } from "../../src/contract/operator/measure.ts";
import { storedRenameSchema } from "../../src/contract/operator/rename.ts";
import { storedLimitsSchema } from "../../src/contract/trading/limits.ts";
import { storedTargetSchema } from "../../src/contract/trading/notification.ts";
import { storedReceiptSchema } from "../../src/contract/trading/receipt.ts";
import { storedTradingStateSchema } from "../../src/contract/trading/trading-state.ts";
import { textOf } from "../../src/runtime/json.ts";
import { EXIT_CODES, exitCodeOf, tellFailure } from "../../src/runtime/user-error.ts";
import { decodeQuarantineRow, decodeSnapshot } from "../actor/codec.ts";
import { checkConnectorFolder, isConnectorFolder } from "../connector/check-folder.ts";
import { checkPaperStore } from "../connector/paper/stored/check.ts";
import { decodeEventRow } from "../event/event-row.ts";
import { SIGNING_KEY_FILE } from "../identity/signing.ts";
import { storedApiKey, storedApiKeyOwner, storedKeyFamily, storedRevocation, storedUser } from "../identity/stored.ts";
import { decodeRow } from "../order/outbox/entry/entry.ts";
import { decodeHold } from "../partition/holds.ts";
import { kindNamed, renderStored } from "../partition/kinds.ts";
import { storedList, storedRestriction, storedSymbol, storedSymbolCopy } from "../reference/stored.ts";
import {
  type CheckReport,
  checkDataFolder,
  type RowPlace,
  type RowReader,
  type SideStoreReader,
} from "../store/folder/check.ts";
import type { Head } from "../store/journal/head.ts";
import { hashOfPair } from "../store/journal/set-hash.ts";
import { openLevelStore } from "../store/level-store.ts";
import { decodeLife } from "../store/order-names.ts";
import { StoreInUse } from "../store/refused.ts";
import { actorKey, claimKey, viewKey } from "../table/keys.ts";
import { TABLES, type TableName } from "../table/tables.ts";

/** Checks a live or ended actor: its snapshot can be read, and its claims and views follow from it. */
function checkActor(isEnded: boolean): RowReader["check"] {
  return (key, value, { head, read }) => {
    const id = (isEnded ? TABLES.endedActors : TABLES.actors).numberOf(key);
    checkId(id, head);
    const { kind: name, context: stored, viewHash } = decodeSnapshot(value);
    const kind = kindNamed(name);
    const context = kind.parse(stored);
    if (!isEnded) {
      for (const claim of kind.facts(context).claims) {
        assert(
          textOf(read(claimKey(claim)) ?? new Uint8Array()) === String(id),
          `the claim ${claim} is not this actor's`,
        );
      }
    }
    for (const view of kind.views(context)) {
      const row = read(viewKey(view.key)) ?? new Uint8Array();
      assert(textOf(row) === view.json, `what clients see (${view.key}) differs from the snapshot`);
      const isHashRight = viewHash === undefined || viewHash === hashOfPair(viewKey(view.key), row).toString(16);
      assert(isHashRight, `the snapshot's hash of what clients see (${view.key}) is another row's`);
    }
    return undefined;
  };
}

function checkId(id: number, { ids, partition, partitions }: Head): void {
  assert(id % partitions === partition, `the id ${id} belongs to another partition`);
  assert((id - partition) / partitions <= ids, `the id ${id} was never given out`);
}

/** The check of every table. */
const checks: { readonly [name in TableName]: RowReader["check"] } = {
  actors: checkActor(false),
  endedActors: checkActor(true),
  claims: checkClaim,
  quarantine: (_, value) => `in quarantine: ${decodeQuarantineRow(value).reason}`,
  events: checkEvents,
  eventProgress: checkProgress,
  lives: (_, value) => {
    decodeLife(value);
    return undefined;
  },
  notificationTargets: jsonOf(storedTargetSchema),
  receipts: jsonOf(storedReceiptSchema),
  outbox: checkOutboxRow,
  views: (_, value) => isJson(`[${textOf(value)}]`),
  addedRows: jsonOf(z.number().int().positive()),
  firstAnswers: jsonOf(z.looseObject({ fingerprint: z.string(), atMs: z.number() })),
  users: jsonOf(storedUser),
  apiKeys: jsonOf(storedApiKey),
  apiKeyHashes: jsonOf(storedApiKeyOwner),
  keyFamilies: jsonOf(storedKeyFamily),
  revocations: jsonOf(storedRevocation),
  symbols: jsonOf(z.union([storedSymbol, storedSymbolCopy])),
  symbolLists: jsonOf(storedList),
  restrictions: jsonOf(storedRestriction),
  bands: jsonOf(storedBandSchema),
  measures: jsonOf(storedMeasuresSchema),
  corporateActions: jsonOf(storedActionSchema),
  renames: jsonOf(storedRenameSchema),
  tradingStates: jsonOf(storedTradingStateSchema),
  limits: jsonOf(storedLimitsSchema),
  holds: (_, value) => heldText(decodeHold(value)),
};

function heldText({ symbol, reason, released }: StoredHold): string | undefined {
  return released === null ? `${symbol} is held: ${reason}` : undefined;
}

const rows = Object.entries(checks).map(([name, check]): RowReader => {
  const { prefix, name: title } = TABLES[name as TableName];
  return { name: title, prefix, check };
});

function checkClaim(_key: string, value: Uint8Array, { read }: RowPlace): undefined {
  const id = Number(textOf(value));
  assert(read(actorKey(id)) !== undefined, `the claim is held by ${id}, which is not a live actor`);
}

/** The check ignores the names of orders. */
const renderAny = renderStored((_actorId, name) => name);

function checkEvents(key: string, value: Uint8Array, { head }: RowPlace): undefined {
  const events = decodeEventRow(value, head, renderAny);
  assert(TABLES.events.numberOf(key) + events.length - 1 <= head.sequence, "its sequence was never given out");
}

function checkProgress(_key: string, value: Uint8Array, { head }: RowPlace): undefined {
  const sequence = Number(textOf(value));
  assert(Number.isSafeInteger(sequence) && sequence <= head.sequence, "its sequence was never given out");
}

function checkOutboxRow(key: string, value: Uint8Array, { head }: RowPlace): string | undefined {
  const row = decodeRow(key, value);
  if (row.kind === "unreadable") throw new Error(row.reason);
  if (row.kind === "pace") return undefined;
  assert(row.entry.sequence <= head.sequence, "its sequence was never given out");
  return row.entry.quarantine === null ? undefined : `an order in quarantine: ${row.entry.quarantine.reason}`;
}

function jsonOf(schema: z.ZodType): RowReader["check"] {
  return (_key, value) => {
    schema.parse(JSON.parse(textOf(value)));
    return undefined;
  };
}

function isJson(text: string): undefined {
  JSON.parse(text);
}

const paperStores: SideStoreReader = {
  prefix: "paper-",
  storeFolder: "store",
  open: (folder) => openLevelStore(folder, false),
  check: checkPaperStore,
};

function print({ title, notes, faults }: CheckReport): void {
  const lines = [`${title}: ${faults.length === 0 ? "ok" : "DAMAGED"}`];
  lines.push(...faults.map((fault) => `  FAULT ${fault}`), ...notes.map((note) => `  ${note}`));
  process.stdout.write(`${lines.join("\n")}\n`);
}

function toldOf(error: unknown): string {
  const isInUse = error instanceof StoreInUse;
  return `${tellFailure(error)}${isInUse ? ": stop the engine first, or make a backup and check that" : ""}`;
}

const SIGNING_KEY = {
  name: SIGNING_KEY_FILE,
  whereMissing: "keep the file that SIGNING_KEY_FILE names as well; where it names none every access token ends",
};

async function reportsOf(folder: string): Promise<readonly CheckReport[]> {
  if (isConnectorFolder(folder)) return [checkConnectorFolder(folder)];
  return checkDataFolder(folder, {
    rows,
    sideStores: [paperStores],
    filesOf: (partition) => (partition === 0 ? [SIGNING_KEY] : []),
  });
}

async function main(): Promise<void> {
  const [folder, ...more] = process.argv.slice(2);
  if (folder === undefined || folder.startsWith("-") || more.length > 0) {
    process.stderr.write(
      "usage: npm run check-data -- <data folder or backup, of an engine that does not run, or a connector's folder>\n",
    );
    process.exit(EXIT_CODES.usage);
  }
  const reports = await reportsOf(folder).catch((error) => {
    process.stderr.write(`check-data: ${toldOf(error)}
`);
    return process.exit(exitCodeOf(error));
  });
  for (const report of reports) print(report);
  const faultCount = reports.reduce((sum, { faults }) => sum + faults.length, 0);
  process.stdout.write(faultCount === 0 ? "all is well\n" : `${faultCount} faults: restore a backup\n`);
  process.exitCode = faultCount === 0 ? 0 : EXIT_CODES.data;
}

await main();
