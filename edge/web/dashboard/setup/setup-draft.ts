/**
 * The exits of a buy in the making: of a waiting buy (behaviour 5.6), or of an entry (behaviour 24.1). The rules are
 * the same functions that the service uses.
 *
 * Invariant: what is shown of a draft and what is sent of it are read from the same text by the same function.
 */
import { LIMIT } from "../../../../src/domain/order/order.ts";
import { type PercentKind, stopLossLevel, takeProfitLevel } from "../../../../src/domain/price/percent.ts";
import type { TickTable } from "../../../../src/domain/price/tick-table.ts";
import {
  checkQuantity,
  type DraftLots,
  PERCENT_DECIMALS_MAX,
  readLevel,
  readPercent,
  readPrice,
  tooManyText,
} from "../group/levels.ts";
import {
  dateFault,
  exitTimesText,
  type Faults,
  fieldTextOf,
  findTermsFaults,
  NO_TERMS,
  ownZone,
  POLICY_WORDS,
  placeTermsRefusal,
  type TermsDraft,
  termsBody,
  termsChange,
  termsDraftOf,
} from "../group/terms.ts";
import { say } from "../language/say.ts";
import { serviceText } from "../language/service-text.ts";
import { readNumber, typedPrice, typedText } from "../part/number-text.ts";
import { moneyText, priceText, quantityText } from "../part/words.ts";
import { sumOf } from "../part/worth.ts";
import type { Setup, SetupLevel } from "../state/model.ts";

/** A level that is typed: in percent of the fill price, or a price. */
export interface DraftLevel {
  readonly unit: "percent" | "price";
  readonly text: string;
}

interface SetupTakeProfit extends DraftLevel, DraftLots {}

export interface SetupDraft extends TermsDraft {
  readonly stopLoss: DraftLevel;
  /** Of an entry: the lots that it buys. */
  readonly stopLossQuantity: string;
  readonly takeProfits: readonly SetupTakeProfit[];
  /** Of a stop entry that waits; empty: of any other. */
  readonly trigger: string;
  /** Of a changed entry: when what is not filled is cancelled, as a field for date and time has it; empty: never. */
  readonly expires: string;
}

/** A value of a draft as text. */
interface SetupTerm {
  readonly what: string;
  readonly text: string;
}

/** A stop-loss and one take-profit of all lots, in percent of the fill price. */
export const EMPTY_SETUP: SetupDraft = {
  stopLoss: { unit: "percent", text: "3" },
  stopLossQuantity: "",
  takeProfits: [{ key: 1, quantity: "", unit: "percent", text: "5" }],
  ...{ trigger: "", expires: "" },
  ...NO_TERMS,
};

/** A registered pending OCO as a draft, to be changed. `zone`: the exchange's. */
export function setupDraftOf(setup: Setup, zone: string): SetupDraft {
  const { stopLossPercent: percent, stopLossPrice: price, stopLossQuantity, takeProfitItems, entry } = setup;
  return {
    stopLoss: draftLevelOf({ percent, price }),
    stopLossQuantity: String(stopLossQuantity),
    takeProfits: takeProfitItems.map((item, index) => {
      return { key: index + 1, quantity: String(item.quantity), ...draftLevelOf(item) };
    }),
    trigger: waitsForTrigger(setup) ? typedPrice(entry?.triggerPrice ?? 0) : "",
    expires: entry?.expiresAt == null ? "" : fieldTextOf(entry.expiresAt, ownZone()),
    ...termsDraftOf(setup, zone),
  };
}

/** Whether no order exists yet, as the price has not reached the trigger. */
export function waitsForTrigger({ entry }: Pick<Setup, "entry">): boolean {
  return entry?.triggerPrice != null && entry.triggeredPrice == null;
}

function draftLevelOf({ percent, price }: Pick<SetupLevel, "percent" | "price">): DraftLevel {
  if (percent !== null) return { unit: "percent", text: typedText(percent) };
  return { unit: "price", text: price === null ? "" : typedPrice(price) };
}

/** The draft for other lots. A single take-profit that sells all lots continues to do so. */
export function withSetupLots(draft: SetupDraft, lots: string): SetupDraft {
  const { takeProfits, stopLossQuantity } = draft;
  const [first] = takeProfits;
  const follows = takeProfits.length === 1 && first?.quantity === stopLossQuantity;
  return {
    ...draft,
    stopLossQuantity: lots,
    takeProfits: follows ? takeProfits.map((item) => ({ ...item, quantity: lots })) : takeProfits,
  };
}

