/**
 * Symbols, symbol lists, list types and restrictions as they cross a process (behaviour 10.1 to
 * "Restriction"; behaviour 10; behaviour 11.7).
 */
import { z } from "zod";
import { EFFECT_FLAGS, type Effects } from "../../domain/market/measure.ts";
import { body, characters, line, text, time } from "../fields.ts";
import { symbolCode } from "../trading/oco.ts";
import { bandRequest } from "./band.ts";

/** Only the shared partition answers these. */
export const REFERENCE_COMMANDS = {
  writeSymbols: "symbols.write",
  writeRestrictions: "restrictions.write",
  endRestriction: "restrictions.end",
  createList: "lists.create",
  updateList: "lists.update",
  deleteList: "lists.delete",
} as const;
/** Lists are answered as pages of rows, single things as a reply. */
export const REFERENCE_QUERIES = {
  listSymbols: "symbols.list",
  findSymbol: "symbols.get",
  listLists: "lists.list",
  findList: "lists.get",
  listActiveRestrictions: "restrictions.active",
  checkRestriction: "restrictions.check",
  listRestrictedByType: "restrictions.byType",
  listRestrictionsOf: "restrictions.bySymbol",
  /** For the partitions. */
  listMeasures: "restrictions.measures",
} as const;

/**
 * The message on `reference.changed`, published after the change is durable. `all`: messages can have been lost, by a
 * crash or with the bus. Restrictions show names of symbols: a cache of restrictions is dropped when symbols change.
 */
export const referenceChangedSchema = z.object({ what: z.enum(["symbols", "lists", "restrictions", "all"]) });
export type ReferenceChanged = z.infer<typeof referenceChangedSchema>;

const id = z.number().int().positive();
const pageFrom = { from: z.string().nullish() };

// ----------------------------------------------------------------------------------------------------------- symbols

const SYMBOLS_PER_WRITE_MAX = 5_000;

/** One symbol of `symbols.write`; without `logoUrl` a known one remains. The band belongs to one day (behaviour 17). */
export const symbolInput = body({
  symbol: symbolCode,
  name: line(200),
  exchange: line(32),
  isActive: z.boolean(),
  logoUrl: z
    .url({ protocol: /^https?$/, error: "must be an http or https address" })
    .check(characters(0, 500))
    .meta({ maxLength: 500 })
    .nullish(),
  ...bandRequest.partial().shape,
})
  .refine(({ floorPrice, ceilingPrice }) => (floorPrice === undefined) === (ceilingPrice === undefined), {
    path: ["floorPrice"],
    error: "must be given with ceilingPrice, or not at all",
  })
  .refine(({ floorPrice, basePrice, bandDate }) => floorPrice !== undefined || (basePrice ?? bandDate) === undefined, {
    path: ["floorPrice"],
    error: "is required with basePrice or bandDate",
  })
  .meta({ id: "SymbolWrite" });
export type SymbolInput = z.infer<typeof symbolInput>;

/** Body of `symbols.write`: known symbols are changed, others added; all of it or nothing. */
export const writeSymbolsBody = body({ symbols: z.array(symbolInput).min(1).max(SYMBOLS_PER_WRITE_MAX) });
export const writtenSymbolsSchema = z.object({ written: z.number().int() });

export const symbolSchema = z
  .object({
    symbol: z.string(),
    name: z.string(),
    exchange: z.string(),
    isActive: z.boolean(),
  })
  .meta({ id: "Symbol" });
export type SymbolView = z.infer<typeof symbolSchema>;

/** Body of `symbols.list`. */
export const listSymbolsBody = z.object({
  ...pageFrom,
  /** True: as partitions need them, with the new names of renamed ones. */
  hasRenames: z.boolean().nullish(),
});
/** A symbol as partitions need it; `renamedTo`: the name that followed it (behaviour 30). */
export const knownSymbolSchema = symbolSchema.extend({ renamedTo: z.string().optional() });
export type KnownSymbolView = z.infer<typeof knownSymbolSchema>;
/** Body of `symbols.get`. */
export const findSymbolBody = z.object({ symbol: z.string().max(200) });

// ------------------------------------------------------------------------------------------------------------- lists

export const LIST_SYMBOLS_MAX = 500;

/** Behaviour 10.1: fixed. */
export const LIST_TYPES = [
  { id: 1, code: "INDEX", name: "Index", description: "Symbols of an index; kept by the system, read-only" },
  { id: 2, code: "CUSTOM", name: "Custom", description: "A user's own list" },
] as const;

