/**
 * The user's orders in doubt, and those without an answer, of all accounts (behaviour 13.6): read at the start, and again
 * after each event about one.
 *
 * Owns: after which events they are read, and the alarm about an order that was in doubt before the page was open. Does not own: the
 * alarms of events (`alarm-list.ts`), drawing.
 *
 * Invariants:
 * 1. An answer to an earlier question never replaces the answer to a later one.
 * 2. A doubt that an event or an earlier answer reported raises no second alarm, so that one put away stays away.
 */
import type { ToldEvent } from "../../../../src/event/describe-event.ts";
import type { Waiting } from "./ask-again.ts";
import { type Account, type DoubtfulOrder, type FollowedOrder, queryOf, type UnansweredOrder } from "./model.ts";

/** Events after which another order may be in doubt, or one no longer. */
const NEWS: ReadonlySet<string> = new Set([
  ...["order.inDoubt", "order.found", "order.settled", "order.replaced", "order.quarantined", "alarm.filledAfterEnd"],
  ...["setup.orderLost", "setup.orderFound", "setup.converted", "setup.conversionFailed", "setup.removed"],
]);

interface DoubtsOptions {
  /** Receives all orders in doubt, the oldest first, whenever they were read. */
  readonly onOrders: (orders: readonly DoubtfulOrder[]) => void;
  /** The same for orders that the brokerage did not answer yet. */
  readonly onUnanswered: (orders: readonly UnansweredOrder[]) => void;
  /** Called when an event is a reason to read again. */
  readonly onNews: () => void;
  readonly get: <T>(path: string) => Promise<T>;
  readonly ask: <T>(read: () => Promise<T>, waiting: Waiting) => Promise<T | undefined>;
  readonly accounts: () => readonly Account[];
  /** An order was in doubt before any event of this page reported it: the alarm that its event would have been. */
  readonly onAlarm: (alarm: ToldEvent) => void;
  readonly onFault: (accountNumber: string, fault: string | undefined) => void;
}

export class Doubts {
  readonly #options: DoubtsOptions;
  readonly #byAccount = new Map<string, readonly DoubtfulOrder[]>();
  readonly #unansweredByAccount = new Map<string, readonly UnansweredOrder[]>();
  /** Names of the orders whose doubt was reported. */
  readonly #reported = new Set<string>();
  #round = 0;

  constructor(options: DoubtsOptions) {
    this.#options = options;
  }

  hear(event: ToldEvent): void {
    // An answer to one of them can be any event of its owner.
    const awaitsAnswer = [...this.#unansweredByAccount.values()].some(({ length }) => length > 0);
    if (awaitsAnswer && !NEWS.has(event.type)) this.#options.onNews();
    if (!NEWS.has(event.type)) return;
    const name = nameOf(event);
    if (event.type === "order.inDoubt" || event.type === "setup.orderLost") this.#reported.add(name);
    this.#options.onNews();
  }

  /** Reads the orders of every account, each until it is answered. */
  read(): void {
    this.#round += 1;
    const round = this.#round;
    for (const account of this.#options.accounts()) void this.#readOf(account, () => round === this.#round);
  }

  async #readOf(account: Account, isWanted: () => boolean): Promise<void> {
    const { get, ask, onOrders, onUnanswered, onFault } = this.#options;
    const query = queryOf(account);
    const found = await ask(() => get<readonly FollowedOrder[]>(`/api/v1/orders?${query}`), {
      isWanted,
      onFault: (fault) => onFault(account.accountNumber, fault),
    });
    if (found === undefined) return;
    const { brokerageCode, accountNumber } = account;
    const orders = found.map((order) => ({ ...order, brokerageCode, accountNumber }));
    const inDoubt = orders.flatMap((order): DoubtfulOrder[] =>
      order.state === "inDoubt" && order.orderNo !== null ? [{ ...order, orderNo: order.orderNo }] : [],
    );
    const unanswered = orders.filter(({ state }) => state === "unanswered");
    this.#unansweredByAccount.set(query, unanswered);
    const before = this.#byAccount.get(query) ?? [];
    this.#byAccount.set(query, inDoubt);
    const names = new Set(inDoubt.map((order) => nameOf(alarmOf(order))));
    for (const order of before) if (!names.has(nameOf(alarmOf(order)))) this.#reported.delete(nameOf(alarmOf(order)));
    for (const order of inDoubt) this.#alarm(alarmOf(order));
    onOrders(oldestFirst(this.#byAccount));
    onUnanswered(oldestFirst(this.#unansweredByAccount));
  }

  #alarm(alarm: ToldEvent): void {
    const name = nameOf(alarm);
    if (this.#reported.has(name)) return;
    this.#reported.add(name);
    this.#options.onAlarm(alarm);
  }
}

function oldestFirst<O extends FollowedOrder>(byAccount: ReadonlyMap<string, readonly O[]>): O[] {
  return [...byAccount.values()].flat().toSorted((left, right) => left.since.localeCompare(right.since));
}

/** The event that reported the doubt, as far as the list of orders contains it. */
function alarmOf(order: DoubtfulOrder): ToldEvent {
  const { owner, orderNo, since, message, symbol } = order;
  const common = { id: `doubt ${order.brokerageCode} ${orderNo}`, time: since, message };
  if (owner.type === "pendingOco") {
    return { ...common, type: "setup.orderLost", row: { setupId: owner.id, brokerOrderNo: orderNo, symbol } };
  }
  return { ...common, type: "order.inDoubt", order };
}

/** An order has one name, whether an event or the list of orders reports it. */
function nameOf({ order, row }: ToldEvent): string {
  const { setupId } = (row ?? {}) as { readonly setupId?: number };
  const { brokerageCode = "", orderNo = "" } = (order ?? {}) as Partial<DoubtfulOrder>;
  return setupId === undefined ? `order ${brokerageCode} ${orderNo}` : `setup ${setupId}`;
}
