/**
 * OCO groups as clients see them: one stored entry a group, its rows as JSON joined with commas, the stop-loss first
 * and take-profits by price (behaviour 4.9).
 */
import type { EventPayload } from "../../src/contract/event/event.ts";
import type { OcoRowView } from "../../src/contract/trading/oco.ts";
import { exitReasonOf } from "../../src/domain/oco/exit.ts";
import { listedRows, type OcoGroup, type OcoRow, rowAt, STOP_LOSS, versionOf } from "../../src/domain/oco/group.ts";
import { sellName } from "../../src/domain/oco/sell-name.ts";
import { priceToNumber } from "../../src/domain/price/price.ts";
import { formatTime } from "../../src/domain/time.ts";
import type { ViewRow } from "../ports/actor.ts";
import { padded } from "../table/tables.ts";

/** Where all groups of a user are listed, brokerage by brokerage. */
export function ocoUserPrefix(userId: number): string {
  return `oco/${padded(userId)}/`;
}

/** Where the groups at a brokerage are listed, account by account. */
export function ocoBrokeragePrefix(userId: number, brokerageCode: string): string {
  return `${ocoUserPrefix(userId)}${brokerageCode}/`;
}

/** Where the groups of an account are listed. */
export function ocoListPrefix(userId: number, brokerageCode: string, accountNumber: string): string {
  return `${ocoBrokeragePrefix(userId, brokerageCode)}${encodeURIComponent(accountNumber)}/`;
}

/** The stored rows of a group: the JSON of its rows, joined with commas. */
export function ocoViews(group: OcoGroup): readonly ViewRow[] {
  const prefix = ocoListPrefix(group.userId, group.brokerageCode, group.accountNumber);
  return [{ key: prefix + padded(group.groupId), json: listed(group, renderedRows(group)).join(",") }];
}

/** The values of rows by index, in the order in which rows are listed. */
function listed<T>(group: OcoGroup, ofRows: readonly T[]): readonly T[] {
  return isListedAsStored(group) ? ofRows : listedRows(group).flatMap((index) => ofRows.slice(index, index + 1));
}

/** As nearly all groups are: only a change adds rows behind the others. */
function isListedAsStored({ rows }: OcoGroup): boolean {
  return rows.every(({ price }, index) => index <= 1 || (rows[index - 1]?.price ?? 0) <= price);
}

/** The group that was rendered last: a step's events contain the rows that the step changes. */
const lastRendered: { group: OcoGroup | undefined; rows: readonly string[] } = { group: undefined, rows: [] };

function renderedRows(group: OcoGroup): readonly string[] {
  if (lastRendered.group !== group) {
    lastRendered.rows = renderRows(group);
    lastRendered.group = group;
  }
  return lastRendered.rows;
}

/**
 * The JSON of `ocoRowView` of every row (a test holds the two equal). Written field by field: what the rows of a group
 * share is rendered once, which halves the cost of the row that every change of a group writes.
 */
function renderRows(group: OcoGroup): string[] {
  const owner =
    `"groupId":${group.groupId},"userId":${group.userId},"accountNumber":${JSON.stringify(group.accountNumber)},` +
    `"symbol":${JSON.stringify(group.symbol)}`;
  const terms = `"dueDate":${timeJson(group.dueAtMs)},"notes":${JSON.stringify(group.notes)}`;
  const created = timeJson(group.createdAtMs);
  return group.rows.map((row, index) => {
    const { triggeredPrice, triggeredAtMs } = row.isInFlight ? NOT_TRIGGERED : row;
    return (
      `{"id":${row.id},${owner},"orderType":${index === STOP_LOSS ? 2 : 1},"quantity":${row.quantity},` +
      `"price":${priceToNumber(row.price)},"status":${row.status},` +
      `"triggeredPrice":${triggeredPrice},"triggeredDate":${timeJson(triggeredAtMs)},${terms},` +
      `"triggerErrorMessage":${row.triggerErrorMessage === null ? null : JSON.stringify(row.triggerErrorMessage)},` +
      `"createdDate":${created},"updatedDate":${timeJson(row.updatedAtMs)}}`
    );
  });
}

const NOT_TRIGGERED = { triggeredPrice: null, triggeredAtMs: null } as const;

function timeJson(timeMs: number | null): string {
  return timeMs === null ? "null" : `"${formatTime(timeMs)}"`;
}

/** Whether both show the same: between two states of one group only these fields of it and its rows change. */
export function isOcoShownAlike(before: OcoGroup, after: OcoGroup): boolean {
  if (before.symbol !== after.symbol) return false;
  if (before.rows === after.rows) return true;
  if (before.rows.length !== after.rows.length) return false;
  if (before.dueAtMs !== after.dueAtMs || before.notes !== after.notes) return false;
  return before.rows.every((row, index) => isRowShownAlike(row, rowAt(after, index)));
}

function isRowShownAlike(before: OcoRow, after: OcoRow): boolean {
  if (before === after) return true;
  return (
    before.status === after.status &&
    before.price === after.price &&
    before.quantity === after.quantity &&
    before.updatedAtMs === after.updatedAtMs &&
    before.triggerErrorMessage === after.triggerErrorMessage &&
    (before.isInFlight ? null : before.triggeredPrice) === (after.isInFlight ? null : after.triggeredPrice) &&
    (before.isInFlight ? null : before.triggeredAtMs) === (after.isInFlight ? null : after.triggeredAtMs)
  );
}

