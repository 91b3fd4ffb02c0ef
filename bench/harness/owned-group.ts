/** Groups as the scenarios ask for them. */
import { COMMANDS, type Envelope } from "../../src/contract/command.ts";

export interface GroupBody {
  readonly symbol: string;
  readonly stopLossPrice: number;
  readonly stopLossQuantity: number;
  readonly takeProfitItems: readonly { readonly price: number; readonly quantity: number }[];
}

/** A group and whose it is. */
export interface OwnedGroup {
  readonly userId: number;
  readonly body: GroupBody;
}

/** The command that creates the group, on its owner's account at a brokerage. */
export function creationOf({ userId, body }: OwnedGroup, brokerageCode: string): Envelope {
  const account = { brokerageCode, accountNumber: `A${userId}` };
  return { type: COMMANDS.createGroup, userId, requestId: "bench", body: { ...account, ...body } };
}
