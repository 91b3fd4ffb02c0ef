/** The held symbols of a partition (behaviour 16). */
import { HOLD_QUERIES, listHoldsBody } from "../../../src/contract/operator/hold.ts";
import { forAnyone, type QueryHandler } from "../context.ts";
import { pageOfRecords } from "../pages.ts";

const listHolds = forAnyone(listHoldsBody, async ({ holds }, { from }, pageBytesMax) =>
  pageOfRecords(holds.list(), from ?? null, pageBytesMax),
);

export const holdQueries: ReadonlyMap<string, QueryHandler> = new Map([[HOLD_QUERIES.listHolds, listHolds]]);