/** Checks a draft as the service will; `limit`: the limit or trigger of the buy, undefined at market. */
export function findSetupFaults(draft: SetupDraft, table: TickTable, limit: number | undefined): Faults {
  const faults: Record<string, string> = {};
  const stop = checkLevel(draft.stopLoss, "stopLoss", table);
  if (typeof stop !== "number") faults.stopLoss = stop.fault;
  const fixedStop = draft.stopLoss.unit === "price" && typeof stop === "number" ? stop : undefined;
  if (fixedStop !== undefined && limit !== undefined && fixedStop >= limit)
    faults.stopLoss = say("Must be lower than the price of the buy, {price}.", { price: priceText(limit) });
  const lots = checkQuantity(faults, "stopLossQuantity", draft.stopLossQuantity);
  let total = 0;
  for (const item of draft.takeProfits) {
    const level = checkLevel(item, "takeProfit", table);
    if (typeof level !== "number") faults[`price${item.key}`] = level.fault;
    else if (item.unit === "price" && fixedStop !== undefined && level <= fixedStop)
      faults[`price${item.key}`] = say("Must be above the stop-loss.");
    else if (item.unit === "price" && limit !== undefined && level <= limit)
      faults[`price${item.key}`] = say("Must be higher than the price of the buy, {price}.", {
        price: priceText(limit),
      });
    const isAll = item.quantity === draft.stopLossQuantity;
    total += (isAll ? lots : checkQuantity(faults, `quantity${item.key}`, item.quantity)) ?? 0;
  }
  if (lots !== undefined && total > lots) faults.stopLossQuantity = tooManyText(total);
  const trigger = draft.trigger === "" ? undefined : readLevel(draft.trigger, table);
  if (typeof trigger === "object") faults.triggerPrice = trigger.fault;
  const expiry = dateFault(draft.expires);
  if (expiry !== undefined) faults.expiresAt = expiry;
  return { ...faults, ...findTermsFaults(draft, table) };
}

function checkLevel({ unit, text }: DraftLevel, kind: PercentKind, table: TickTable): number | { fault: string } {
  return unit === "price" ? readLevel(text, table) : readPercent(text, kind);
}

/** Names fixed levels that would sell lots bought at `price` immediately, as text; undefined for none. */
export function crossedText(draft: SetupDraft, price: number | undefined): string | undefined {
  const isCrossed = (level: DraftLevel, side: "above" | "below"): boolean => {
    const read = level.unit === "price" ? readPrice(level.text) : undefined;
    if (read === undefined || price === undefined) return false;
    return side === "below" ? read >= price : read <= price;
  };
  const names = [
    ...(isCrossed(draft.stopLoss, "below") ? [say("the stop-loss")] : []),
    ...(draft.takeProfits.some((item) => isCrossed(item, "above")) ? [say("a take-profit")] : []),
  ];
  if (names.length === 0) return undefined;
  return say("The price is {price} now: {levels} would sell as soon as the buy is filled.", {
    price: priceText(price),
    levels: names.join(say(" and ")),
  });
}

/** The loss if all lots are bought at `price` and sold at the stop-loss, as text. */
export function riskText(draft: SetupDraft, price: number | undefined, table: TickTable): string {
  const { quantity, percent, price: level } = stopLossOf(draft);
  const unknown = say("The money at risk is not known.");
  if (price === undefined || price <= 0) return unknown;
  const byPercent = percent === null ? undefined : stopLossLevel(price, percent, table);
  const stop = byPercent?.ok === true ? byPercent.value / 100 : level;
  if (stop === null || stop >= price) return unknown;
  const loss = moneyText((price - stop) * quantity);
  return say(
    "Money at risk: about {loss}, if {lots} lots are bought at {price} and sold at {stop}. A sale at market can bring less.",
    { loss, lots: quantityText(quantity), price: priceText(price), stop: priceText(stop) },
  );
}

function stopLossOf({ stopLoss, stopLossQuantity }: SetupDraft): SetupLevel {
  return levelOf({ ...stopLoss, quantity: stopLossQuantity });
}

