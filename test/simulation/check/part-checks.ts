/**
 * The judgement over entries that protect their parts, counted in lots: each lot that was bought is watched, or sold,
 * or reported to its owner, and none is sold twice.
 */
import type { EntryModel } from "../client/entries.ts";
import { type GroupModel, newGroupModel } from "../oracle/model.ts";
import { INSTALLATION } from "../oracle/plain-name.ts";
import { ACTIVE, CANCELLED, type PlainDisk, type PlainRow, TRIGGERED } from "../oracle/plain-rows.ts";
import type { ExchangeOrder } from "../world/fills.ts";
import type { Ending } from "./ending.ts";
import { liveOrders } from "./exit-checks.ts";

/** Events that report lots which are neither sold nor watched. */
const TOLD = ["alarm.exitStopped", "oco.exitStopped", "oco.sellIncomplete", "oco.triggerFailed"];

/** The groups of such entries on the disk, for the checks of all groups. */
export function groupsOfParts(entries: readonly EntryModel[], disk: PlainDisk): GroupModel[] {
  const keys = disk.groupsByNotes();
  return entries.flatMap(({ protectsParts, number, owner, dueMs }): GroupModel[] => {
    const viewKey = keys.get(`n${number}`);
    const [stopLoss, ...takeProfits] = protectsParts ? disk.rows(viewKey ?? "") : [];
    if (stopLoss === undefined) return [];
    const terms = { number, owner, dueMs, hasGuard: true, isOfSetup: true };
    return [{ ...newGroupModel(terms, stopLoss, takeProfits), viewKey, fate: "exists", isOfParts: true }];
  });
}

/** Judges the group of an entry, and notes its orders in `sold`. `buy`: undefined if none exists. */
export function checkParts(
  ending: Ending,
  { number, owner, dueMs }: EntryModel,
  groupId: number,
  buy: ExchangeOrder | undefined,
  sold: Set<string>,
): void {
  const { disk, report, exchanges, events, hasSteppedClock, quarantined } = ending;
  const what = `the group of entry n${number}`;
  const views = disk.rows(disk.groupsByNotes().get(`n${number}`) ?? "");
  const exchange = exchanges.get(owner.brokerageCode);
  const [stopLoss, ...takeProfits] = views;
  if (exchange === undefined || stopLoss?.id !== groupId) {
    report.violate(`${what} is not group ${groupId}`);
    return;
  }
  const names = new Set([...exchange.orders.keys(), ...exchange.askedQuantities.keys()]);
  const own = [...names].filter((name) => isOwn(name, views));
  for (const name of own) {
    sold.add(name);
    if (liveOrders(exchange, name).length > 1) report.violate(`${what}: ${name} was sold twice`);
  }
  const orders = own.flatMap((name) => liveOrders(exchange, name));
  const sum = (of: (order: ExchangeOrder) => number): number => orders.reduce((total, order) => total + of(order), 0);
  const soldQuantity = sum(({ record }) => record.filledQuantity);
  const bought = buy?.record.filledQuantity ?? 0;
  if (soldQuantity > bought + sum(({ lateQuantity }) => lateQuantity)) {
    report.violate(`${what} sold ${soldQuantity} of ${bought} lots`);
  }
  for (const view of views) checkRow(ending, view, orders, what);
  const isUnsure = hasSteppedClock && buy?.isFilledLate === true;
  const isLateUnsure = hasSteppedClock && (buy?.lateQuantity ?? 0) > 0;
  if (isUnsure || isLateUnsure || [...quarantined].some((name) => isOwn(name, views))) return;
  const taken = takeProfits.reduce(
    (total, { quantity, status }) => (status === CANCELLED ? total : total + quantity),
    0,
  );
  if (taken > bought && stopLoss.status === ACTIVE) report.violate(`${what} would sell ${taken} of ${bought} lots`);
  if (stopLoss.status !== CANCELLED && stopLoss.quantity !== bought) {
    report.violate(`${what} stops ${stopLoss.quantity} of ${bought} lots`);
  }
  const isTold = views.some(({ id }) => TOLD.some((type) => events.get(id)?.has(type) === true));
  if (stopLoss.status === TRIGGERED && soldQuantity < bought && !isTold) {
    report.violate(`${what} sold ${soldQuantity} of ${bought} lots, and nobody was told`);
  }
  if (stopLoss.status === CANCELLED && soldQuantity < bought && !isTold && dueMs === null) {
    report.violate(`${what} sold ${soldQuantity} of ${bought} lots, and its stop-loss is Cancelled`);
  }
  report.count("entries: parts were protected");
  if (views.length > 0 && stopLoss.updatedDate !== null) report.count("entries: groups grew or sold");
  if (events.get(stopLoss.id)?.has("oco.lateFill") === true) report.count("entries: late lots were sold");
}

function isOwn(name: string, views: readonly PlainRow[]): boolean {
  return views.some(({ id }) => name === `${INSTALLATION}-r${id}` || name.startsWith(`${INSTALLATION}-r${id}-`));
}

/** A row that fired was reached by its price, and shows its outcome. */
function checkRow(
  { report, quarantined }: Ending,
  view: PlainRow,
  orders: readonly ExchangeOrder[],
  what: string,
): void {
  const { id, orderType, price, triggeredPrice, status } = view;
  const isStopLoss = orderType === 2;
  if (triggeredPrice !== null && (isStopLoss ? triggeredPrice > price : triggeredPrice < price)) {
    report.violate(`${what}: row ${id} at ${price} fired at ${triggeredPrice}`);
  }
  const own = orders.filter(({ request }) => request.clientOrderId.endsWith(`-r${id}`));
  // A row that waits for a person has no answer.
  if (quarantined.has(`${INSTALLATION}-r${id}`)) return;
  if (own.length > 0 && (status === ACTIVE || status === CANCELLED)) {
    report.violate(`${what}: row ${id} was sold and has the status ${status}`);
  }
}
