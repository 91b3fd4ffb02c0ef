/** The oracle's knowledge of a group: what was asked for, what was answered, and which prices touched its rows. */
import type { StreamTick } from "../world/tick-stream.ts";

/** A price that reached a row. */
export interface Touch {
  readonly sequence: number;
  readonly milli: number;
  /** The order in which ticks were given, including ticks that were caught up once more; 0 if it is not known. */
  readonly seenAs: number;
  /** True: the last price at the row's creation, so that no later tick brings it again. */
  readonly isAtCreation: boolean;
}

/** Levels that a client asked to have changed, and the take-profit to be left out. */
export interface ChangeModel {
  /** By the place of the row. */
  readonly levels: ReadonlyMap<number, number>;
  readonly removed: number | undefined;
  /** Orders of the stop-loss at that time: if it is armed again, one more. */
  readonly orderCount: number;
  /** The stream's last tick, the clock's steps and the time when it was asked for. */
  readonly askedSequence: number;
  readonly steps: number;
  readonly askedMs: number;
}

export interface RowModel {
  levelMilli: number;
  readonly quantity: number;
  may: Touch[];
  /** A change left it out. */
  isRemoved: boolean;
  /** A change armed it again after it was refused: its next order has a number. */
  isRearmed: boolean;
  /** A change armed it again: ticks up to `askedSequence` do not count, those after `knownSequence` do. */
  armed: { readonly askedSequence: number; readonly knownSequence: number; readonly steps: number } | undefined;
  /** Touches while the stop-loss was in flight: they count only if it was refused. */
  readonly shadow: Touch[];
  must: Touch | undefined;
}

/** A stop-loss that follows the price, between two bounds that hold for every behaviour of the engine. */
export interface Trail {
  readonly distanceMilli: number;
  readonly confirmTicks: 1 | 2;
  /** The highest price that may have counted. */
  highestMilli: number;
  /** The least level at which the stop-loss surely is. */
  surelyMilli: number;
  /** Ticks from before the group counted with a time after it: the clock was set back, and the stream has no places. */
  isDisordered: boolean;
}

export interface GroupOwner {
  readonly userId: number;
  readonly brokerageCode: string;
  readonly accountNumber: string;
  readonly symbol: string;
}

export interface GroupModel {
  readonly number: number;
  readonly owner: GroupOwner;
  readonly dueMs: number | null;
  readonly hasGuard: boolean;
  /** True: it can come only when its setup converts. */
  readonly isOfSetup: boolean;
  /** True: it is one of several groups that may follow from one entry, with the same notes. */
  readonly isOneOfSeveral?: boolean;
  /** True: it grew with the fills of an entry. */
  readonly isOfParts?: boolean;
  /** Undefined: the stop-loss does not move. */
  readonly trail: Trail | undefined;
  /** The stop-loss first, take-profits by price. */
  readonly rows: readonly RowModel[];
  /** `asked`: it may exist. */
  fate: "asked" | "exists" | "none";
  /** The stream's last tick, the clock's steps and the symbol's last price when it was asked for. */
  asked: { readonly sequence: number; readonly steps: number; readonly last: StreamTick | undefined };
  /** Ticks since then, until it is known to exist. */
  readonly meanwhile: { readonly tick: StreamTick; readonly timeMs: number }[];
  /** The last tick that was given before it was known to exist. */
  knownSequence: number;
  viewKey: string | undefined;
  createdAtMs: number;
  /** A cancel is under way, or has been acknowledged. */
  mayBeCancelled: boolean;
  /** A cancel was ever asked for. */
  wasToBeCancelled: boolean;
  isCancelled: boolean;
  /** A change that is asked for and not answered. */
  change: ChangeModel | undefined;
  stopLossMayHaveFired: boolean;
  stopLossFired: boolean;
}

/** A level and what it sells, in currency units. */
export interface Level {
  readonly price: number;
  readonly quantity: number;
}

/** A group that may come to exist. */
export function newGroupModel(
  terms: Pick<GroupModel, "number" | "owner" | "dueMs" | "hasGuard" | "isOfSetup" | "isOneOfSeveral"> & {
    readonly trail?: Pick<Trail, "distanceMilli" | "confirmTicks"> | undefined;
  },
  stopLoss: Level,
  takeProfits: readonly Level[],
): GroupModel {
  const sorted = [...takeProfits].sort((left, right) => left.price - right.price);
  const { trail } = terms;
  const surelyMilli = Math.round(stopLoss.price * 1000);
  return {
    ...terms,
    trail: trail === undefined ? undefined : { ...trail, highestMilli: 0, surelyMilli, isDisordered: false },
    rows: [stopLoss, ...sorted].map(toRowModel),
    fate: "asked",
    asked: { sequence: 0, steps: 0, last: undefined },
    meanwhile: [],
    knownSequence: 0,
    viewKey: undefined,
    createdAtMs: 0,
    mayBeCancelled: false,
    wasToBeCancelled: false,
    isCancelled: false,
    change: undefined,
    stopLossMayHaveFired: false,
    stopLossFired: false,
  };
}

function toRowModel({ price, quantity }: Level): RowModel {
  const levelMilli = Math.round(price * 1000);
  const touched = { may: [], shadow: [], must: undefined };
  return { levelMilli, quantity, ...touched, isRemoved: false, isRearmed: false, armed: undefined };
}