function levelOf({ unit, text, quantity }: DraftLevel & { readonly quantity: string }): SetupLevel {
  return {
    quantity: readNumber(quantity, 0) ?? 0,
    percent: unit === "percent" ? (readNumber(text, PERCENT_DECIMALS_MAX) ?? 0) : null,
    price: unit === "price" ? (readPrice(text) ?? 0) : null,
  };
}

/** A level as text, for example "10 at 3% below the fill". */
function levelText({ quantity, percent, price }: SetupLevel, side: "above" | "below"): string {
  const text = quantityText(quantity);
  if (percent === null) return say("{quantity} at {price}", { quantity: text, price: priceText(price) });
  const level = { quantity: text, percent: typedText(percent) };
  return side === "below"
    ? say("{quantity} at {percent}% below the fill", level)
    : say("{quantity} at {percent}% above the fill", level);
}

/** Levels as texts: a level in percent with the price that it has if the buy is filled at its limit or trigger. */
export function levelTexts(
  levels: readonly SetupLevel[],
  side: "above" | "below",
  { entry }: Pick<Setup, "entry">,
  table: TickTable,
): readonly string[] {
  const buyPrice = buyPriceOf(entry);
  return levels.map((level) => {
    const { quantity, percent } = level;
    const price = percent === null || buyPrice === undefined ? undefined : percentPrice(percent, side, buyPrice, table);
    if (percent === null || price === undefined) return levelText(level, side);
    const values = { quantity: quantityText(quantity), price: priceText(price), percent: typedText(percent) };
    return side === "below"
      ? say("{quantity} at about {price} (-{percent}%)", values)
      : say("{quantity} at about {price} (+{percent}%)", values);
  });
}

/** Returns the limit or the trigger of a buy; undefined for a buy at market, or by an order that is not an entry. */
export function buyPriceOf(entry: Setup["entry"]): number | undefined {
  if (entry === null) return undefined;
  return entry.orderType === LIMIT ? entry.price : (entry.triggerPrice ?? undefined);
}

/** The price of a level in percent of a fill at `buyPrice`; undefined if no price of the table is there. */
function percentPrice(
  percent: number,
  side: "above" | "below",
  buyPrice: number,
  table: TickTable,
): number | undefined {
  const level = (side === "below" ? stopLossLevel : takeProfitLevel)(buyPrice, percent, table);
  return level.ok ? level.value / 100 : undefined;
}

interface SetupWorth {
  /** What a sale of all lots at the stop-loss brings, before commission; below zero for a loss. */
  readonly loss: number;
  /** What the sales at all take-profits bring together. */
  readonly gain: number;
}

/** Returns what a buy at its limit or trigger brings at its exits; undefined while one of these prices is unknown. */
export function setupWorth(
  setup: Pick<Setup, "entry" | "stopLossQuantity" | "stopLossPercent" | "stopLossPrice" | "takeProfitItems">,
  table: TickTable,
): SetupWorth | undefined {
  const { stopLossQuantity: quantity, stopLossPercent: percent, stopLossPrice: price, takeProfitItems } = setup;
  const buyPrice = buyPriceOf(setup.entry);
  if (buyPrice === undefined) return undefined;
  const worthOf = (level: SetupLevel, side: "above" | "below"): number | undefined => {
    const at = level.percent === null ? level.price : percentPrice(level.percent, side, buyPrice, table);
    return at == null ? undefined : (at - buyPrice) * level.quantity;
  };
  const loss = worthOf({ quantity, percent, price }, "below");
  const { sum: gain, missing } = sumOf(takeProfitItems, (item) => worthOf(item, "above"));
  return loss === undefined || missing > 0 ? undefined : { loss, gain };
}

/** A draft without faults as text; absent values are left out. `zone`: the exchange's. */
export function describeSetup(draft: SetupDraft, zone: string): readonly SetupTerm[] {
  const { trailingDistance, dueDate, notes, exit } = draft;
  const terms = [
    { what: say("Stop-loss"), text: levelText(stopLossOf(draft), "below") },
    { what: say("Take-profits"), text: draft.takeProfits.map((item) => levelText(levelOf(item), "above")).join("; ") },
    { what: say("Watched until"), text: dueDate.replace("T", " ") },
    { what: say("Trailing distance"), text: trailingDistance.trim() },
    { what: say("Note"), text: notes },
    { what: say("If an order leaves lots unsold"), text: exit.policy === "" ? "" : POLICY_WORDS[exit.policy] },
    { what: say("Stop-loss sells"), text: exitTimesText(exit, zone) ?? "" },
    { what: say("Trigger price"), text: draft.trigger === "" ? "" : priceText(readPrice(draft.trigger)) },
    { what: say("Buy is cancelled"), text: draft.expires.replace("T", " ") },
  ];
  return terms.filter(({ text }) => text !== "");
}

