/** The corporate actions of a partition (behaviour 28). */
import { ACTION_QUERIES, listActionsBody } from "../../../src/contract/operator/corporate-action.ts";
import { forAnyone, type QueryHandler } from "../context.ts";
import { pageOfRecords } from "../pages.ts";

const listActions = forAnyone(listActionsBody, async ({ corporateActions }, { from }, pageBytesMax) =>
  pageOfRecords(corporateActions.list(), from ?? null, pageBytesMax),
);

export const actionQueries: ReadonlyMap<string, QueryHandler> = new Map([[ACTION_QUERIES.list, listActions]]);
