/** The sell ledger of an account: what it holds, what is being sold, and what groups, bots and pending OCOs may sell. */
import { type LedgerRowView, sellLedgerBody } from "../../../src/contract/trading/ledger.ts";
import { sellLedger } from "../../../src/domain/order/sell-ledger.ts";
import { formatTime } from "../../../src/domain/time.ts";
import { readLedger } from "../../projection/ledger.ts";
import { forUser } from "../context.ts";
import { accountOfRows } from "./account-of-rows.ts";

export const readSellLedger = forUser({
  schema: sellLedgerBody,
  handle: async (context, userId, { brokerageCode, accountNumber: name }) => {
    const account = await accountOfRows(context, userId, brokerageCode, name);
    if (!account.ok) return account;
    const { accountNumber } = account.value;
    const ledger = await readLedger(context, { userId, brokerageCode, accountNumber });
    if (ledger === undefined) return { ok: false, code: "INVALID", message: "brokerageCode is not known" };
    const heldAsOf = ledger.held === undefined ? null : formatTime(ledger.heldAtMs);
    const data = sellLedger(ledger).map(({ symbol, held, openSells, committed, worstCase }): LedgerRowView => {
      const overcommitted = worstCase === null ? null : worstCase < 0;
      return { symbol, held, heldAsOf, openSells, committed, worstCase, overcommitted };
    });
    return { ok: true, data };
  },
});
