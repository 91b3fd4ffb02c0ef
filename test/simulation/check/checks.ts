/**
 * The judgement at the end of a world, when faults have ended and everything has drained.
 *
 * Every rule is checked on plain rows of the disk, on the orders of the brokerages and on the notes of the oracle.
 */

import type { ClientOrder } from "../client/clients.ts";
import { FLOOR_PRICE } from "../client/holder.ts";
import type { GroupModel, RowModel } from "../oracle/model.ts";
import { INSTALLATION } from "../oracle/plain-name.ts";
import { ACTIVE, CANCELLED, FAILED, type PlainRow, TRIGGERED } from "../oracle/plain-rows.ts";
import type { Exchange } from "../world/exchange.ts";
import { type ExchangeOrder, isForNothing } from "../world/fills.ts";
import type { Report } from "../world/report.ts";
import { checkBots } from "./bot-checks.ts";
import { checkFollowed } from "./client-order-checks.ts";
import type { Ending } from "./ending.ts";
import { checkEntries } from "./entry-checks.ts";
import { checkExit, exitNames, liveOrders } from "./exit-checks.ts";
import { checkSetups } from "./setup-checks.ts";

/** How long the engine tries an account that is not served (behaviour 4.5), between the first answer and the last. */
const UNREACHABLE_MS = 30_000 - 1_000;

/** Judges everything; the report holds the first rule that was broken. */
export function checkEnding(ending: Ending): void {
  const sold = new Set<string>();
  checkSetups(ending);
  checkEntries(ending, sold);
  for (const group of ending.groups) {
    if (group.fate === "asked") ending.report.violate(`the fate of group n${group.number} is not known at the end`);
    if (group.fate === "exists" && group.isOfParts !== true) checkGroup(ending, group, sold);
  }
  checkBots(ending, sold);
  for (const order of ending.orders) checkClientOrder(ending, order, sold);
  for (const exchange of ending.exchanges.values()) {
    for (const name of exchange.orders.keys()) {
      if (!sold.has(name)) ending.report.violate(`order ${name} exists and nobody asked for it`);
    }
  }
  checkClaims(ending);
  checkSnapshots(ending);
  const published = Number(ending.disk.text("m/published") ?? 0);
  const unpublished = ending.disk.keys("e/").find((key) => Number(key.slice(2)) > published);
  if (unpublished !== undefined) ending.report.violate(`an event waits for ever: ${ending.disk.text(unpublished)}`);
}

function checkGroup(ending: Ending, group: GroupModel, sold: Set<string>): void {
  const { disk, report, exchanges } = ending;
  const views = disk.rows(group.viewKey ?? "");
  const exchange = exchanges.get(group.owner.brokerageCode);
  if (exchange === undefined || views.length !== group.rows.length) {
    report.violate(`group n${group.number} is not listed whole`);
    return;
  }
  for (const [index, row] of group.rows.entries()) {
    const view = views[index];
    if (view === undefined) continue;
    const name = `${INSTALLATION}-r${view.id}`;
    for (const one of row.isRearmed ? exitNames(exchange, view.id) : [name]) sold.add(one);
    const isExit = index === 0 && ending.exitPolicy === "untilSold";
    checkRow(ending, { group, row, view, views, index, name, exchange, isExit });
  }
  if (ending.exitPolicy === "untilSold") checkExitOf(ending, group, views, exchange, sold);
  else if (group.hasGuard || wasSentReduced(views, exchange, ending.quarantined))
    checkGuard(ending, group, views, exchange, sold);
  if (!group.hasGuard) checkSentReduced(ending, group, views, exchange);
}

