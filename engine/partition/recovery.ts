/**
 * Reading a partition back: which part gets which row, and what is refused before anything is armed for good.
 *
 * Invariant: where this rejects nothing was sent, told or written.
 */
import type { ActorHost } from "../actor/host.ts";
import { dependentOf } from "../actor/stored-actor.ts";
import type { BrokerOutbox } from "../broker/outbox/outbox.ts";
import { BrokerageUse } from "../brokerage-use.ts";
import type { Journal } from "../ports/storage.ts";
import type { EventHistory } from "../store/event/event-history.ts";
import type { EventLog } from "../store/event/event-log.ts";
import type { OrderNames } from "../store/order-names.ts";
import { ReadingProgress } from "../store/reading-progress.ts";
import { readLive } from "../store/recovery.ts";
import { EVENT_PUBLISHED_KEY, EVENT_TRIMMED_KEY } from "../table/keys.ts";
import { TABLES, tableOf } from "../table/tables.ts";
import type { PartitionOptions } from "./options.ts";

/** The parts that have something stored. */
interface StoredParts {
  readonly host: ActorHost;
  readonly outbox: BrokerOutbox;
  readonly events: EventLog;
  readonly history: EventHistory;
  readonly orderNames: OrderNames;
  readonly journal: Journal;
}

/** Throws `StoreRefused` where the store is not whole, `OperatorMistake` where a brokerage is missing. */
export async function readBack(parts: StoredParts, options: PartitionOptions): Promise<void> {
  const { host, outbox, events, history, orderNames, journal } = parts;
  const { store, head } = options;
  await host.quarantine.readBack(store);
  const use = new BrokerageUse();
  const progress = new ReadingProgress(options.steadyClock, options.log, head.partition);
  const take = (key: string, value: Uint8Array): void => {
    const table = tableOf(key);
    if (table === TABLES.actors) {
      const actor = host.recover(table.numberOf(key), value);
      use.addActor(actor === undefined ? host.readStored(value) : dependentOf(actor));
    } else if (table === TABLES.claims) host.claims.recover(table.nameOf(key));
    else if (table === TABLES.lives) orderNames.recover(table.numberOf(key), value);
    else if (table === TABLES.outbox) outbox.recover(key, value);
    else if (key === EVENT_PUBLISHED_KEY) events.recoverProgress(value);
    else if (key === EVENT_TRIMMED_KEY) history.recoverProgress(value);
  };
  await readLive(store, head, take, (rowCount) => progress.add(rowCount));
  await events.recover(store);
  host.claims.completeRecovery();
  use.refuseUnlisted(allPending(outbox), head.partition, options.brokerages);
  orderNames.begin(options.life, journal);
}

/** Every order of the outbox: it tells them in pages. */
export function* allPending<Order extends { readonly sequence: number }>(outbox: {
  pending(page: { readonly afterSequence?: number }): readonly Order[];
}): Generator<Order> {
  for (let page = outbox.pending({}); page.length > 0; ) {
    yield* page;
    page = outbox.pending({ afterSequence: page.at(-1)?.sequence ?? 0 });
  }
}
