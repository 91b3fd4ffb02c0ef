/**
 * What this service may still sell of an account by itself, as its rows are stored.
 */
import { z } from "zod";
import { ocoRowSchema } from "../../src/contract/trading/oco.ts";
import { setupViewSchema } from "../../src/contract/trading/setup.ts";
import { ACTIVE } from "../../src/domain/oco/group.ts";
import type { Commitment } from "../../src/domain/order/sell-ledger.ts";
import type { AccountPlace } from "../ports/brokerage.ts";
import type { Store } from "../ports/storage.ts";
import { botListPrefix } from "./bots.ts";
import { ocoListPrefix } from "./oco.ts";
import { pairListPrefix } from "./pairs.ts";
import { rowsUnder } from "./rows-under.ts";
import { setupListPrefix } from "./setup.ts";

/** `orderType` of a stop-loss row. */
const STOP_LOSS_ORDER = 2;
/** Of a leg of a pair. */
const [NONE_YET, COMPLETED] = [0, 2];

const botRowSchema = z.object({ id: z.number() });
const pairRowSchema = z.object({
  symbol: z.string(),
  sellQuantity: z.number(),
  buyStatus: z.number(),
  sellStatus: z.number(),
});

/** The row of an entry that an older edition stored has no `groupId`. */
const committedEntry = z.object({ filledQuantity: z.int(), groupId: z.int().nullish() });
const committedSetup = setupViewSchema
  .pick({ symbol: true, stopLossQuantity: true })
  .extend({ entry: committedEntry.nullish() });

/** Lots that no group has yet: the group of an entry takes its filled lots. */
function uncommittedOf({ stopLossQuantity, entry }: z.infer<typeof committedSetup>): number {
  return entry?.groupId ? Math.max(0, stopLossQuantity - entry.filledQuantity) : stopLossQuantity;
}

/** By symbol and by who may sell; a symbol comes as often as it is committed. */
export async function commitmentsOf(store: Pick<Store, "scan">, place: AccountPlace): Promise<readonly Commitment[]> {
  const { userId, brokerageCode, accountNumber } = place;
  const of = [userId, brokerageCode, accountNumber] as const;
  const groups = await rowsUnder(store, ocoListPrefix(...of), ocoRowSchema);
  const setups = await rowsUnder(store, setupListPrefix(...of), committedSetup);
  const commitments: Commitment[] = [
    ...groups
      .filter(({ orderType, status }) => orderType === STOP_LOSS_ORDER && status === ACTIVE)
      .map(({ symbol, quantity }): Commitment => ({ symbol, by: "groups", quantity })),
    ...setups.map((setup): Commitment => ({ symbol: setup.symbol, by: "entries", quantity: uncommittedOf(setup) })),
  ];
  for (const kind of ["level", "webhook"] as const) {
    for (const { id } of await rowsUnder(store, botListPrefix(kind, ...of), botRowSchema)) {
      for (const pair of await rowsUnder(store, pairListPrefix(userId, id), pairRowSchema)) {
        if (pair.buyStatus !== COMPLETED || pair.sellStatus !== NONE_YET) continue;
        commitments.push({ symbol: pair.symbol, by: "bots", quantity: pair.sellQuantity });
      }
    }
  }
  return commitments;
}
