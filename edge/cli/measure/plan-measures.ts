/**
 * What an import of read measures does to the restrictions of an installation. Plain functions.
 *
 * Owns: which measure is known, which is added, which restriction ends. Does not own: reading the text
 * (read-measures.ts), the requests (the command).
 *
 * Invariants:
 * 1. A measure is one symbol, type, first and last day: its `sourceRef` names the days. It is added once, however often
 *    and in whatever announcement it is read.
 * 2. A restriction is active while it has no `validTo` (behaviour 10.2), so a measure gets its end only once it is over.
 * 3. A later measure of the same symbol and type ends the earlier one. Only restrictions from announcements are ended.
 */
import type { RestrictionView } from "../../../src/contract/operator/reference.ts";
import type { RestrictionRecord } from "../known-restrictions.ts";
import type { Measure } from "./read-measures.ts";

const DAY_MS = 86_400_000;
/** Turkey has had no summer time since 2016. */
const ISTANBUL = "+03:00";
const SOURCE = "KAP";

type KnownMeasure = Pick<RestrictionView, "id" | "code" | "restrictionType" | "validFrom" | "validTo" | "sourceRef">;

export type MeasureAction =
  | { readonly kind: "add"; readonly record: RestrictionRecord }
  | { readonly kind: "end"; readonly id: number; readonly validTo: string }
  | { readonly kind: "known"; readonly id: number }
  | { readonly kind: "person"; readonly why: string };

export interface PlannedMeasure {
  readonly measure: Measure;
  readonly actions: readonly MeasureAction[];
}

/** A restriction that is there, or that this plan adds. */
interface Standing {
  readonly id: number | undefined;
  readonly restrictionType: number;
  readonly validFromMs: number;
  validTo: string | null;
  readonly sourceRef: string;
  /** Of one that this plan adds: its place among the actions. */
  readonly record: { validTo?: string } | undefined;
}

/**
 * Plans the import of measures at `nowMs`. `histories`: all restrictions of each symbol; `null` for a symbol that is not
 * known.
 */
export function planMeasures(
  measures: readonly Measure[],
  histories: ReadonlyMap<string, readonly KnownMeasure[] | null>,
  nowMs: number,
): readonly PlannedMeasure[] {
  const standing = new Map<string, Standing[]>();
  for (const [symbol, history] of histories) {
    if (history !== null) standing.set(symbol, history.map(standingOf));
  }
  const inOrder = [...measures].sort((left, right) => left.from.localeCompare(right.from));
  return inOrder.map((measure) => {
    const restrictions = standing.get(measure.symbol);
    if (restrictions === undefined) {
      return { measure, actions: [{ kind: "person", why: `symbol ${measure.symbol} is not known` }] };
    }
    return { measure, actions: planOne(measure, restrictions, nowMs) };
  });
}

function standingOf({ id, restrictionType, validFrom, validTo, sourceRef }: KnownMeasure): Standing {
  return { id, restrictionType, validFromMs: Date.parse(validFrom), validTo, sourceRef, record: undefined };
}

function planOne(measure: Measure, restrictions: Standing[], nowMs: number): readonly MeasureAction[] {
  const ofType = restrictions.filter(({ restrictionType }) => restrictionType === measure.restrictionType);
  const sourceRef = sourceRefOf(measure);
  const validFrom = `${measure.from}T00:00:00${ISTANBUL}`;
  const end = measure.until === undefined ? undefined : endOf(measure.until);
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
  };
  const actions: MeasureAction[] = [{ kind: "add", record }];
  const active = ofType.find(({ validTo }) => validTo === null);
  if (!isOver && active !== undefined) {
    const isOurs = active.sourceRef.startsWith(`${SOURCE} `) && active.validFromMs <= Date.parse(validFrom);
    if (!isOurs) return [{ kind: "person", why: `restriction ${active.id ?? ""} of this type is active already` }];
    active.validTo = validFrom;
    if (active.record !== undefined) active.record.validTo = validFrom;
    if (active.id !== undefined) actions.unshift({ kind: "end", id: active.id, validTo: validFrom });
  }
  const validTo = isOver ? end : null;
  const { restrictionType } = measure;
  restrictions.push({
    ...{ id: undefined, restrictionType, validFromMs: Date.parse(validFrom), validTo, sourceRef, record },
  });
  return actions;
}

/** Names a measure by its days, so that the announced end is shown while the measure is active. */
function sourceRefOf({ from, until }: Measure): string {
  return until === undefined ? `${SOURCE} ${from}, until further notice` : `${SOURCE} ${from} to ${until}`;
}

/** The midnight after the last day. */
function endOf(until: string): string {
  const next = new Date(Date.parse(until) + DAY_MS).toISOString().slice(0, 10);
  return `${next}T00:00:00${ISTANBUL}`;
}
