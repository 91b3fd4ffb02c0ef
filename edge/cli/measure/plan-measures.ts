/**
 * The effects of an import of read measures on the restrictions of an installation. Plain functions.
 *
 * Owns: which measure is known, which is added, which restriction ends. Does not own: reading the text
 * (read-measures.ts), the requests (the command).
 *
 * Invariants:
 * 1. A measure is one symbol, type, first and last day: its `sourceRef` names the days. It is added once, however often
 *    it is read, and in any announcement.
 * 2. A restriction is active while it has no `validTo` (behaviour 10.2), so a measure gets its end only once it is
 *    over.
 * 3. A later measure of the same symbol and type ends the earlier one. Only restrictions from announcements are ended.
 * 4. A prolongation without its earlier days continues the announced measure that is in force, and no other.
 */
import type { RestrictionView } from "../../../src/contract/operator/reference.ts";
import type { RestrictionRecord } from "../known-restrictions.ts";
import { type Day, shiftDay } from "./days.ts";
import type { EndedMeasure, ExtendedMeasure, Measure, Statement } from "./read-measures.ts";

/** Turkey has had no summer time since 2016. */
const ISTANBUL = "+03:00";
const SOURCE = "KAP";
const SOURCE_REF = /^KAP (\d{4}-\d\d-\d\d) to (\d{4}-\d\d-\d\d)$/;

type KnownMeasure = Pick<RestrictionView, "id" | "code" | "restrictionType" | "validFrom" | "validTo" | "sourceRef">;

export type MeasureAction =
  | { readonly kind: "add"; readonly record: RestrictionRecord }
  | { readonly kind: "end"; readonly id: number; readonly validTo: string }
  /** `undefined`: this import adds it. */
  | { readonly kind: "known"; readonly id: number | undefined }
  /** An end that is announced: the restriction is active until then. */
  | { readonly kind: "later"; readonly id: number | undefined; readonly validTo: string }
  | { readonly kind: "person"; readonly why: string };

export interface PlannedStatement {
  readonly statement: Statement;
  readonly actions: readonly MeasureAction[];
}

/** A restriction that exists, or that this plan adds. */
interface Standing {
  readonly id: number | undefined;
  readonly restrictionType: number;
  readonly validFromMs: number;
  validTo: string | null;
  readonly sourceRef: string;
  /** For a restriction that this plan adds: its place among the actions. */
  readonly record: { validTo?: string } | undefined;
}

/** A statement, and its measure or end; otherwise the reason why it has neither. */
interface Resolved {
  readonly statement: Statement;
  readonly what: Measure | EndedMeasure | string;
}

/**
 * Plans the import of statements at `nowMs`. `histories`: all restrictions of each symbol; `null` for a symbol that is
 * not known.
 */
export function planMeasures(
  statements: readonly Statement[],
  histories: ReadonlyMap<string, readonly KnownMeasure[] | null>,
  nowMs: number,
): readonly PlannedStatement[] {
  const standing = new Map<string, Standing[]>();
  for (const [symbol, history] of histories) {
    if (history !== null) standing.set(symbol, history.map(standingOf));
  }
  const resolved: Resolved[] = [];
  for (const statement of statements) {
    const { symbol } = statement;
    const ofSymbol = standing.get(symbol);
    if (ofSymbol === undefined) resolved.push({ statement, what: `symbol ${symbol} is not known` });
    else if (statement.kind !== "extends") resolved.push({ statement, what: statement });
    else resolved.push({ statement, what: extensionOf(statement, measuresOf(resolved), ofSymbol, nowMs) });
  }
  const measures = measuresOf(resolved);
  const ends = resolved.flatMap(({ what }) => (typeof what !== "string" && what.kind === "ends" ? [what] : []));
  return [...resolved]
    .sort((left, right) => orderOf(left).localeCompare(orderOf(right)))
    .map(({ statement, what }) => {
      if (typeof what === "string") return { statement, actions: [{ kind: "person", why: what }] };
      const restrictions = standing.get(what.symbol) ?? [];
      const actions =
        what.kind === "ends"
          ? [planEnd(what, restrictions, nowMs)]
          : planMeasure(what, endOf(what, measures, ends), restrictions, nowMs);
      return { statement, actions };
    });
}

/** By their days; an end comes before a measure that begins on that day. */
function orderOf({ what }: Resolved): string {
  if (typeof what === "string") return "";
  return what.kind === "ends" ? `${what.freeFrom} 0` : `${what.from} 1`;
}

function standingOf({ id, restrictionType, validFrom, validTo, sourceRef }: KnownMeasure): Standing {
  return { id, restrictionType, validFromMs: Date.parse(validFrom), validTo, sourceRef, record: undefined };
}

function measuresOf(resolved: readonly Resolved[]): readonly Measure[] {
  return resolved.flatMap(({ what }) => (typeof what !== "string" && what.kind === "applies" ? [what] : []));
}

function isOfSame(left: Omit<Statement, "kind">, right: Omit<Statement, "kind">): boolean {
  return left.symbol === right.symbol && left.restrictionType === right.restrictionType;
}

