/**
 * Every order that this connector ever sent, until eight days past its end.
 *
 * Owns: finding an order by its names, storing every change in the journal, publishing changes once they are durable.
 * Does not own: the meaning of a report (`order.ts`), messages (`connector.ts`).
 *
 * Invariants:
 * 1. A change is appended in the turn in which it is made; listeners receive it once it is durable, in order.
 * 2. An order that is not among them was never sent from this folder. An older copy of the folder cannot prove that.
 */
import { z } from "zod";
import type { JournalFile } from "../../host/state/journal.ts";
import { isOver, type KnownOrder, knownOrderSchema, wireNameOf } from "./order.ts";

/** How long an order is kept past its end. */
export const KEPT_MS = 8 * 86_400_000;

/** A whole order, and the keys of reports that counted: all of them, or only the keys of this change. */
export const orderRecordSchema = z.object({
  kind: z.literal("order"),
  order: knownOrderSchema,
  keys: z.array(z.string()),
});
/**
 * `cancel`: of a request of ours to cancel the order. `attempt`: of an attempt to send it. `broker`: the broker's own.
 */
const nameUseSchema = z.enum(["cancel", "attempt", "broker"]);
type NameUse = z.infer<typeof nameUseSchema>;
/** A request to cancel goes under a name of its own. */
export const cancelRecordSchema = z.object({
  kind: z.literal("cancel"),
  name: z.string(),
  clientOrderId: z.string(),
  /** Records from before this field do not state it: nothing follows from such a name. */
  use: nameUseSchema.default("broker"),
});
type SentOrderRecord = z.infer<typeof orderRecordSchema> | z.infer<typeof cancelRecordSchema>;

interface OtherName {
  readonly clientOrderId: string;
  readonly use: NameUse;
}

interface Entry {
  order: KnownOrder;
  readonly keys: Set<string>;
}

export class SentOrders {
  readonly #entries = new Map<string, Entry>();
  readonly #names = new Map<string, OtherName>();
  readonly #byOrderId = new Map<string, string>();
  #journal: JournalFile | undefined;
  #onChange: (order: KnownOrder) => void = () => undefined;

  /** Takes a record of the file. */
  restore(record: SentOrderRecord): void {
    if (record.kind === "cancel") {
      const { name, clientOrderId, use } = record;
      this.#names.set(name, { clientOrderId, use });
      return;
    }
    const entry = this.#put(record.order);
    for (const key of record.keys) entry.keys.add(key);
  }

  /** Stores changes from now on, and publishes them once they are durable. */
  begin(journal: JournalFile, onChange: (order: KnownOrder) => void): void {
    this.#journal = journal;
    this.#onChange = onChange;
  }

  get(clientOrderId: string): KnownOrder | undefined {
    return this.#entries.get(clientOrderId)?.order;
  }

  keysOf(clientOrderId: string): ReadonlySet<string> {
    return this.#entries.get(clientOrderId)?.keys ?? new Set();
  }

  /**
   * Finds the order that a message names: by the original name, by its own name, by the name of a cancel. The broker's
   * number counts only if the message has no name and the order is not over: those numbers repeat over the days.
   */
  find(names: readonly (string | undefined)[], orderId: string | undefined): KnownOrder | undefined {
    for (const name of names) {
      if (name === undefined) continue;
      const found = this.get(name) ?? this.get(this.#names.get(name)?.clientOrderId ?? "");
      if (found !== undefined) return found;
    }
    if (orderId === undefined || names.some((name) => name !== undefined)) return undefined;
    const byNumber = this.get(this.#byOrderId.get(orderId) ?? "");
    return byNumber === undefined || isOver(byNumber) ? undefined : byNumber;
  }

  orders(): KnownOrder[] {
    return [...this.#entries.values()].map(({ order }) => order);
  }

  /** Keeps a new or changed order. */
  keep(order: KnownOrder, key?: string): void {
    const entry = this.#put(order);
    if (key !== undefined) entry.keys.add(key);
    this.#journal?.append({ kind: "order", order, keys: key === undefined ? [] : [key] });
    this.#journal?.afterDurable(() => this.#onChange(order));
  }

  /** Stores another name of an order: the name of a request to cancel it, or a name that the broker gave it. */
  keepName(name: string, clientOrderId: string, use: "cancel" | "broker"): void {
    this.#names.set(name, { clientOrderId, use });
    this.#journal?.append({ kind: "cancel", name, clientOrderId, use });
  }

  /** Whether the name belongs to a request of ours to cancel this order. */
  isCancelOf(name: string | undefined, clientOrderId: string): boolean {
    const known = name === undefined ? undefined : this.#names.get(name);
    return known?.clientOrderId === clientOrderId && known.use === "cancel";
  }

  /** Whether the name belongs to an attempt to send this order before the last one. */
  isEarlierAttemptOf(name: string | undefined, order: KnownOrder): boolean {
    if (name === undefined || name === wireNameOf(order)) return false;
    if (name === order.clientOrderId) return true;
    const known = this.#names.get(name);
    return known?.clientOrderId === order.clientOrderId && known.use === "attempt";
  }

  /** Returns all current records; forgets orders that are long over. */
  snapshot(nowMs: number): SentOrderRecord[] {
    for (const [name, { order }] of this.#entries) {
      if (isOver(order) && nowMs - order.updatedMs > KEPT_MS) this.#forget(name, order);
    }
    const orders = [...this.#entries.values()].map(({ order, keys }) => ({
      kind: "order" as const,
      order,
      keys: [...keys],
    }));
    const names = [...this.#names].map(([name, named]) => ({ kind: "cancel" as const, name, ...named }));
    return [...orders, ...names];
  }

  #forget(name: string, order: KnownOrder): void {
    this.#entries.delete(name);
    if (order.orderId !== null && this.#byOrderId.get(order.orderId) === name) this.#byOrderId.delete(order.orderId);
    for (const [other, { clientOrderId }] of this.#names) if (clientOrderId === name) this.#names.delete(other);
  }

  #put(order: KnownOrder): Entry {
    const known = this.#entries.get(order.clientOrderId);
    const entry = known ?? { order, keys: new Set<string>() };
    entry.order = order;
    if (known === undefined) this.#entries.set(order.clientOrderId, entry);
    if (order.orderId !== null) this.#byOrderId.set(order.orderId, order.clientOrderId);
    const { wireName, clientOrderId } = order;
    if (wireName !== null) this.#names.set(wireName, { clientOrderId, use: "attempt" });
    return entry;
  }
}