function checkExitOf(
  ending: Ending,
  group: GroupModel,
  views: readonly PlainRow[],
  exchange: Exchange,
  sold: Set<string>,
): void {
  const [stopLoss, ...takeProfits] = views;
  if (stopLoss === undefined) return;
  const hasGuard = group.hasGuard || wasSentReduced(views, exchange, ending.quarantined);
  const extra = hasGuard ? views.map(({ id }) => `${INSTALLATION}-r${stopLoss.id}-${id}`) : [];
  const own = [...exitNames(exchange, stopLoss.id), ...extra];
  for (const name of own) sold.add(name);
  const taken = hasGuard
    ? takeProfits.reduce((sum, { id }) => sum + filledOf(exchange, `${INSTALLATION}-r${id}`), 0)
    : 0;
  // A take-profit that waits for a person keeps its lots.
  const waits = hasGuard && waitsForPerson(views, ending.quarantined);
  if (!waits && !views.some(({ status }) => status === ACTIVE)) checkExit(ending, exchange, stopLoss, own, taken);
}

interface RowCase {
  readonly group: GroupModel;
  readonly row: RowModel;
  readonly view: PlainRow;
  readonly views: readonly PlainRow[];
  readonly index: number;
  readonly name: string;
  readonly exchange: Exchange;
  /** True for a stop-loss that is sold until its last lot. */
  readonly isExit: boolean;
}

function checkRow(ending: Ending, rowCase: RowCase): void {
  const { group, row, view, views, index, name, exchange, isExit } = rowCase;
  const { report, quarantined, events, hasSteppedClock } = ending;
  const hasNext = isExit || row.isRearmed;
  const exits = hasNext ? exitNames(exchange, view.id) : [name];
  const orders = exits.flatMap((one) => liveOrders(exchange, one));
  const what = `row ${view.id} of n${group.number} (${view.orderType === 2 ? "SL" : "TP"} at ${view.price})`;
  // A late fill of a stop-loss that had failed makes it Triggered again (behaviour 13.7).
  const wasRearmed = views[0]?.status === FAILED || events.get(view.id)?.has("oco.rearmed") === true;
  const touches = wasRearmed ? [...row.may, ...row.shadow] : row.may;
  if (!isExit && orders.length > 1) report.violate(`${what} was sold ${orders.length} times`);
  // Lots that the stop-loss sold after its end are taken from a take-profit that was armed again (behaviour 13.7).
  const isReduced = events.get(view.id)?.has("oco.reduced") === true;
  const quantity = isReduced ? Math.min(view.quantity, row.quantity) : row.quantity;
  for (const order of orders) checkOrder(ending, order, rowCase, what, quantity);
  if (touches.length === 0 && (orders.length > 0 || view.triggeredPrice !== null)) {
    report.violate(`${what} was sold and no tick reached it`);
  }
  const hasGuard = group.hasGuard || wasSentReduced(views, exchange, ending.quarantined);
  const isSoldOut = index === 0 && hasGuard && isSoldOutByOthers(views, exchange);
  // A person must decide about an order of it, or the next one, which may never have left.
  const waitsForDecision = [...quarantined].some((one) => one === name || (hasNext && one.startsWith(`${name}-n`)));
  if (view.status === ACTIVE) {
    if (waitsForDecision) return;
    if (index === 0 && hasGuard && touches.length > 0 && waitsForPerson(views, quarantined)) return;
    if (orders.length > 0) report.violate(`${what} was sold and is shown Active`);
    if (row.must !== undefined) report.violate(`${what} was reached at ${row.must.milli / 1000} and never sold`);
    if (group.isCancelled) report.violate(`${what} is Active after its cancel`);
    if (group.dueMs !== null && ending.nowMs >= group.dueMs) report.violate(`${what} is Active after its due date`);
    return;
  }
  if (view.status === CANCELLED) {
    if (orders.length > 0) report.violate(`${what} was sold and is shown Cancelled`);
    const isDue = group.dueMs !== null;
    // A clock that is set on while the tick waits for its turn ends the group first.
    if (row.must !== undefined && !isSoldOut && !(isDue && hasSteppedClock)) {
      report.violate(`${what} was reached at ${row.must.milli / 1000} and is shown Cancelled`);
    }
    const isStopped = views[0]?.status === TRIGGERED || lostItsPlace(ending, group, views, exchange);
    if (!group.wasToBeCancelled && !row.isRemoved && !isStopped && !isDue && !isSoldOut) {
      report.violate(`${what} is Cancelled for no reason`);
    }
    if (!row.isRemoved) expectEvent(events, view.id, "oco.cancelled", report);
    return;
  }
  checkTrigger(report, row, touches, view, what);
  if (view.status === TRIGGERED) {
    if (orders.length === 0 && !isSoldOut && !(hasGuard && index === 0) && !(isExit && waitsForDecision)) {
      report.violate(`${what} is shown Triggered and no order exists`);
    }
    expectEvent(events, view.id, "oco.triggered", report);
    if (!isExit) checkEnds(ending, exchange, view, name, what);
  } else {
    if (orders.length > 0) report.violate(`${what} is shown TriggerFailed and was sold`);
    // A stop-loss also sells what take-profits left or failed to sell, under names of its own.
    const extra = views.map(({ id }) => `${name}-${id}`);
    const names = index === 0 && hasGuard ? [...exits, ...extra] : exits;
    if (!names.some((sell) => isRefusalTrue(exchange, sell, view.triggerErrorMessage))) {
      report.violate(`${what} is shown TriggerFailed (${view.triggerErrorMessage}) and nobody refused it`);
    }
    expectEvent(events, view.id, "oco.triggerFailed", report);
  }
}