/** Values that differ between two drafts, old and new; empty for what was or is not given. */
export function setupChanges(
  before: SetupDraft,
  after: SetupDraft,
  zone: string,
): readonly { readonly what: string; readonly before: string; readonly after: string }[] {
  const [old, now] = [before, after].map((draft) => describeSetup(draft, zone));
  const names = new Set([...(old ?? []), ...(now ?? [])].map(({ what }) => what));
  const textOf = (terms: readonly SetupTerm[] | undefined, name: string): string =>
    terms?.find(({ what }) => what === name)?.text ?? "";
  return [...names]
    .map((what) => ({ what, before: textOf(old, what), after: textOf(now, what) }))
    .filter((change) => change.before !== change.after);
}

/** The exits of a buy for the body of a request. `zone`: the exchange's. */
export function exitsBody(draft: SetupDraft, zone: string): object {
  return { ...stopLossBody(stopLossOf(draft)), ...takeProfitsBody(draft), ...termsBody(draft, zone) };
}

/** The body that registers a pending OCO, without its order. */
export function setupBody(draft: SetupDraft, zone: string): object {
  return { stopLossQuantity: stopLossOf(draft).quantity, ...exitsBody(draft, zone) };
}

/**
 * What of a pending OCO differs from `setup`, as a change names it; a field that is not changed is absent. `before`: its
 * draft. Details of a trailing stop-loss that no field shows stay.
 */
export function setupChangeBody(setup: Setup, before: SetupDraft, after: SetupDraft, zone: string): object {
  const [old, now] = [stopLossOf(before), stopLossOf(after)];
  const { distance: _, distancePercent: __, ...hidden } = setup.stopLossTrailing ?? {};
  const { stopLossTrailing, ...terms } = termsChange(after, before, zone);
  const takeProfits = takeProfitsBody(after);
  return {
    ...(old.quantity === now.quantity ? {} : { stopLossQuantity: now.quantity }),
    ...(old.percent === now.percent && old.price === now.price ? {} : stopLossBody(now)),
    ...(JSON.stringify(takeProfits) === JSON.stringify(takeProfitsBody(before)) ? {} : takeProfits),
    ...(stopLossTrailing === undefined
      ? {}
      : { stopLossTrailing: stopLossTrailing && { ...hidden, ...stopLossTrailing } }),
    ...(after.trigger === before.trigger ? {} : { triggerPrice: readPrice(after.trigger) }),
    ...(after.expires === before.expires
      ? {}
      : { expiresAt: after.expires === "" ? null : new Date(after.expires).toISOString() }),
    ...terms,
  };
}

function stopLossBody({ percent, price }: SetupLevel): object {
  return percent === null ? { stopLossPrice: price } : { stopLossPercent: percent };
}

function takeProfitsBody({ takeProfits }: SetupDraft): object {
  const bodyOf = ({ quantity, percent, price }: SetupLevel): object =>
    percent === null ? { quantity, price } : { quantity, percent };
  return { takeProfitItems: takeProfits.map((item) => bodyOf(levelOf(item))) };
}

/** Puts a refusal at the field of the form that it names; a refusal without a field is under the key "". */
export function placeSetupRefusal(draft: SetupDraft, message: string): Faults {
  const text = serviceText(message);
  const [, index, part] = /^takeProfitItems\[(\d+)\]\.(price|percent|quantity)\b/.exec(message) ?? [];
  const item = draft.takeProfits[Number(index)];
  if (item !== undefined) return { [`${part === "quantity" ? "quantity" : "price"}${item.key}`]: text };
  if (/^stopLoss(Percent|Price)\b/.test(message)) return { stopLoss: text };
  if (/^(stopLossQuantity|takeProfitItems quantities)\b/.test(message)) return { stopLossQuantity: text };
  const [, ofBuy] = /^(triggerPrice|expiresAt) /.exec(message) ?? [];
  if (ofBuy !== undefined) return { [ofBuy]: text };
  return { [placeTermsRefusal(message) ?? ""]: text };
}
