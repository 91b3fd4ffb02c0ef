/** The price alerts of a user, by id: the alerts under watch, or the ended ones (behaviour 29). */
import { z } from "zod";
import { ALERT_LISTS } from "../../../src/contract/trading/price-alert.ts";
import { textOf } from "../../../src/runtime/json.ts";
import type { Store } from "../../ports/storage.ts";
import { alertListPrefix, endedAlertListPrefix, LATER_FIELDS } from "../../projection/price-alert.ts";
import { viewKey } from "../../table/keys.ts";
import { padded, under } from "../../table/tables.ts";
import { forUser } from "../context.ts";
import { pageOfKeyed, pageOfRows } from "../pages.ts";

const storedRow = z.looseObject({ id: z.number() });

export const listPriceAlerts = forUser({
  schema: z.object({ from: z.string().max(100).nullish(), status: z.enum(ALERT_LISTS).default("watching") }),
  handle: async ({ store }, userId, { from = null, status }, bytesMax) => {
    if (status === "ended") return pageOfRows(store, endedAlertListPrefix(userId), from, bytesMax);
    const rows = await watchingRows(store, userId);
    return pageOfKeyed(rows, ({ id }) => padded(id), { from, limit: rows.length, bytesMax });
  },
});

/** At most a hundred rows; a row of an older version gets the fields that it lacks. */
async function watchingRows(store: Pick<Store, "scan">, userId: number) {
  const rows: z.infer<typeof storedRow>[] = [];
  for await (const page of store.scan(under(viewKey(alertListPrefix(userId))))) {
    for (const [, value] of page) rows.push({ ...LATER_FIELDS, ...storedRow.parse(JSON.parse(textOf(value))) });
  }
  return rows;
}
