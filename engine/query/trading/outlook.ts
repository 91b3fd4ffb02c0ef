/** What would happen to a group now, by the id of any of its rows (behaviour 25). */
import { readGroupBody } from "../../../src/contract/command.ts";
import type { OutlookView } from "../../../src/contract/trading/outlook.ts";
import { consequenceOf } from "../../../src/domain/market/measure.ts";
import { versionOf } from "../../../src/domain/oco/group.ts";
import { sellLedger } from "../../../src/domain/order/sell-ledger.ts";
import { formatTime } from "../../../src/domain/time.ts";
import { commitmentsOf } from "../../projection/commitments.ts";
import { findNamedGroup } from "../../projection/find-group.ts";
import { refuseUnknownBrokerage } from "../../projection/named-brokerage.ts";
import { outlookRows } from "../../projection/outlook.ts";
import { holdOf, restrictionsOf } from "../../projection/plan.ts";
import { forUser } from "../context.ts";
import { sessionOf } from "./session.ts";

const NONE_COMMITTED = { groups: 0, bots: 0, entries: 0 };

export const readOutlook = forUser({
  schema: readGroupBody,
  handle: async (context, userId, { id, brokerageCode }) => {
    const named = { id, brokerageCode };
    const found = refuseUnknownBrokerage(context, brokerageCode) ?? findNamedGroup(context, userId, named);
    if (!found.ok) return found;
    const { symbol, userId: owner, brokerageCode: code, accountNumber } = found.value.group;
    const place = { userId: owner, brokerageCode: code, accountNumber };
    const commitments = await commitmentsOf(context.store, place);
    // The read may have taken a while: the answer shows the group at one moment.
    const again = findNamedGroup(context, userId, named);
    if (!again.ok) return again;
    const { group } = again.value;
    const { clock, prices, bands, measures, tradingStates, holdings } = context;
    const [row] = sellLedger({
      held: undefined,
      openSells: undefined,
      commitments: commitments.filter((one) => one.symbol === symbol),
    });
    const held = holdings.find(place, symbol);
    const last = prices.last(symbol);
    const state = tradingStates.of(place);
    const isActive = state === undefined || state.state === "active";
    const data: OutlookView = {
      groupId: group.groupId,
      version: versionOf(group),
      symbol,
      asOf: formatTime(clock.nowMs()),
      rows: outlookRows(context, group),
      lastPrice: last === undefined ? null : { price: last.price.value, time: formatTime(last.timeMs) },
      session: sessionOf(context, symbol),
      band: bands.find(symbol, code) ?? null,
      hold: holdOf(context, group),
      restrictions: restrictionsOf({ measures }, symbol).map((measure) => ({
        ...measure,
        consequence: consequenceOf(measure.effects),
      })),
      tradingState: isActive ? null : { ...state },
      ledger: {
        held: held?.quantity ?? null,
        heldAsOf: held === undefined ? null : formatTime(held.atMs),
        committed: row?.committed ?? NONE_COMMITTED,
      },
    };
    return { ok: true, data, version: versionOf(group) };
  },
});
