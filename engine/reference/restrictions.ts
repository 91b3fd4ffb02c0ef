/**
 * Restrictions (exchange measures) of symbols (behaviour 10.2, 10.6), on the shared partition.
 *
 * Invariants:
 * 1. A restriction is active while it has no `validTo`; a symbol has at most one active restriction of a type. A second
 *    one is refused: importing the same twice, or in the wrong order, must not go unnoticed.
 * 2. A restriction is never removed; its end can be set and corrected, and never comes before its start.
 */
import { assert } from "../../src/assert.ts";
import {
  RESTRICTION_TYPES,
  type RestrictedByTypeView,
  type RestrictedSymbolView,
  type RestrictionCheckView,
  type RestrictionInput,
  type RestrictionView,
  type SymbolMeasures,
} from "../../src/contract/operator/reference.ts";
import { defaultEffectsOf } from "../../src/domain/market/measure.ts";
import type { Renaming } from "../../src/domain/market/rename.ts";
import { accept, type Result, refuse } from "../../src/domain/refusal.ts";
import { formatTime, parseTime } from "../../src/domain/time.ts";
import type { SymbolRestrictions } from "../ports/reference.ts";
import type { Journal } from "../ports/storage.ts";
import { encode, restrictionKey, type StoredRestriction, storedRestriction } from "./stored.ts";
import type { SymbolTable } from "./symbol-table.ts";

type Planned = Omit<StoredRestriction, "id">;

export class Restrictions implements SymbolRestrictions {
  readonly #journal: Journal;
  readonly #symbols: SymbolTable;
  readonly #byId = new Map<number, StoredRestriction>();
  readonly #idsByCode = new Map<string, number[]>();
  /** By code and type. */
  readonly #active = new Map<string, number>();
  readonly #onChanged: () => void;

  constructor(journal: Journal, symbols: SymbolTable, stored: readonly StoredRestriction[], onChanged: () => void) {
    this.#journal = journal;
    this.#symbols = symbols;
    this.#onChanged = onChanged;
    for (const restriction of stored) this.#keep(restriction);
  }

  write(inputs: readonly RestrictionInput[]): Result<{ readonly ids: readonly number[] }> {
    const planned: Planned[] = [];
    const plannedActive = new Set<string>();
    for (const [index, input] of inputs.entries()) {
      const plan = this.#plan(input, `restrictions[${index}]`, plannedActive);
      if (!plan.ok) return plan;
      planned.push(plan.value);
    }
    const ids = this.#journal.allocateIds(planned.length);
    for (const [index, plan] of planned.entries()) {
      const id = ids[index];
      assert(id !== undefined, "every restriction has got an id");
      this.#write({ ...plan, id });
    }
    this.#onChanged();
    return accept({ ids });
  }

