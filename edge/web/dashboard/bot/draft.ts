/**
 * A bot in the making: its fields as text, and the rules that they keep: the same functions that the service uses.
 */

import type { TableOf } from "../../../../src/domain/bot/bot-plan.ts";
import { type LevelDetailRequest, planLevelBot } from "../../../../src/domain/bot/level-bot-plan.ts";
import { planWebhookBot, type WebhookDetailRequest } from "../../../../src/domain/bot/webhook-bot.ts";
import { say } from "../language/say.ts";
import { serviceText } from "../language/service-text.ts";
import { numberRule, readNumber, typedText } from "../part/number-text.ts";
import type { Account, Bot } from "../state/model.ts";

export type BotKind = "level-bots" | "webhook-bots";

/** One field of a detail. An optional field that is left empty is not sent. */
export interface DetailField {
  readonly name: string;
  readonly label: string;
  /** Of a number: how many there may be after the point. Undefined: a text. */
  readonly decimalsMax: number | undefined;
  readonly isOptional: boolean;
  readonly hint?: string;
}

const PRICE_DECIMALS_MAX = 2;
const PERCENT_DECIMALS_MAX = 4;

const SYMBOL = { name: "symbol", label: say("Symbol"), decimalsMax: undefined, isOptional: false };
const QUANTITY = { name: "quantity", label: say("Lots of a buy"), decimalsMax: 0, isOptional: false };

/** The fields of a detail, by kind, without the limits, which are the same for both. */
export const DETAIL_FIELDS: Readonly<Record<BotKind, readonly DetailField[]>> = {
  "level-bots": [
    SYMBOL,
    QUANTITY,
    { name: "buyGap", label: say("Buy after a fall of"), decimalsMax: PRICE_DECIMALS_MAX, isOptional: false },
    { name: "targetProfit", label: say("Sell at a gain of, %"), decimalsMax: PERCENT_DECIMALS_MAX, isOptional: true },
    { name: "sellGap", label: say("Sell after a rise of"), decimalsMax: PRICE_DECIMALS_MAX, isOptional: true },
    { name: "profit", label: say("Buy until a profit of"), decimalsMax: PRICE_DECIMALS_MAX, isOptional: true },
    { name: "confirmTicks", label: say("Prices that confirm a rise, 1 or 2"), decimalsMax: 0, isOptional: true },
  ],
  "webhook-bots": [
    SYMBOL,
    QUANTITY,
    { name: "algoName", label: say("Algorithm"), decimalsMax: undefined, isOptional: false },
    { name: "period", label: say("Period"), decimalsMax: undefined, isOptional: false },
  ],
};

export const LIMIT_FIELDS: readonly DetailField[] = [
  { name: "minBuyPrice", label: say("Buy at least at"), decimalsMax: PRICE_DECIMALS_MAX, isOptional: true },
  { name: "maxBuyPrice", label: say("Buy at most at"), decimalsMax: PRICE_DECIMALS_MAX, isOptional: true },
  { name: "minSellPrice", label: say("Sell at least at"), decimalsMax: PRICE_DECIMALS_MAX, isOptional: true },
  { name: "maxSellPrice", label: say("Sell at most at"), decimalsMax: PRICE_DECIMALS_MAX, isOptional: true },
];

export interface DraftDetail {
  readonly key: number;
  readonly values: Readonly<Record<string, string>>;
}

export interface BotDraft {
  readonly name: string;
  readonly details: readonly DraftDetail[];
}

const EMPTY_VALUES: Readonly<Record<BotKind, Readonly<Record<string, string>>>> = {
  "level-bots": { quantity: "1", targetProfit: "1" },
  "webhook-bots": { quantity: "1", period: "1H" },
};

export function emptyDetail(kind: BotKind, key: number): DraftDetail {
  return { key, values: EMPTY_VALUES[kind] };
}

export function emptyBot(kind: BotKind): BotDraft {
  return { name: "", details: [emptyDetail(kind, 0)] };
}

/** A bot as a draft, to be changed. A limit of zero means no limit. */
export function draftOfBot(kind: BotKind, bot: Bot): BotDraft {
  const details: readonly object[] = bot.levelBotDetails ?? bot.webhookBotDetails ?? [];
  const textOf = (detail: object, { name, isOptional }: DetailField): string => {
    const value: unknown = Reflect.get(detail, name);
    if (typeof value === "number") return isOptional && value === 0 ? "" : typedText(value);
    return String(value ?? "");
  };
  const fields = [...DETAIL_FIELDS[kind], ...LIMIT_FIELDS];
  return {
    name: bot.name,
    details: details.map((detail, key) => ({
      key,
      values: Object.fromEntries(fields.map((field) => [field.name, textOf(detail, field)])),
    })),
  };
}

