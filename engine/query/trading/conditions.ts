/**
 * Whether prices and orders flow, for clients that trade by it.
 */
import type { ConditionsView } from "../../../src/contract/trading/conditions.ts";
import type { Brokerage } from "../../ports/brokerage.ts";
import type { QueryHandler } from "../context.ts";

export const readConditions: QueryHandler = async ({ operator, brokerages, holds }) => {
  const { feed, cluster = null } = operator.stats();
  const data: ConditionsView = {
    feed: feed === undefined ? null : { state: feed.state, silentMs: feed.silentMs, publishers: feed.publishers },
    brokerages: brokerages.all().map(wayTo),
    heldSymbols: holds.list().map(({ partition: _, releasedGroups: __, ...held }) => held),
    cluster,
  };
  return { ok: true, data };
};

function wayTo({ settings, session, reset }: Brokerage): ConditionsView["brokerages"][number] {
  const { code, name, resend: relied } = settings;
  const canReset = reset !== undefined && { canReset: true };
  if (session === undefined)
    return { code, name, state: "up", since: null, resend: relied, refusal: null, ...canReset };
  const { state, since, needsLogin, resend, refusal } = session();
  return { code, name, state, since, resend, refusal, ...(needsLogin && { needsLogin }), ...canReset };
}