  end(id: number, validTo: string): Result<RestrictionView> {
    const restriction = this.#byId.get(id);
    if (restriction === undefined) return refuse("NOT_FOUND", `restriction ${id} was not found`);
    const validToMs = parseTime(validTo, "validTo");
    if (!validToMs.ok) return validToMs;
    if (validToMs.value < restriction.validFromMs) return refuse("INVALID", "validTo is before validFrom");
    const ended: StoredRestriction = { ...restriction, validToMs: validToMs.value };
    if (this.#active.get(activeKey(ended)) === id) this.#active.delete(activeKey(ended));
    this.#write(ended);
    this.#onChanged();
    return accept(this.#view(ended));
  }

  /** In a turn: active restrictions of a former name are of the new one, unless that has one of the type (30.5). */
  rename({ from, to }: Renaming): void {
    for (const restriction of this.#activeOnes(null)) {
      const moved = { ...restriction, code: to };
      if (restriction.code !== from || this.#active.has(activeKey(moved))) continue;
      this.#active.delete(activeKey(restriction));
      this.#idsByCode.set(
        from,
        (this.#idsByCode.get(from) ?? []).filter((id) => id !== restriction.id),
      );
      this.#idsByCode.set(to, [...(this.#idsByCode.get(to) ?? []), restriction.id]);
      this.#write(moved);
      this.#onChanged();
    }
  }

  activeBySymbol(restrictionType: number | null): readonly RestrictedSymbolView[] {
    const grouped = new Map<string, RestrictedSymbolView>();
    for (const restriction of this.#activeOnes(restrictionType)) {
      const { code } = restriction;
      const { symbolId, name, logoUrl, validFrom, validTo, sourceRef, restrictionTypeName } = this.#view(restriction);
      const group = grouped.get(code) ?? { symbolId, code, name, logoUrl, restrictions: [] };
      const { restrictionType: type } = restriction;
      group.restrictions.push({ restrictionType: type, restrictionTypeName, validFrom, validTo, sourceRef });
      grouped.set(code, group);
    }
    return [...grouped.values()];
  }

  activeOfType(restrictionType: number): readonly RestrictedByTypeView[] {
    return this.#activeOnes(restrictionType).map((restriction) => {
      const { symbolId, code, name, logoUrl, validFrom } = this.#view(restriction);
      return { symbolId, code, name, logoUrl, validFrom };
    });
  }

  measures(): readonly SymbolMeasures[] {
    const grouped = new Map<string, SymbolMeasures>();
    for (const { code, restrictionType, effects } of this.#activeOnes(null)) {
      const group = grouped.get(code) ?? { symbol: code, measures: [] };
      group.measures.push({ restrictionType, effects: effects ?? defaultEffectsOf(restrictionType) });
      grouped.set(code, group);
    }
    return [...grouped.values()];
  }

  check(code: string, restrictionType: number): Result<RestrictionCheckView> {
    if (this.#symbols.find(code) === undefined) return unknownSymbol();
    const id = this.#active.get(activeKey({ code, restrictionType }));
    const validFrom = id === undefined ? null : formatTime(this.#get(id).validFromMs);
    const restrictionTypeName = nameOfType(restrictionType);
    return accept({ code, restrictionType, restrictionTypeName, isRestricted: id !== undefined, validFrom });
  }

  historyOf(code: string): Result<readonly RestrictionView[]> {
    if (this.#symbols.find(code) === undefined) return unknownSymbol();
    const restrictions = (this.#idsByCode.get(code) ?? []).map((id) => this.#get(id));
    restrictions.sort((left, right) => right.validFromMs - left.validFromMs || right.id - left.id);
    return accept(restrictions.map((restriction) => this.#view(restriction)));
  }

  #plan(input: RestrictionInput, field: string, plannedActive: Set<string>): Result<Planned> {
    const { code, restrictionType, sourceRef, effects } = input;
    if (this.#symbols.find(code) === undefined) return refuse("INVALID", `${field}.code ${code} is not known`);
    const validFromMs = parseTime(input.validFrom, `${field}.validFrom`);
    if (!validFromMs.ok) return validFromMs;
    const validToMs =
      input.validTo === undefined || input.validTo === null
        ? accept(null)
        : parseTime(input.validTo, `${field}.validTo`);
    if (!validToMs.ok) return validToMs;
    if (validToMs.value !== null && validToMs.value < validFromMs.value) {
      return refuse("INVALID", `${field}.validTo is before its validFrom`);
    }
    const key = activeKey({ code, restrictionType });
    if (validToMs.value === null) {
      if (this.#active.has(key) || plannedActive.has(key)) {
        const which = `${code} ${nameOfType(restrictionType)}`;
        return refuse("CONFLICT", `${field}: ${which} is active already; end it first`);
      }
      plannedActive.add(key);
    }
    const [from, to] = [validFromMs.value, validToMs.value];
    const given = effects === undefined || effects === null ? {} : { effects };
    return accept({ version: 1, code, restrictionType, validFromMs: from, validToMs: to, sourceRef, ...given });
  }

  /** By code, then type. */
  #activeOnes(restrictionType: number | null): StoredRestriction[] {
    return [...this.#active.values()]
      .map((id) => this.#get(id))
      .filter((restriction) => restrictionType === null || restriction.restrictionType === restrictionType)
      .sort((left, right) =>
        left.code === right.code ? left.restrictionType - right.restrictionType : left.code < right.code ? -1 : 1,
      );
  }

  #write(restriction: StoredRestriction): void {
    this.#keep(restriction);
    this.#journal.put(restrictionKey(restriction.id), encode(storedRestriction, restriction));
  }

  #keep(restriction: StoredRestriction): void {
    const { id, code, validToMs } = restriction;
    if (!this.#byId.has(id)) {
      const ids = this.#idsByCode.get(code);
      if (ids === undefined) this.#idsByCode.set(code, [id]);
      else ids.push(id);
    }
    this.#byId.set(id, restriction);
    if (validToMs === null) this.#active.set(activeKey(restriction), id);
  }

  #get(id: number): StoredRestriction {
    const restriction = this.#byId.get(id);
    assert(restriction !== undefined, `restriction ${id} is known`);
    return restriction;
  }

  #view({ id, code, restrictionType, validFromMs, validToMs, sourceRef }: StoredRestriction): RestrictionView {
    const { id: symbolId, name, logoUrl } = this.#symbols.get(code);
    return {
      id,
      symbolId,
      code,
      name,
      logoUrl,
      restrictionType,
      restrictionTypeName: nameOfType(restrictionType),
      validFrom: formatTime(validFromMs),
      validTo: validToMs === null ? null : formatTime(validToMs),
      isActive: validToMs === null,
      sourceRef,
    };
  }
}

function activeKey({ code, restrictionType }: Pick<StoredRestriction, "code" | "restrictionType">): string {
  return `${code} ${restrictionType}`;
}

function nameOfType(restrictionType: number): string {
  const name = RESTRICTION_TYPES.get(restrictionType);
  assert(name !== undefined, "a restriction type has a name");
  return name;
}

function unknownSymbol(): Result<never> {
  return refuse("NOT_FOUND", "the symbol was not found");
}
