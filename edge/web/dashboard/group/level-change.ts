/**
 * Levels and lots of a running group that a user changes together (behaviour 15.1): what differs, the request, and where a
 * refusal belongs.
 *
 * Invariants:
 * 1. The key of a take-profit is the id of its row, and below zero for a new one.
 * 2. A field that was not changed follows the group, and a request names no field that was not changed. Take-profits are
 *    named all together, as the service takes them.
 */
import type { TickTable } from "../../../../src/domain/price/tick-table.ts";
import { say } from "../language/say.ts";
import { serviceText } from "../language/service-text.ts";
import { readNumber, typedPrice } from "../part/number-text.ts";
import { priceText, quantityText } from "../part/words.ts";
import { ACTIVE, type OcoRow, STOP_LOSS } from "../state/model.ts";
import { type DraftLevels, findLevelFaults, findReached, type ReachedLevel, readPrice } from "./levels.ts";
import type { Faults } from "./terms.ts";

export interface LevelDraft extends DraftLevels {
  /** False: the stop-loss is not under watch, and is not changed. */
  readonly hasStopLoss: boolean;
}

type Item = LevelDraft["takeProfits"][number];

/** A level before and after, as text; empty: it did not exist, or does not exist any more. */
interface LevelChange {
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

/** The levels of a group as they are. `rows`: the stop-loss and all take-profits; those under watch can be changed. */
export function levelDraftOf(rows: readonly OcoRow[]): LevelDraft {
  const stop = rows.find(({ orderType }) => orderType === STOP_LOSS);
  return {
    hasStopLoss: stop?.status === ACTIVE,
    stopLossPrice: stop === undefined ? "" : typedPrice(stop.price),
    stopLossQuantity: stop === undefined ? "" : String(stop.quantity),
    takeProfits: rows
      .filter(({ orderType, status }) => orderType !== STOP_LOSS && status === ACTIVE)
      .map(({ id, price, quantity }) => ({ key: id, price: typedPrice(price), quantity: String(quantity) })),
  };
}

/** One more take-profit, with a key of its own. */
export function withNewKey(item: Item, others: readonly Item[]): Item {
  return { ...item, key: Math.min(0, ...others.map(({ key }) => key)) - 1 };
}

/**
 * A draft that was begun on `before`, on the group as it is `now`. What was typed remains; take-profits that are no
 * longer under watch are removed, and new rows of the group are added. A new take-profit that the group has by now is not
 * added twice: a request whose answer was lost can have made it.
 */
export function rebase(draft: LevelDraft, before: LevelDraft, now: LevelDraft): LevelDraft {
  const [was, is] = [byKey(before.takeProfits), byKey(now.takeProfits)];
  const kept = draft.takeProfits.flatMap((item): readonly Item[] => {
    const [old, current] = [was.get(item.key), is.get(item.key)];
    if (old === undefined || current === undefined) return [];
    return [
      {
        key: item.key,
        price: item.price === old.price ? current.price : item.price,
        quantity: item.quantity === old.quantity ? current.quantity : item.quantity,
      },
    ];
  });
  const appeared = now.takeProfits.filter(({ key }) => !was.has(key));
  const made = [...appeared];
  const added = draft.takeProfits.filter((item) => {
    if (item.key > 0) return false;
    const place = made.findIndex((other) => isSameLevel(item, other));
    if (place >= 0) made.splice(place, 1);
    return place < 0;
  });
  // A price that is sent would set a stop-loss that failed under watch again (behaviour 15.7).
  const isStopOver = !now.hasStopLoss;
  const isPriceKept = isStopOver || draft.stopLossPrice === before.stopLossPrice;
  const areLotsKept = isStopOver || draft.stopLossQuantity === before.stopLossQuantity;
  return {
    hasStopLoss: now.hasStopLoss,
    stopLossPrice: isPriceKept ? now.stopLossPrice : draft.stopLossPrice,
    stopLossQuantity: areLotsKept ? now.stopLossQuantity : draft.stopLossQuantity,
    takeProfits: [...kept, ...appeared, ...added],
  };
}

/** The levels that differ, the stop-loss first. `gone`: the text for a take-profit that does not exist any more. */
export function levelChanges(before: LevelDraft, after: LevelDraft, gone: string): readonly LevelChange[] {
  const [was, is] = [byKey(before.takeProfits), byKey(after.takeProfits)];
  const keys = new Set([...was.keys(), ...is.keys()]);
  const pairs = [
    { what: say("Stop-loss"), before: stopText(before, gone), after: stopText(after, gone) },
    ...[...keys].map((key) => ({
      what: say("Take-profit"),
      before: itemText(was.get(key)) ?? "",
      after: itemText(is.get(key)) ?? gone,
    })),
  ];
  return pairs.filter((pair) => pair.before !== pair.after);
}

/** The faults of a draft that was begun on `before`, by field; under "" a fault of the whole. */
export function findChangeFaults(draft: LevelDraft, before: LevelDraft, table: TickTable): Faults {
  const was = byKey(before.takeProfits);
  const kept = draft.takeProfits.filter(({ key, price }) => was.get(key)?.price === price);
  const isStopKept = draft.stopLossPrice === before.stopLossPrice;
  const fields = [...(isStopKept ? ["stopLossPrice"] : []), ...kept.map(({ key }) => `price${key}`)];
  const faults = findLevelFaults(draft, table, new Set(fields));
  if (draft.takeProfits.length === 0 && before.takeProfits.length > 0)
    return { ...faults, "": say("A group keeps at least one take-profit. To end it, cancel the group.") };
  const hasNone = Object.keys(faults).length === 0 && levelChanges(before, draft, "").length === 0;
  return hasNone ? { "": say("Nothing of the group is changed yet.") } : faults;
}

/** The body of the change: what differs from `before`. */
export function changeBody(draft: LevelDraft, before: LevelDraft): object {
  const price = readPrice(draft.stopLossPrice);
  const quantity = readNumber(draft.stopLossQuantity, 0);
  const isSame =
    draft.takeProfits.length === before.takeProfits.length &&
    draft.takeProfits.every((item, place) => {
      const other = before.takeProfits[place];
      return item.key === other?.key && isSameLevel(item, other);
    });
  return {
    ...(price === readPrice(before.stopLossPrice) ? {} : { stopLossPrice: price }),
    ...(quantity === readNumber(before.stopLossQuantity, 0) ? {} : { stopLossQuantity: quantity }),
    ...(isSame ? {} : { takeProfitItems: draft.takeProfits.map(bodyOf) }),
  };
}

/** New and moved levels that the last price has reached already: they sell as soon as they are set. */
export function findReachedChanges(
  draft: LevelDraft,
  before: LevelDraft,
  last: number | undefined,
): readonly ReachedLevel[] {
  const was = byKey(before.takeProfits);
  const isMoved = (text: string, old: string | undefined): boolean => readPrice(text) !== readPrice(old ?? "");
  const takeProfits = draft.takeProfits.filter(({ key, price }) => isMoved(price, was.get(key)?.price));
  const stopLossPrice = isMoved(draft.stopLossPrice, before.stopLossPrice) ? draft.stopLossPrice : "";
  return findReached({ ...draft, stopLossPrice, takeProfits }, last);
}

/** Puts a refusal at the field that it names; a refusal without a field is under "". */
export function placeChangeRefusal({ takeProfits }: LevelDraft, message: string): Faults {
  const text = serviceText(message);
  const [, index, part = "price"] = /^takeProfitItems\[(\d+)\]\.(price|quantity|id)\b/.exec(message) ?? [];
  const named = index === undefined ? undefined : takeProfits[Number(index)];
  if (named !== undefined) return { [`${part === "quantity" ? "quantity" : "price"}${named.key}`]: text };
  const [, sellingId] = /^take-profit (\d+) is being sold\b/.exec(message) ?? [];
  const selling = takeProfits.find(({ key }) => key === Number(sellingId));
  if (selling !== undefined) return { [`price${selling.key}`]: text };
  const [, level] = /^takeProfitItems price (\S+) must be higher\b/.exec(message) ?? [];
  const low = takeProfits.find(({ price }) => level !== undefined && readPrice(price) === Number(level));
  if (low !== undefined) return { [`price${low.key}`]: text };
  if (/^(stopLossQuantity|takeProfitItems quantities)\b/.test(message)) return { stopLossQuantity: text };
  return { [message.startsWith("stopLossPrice ") ? "stopLossPrice" : ""]: text };
}

function byKey(items: readonly Item[]): ReadonlyMap<number, Item> {
  return new Map(items.map((item) => [item.key, item]));
}

function isSameLevel(left: Item, right: Item): boolean {
  return (
    readPrice(left.price) === readPrice(right.price) && readNumber(left.quantity, 0) === readNumber(right.quantity, 0)
  );
}

function bodyOf({ key, price, quantity }: Item): object {
  const level = { price: readPrice(price), quantity: readNumber(quantity, 0) };
  return key > 0 ? { id: key, ...level } : level;
}

function stopText({ hasStopLoss, stopLossPrice, stopLossQuantity }: LevelDraft, gone: string): string {
  return hasStopLoss ? (itemText({ price: stopLossPrice, quantity: stopLossQuantity }) ?? gone) : gone;
}

/** A level as text, for example "10 at 120.00"; undefined for a level that does not exist. */
function itemText(level: Pick<Item, "price" | "quantity"> | undefined): string | undefined {
  if (level === undefined) return undefined;
  const quantity = quantityText(readNumber(level.quantity, 0) ?? 0);
  return say("{quantity} at {price}", { quantity, price: priceText(readPrice(level.price)) });
}
