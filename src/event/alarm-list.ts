/**
 * Alarms that no user has dismissed yet.
 *
 * Invariants:
 * 1. An alarm that is repeated (after a restart) is listed once, and a released alarm is removed.
 * 2. The rest that flatten left in an account is listed until a later flatten leaves nothing.
 * 3. A row that was reached and not sold is listed until it is dismissed: lots are unprotected.
 */
import { hasLeft, type ToldEvent } from "./describe-event.ts";

/** Types that are shown above every page until they are dismissed. */
export const ALARMS: ReadonlySet<string> = new Set([
  "alarm.quarantined",
  "alarm.ticksLost",
  "alarm.clockOff",
  "alarm.pricesSilent",
  "symbol.held",
  "alarm.measure",
  "alarm.soldAfterEnd",
  "oco.triggerFailed",
  "oco.sellIncomplete",
  "setup.conversionFailed",
  "setup.unprotected",
  "setup.cancelRefused",
  "setup.orderLost",
  "pair.sellFailed",
  "signal.rejected",
  "alarm.filledAfterEnd",
  "alarm.exitStopped",
  "order.inDoubt",
  "order.quarantined",
]);
/** Events that are not alarms themselves, and end the alarm about the same subject. */
const MAY_END: ReadonlySet<string> = new Set(["alarm.released", "account.flattened"]);
const KEPT = 20;
/** Which alarm an event ends, for the order, the pending OCO or the symbol that both name. */
const ENDS: Readonly<Record<string, string>> = {
  "order.found": "order.inDoubt",
  "order.settled": "order.inDoubt",
  "setup.orderFound": "setup.orderLost",
  "setup.converted": "setup.orderLost",
  "setup.removed": "setup.orderLost",
  "symbol.released": "symbol.held",
  "oco.unrestricted": "alarm.measure",
};

/** Returns the alarms after an event, the newest first; the same list if the event changes none. */
export function hearAlarm(alarms: readonly ToldEvent[], event: ToldEvent): readonly ToldEvent[] {
  const isAlarm = ALARMS.has(event.type) || hasLeft(event);
  const ended = ENDS[event.type];
  if (ended !== undefined) {
    const left = alarms.filter((one) => one.type !== ended || nameOf(one) !== nameOf(event));
    return left.length === alarms.length ? alarms : left;
  }
  if (!isAlarm && !MAY_END.has(event.type)) return alarms;
  const others = alarms.filter((one) => subjectOf(one) !== subjectOf(event));
  if (!isAlarm && others.length === alarms.length) return alarms;
  return isAlarm ? [event, ...others].slice(0, KEPT) : others;
}

/** The order, the pending OCO or the symbol that an event names. */
function nameOf({ order, row, symbol }: ToldEvent): string | undefined {
  if (typeof order === "object" && order !== null && "orderNo" in order) {
    const brokerageCode = "brokerageCode" in order ? order.brokerageCode : "";
    return `order ${String(brokerageCode)} ${String(order.orderNo)}`;
  }
  return idOf(row) ?? (symbol === undefined ? undefined : `symbol ${String(symbol)}`);
}

/** The subject of an alarm; ticks that were lost for one reason are one. */
function subjectOf(event: ToldEvent): string {
  // A doubt is about an order, however much more of it is known by now.
  if (event.type === "order.inDoubt") return JSON.stringify([event.type, nameOf(event)]);
  if (event.type === "account.flattened") {
    return JSON.stringify([event.type, event.brokerageCode, event.accountNumber]);
  }
  const { type, groupId, setupId, systemId, orderId, familyId, order, reason, row, symbols, symbol } = event;
  return JSON.stringify([
    type === "alarm.clockOff" ? type : type === "symbol.held" || type === "alarm.measure" ? [type, symbol] : symbols,
    groupId,
    setupId,
    systemId,
    orderId,
    familyId,
    order,
    idOf(row) ?? (order === undefined ? reason : undefined),
  ]);
}

/** The name of a group's row, a pair or a setup. */
function idOf(row: unknown): string | undefined {
  if (typeof row !== "object" || row === null) return undefined;
  const id = "id" in row ? row.id : "setupId" in row ? row.setupId : undefined;
  return id === undefined ? undefined : `row ${String(id)}`;
}
