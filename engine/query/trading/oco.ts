/**
 * The OCO groups of an account, and one group by the id of any of its rows (behaviour 11.3).
 *
 * Invariant: another user's group is not found, as if it did not exist (behaviour 1.7): every key begins with the user.
 */
import { z } from "zod";
import { listGroupsBody, readGroupBody } from "../../../src/contract/command.ts";
import { parseGroup } from "../../../src/contract/stored/snapshot.ts";
import { type OcoRowView, ocoRowSchema } from "../../../src/contract/trading/oco.ts";
import { versionOf } from "../../../src/domain/oco/group.ts";
import { formatTime } from "../../../src/domain/time.ts";
import { textOf } from "../../../src/runtime/json.ts";
import type { ScanRange, Store } from "../../ports/storage.ts";
import { findNamedGroup, groupOfAddedRow } from "../../projection/find-group.ts";
import { refuseUnknownBrokerage } from "../../projection/named-brokerage.ts";
import { ocoBrokeragePrefix, ocoListPrefix, ocoUserPrefix } from "../../projection/oco.ts";
import { actorKey, endedKey, viewKey } from "../../table/keys.ts";
import { padded, under } from "../../table/tables.ts";
import { forUser } from "../context.ts";
import { pageOfPart, pageOfRows } from "../pages.ts";
import { accountOfRows } from "./account-of-rows.ts";

/** The rows of an account's OCO groups, of all statuses. */
export const listGroups = forUser({
  schema: listGroupsBody,
  handle: (context, userId, { brokerageCode, accountNumber, from = null, part }, pageBytesMax) =>
    accountOfRows(context, userId, brokerageCode, accountNumber).then((account) => {
      if (!account.ok) return account;
      const prefix = ocoListPrefix(userId, brokerageCode, account.value.accountNumber);
      if (part === undefined) return pageOfRows(context.store, prefix, from, pageBytesMax);
      const { statuses, symbol, sinceMs, limit = Infinity } = part;
      const since = sinceMs === undefined ? "" : formatTime(sinceMs);
      const isMatch = (row: z.infer<typeof listedSchema>): boolean =>
        (statuses === undefined || statuses.includes(row.status)) &&
        (symbol === undefined || symbol === row.symbol) &&
        (row.updatedDate ?? row.createdDate) >= since;
      const asked = { prefix, schema: listedSchema, idOf: ({ id }: { readonly id: number }) => id, isMatch, limit };
      return pageOfPart(context.store, asked, from, pageBytesMax);
    }),
});

/** What filters look at. Times of one form compare as text. */
const listedSchema = ocoRowSchema.pick({ id: true, symbol: true, status: true, createdDate: true, updatedDate: true });

/** What is read of a stored actor. */
const storedSchema = z.looseObject({ context: z.unknown() });
const rowsSchema = z.array(ocoRowSchema);

/** All rows of the group that has a row of this id, the stop-loss first. */
export const readGroup = forUser({
  schema: readGroupBody,
  handle: async (context, userId, { id, brokerageCode }) => {
    const unknown = refuseUnknownBrokerage(context, brokerageCode);
    if (unknown !== undefined) return unknown;
    const prefix = brokerageCode === undefined ? ocoUserPrefix(userId) : ocoBrokeragePrefix(userId, brokerageCode);
    const all = under(viewKey(prefix));
    const groupId = groupOfAddedRow(context.store, id) ?? id;
    // From account to account. The ids of a group were given out together, so that in each only one group may hold it:
    // the last one whose own id is not above.
    for (let next = await first(context.store, all); next !== undefined; ) {
      const account = under(next.key.slice(0, next.key.lastIndexOf("/") + 1));
      const upTo = `${account.gte}${padded(groupId + 1)}`;
      const last = await first(context.store, { gte: account.gte, lt: upTo, reverse: true });
      const found = last === undefined ? undefined : readDurable(context.store, last.key);
      if (found?.rows.some((row) => row.id === id)) return { ok: true, data: found.rows, version: found.version };
      next = await first(context.store, { gte: account.lt, lt: all.lt });
    }
    return { ok: false, code: "NOT_FOUND", message: `OCO order ${id} was not found` };
  },
});

/** The code of the brokerage at which the group with this row is. */
export const brokerageOfGroup = forUser({
  schema: readGroupBody,
  handle: async (context, userId, { id }) => {
    const found = findNamedGroup(context, userId, { id });
    return found.ok ? { ok: true, data: found.value.group.brokerageCode } : found;
  },
});

/** The rows of a stored group and its version, both of one moment: nothing is written between two synchronous reads. */
function readDurable(store: Store, key: string): { rows: OcoRowView[]; version: number } | undefined {
  const bytes = store.read(key);
  const groupId = Number(key.slice(key.lastIndexOf("/") + 1));
  const snapshot = store.read(actorKey(groupId)) ?? store.read(endedKey(groupId));
  if (bytes === undefined || snapshot === undefined) return undefined;
  const rows = rowsSchema.parse(JSON.parse(`[${textOf(bytes)}]`));
  return { rows, version: versionOf(parseGroup(storedSchema.parse(JSON.parse(textOf(snapshot))).context)) };
}

async function first(store: Store, range: ScanRange): Promise<{ key: string; value: Uint8Array } | undefined> {
  for await (const page of store.scan({ ...range, limit: 1 })) {
    for (const [key, value] of page) return { key, value };
  }
  return undefined;
}
