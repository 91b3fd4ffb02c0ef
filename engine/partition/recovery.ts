/**
 * Reads a partition back: gives each part its share of the index and of the rows that every leader reads.
 *
 * Invariant: if this rejects, nothing was sent and no user was notified.
 */
import { assert } from "../../src/assert.ts";
import type { ActorHost } from "../actor/host.ts";
import type { EventHistory } from "../event/event-history.ts";
import type { EventLog } from "../event/event-log.ts";
import type { BrokerOutbox } from "../order/outbox/outbox.ts";
import type { Journal } from "../ports/storage.ts";
import type { OrderNames } from "../store/order-names.ts";
import { actorKey, EVENT_PUBLISHED_KEY, EVENT_TRIMMED_KEY } from "../table/keys.ts";
import { TABLES, tableOf } from "../table/tables.ts";
import type { Bands } from "./bands.ts";
import type { CorporateActions } from "./corporate-actions.ts";
import type { Holds } from "./holds.ts";
import type { AccountLimits } from "./limits.ts";
import type { Measures } from "./measures.ts";
import type { PartitionOptions } from "./options.ts";
import type { PartitionIndex } from "./partition-index.ts";
import type { Renames } from "./renames.ts";
import type { TradingStates } from "./trading-states.ts";

/** The parts with stored rows. */
interface StoredParts {
  readonly host: ActorHost;
  readonly outbox: BrokerOutbox;
  readonly events: EventLog;
  readonly history: EventHistory;
  readonly orderNames: OrderNames;
  readonly journal: Journal;
  readonly holds: Holds;
  readonly bands: Bands;
  readonly actions: CorporateActions;
  readonly renames: Renames;
  readonly measures: Measures;
  readonly tradingStates: TradingStates;
  readonly limits: AccountLimits;
}

/** `memory`: the index of the store as it is now. Throws a `UserError` if a brokerage is missing. */
export async function readBack(parts: StoredParts, options: PartitionOptions, memory: PartitionIndex): Promise<void> {
  const { host, outbox, events, history, orderNames, journal, holds, bands, measures, tradingStates, limits } = parts;
  const { store, head } = options;
  const read = (key: string): Uint8Array => {
    const value = store.read(key);
    assert(value !== undefined, `the store holds ${key}`);
    return value;
  };
  for (const id of memory.quarantined) host.quarantine.recover(id);
  for (const id of memory.unreadable) host.recover(id, read(actorKey(id)));
  for (const key of memory.fewKeys()) {
    const table = tableOf(key);
    const value = read(key);
    if (table === TABLES.lives) orderNames.recover(table.numberOf(key), value);
    else if (table === TABLES.holds) holds.recover(value);
    else if (table === TABLES.bands) bands.recover(value);
    else if (table === TABLES.corporateActions) parts.actions.recover(value);
    else if (table === TABLES.renames) parts.renames.recover(value);
    else if (table === TABLES.measures) measures.recover(value);
    else if (table === TABLES.tradingStates) tradingStates.recover(value);
    else if (table === TABLES.limits) limits.recover(value);
    else if (table === TABLES.outbox) outbox.recover(key, value);
    else if (key === EVENT_PUBLISHED_KEY) events.recoverProgress(value);
    else if (key === EVENT_TRIMMED_KEY) history.recoverProgress(value);
  }
  await events.recover(store);
  memory.use.refuseUnlisted(allPending(outbox), head.partition, options.brokerages);
  orderNames.begin(options.life, journal);
}

/** Yields every order of the outbox, which returns them in pages. */
export function* allPending<Order extends { readonly sequence: number }>(outbox: {
  pending(page: { readonly afterSequence?: number }): readonly Order[];
}): Generator<Order> {
  for (let page = outbox.pending({}); page.length > 0; ) {
    yield* page;
    page = outbox.pending({ afterSequence: page.at(-1)?.sequence ?? 0 });
  }
}
