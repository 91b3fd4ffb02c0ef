/** Groups as the scenarios ask for them, and whose they are. */

import { ocoListPrefix } from "../../../engine/projection/oco.ts";
import { actorKey, claimKey, eventKey, viewKey } from "../../../engine/table/keys.ts";
import { padded } from "../../../engine/table/tables.ts";
import { COMMANDS, type Envelope } from "../../../src/contract/command.ts";
import { groupClaim } from "../../../src/machine/group.ts";

export const BROKERAGE = "BENCH";
export const SYMBOLS = 600;
const USERS = 2_000;

/** The symbol of a number; they come again after `SYMBOLS`. */
export const symbolOf = (index: number): string => `S${index % SYMBOLS}`;

/**
 * Whose group number `index` is: no user has two on a symbol, and groups that fire one after the other are of different
 * users, whose orders do not wait for each other.
 */
export function userOf(index: number): number {
  return 1 + ((Math.floor(index / SYMBOLS) + (index % SYMBOLS)) % USERS);
}

const accountOf = (userId: number): string => `A${userId}`;

interface GroupBody {
  readonly symbol: string;
  readonly stopLossPrice: number;
  readonly stopLossQuantity: number;
  readonly takeProfitItems: readonly { readonly price: number; readonly quantity: number }[];
  readonly stopLossTrailing?: { readonly distance: number; readonly confirmTicks: 1 | 2 };
}

/** A group and whose it is. */
export interface OwnedGroup {
  readonly userId: number;
  readonly body: GroupBody;
}

/** The command that creates the group, on its owner's account. */
export function creationOf({ userId, body }: OwnedGroup): Envelope {
  const account = { brokerageCode: BROKERAGE, accountNumber: accountOf(userId) };
  return { type: COMMANDS.createGroup, userId, requestId: "bench", body: { ...account, ...body } };
}

/**
 * The keys of what the engine writes for a new group, in its order, with the event of that number: what writes the same
 * bytes bare is held to them.
 */
export function creationKeys(
  { userId, body: { symbol } }: OwnedGroup,
  groupId: number,
  eventSequence: number,
): readonly string[] {
  const accountNumber = accountOf(userId);
  return [
    claimKey(groupClaim({ userId, brokerageCode: BROKERAGE, accountNumber, symbol })),
    viewKey(ocoListPrefix(userId, BROKERAGE, accountNumber) + padded(groupId)),
    actorKey(groupId),
    eventKey(eventSequence),
  ];
}