export const listTypeSchema = z
  .object({
    id: z.number().int(),
    code: z.enum(["INDEX", "CUSTOM"]),
    name: z.string(),
    description: z.string(),
  })
  .meta({ id: "ListType" });
export type ListTypeCode = z.infer<typeof listTypeSchema>["code"];

const listName = line(100);
const listDescription = text(0, 500);
const listSymbols = z.array(symbolCode).max(LIST_SYMBOLS_MAX);

export const createListBody = body({
  name: listName,
  description: listDescription.nullish(),
  symbols: listSymbols.meta({ description: "Known symbols; duplicates are folded" }),
  listType: text(0, 32).nullish().meta({ description: "CUSTOM, also where it is left out" }),
  isPublic: z.boolean().nullish().meta({ description: "Whether all may read it; left out: false" }),
});
export type CreateListBody = z.infer<typeof createListBody>;

/** The fields of a list that a client can change; a `description` that is left out remains. */
export const changeListBody = body({
  name: createListBody.shape.name,
  description: createListBody.shape.description,
  symbols: createListBody.shape.symbols,
});
/** Body of `lists.update`. */
export const updateListBody = changeListBody.extend({ id });
export type UpdateListBody = z.infer<typeof updateListBody>;
/** Body of `lists.delete` and `lists.get`. */
export const listIdBody = z.object({ id });
/** Body of `lists.list`. */
export const listListsBody = z.object(pageFrom);

const listFields = {
  id: z.number().int(),
  name: z.string(),
  description: z.string(),
  symbolCount: z.number().int(),
  listType: listTypeSchema.shape.code,
  isPublic: z.boolean(),
};
/** A list in the listing. */
export const symbolListItemSchema = z.object(listFields).meta({ id: "SymbolListItem" });
export type SymbolListItem = z.infer<typeof symbolListItemSchema>;
/** A list by its id. */
export const symbolListDetailSchema = z
  .object({
    id: listFields.id,
    name: listFields.name,
    symbols: z.array(z.string()),
    listType: listFields.listType,
  })
  .meta({ id: "SymbolListDetail" });
export type SymbolListDetail = z.infer<typeof symbolListDetailSchema>;
/** A list after its creation or change. */
export const writtenListSchema = z
  .object({ ...listFields, symbols: z.array(z.string()) })
  .meta({ id: "SymbolListWritten" });
export type WrittenList = z.infer<typeof writtenListSchema>;

// ------------------------------------------------------------------------------------------------------ restrictions

const VALUE_CAP_MAX = 1_000_000_000_000;

/** Behaviour 10.6. */
export const RESTRICTION_TYPES: ReadonlyMap<number, string> = new Map([
  [1, "AcigaSatisYasagi"],
  [2, "KredliIslemYasagi"],
  [3, "BrutTakas"],
  [4, "TekFiyatIslem"],
  [5, "EmirIptalYasagi"],
  [6, "AcilisKapanisIslemKisiti"],
  [7, "DegerTavani"],
  [8, "IslemSirasiKapatma"],
  [99, "Diger"],
]);
const CODE_BY_TEXT: ReadonlyMap<string, number> = new Map(
  [...RESTRICTION_TYPES].flatMap(([code, name]) => [
    [name, code],
    [String(code), code],
  ]),
);
const TYPE_RULE = "must be the number or the exact name of a restriction type";
const typeDescription = `Number or exact name: ${[...RESTRICTION_TYPES].map(([code, name]) => `${code} ${name}`).join(", ")}`;

function readRestrictionType(text: string, context: z.RefinementCtx<string>): number {
  const code = CODE_BY_TEXT.get(text);
  if (code !== undefined) return code;
  context.issues.push({ code: "custom", message: TYPE_RULE, input: text });
  return z.NEVER;
}

/** A restriction type in a path or query: its number, or its name letter by letter. */
export const restrictionTypeText = z
  .string()
  .transform(readRestrictionType)
  .meta({ type: "string", description: typeDescription });
/** A restriction type in JSON: number or name. */
export const restrictionTypeInput = z
  .unknown()
  .transform((given, context) => {
    const code = typeof given === "number" || typeof given === "string" ? CODE_BY_TEXT.get(String(given)) : undefined;
    if (code !== undefined) return code;
    context.issues.push({ code: "custom", message: TYPE_RULE, input: given });
    return z.NEVER;
  })
  .meta({ anyOf: [{ type: "integer" }, { type: "string" }], description: typeDescription });
const restrictionTypeCode = z.number().refine((code) => RESTRICTION_TYPES.has(code), TYPE_RULE);