function checkOrder(
  { report, mayBeAtFloor }: Ending,
  { request }: ExchangeOrder,
  { group, view, index, isExit }: RowCase,
  what: string,
  quantity: number,
): void {
  const { owner } = group;
  const isAtFloor = request.orderType === 2 && request.price === FLOOR_PRICE;
  const mayBe = mayBeAtFloor(owner.symbol) || (isExit && request.clientOrderId.includes("-n"));
  const isRight =
    request.symbol === owner.symbol &&
    request.accountNumber === owner.accountNumber &&
    request.userId === owner.userId &&
    request.buySell === 2 &&
    (request.orderType === 1 || (isAtFloor && mayBe));
  if (!isRight || view.symbol !== owner.symbol) report.violate(`${what} was sold for another or as another order`);
  const isGuarded = index === 0 && (group.hasGuard || isExit) && request.quantity < quantity;
  if (request.quantity !== quantity && !isGuarded) {
    report.violate(`${what} sold ${request.quantity} instead of ${quantity}`);
  }
}

/** Checks that the price that fired the row reached it, and that no earlier price had to. */
function checkTrigger(report: Report, row: RowModel, touches: RowModel["may"], view: PlainRow, what: string): void {
  const { sequence: latest, seenAs: last } = row.must ?? { sequence: Number.POSITIVE_INFINITY, seenAs: 0 };
  // If the clock was set back, a tick that had to fire the row may be an earlier tick that is given again.
  const possible = touches.filter(({ sequence, seenAs }) => sequence <= latest || seenAs < last);
  const prices = possible.map(({ milli }) => milli / 1000);
  if (view.triggeredPrice === null || !prices.includes(view.triggeredPrice)) {
    report.violate(`${what} fired at ${view.triggeredPrice}, and only ${prices.join(", ") || "nothing"} could fire it`);
  }
  if (view.dueDate !== null && Date.parse(view.triggeredDate ?? "") >= Date.parse(view.dueDate)) {
    report.violate(`${what} fired at ${view.triggeredDate}, after its due date ${view.dueDate}`);
  }
}

/**
 * Whether the brokerage did refuse, or was away for as long as it is tried: from the order's own first attempt on, or
 * from when an order before it was turned away and held it back.
 */
function isRefusalTrue(exchange: Exchange, name: string, message: string | null): boolean {
  const notes = exchange.refusals.of(name);
  if ((exchange.orders.get(name) ?? []).some(({ record }) => isForNothing(record))) return true;
  if (notes.some(({ code }) => code === "REJECTED")) return true;
  if (message === null) return false;
  return notes.some(({ code, atMs, life }) => {
    if (code === "UNAVAILABLE") return false;
    // The order's time runs from then on, also if another order was taken since.
    const since = notes.filter((note) => note.life === life && note.code !== "UNAVAILABLE");
    return atMs - Math.min(...since.map((note) => Math.min(note.atMs, note.awaySinceMs))) >= UNREACHABLE_MS;
  });
}