/** What a draft changes: a value of the bot or of a symbol, old and new; empty for none. */
export interface BotChange {
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

/** The differences between two drafts of a bot. A detail is the same one as before if its key is. */
export function botChanges(kind: BotKind, before: BotDraft, after: BotDraft): readonly BotChange[] {
  const nameChange = { what: say("Name"), before: before.name, after: after.name.trim() };
  const keys = new Set([...before.details, ...after.details].map(({ key }) => key));
  const all = [...keys].flatMap((key) => {
    const [old, now] = [before, after].map(({ details }) => details.find((detail) => detail.key === key)?.values);
    const symbol = now?.symbol ?? old?.symbol ?? "";
    return [...DETAIL_FIELDS[kind], ...LIMIT_FIELDS].map(({ name, label }) => ({
      what: `${symbol}: ${label}`,
      before: old?.[name] ?? "",
      after: (now?.[name] ?? "").trim(),
    }));
  });
  return [nameChange, ...all].filter((change) => change.before !== change.after);
}

/** The body of the whole bot; a new one is switched on. */
export function botBody(
  kind: BotKind,
  draft: BotDraft,
  { brokerageCode, accountNumber }: Account,
  isActive = true,
): object {
  const details = detailBodies(kind, draft.details);
  const field = kind === "level-bots" ? "levelBotDetails" : "webhookBotDetails";
  return { brokerageCode, accountNumber, name: draft.name.trim(), isActive, [field]: details };
}

function detailBodies(kind: BotKind, details: readonly DraftDetail[]): readonly object[] {
  return details.map(({ values }) =>
    Object.fromEntries(
      [...DETAIL_FIELDS[kind], ...LIMIT_FIELDS].flatMap(({ name, decimalsMax }) => {
        const text = (values[name] ?? "").trim();
        return text === "" ? [] : [[name, decimalsMax === undefined ? text : readNumber(text, decimalsMax)] as const];
      }),
    ),
  );
}

/** A message for each field that breaks a rule: `name`, or a detail's key and field. */
export type BotFaults = Readonly<Record<string, string>>;

export function faultKey(detail: DraftDetail, field: string): string {
  return `${detail.key}.${field}`;
}

/** Checks a draft as the service will, by the tick table of each symbol. */
export function findBotFaults(kind: BotKind, draft: BotDraft, tableOf: TableOf): BotFaults {
  const faults: Record<string, string> = {};
  if (draft.name.trim() === "") faults.name = say("Give it a name.");
  for (const detail of draft.details) {
    for (const { name, decimalsMax, isOptional } of [...DETAIL_FIELDS[kind], ...LIMIT_FIELDS]) {
      const text = (detail.values[name] ?? "").trim();
      const isNumber = decimalsMax !== undefined;
      if (text === "" && !isOptional)
        faults[faultKey(detail, name)] = isNumber ? say("Give a number.") : say("Fill this in.");
      else if (text !== "" && isNumber && readNumber(text, decimalsMax) === undefined)
        faults[faultKey(detail, name)] = numberRule(decimalsMax);
    }
  }
  return Object.keys(faults).length > 0 ? faults : findBrokenRule(kind, draft, tableOf);
}

function findBrokenRule(kind: BotKind, draft: BotDraft, tableOf: TableOf): BotFaults {
  const details = detailBodies(kind, draft.details);
  const bot = { name: draft.name.trim(), isActive: true };
  // Every field of the kind is there and of its type, which was checked before.
  const planned =
    kind === "level-bots"
      ? planLevelBot({ ...bot, levelBotDetails: details as readonly LevelDetailRequest[] }, tableOf)
      : planWebhookBot({ ...bot, webhookBotDetails: details as readonly WebhookDetailRequest[] }, tableOf);
  return planned.ok ? {} : placeFault(draft, planned.message);
}

/**
 * Puts a refusal at the field that it names: `levelBotDetails[0].buyGap must be ...`. A refusal that names no field of
 * the draft is under the key "".
 */
export function placeFault(draft: BotDraft, message: string): BotFaults {
  const [, index, field = "symbol", rule] = /^\w+Details\[(\d+)\](?:\.(\w+))? (.*)$/.exec(message) ?? [];
  const detail = draft.details[Number(index)];
  if (detail !== undefined) return { [faultKey(detail, field)]: ruleText(field, String(rule)) };
  const [, unknownSymbol] = /^symbol (\S+) is not known$/.exec(message) ?? [];
  const owner = draft.details.find(({ values }) => values.symbol === unknownSymbol);
  if (owner !== undefined) return { [faultKey(owner, "symbol")]: say("No such symbol.") };
  const [, ofName] = /^name (.*)$/.exec(message) ?? [];
  return ofName === undefined ? { "": serviceText(message) } : { name: ruleText("name", ofName) };
}

/** A rule at its field, which an English sentence need not name again. */
function ruleText(field: string, rule: string): string {
  const message = `${field} ${rule}`;
  const text = serviceText(message);
  return text === message ? `${rule.slice(0, 1).toUpperCase()}${rule.slice(1)}.` : text;
}
