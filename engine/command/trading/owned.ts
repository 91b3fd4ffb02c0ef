/**
 * The objects of a user that belong to one account: groups, pending OCOs, bots, and orders without an answer.
 */
import { type OcoRowView, ocoRowSchema } from "../../../src/contract/trading/oco.ts";
import { setupViewSchema } from "../../../src/contract/trading/setup.ts";
import { ACTIVE, type OcoGroup } from "../../../src/domain/oco/group.ts";
import type { AccountPlace } from "../../ports/brokerage.ts";
import type { PendingOrderRecord } from "../../ports/operator.ts";
import { ocoListPrefix } from "../../projection/oco.ts";
import { rowsUnder } from "../../projection/rows-under.ts";
import { setupListPrefix } from "../../projection/setup.ts";
import type { CommandContext } from "../context.ts";
import { listBots } from "./trading-state.ts";

/** The part that is read of a row that an earlier version may have stored. */
const storedSetup = setupViewSchema.pick({ setupId: true });
/** The `orderType` in the row of a stop-loss. */
const STOP_LOSS_TYPE = 2;

/** The live groups, setups and bots of an account. */
export interface Owned {
  /** The ids of groups, and of all other actors that follow an order. */
  readonly groups: readonly number[];
  readonly setups: readonly number[];
  readonly bots: readonly { readonly kind: "levelBot" | "webhookBot"; readonly id: number }[];
}

/** Lists groups with an Active row, a sell or a followed order, pending OCOs and bots, as stored and as followed. */
export async function listOwned(context: CommandContext, place: AccountPlace): Promise<Owned> {
  const { userId, brokerageCode, accountNumber } = place;
  const of = [userId, brokerageCode, accountNumber] as const;
  const rows = await rowsUnder(context.store, ocoListPrefix(...of), ocoRowSchema);
  const setups = await rowsUnder(context.store, setupListPrefix(...of), storedSetup);
  const bots = await listBots(context, { scope: "account", ...place });
  // A group whose exit waits for its next order may follow none; its stop-loss has a message then.
  const isLive = ({ status, orderType, triggerErrorMessage }: OcoRowView): boolean =>
    status === ACTIVE || (orderType === STOP_LOSS_TYPE && triggerErrorMessage !== null);
  const live = rows.filter(isLive).map(({ groupId }) => groupId);
  // Read last: a pending OCO may have become a group during the reads.
  const following = context.watchbook.ownersIn(place);
  return { groups: [...new Set([...live, ...following])], setups: setups.map(({ setupId }) => setupId), bots };
}

/** Returns the groups of `owned` that have not ended. */
export function liveGroups({ actors }: CommandContext, { groups }: Owned): OcoGroup[] {
  return groups.flatMap((id) => {
    const found = actors.find("group", id);
    return found?.isEnded === false ? [found.context] : [];
  });
}

/** Returns the orders of an account that wait to be sent, or for their first answer. */
export function pendingOf({ operator }: CommandContext, place: AccountPlace): PendingOrderRecord[] {
  const { userId, brokerageCode, accountNumber } = place;
  const found: PendingOrderRecord[] = [];
  for (let page = operator.orders.pending({}); page.length > 0; ) {
    for (const order of page) {
      const isOfUser = order.userId === userId && order.brokerageCode === brokerageCode;
      if (isOfUser && order.accountNumber === accountNumber) found.push(order);
    }
    page = operator.orders.pending({ afterSequence: page.at(-1)?.sequence ?? 0 });
  }
  return found;
}
