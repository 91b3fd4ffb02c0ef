/**
 * Asking for open orders where reports may be missing.
 *
 * Invariant: an order that the broker does not know after the numbers were reset is not given up and not sent again: it
 * is `lost`, and a person decides.
 */
import { MsgType } from "../wire/tag.ts";
import type { ConnectorContext } from "./context.ts";
import type { LookUps } from "./look-up.ts";
import { massStatusRequest } from "./message.ts";
import { isOver, type KnownOrder } from "./order.ts";

/** So many questions are open at once at most: a broker's limits count them too. */
const ASKED_AT_ONCE = 20;

/** `afterLogon`: what is in doubt. `afterGap`: everything open, as the peer left something out. */
export async function reconcile(
  context: ConnectorContext,
  lookUps: LookUps,
  occasion: "afterLogon" | "afterGap",
): Promise<void> {
  const { sentOrders, session, settings, log, newName } = context;
  const { life } = session;
  const open = sentOrders.orders().filter((order) => !isOver(order) && order.standing !== "lost");
  const doubtful = open.filter(
    (order) => occasion === "afterGap" || order.standing === "leaving" || order.life !== life,
  );
  if (doubtful.length === 0) return;
  log.info({ count: doubtful.length, occasion }, "asking for open orders");
  if (settings.massStatus) {
    session.send(MsgType.OrderMassStatusRequest, massStatusRequest(newName("M")), () => undefined);
  }
  const queue = [...doubtful];
  const askNext = async (): Promise<void> => {
    for (let order = queue.shift(); order !== undefined; order = queue.shift()) {
      if (!session.isLive || session.life !== life) return;
      await settle(context, lookUps, order);
    }
  };
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, askNext));
}

async function settle({ sentOrders, log }: ConnectorContext, lookUps: LookUps, order: KnownOrder): Promise<void> {
  const answer = await lookUps.ask(order);
  const now = sentOrders.get(order.clientOrderId);
  if (now === undefined || isOver(now) || answer === "known" || answer === "noAnswer") return;
  if (answer === "absent" && now.standing === "leaving") sentOrders.keep({ ...now, standing: "absent" });
  else if (now.standing === "accepted") {
    log.error({ clientOrderId: now.clientOrderId }, "the broker no longer knows an open order: a person must look");
    sentOrders.keep({ ...now, standing: "lost" });
  }
}
