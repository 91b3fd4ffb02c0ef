/**
 * What a field map can add to a message: the standard's fields of the order messages, and the ranges that
 * counterparties agree on between themselves.
 *
 * Invariant: a map never changes the order itself (name, symbol, side, quantity, price), nor the session's fields.
 */

/** Fields of the session, and fields that define an order. */
const OWNED: ReadonlySet<number> = new Set([
  ...[8, 9, 10, 34, 35, 43, 49, 52, 56, 89, 90, 91, 93, 95, 96, 97, 108, 122, 141, 369, 553, 554, 789, 925],
  ...[11, 37, 38, 41, 44, 54, 55, 60, 152, 790],
]);

/** Header fields that only route. */
const ROUTING = [50, 57, 115, 116, 128, 129, 142, 143, 144, 145, 212, 347];

/** Instrument, as in every order message. */
const INSTRUMENT = [
  ...[
    22, 48, 65, 106, 107, 167, 200, 201, 202, 205, 206, 207, 223, 224, 225, 226, 227, 228, 231, 239, 240, 255, 460, 461,
  ],
  ...[470, 471, 472, 541, 543, 691, 762, 875, 876],
];

const NEW_ORDER = [
  ...[
    1, 12, 13, 15, 18, 21, 23, 40, 47, 58, 59, 63, 64, 70, 76, 77, 81, 92, 99, 100, 109, 110, 111, 114, 117, 120, 121,
    126,
  ],
  ...[
    140, 168, 192, 193, 203, 204, 210, 211, 218, 220, 221, 222, 229, 235, 236, 336, 376, 377, 388, 389, 423, 427, 432,
  ],
  ...[
    439, 440, 468, 469, 479, 480, 481, 494, 497, 513, 516, 526, 528, 529, 544, 581, 582, 583, 589, 590, 591, 625, 635,
    640,
  ],
  ...[660, 662, 663, 667, 696, 697, 698, 699, 701, 761, 775, 835, 836, 837, 838, 840, 847, 848, 849, 854],
];

/** By message type, the fields that a map may set. */
const ALLOWED: Readonly<Record<MappedType, ReadonlySet<number>>> = {
  D: new Set([...ROUTING, ...INSTRUMENT, ...NEW_ORDER]),
  F: new Set([...ROUTING, ...INSTRUMENT, 1, 58, 66, 76, 109, 376, 439, 440, 526, 581, 583, 586, 660]),
  H: new Set([...ROUTING, ...INSTRUMENT, 1, 76, 109, 439, 440, 526, 583, 660]),
};

export type MappedType = "D" | "F" | "H";

/** Fields whose values are few, as patterns. */
const VALUES: ReadonlyMap<number, RegExp> = new Map([
  [15, /^[A-Z]{3}$/],
  [21, /^[123]$/],
  [22, /^[1-9A-J]$/],
  [40, /^[1-9A-Z]$/],
  // No order that outlives its day: DoneForDay is an end.
  [59, /^[0234579]$/],
  [63, /^[0-9A-C]$/],
  [64, /^\d{8}$/],
  [77, /^[A-Z]$/],
  [99, /^\d+(\.\d+)?$/],
  [110, /^\d+(\.\d+)?$/],
  [111, /^\d+(\.\d+)?$/],
  [114, /^[YN]$/],
  [120, /^[A-Z]{3}$/],
  [121, /^[YN]$/],
  [167, /^[A-Z0-9]{1,10}$/],
  [204, /^[0-9]$/],
  [210, /^\d+(\.\d+)?$/],
  [377, /^[YN]$/],
  [432, /^\d{8}$/],
  [528, /^[AGIPRW]$/],
  [581, /^[1234678]$/],
  [582, /^[1-4]$/],
]);

const USER_DEFINED_MIN = 5_000;
const USER_DEFINED_MAX = 39_999;
/** The placeholders that a value can be. */
const PLACEHOLDERS: ReadonlySet<string> = new Set(["$account", "$user", "$symbol"]);

/** Returns what is wrong with one entry of a field map; undefined if it is legal. `null` takes a field out. */
export function faultOf(type: MappedType, tagText: string, value: string | null): string | undefined {
  if (!/^[1-9]\d{0,4}$/.test(tagText)) return `${tagText} is not a field number`;
  const tag = Number(tagText);
  if (OWNED.has(tag)) return `${tag} may not be mapped: it defines the order or belongs to the session`;
  const isUserDefined = tag >= USER_DEFINED_MIN && tag <= USER_DEFINED_MAX;
  if (!isUserDefined && !ALLOWED[type].has(tag)) return `${tag} is not a field of 35=${type}`;
  return value === null ? faultOfRemoval(tag) : faultOfValue(tag, value);
}

function faultOfRemoval(tag: number): string | undefined {
  return tag === 40 ? "40 may not be taken out" : undefined;
}

function faultOfValue(tag: number, value: string): string | undefined {
  if (value.startsWith("$") && !PLACEHOLDERS.has(value)) {
    return `${tag}: ${value} is unknown; known are ${[...PLACEHOLDERS].join(", ")}`;
  }
  if (!/^[\x20-\x7e]{1,100}$/.test(value)) return `${tag}: a value has 1 to 100 printable characters`;
  const pattern = VALUES.get(tag);
  return pattern === undefined || pattern.test(value) ? undefined : `${tag}: ${value} is not a legal value`;
}