/** One row as it is shown. While its sell is on the way a row shows Active and nothing of the trigger (behaviour 4.4). */
export function ocoRowView(group: OcoGroup, row: OcoRow, index: number): OcoRowView {
  return {
    id: row.id,
    groupId: group.groupId,
    userId: group.userId,
    accountNumber: group.accountNumber,
    symbol: group.symbol,
    orderType: index === STOP_LOSS ? 2 : 1,
    quantity: row.quantity,
    price: priceToNumber(row.price),
    status: row.status,
    triggeredPrice: row.isInFlight ? null : row.triggeredPrice,
    triggeredDate: row.isInFlight || row.triggeredAtMs === null ? null : formatTime(row.triggeredAtMs),
    dueDate: group.dueAtMs === null ? null : formatTime(group.dueAtMs),
    notes: group.notes,
    triggerErrorMessage: row.triggerErrorMessage,
    createdDate: formatTime(group.createdAtMs),
    updatedDate: row.updatedAtMs === null ? null : formatTime(row.updatedAtMs),
  };
}

/** All rows of a group as they are listed. */
export function ocoRowViews(group: OcoGroup): OcoRowView[] {
  return listedRows(group).map((index) => ocoRowView(group, rowAt(group, index), index));
}

/** The payload of the event of a group that was made: all of it. */
function ocoCreatedEvent(group: OcoGroup): EventPayload<"oco.created"> {
  return { groupId: group.groupId, rows: ocoRowViews(group) };
}

function ocoChangedEvent(group: OcoGroup): EventPayload<"oco.changed"> {
  return { groupId: group.groupId, version: versionOf(group), rows: ocoRowViews(group) };
}

/** Events about the sell of a row. */
const OF_A_SELL: ReadonlySet<string> = new Set(["oco.triggered", "oco.triggerFailed", "oco.sellIncomplete"]);

type EventData = Readonly<Record<string, unknown>>;
type OrderName = (groupId: number, name: string) => string;

/**
 * The payload of a group's event: all of a new group, else the row concerned, its sell's name, and a message if the row
 * does not contain it.
 */
export function ocoEvent(group: OcoGroup, event: string, data: EventData, orderName: OrderName): object {
  if (event === "oco.created") return ocoCreatedEvent(group);
  if (event === "oco.changed") return ocoChangedEvent(group);
  const index = indexOf(data);
  const row = ocoRowView(group, rowAt(group, index), index);
  const clientOrderId = sellOf(group, event, index, orderName);
  const until = untilOf(data);
  const reason = firedBy(group, event, index);
  const payload = {
    row,
    ...(clientOrderId === undefined ? {} : { clientOrderId }),
    ...(reason === undefined ? {} : { reason }),
    ...(until === undefined ? {} : { until }),
  };
  return typeof data.message === "string" ? { ...payload, message: data.message } : payload;
}

/** The payload of `oco.waitsForSession` for an order of a row that the brokerage did not take (behaviour 21.3). */
export function waitsForSessionEvent(
  group: OcoGroup,
  index: number,
  untilMs: number,
): EventPayload<"oco.waitsForSession"> {
  return { row: ocoRowView(group, rowAt(group, index), index), until: formatTime(untilMs) };
}

/** The JSON of `ocoEvent` (a test holds the two equal), of rows that are rendered already. */
export function ocoEventJson(group: OcoGroup, event: string, data: EventData, orderName: OrderName): string {
  if (event === "oco.changed") return JSON.stringify(ocoChangedEvent(group));
  const rows = renderedRows(group);
  if (event === "oco.created") return `{"groupId":${group.groupId},"rows":[${listed(group, rows).join(",")}]}`;
  const index = indexOf(data);
  const clientOrderId = sellOf(group, event, index, orderName);
  const sell = clientOrderId === undefined ? "" : `,"clientOrderId":${JSON.stringify(clientOrderId)}`;
  const until = untilOf(data);
  const end = until === undefined ? "" : `,"until":"${until}"`;
  const message = typeof data.message === "string" ? `,"message":${JSON.stringify(data.message)}` : "";
  const fired = firedBy(group, event, index);
  const reason = fired === undefined ? "" : `,"reason":"${fired}"`;
  return `{"row":${rows[index]}${sell}${reason}${end}${message}}`;
}

/** What fired the stop-loss that an event is about; undefined if it was its price (behaviour 21.4, 18.5). */
function firedBy(group: OcoGroup, event: string, index: number): "time" | "flatten" | undefined {
  if (index !== STOP_LOSS || (event !== "oco.triggered" && event !== "oco.triggerFailed")) return undefined;
  const reason = exitReasonOf(group);
  return reason === "price" ? undefined : (reason ?? undefined);
}

/** When the market opens, if the event contains it. */
function untilOf({ untilMs }: EventData): string | undefined {
  return typeof untilMs === "number" ? formatTime(untilMs) : undefined;
}

function indexOf({ row }: EventData): number {
  return typeof row === "number" ? row : STOP_LOSS;
}

/** The name of the sell that an event is about; undefined if it is about no sell, or may be about several. */
function sellOf(group: OcoGroup, event: string, index: number, orderName: OrderName): string | undefined {
  // With the guard, or sold until it is sold, a stop-loss can have several sells or none of its own: see its receipt.
  const isOneSell =
    OF_A_SELL.has(event) && !(index === STOP_LOSS && (group.hasOversellGuard || group.exit?.orderCount !== undefined));
  return isOneSell ? orderName(group.groupId, sellName(rowAt(group, index).id)) : undefined;
}