/** Whether the stop-loss left a second time, with the lots that the take-profits left (behaviour 4.5b). */
function wasSentReduced(
  [stopLoss]: readonly PlainRow[],
  exchange: Exchange,
  quarantined: ReadonlySet<string>,
): boolean {
  const name = `${INSTALLATION}-r${stopLoss?.id}-${stopLoss?.id}`;
  // A second sell that waits for a person may never have left a process that died.
  return quarantined.has(name) || exchange.askedQuantities.has(name) || exchange.refusals.of(name).length > 0;
}

/** A stop-loss is sent once more exactly if it was refused and take-profits had sold a part of it (behaviour 4.5b). */
function checkSentReduced(ending: Ending, group: GroupModel, views: readonly PlainRow[], exchange: Exchange): void {
  const { report, quarantined, hasSteppedClock } = ending;
  const [stopLoss, ...takeProfits] = views;
  if (stopLoss === undefined) return;
  const name = `${INSTALLATION}-r${stopLoss.id}`;
  if (wasSentReduced(views, exchange, ending.quarantined)) {
    // A further order of an exit may be refused after the first one sold a part.
    if (ending.exitPolicy === "once" && liveOrders(exchange, name).length > 0)
      report.violate(`${name} was sold, and sent once more`);
    return;
  }
  const asked = [...exchange.askedQuantities.keys()];
  const isAskedBefore = (id: number): boolean => {
    const at = asked.indexOf(`${INSTALLATION}-r${id}`);
    return at !== -1 && at < asked.indexOf(name);
  };
  // Moments of a clock that was set back prove no order: the first sell that was asked for certainly fired first.
  const fired = takeProfits.filter(({ id, triggeredDate }) =>
    hasSteppedClock ? isAskedBefore(id) : (triggeredDate ?? "~") < (stopLoss.triggeredDate ?? ""),
  );
  const sold = fired.filter(
    ({ id, status }) => status === TRIGGERED && filledOf(exchange, `${INSTALLATION}-r${id}`) > 0,
  );
  const left = stopLoss.quantity - fired.reduce((sum, { quantity }) => sum + quantity, 0);
  const isRefused = stopLoss.status === FAILED && !exchange.orders.has(name) && !quarantined.has(name);
  if (!isRefused || sold.length === 0 || left <= 0) return;
  report.violate(`n${group.number} had ${left} lots left when its stop-loss was refused, and they were not asked for`);
}

/** The oversell guard: a group never sells more than its stop-loss, and all of it once the stop-loss is sold. */
function checkGuard(
  { report, quarantined }: Ending,
  group: GroupModel,
  views: readonly PlainRow[],
  exchange: Exchange,
  sold: Set<string>,
): void {
  const stopLoss = views[0];
  if (stopLoss === undefined) return;
  const names = views.map(({ id }) => `${INSTALLATION}-r${id}`);
  for (const { id } of views) names.push(`${INSTALLATION}-r${stopLoss.id}-${id}`);
  let total = 0;
  for (const name of names) {
    sold.add(name);
    const orders = liveOrders(exchange, name);
    if (orders.length > 1) report.violate(`${name} was sold ${orders.length} times`);
    for (const { record } of orders) total += record.filledQuantity;
  }
  if (total > stopLoss.quantity) report.violate(`n${group.number} sold ${total}, more than ${stopLoss.quantity}`);
  // The stop-loss asks for the lots that the take-profits did not sell, even if some of them were refused.
  const isOpen = views.some(({ status }) => status === ACTIVE);
  const ofStopLoss = names.filter((name) => name.startsWith(`${INSTALLATION}-r${stopLoss.id}`));
  const counted = wasSentReduced(views, exchange, quarantined) ? ofStopLoss.slice(1) : ofStopLoss;
  const asked = counted.reduce((sum, name) => sum + (exchange.askedQuantities.get(name) ?? 0), 0);
  const taken = views.slice(1).reduce((sum, { id }) => sum + filledOf(exchange, `${INSTALLATION}-r${id}`), 0);
  // A sell that waits for a person may never have left a process that died.
  const isDecided = !ofStopLoss.some((name) => quarantined.has(name));
  if (stopLoss.status === TRIGGERED && !isOpen && isDecided && asked + taken !== stopLoss.quantity) {
    report.violate(`n${group.number} was stopped, sold ${taken} and asked for ${asked} of ${stopLoss.quantity}`);
  }
}

