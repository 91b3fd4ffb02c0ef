/**
 * The account whose stored rows are asked for.
 */
import type { AccountRecord } from "../../../src/contract/trading/order.ts";
import { accept, type Refusal, type Result } from "../../../src/domain/refusal.ts";
import { botListPrefix, deletedBotsOf } from "../../projection/bots.ts";
import { ocoListPrefix } from "../../projection/oco.ts";
import { historyPrefix } from "../../projection/pairs.ts";
import { setupListPrefix } from "../../projection/setup.ts";
import { viewKey } from "../../table/keys.ts";
import { under } from "../../table/tables.ts";
import type { QueryContext } from "../context.ts";

type RowsContext = Pick<QueryContext, "accounts" | "store">;
type Account = Pick<AccountRecord, "accountNumber">;

/**
 * Resolves the account of a name. While its brokerage cannot be asked, a name under which the user's rows are stored is
 * the account: a trader sees the stops when it matters most. Any other name may be the account's `number` (behaviour
 * 1.8), and an empty list would mean that no stops exist.
 */
export function accountOfRows(
  context: RowsContext,
  userId: number,
  brokerageCode: string,
  accountNumber: string,
): Promise<Result<Account>> {
  return context.accounts
    .resolve(userId, brokerageCode, accountNumber)
    .then((account) =>
      account.ok || account.code !== "UNAVAILABLE"
        ? account
        : accountOfOwnRows(context, prefixesOf(userId, brokerageCode, accountNumber), accountNumber, account),
    );
}

async function accountOfOwnRows(
  { store }: RowsContext,
  prefixes: readonly string[],
  accountNumber: string,
  unavailable: Refusal,
): Promise<Result<Account>> {
  for (const prefix of prefixes) {
    for await (const page of store.scan({ ...under(viewKey(prefix)), keysOnly: true, limit: 1 })) {
      if (page.length > 0) return accept({ accountNumber });
    }
  }
  return unavailable;
}

/** Where rows of an account are listed. */
function prefixesOf(userId: number, brokerageCode: string, accountNumber: string): readonly string[] {
  const place = [userId, brokerageCode, accountNumber] as const;
  const bots = [botListPrefix("level", ...place), botListPrefix("webhook", ...place)];
  return [
    ocoListPrefix(...place),
    setupListPrefix(...place),
    ...bots,
    ...bots.map(deletedBotsOf),
    historyPrefix("level", ...place),
    historyPrefix("webhook", ...place),
  ];
}