/** The measure that a prolongation adds: from the day after the last day of the measure that is in force. */
function extensionOf(
  extension: ExtendedMeasure,
  measures: readonly Measure[],
  restrictions: readonly Standing[],
  nowMs: number,
): Measure | string {
  const { symbol, restrictionType, until, effects } = extension;
  const ofSame = { symbol, restrictionType, ...(effects !== undefined && { effects }) };
  const stored = restrictions.flatMap((one): (Measure & { readonly isActive: boolean })[] => {
    const [, from, last] = SOURCE_REF.exec(one.sourceRef) ?? [];
    if (one.restrictionType !== restrictionType || from === undefined || last === undefined) return [];
    return [{ kind: "applies", symbol, restrictionType, from, until: last, isActive: one.validTo === null }];
  });
  const ofFile = measures.filter((measure) => isOfSame(measure, extension)).map((one) => ({ ...one, isActive: true }));
  const all = [...ofFile, ...stored];
  const same = all.find((measure) => measure.until === until);
  if (same !== undefined) return { kind: "applies", ...ofSame, from: same.from, until };
  const lastDays = all.flatMap(({ isActive, until: last }) =>
    isActive && last !== undefined && Date.parse(startOf(shiftDay(last, 1))) > nowMs ? [last] : [],
  );
  const lastDay = lastDays.sort().at(-1);
  if (lastDay === undefined) return "it prolongs a measure, and no announced one of this type is in force";
  if (lastDay > until) return "it prolongs a measure, and the announced one lasts longer already";
  return { kind: "applies", ...ofSame, from: shiftDay(lastDay, 1), until };
}

/** When a measure ends in all: after its last day, or when a statement of the same import ends it before. */
function endOf(measure: Measure, measures: readonly Measure[], ends: readonly EndedMeasure[]): string | undefined {
  const last = measure.until === undefined ? undefined : shiftDay(measure.until, 1);
  const early = ends.filter(({ freeFrom }) => freeFrom > measure.from && (last === undefined || freeFrom <= last));
  const own = early.filter((end) => {
    const isOfLater = measures.some(
      (other) => isOfSame(other, end) && other.from > measure.from && other.from < end.freeFrom,
    );
    return isOfSame(end, measure) && !isOfLater;
  });
  const day = own.map(({ freeFrom }) => freeFrom).sort()[0] ?? last;
  return day === undefined ? undefined : startOf(day);
}

function planMeasure(
  measure: Measure,
  end: string | undefined,
  restrictions: Standing[],
  nowMs: number,
): readonly MeasureAction[] {
  const ofType = restrictions.filter(({ restrictionType }) => restrictionType === measure.restrictionType);
  const sourceRef = sourceRefOf(measure);
  const validFrom = startOf(measure.from);
  const isOver = end !== undefined && Date.parse(end) <= nowMs;
  const known = ofType.find((one) => one.sourceRef === sourceRef);
  if (known !== undefined) {
    if (known.id === undefined) return [];
    if (known.validTo !== null || !isOver) return [{ kind: "known", id: known.id }];
    known.validTo = end;
    return [{ kind: "end", id: known.id, validTo: end }];
  }
  const record = {
    ...{ code: measure.symbol, restrictionType: measure.restrictionType, validFrom, sourceRef },
    ...(isOver ? { validTo: end } : {}),
    ...(measure.effects !== undefined && { effects: measure.effects }),
  };
  const actions: MeasureAction[] = [{ kind: "add", record }];
  const active = ofType.find(({ validTo }) => validTo === null);
  if (!isOver && active !== undefined) {
    const isOurs = isAnnounced(active) && active.validFromMs <= Date.parse(validFrom);
    if (!isOurs) return [{ kind: "person", why: `restriction ${active.id ?? ""} of this type is active already` }];
    const ended = endStanding(active, validFrom);
    if (ended !== undefined) actions.unshift(ended);
  }
  const validTo = isOver ? end : null;
  const { restrictionType } = measure;
  restrictions.push({
    ...{ id: undefined, restrictionType, validFromMs: Date.parse(validFrom), validTo, sourceRef, record },
  });
  return actions;
}

function planEnd(end: EndedMeasure, restrictions: readonly Standing[], nowMs: number): MeasureAction {
  const ofType = restrictions.filter(({ restrictionType }) => restrictionType === end.restrictionType);
  const validTo = startOf(end.freeFrom);
  const endMs = Date.parse(validTo);
  const ended = ofType.find((one) => one.validTo !== null && Date.parse(one.validTo) === endMs && isAnnounced(one));
  if (ended !== undefined) return { kind: "known", id: ended.id };
  const active = ofType.find((one) => one.validTo === null);
  if (active === undefined)
    return { kind: "person", why: "it ends a measure, and no restriction of this type is active" };
  if (!isAnnounced(active) || active.validFromMs >= endMs) {
    return { kind: "person", why: `restriction ${active.id ?? ""} of this type is active and is another one` };
  }
  if (endMs > nowMs) return { kind: "later", id: active.id, validTo };
  return endStanding(active, validTo) ?? { kind: "known", id: undefined };
}

/** Ends a restriction. Returns the request for it; a restriction that this plan adds needs no request. */
function endStanding(active: Standing, validTo: string): MeasureAction | undefined {
  active.validTo = validTo;
  if (active.record !== undefined) active.record.validTo = validTo;
  return active.id === undefined ? undefined : { kind: "end", id: active.id, validTo };
}

function isAnnounced({ sourceRef }: Standing): boolean {
  return sourceRef.startsWith(`${SOURCE} `);
}

/** Names a measure by its days, so that the announced end is shown while the measure is active. */
function sourceRefOf({ from, until }: Measure): string {
  return until === undefined ? `${SOURCE} ${from}, until further notice` : `${SOURCE} ${from} to ${until}`;
}

function startOf(day: Day): string {
  return `${day}T00:00:00${ISTANBUL}`;
}