/** If the brokerage ended a sell before all of it was sold, its owner is notified; a stop-loss counts all its sells. */
function checkEnds(ending: Ending, exchange: Exchange, view: PlainRow, name: string, what: string): void {
  const { events, report, quarantined } = ending;
  const own = [...exchange.orders.keys()].filter((other) => other === name || other.startsWith(`${name}-`));
  // The engine does not follow an order that waits for a person.
  const names = own.filter((other) => !quarantined.has(other));
  const sums = (of: (one: string) => readonly ExchangeOrder[]) => {
    const records = names.flatMap((one) => of(one).map(({ record }) => record));
    const sum = (field: "quantity" | "filledQuantity") => records.reduce((total, record) => total + record[field], 0);
    return { asked: sum("quantity"), filled: sum("filledQuantity") };
  };
  const live = sums((one) => liveOrders(exchange, one));
  if (live.filled === live.asked) return;
  expectEvent(events, view.id, "oco.sellIncomplete", report);
  // The report of the whole includes sells that came to nothing, even a refused sell that never was an order.
  const all = sums((one) => exchange.orders.get(one) ?? []);
  const asked = [...exchange.askedQuantities].filter(([other]) => other === name || other.startsWith(`${name}-`));
  const refused = asked.filter(([other]) => !exchange.orders.has(other) && !quarantined.has(other));
  // Lots that were sent once more in a smaller order are reported once.
  const extra = refused.filter(([other]) => other !== name && other !== `${name}-${view.id}`);
  const sum = (sells: typeof asked) => sells.reduce((total, [, quantity]) => total + quantity, 0);
  const [, filled, told] = /^(\d+) of (\d+) sold/.exec(view.triggerErrorMessage ?? "") ?? [];
  const isAsked = Number(told) >= live.asked + sum(extra) && Number(told) <= all.asked + sum(refused);
  const isTold = Number(filled) === live.filled && isAsked;
  if (!isTold) {
    report.violate(`${what} sold ${live.filled} of ${live.asked} and says ${view.triggerErrorMessage}`);
  }
}

/** Whether the stop-loss came to nothing at the brokerage after another group of the same symbol was made. */
function lostItsPlace({ groups }: Ending, group: GroupModel, views: readonly PlainRow[], exchange: Exchange): boolean {
  const name = `${INSTALLATION}-r${views[0]?.id}`;
  const own = [...exchange.orders].filter(([one]) => one === name || one.startsWith(`${name}-`));
  const cameToNothing = own.some(([, orders]) => orders.some(({ record }) => isForNothing(record)));
  const { symbol, userId, accountNumber, brokerageCode } = group.owner;
  const isOther = ({ number, owner }: GroupModel): boolean =>
    number !== group.number &&
    owner.symbol === symbol &&
    owner.userId === userId &&
    owner.accountNumber === accountNumber &&
    owner.brokerageCode === brokerageCode;
  return cameToNothing && views[0]?.status === FAILED && groups.some(isOther);
}

function filledOf(exchange: Exchange, name: string): number {
  return liveOrders(exchange, name).reduce((sum, { record }) => sum + record.filledQuantity, 0);
}

/** With the guard, a stop-loss that fired stays in flight while the fate of a take-profit's sell is open. */
function waitsForPerson(views: readonly PlainRow[], quarantined: ReadonlySet<string>): boolean {
  const own = `${INSTALLATION}-r${views[0]?.id}`;
  return views.some(({ id }) => quarantined.has(`${INSTALLATION}-r${id}`) || quarantined.has(`${own}-${id}`));
}