/** The effects of a restriction on orders; an effect that is left out does not apply. */
export const effectsSchema: z.ZodType<Effects, Effects> = z
  .strictObject({
    ...(Object.fromEntries(EFFECT_FLAGS.map((flag) => [flag, z.literal(true).exactOptional()])) as Record<
      (typeof EFFECT_FLAGS)[number],
      z.ZodExactOptional<z.ZodLiteral<true>>
    >),
    valueCap: z
      .number()
      .positive()
      .max(VALUE_CAP_MAX)
      .nullable()
      .exactOptional()
      .meta({ description: "The largest value of one order, in currency units; null: not known" }),
  })
  .meta({ id: "MeasureEffects" });

const RESTRICTIONS_PER_WRITE_MAX = 1_000;

/** One restriction of `restrictions.write`. Times are ISO 8601; without `validTo` it is active. */
export const restrictionInput = body({
  code: symbolCode,
  restrictionType: restrictionTypeInput,
  validFrom: time,
  validTo: time.nullish(),
  sourceRef: line(200),
  effects: effectsSchema.nullish().meta({
    description: "Its effect on orders, in place of the effect of its type; left out: the effect of its type",
  }),
}).meta({ id: "RestrictionWrite" });
export type RestrictionInput = z.infer<typeof restrictionInput>;

/** Body of `restrictions.write`: all of them or none. */
export const writeRestrictionsBody = body({
  restrictions: z.array(restrictionInput).min(1).max(RESTRICTIONS_PER_WRITE_MAX),
});
export const writtenRestrictionsSchema = z.object({ ids: z.array(z.number().int()) });
/** The field of a restriction that an operator can change: when it ends or ended. */
export const changeRestrictionBody = body({ validTo: time });
/** Body of `restrictions.end`. */
export const endRestrictionBody = changeRestrictionBody.extend({ id });

const restrictedSymbol = {
  symbolId: z.number().int(),
  code: z.string().meta({ description: "Symbol code" }),
  name: z.string(),
  logoUrl: z.string().meta({ description: "Empty where none is known" }),
};
const measure = {
  restrictionType: z.number().int(),
  restrictionTypeName: z.string(),
  validFrom: z.string(),
  validTo: z.string().nullable(),
  sourceRef: z.string(),
};

export const restrictionSchema = z
  .object({
    id: z.number().int(),
    ...restrictedSymbol,
    ...measure,
    isActive: z.boolean(),
  })
  .meta({ id: "Restriction" });
export type RestrictionView = z.infer<typeof restrictionSchema>;

/** A symbol with its active restrictions. */
export const restrictedSymbolSchema = z
  .object({ ...restrictedSymbol, restrictions: z.array(z.object(measure)) })
  .meta({ id: "RestrictedSymbol" });
export type RestrictedSymbolView = z.infer<typeof restrictedSymbolSchema>;

/** A symbol that is under a given restriction now. */
export const restrictedByTypeSchema = z
  .object({ ...restrictedSymbol, validFrom: z.string() })
  .meta({ id: "SymbolUnderRestriction" });
export type RestrictedByTypeView = z.infer<typeof restrictedByTypeSchema>;

export const restrictionCheckSchema = z
  .object({
    code: restrictedSymbol.code,
    restrictionType: measure.restrictionType,
    restrictionTypeName: measure.restrictionTypeName,
    isRestricted: z.boolean(),
    validFrom: z.string().nullable(),
  })
  .meta({ id: "RestrictionCheck" });
export type RestrictionCheckView = z.infer<typeof restrictionCheckSchema>;

/** The measures of a symbol that are in force. */
export const symbolMeasuresSchema = z.object({
  symbol: z.string(),
  measures: z.array(z.object({ restrictionType: z.number().int(), effects: effectsSchema })),
});
export type SymbolMeasures = z.infer<typeof symbolMeasuresSchema>;
/** Body of `restrictions.measures`. */
export const listMeasuresBody = z.object(pageFrom);

/** Body of `restrictions.active`; null: of all types. */
export const listActiveRestrictionsBody = z.object({ restrictionType: restrictionTypeCode.nullish(), ...pageFrom });
/** Body of `restrictions.check`. */
export const checkRestrictionBody = z.object({ code: z.string().max(200), restrictionType: restrictionTypeCode });
/** Body of `restrictions.byType`. */
export const listRestrictedByTypeBody = z.object({ restrictionType: restrictionTypeCode, ...pageFrom });
/** Body of `restrictions.bySymbol`. */
export const listRestrictionsOfBody = z.object({ code: z.string().max(200), ...pageFrom });