function isSoldOutByOthers(views: readonly PlainRow[], exchange: Exchange): boolean {
  const total = views.slice(1).reduce((sum, { id }) => {
    const orders = liveOrders(exchange, `${INSTALLATION}-r${id}`);
    return sum + orders.reduce((quantity, { record }) => quantity + record.filledQuantity, 0);
  }, 0);
  return total >= (views[0]?.quantity ?? 0);
}

function expectEvent(events: Ending["events"], rowId: number, type: string, report: Report): void {
  if (events.get(rowId)?.has(type) !== true) report.violate(`row ${rowId}: ${type} was never published`);
}

/** A client's order exists at most once, and as it was answered. */
function checkClientOrder(ending: Ending, { quantity, brokerageCode, asked }: ClientOrder, sold: Set<string>): void {
  const { report, exchanges, quarantined } = ending;
  const exchange = exchanges.get(brokerageCode);
  const found = [...(exchange?.orders ?? [])].filter(([, orders]) => orders[0]?.request.quantity === quantity);
  for (const [name] of found) sold.add(name);
  const live = found.flatMap(([, orders]) => orders).filter(({ record }) => record.orderStatus !== 4);
  if (live.length > 1) report.violate(`the client's order x${quantity} exists ${live.length} times`);
  const { final } = asked;
  if (final?.ok === true && live.length === 0) report.violate(`order x${quantity} was acknowledged and does not exist`);
  if (final?.ok === false && final.code === "INVALID" && live.length > 0) {
    report.violate(`order x${quantity} was refused (${final.message}) and exists`);
  }
  const isWaiting = found.some(([name]) => quarantined.has(name));
  const [placed] = live;
  if (placed !== undefined && !isWaiting) checkFollowed(ending, found[0]?.[0] ?? "", placed);
  const hasKey = asked.envelope.idempotency !== undefined;
  if (live.length === 1 && final?.ok !== true && hasKey && !isWaiting && quarantined.size === 0) {
    report.violate(`order x${quantity} exists and its key is answered ${JSON.stringify(final)}`);
  }
}

/** A claim for every group with an Active row, and no other. */
function checkClaims({ disk, report, groups }: Ending): void {
  const active = new Set<string>();
  for (const { viewKey } of groups) {
    const views = disk.rows(viewKey ?? "");
    const [first] = views;
    if (first !== undefined && views.some(({ status }) => status === ACTIVE)) active.add(String(first.id));
  }
  const holders = disk.keys("c/group/").map((key) => disk.text(key));
  const isSame = holders.length === active.size && holders.every((holder) => active.has(holder));
  if (!isSame) report.violate(`claims are held by ${holders.join()}, active are ${[...active].join()}`);
}

/** Clients are shown the state of the actors; an ended group holds nothing Active. */
function checkSnapshots({ disk, report, groups }: Ending): void {
  const keys = new Map<number, string>();
  for (const { viewKey } of groups) {
    const id = disk.rows(viewKey ?? "")[0]?.id;
    if (id !== undefined && viewKey !== undefined) keys.set(id, viewKey);
  }
  const live = disk.snapshots("a/");
  const ended = disk.snapshots("z/");
  if (live.length + ended.length !== keys.size) report.violate("there are as many groups as there are views");
  for (const group of [...live, ...ended]) {
    const views = disk.rows(keys.get(group.groupId) ?? "");
    // A row that came in later may be listed before others.
    const isSame = group.rows.every((row) => {
      const view = views.find(({ id }) => id === row.id);
      return view !== undefined && view.status === row.status && Math.round(view.price * 100) === row.price;
    });
    if (!isSame) report.violate(`the view of group ${group.groupId} is not what its actor holds`);
  }
  for (const group of ended) {
    if (group.rows.some(({ status }) => status === ACTIVE))
      report.violate(`group ${group.groupId} ended with an Active row`);
  }
}
