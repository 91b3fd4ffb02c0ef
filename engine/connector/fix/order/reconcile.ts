/**
 * Asks for open orders when reports can be missing.
 *
 * Invariant: an order that the broker does not know after the numbers were reset is not given up and not sent again: it
 * is `lost`, and a person decides.
 */
import { MsgType } from "../wire/tag.ts";
import type { ConnectorContext } from "./context.ts";
import type { LookUpAnswer, LookUps } from "./look-up.ts";
import { massStatusRequest } from "./message.ts";
import { isOver, type KnownOrder } from "./order.ts";

/** The most questions that are open together: a broker's limits count them too. */
const ASKED_AT_ONCE = 20;

/** True if the broker has sent no news of the order, or none since the numbers were reset. */
export function isInDoubt(order: KnownOrder, life: number): boolean {
  return order.standing === "leaving" || (order.standing === "accepted" && !isOver(order) && order.life !== life);
}

/**
 * `afterLogon`: orders in doubt. `afterGap`: all open orders, because the peer left messages out. Resolves to whether
 * each of them was answered.
 */
export async function reconcile(
  context: ConnectorContext,
  lookUps: LookUps,
  occasion: "afterLogon" | "afterGap",
): Promise<boolean> {
  const { sentOrders, session, settings, log, newName } = context;
  const { life } = session;
  const open = sentOrders.orders().filter((order) => !isOver(order) && order.standing !== "lost");
  const doubtful = open.filter((order) => occasion === "afterGap" || isInDoubt(order, life));
  if (doubtful.length === 0) return true;
  log.info({ event: "fix.askingOpenOrders", count: doubtful.length, occasion }, "asking for open orders");
  if (settings.massStatus) {
    session.send(MsgType.OrderMassStatusRequest, massStatusRequest(newName("M")), () => undefined);
  }
  const queue = [...doubtful];
  let answered = 0;
  const askNext = async (): Promise<void> => {
    for (let order = queue.shift(); order !== undefined; order = queue.shift()) {
      if (!session.isLive || session.life !== life) return;
      if ((await settle(context, lookUps, order)) !== "noAnswer") answered += 1;
    }
  };
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, askNext));
  return answered === doubtful.length;
}

/** Asks for an order, and stores what the answer proves. */
export async function settle(
  { sentOrders, log, session }: ConnectorContext,
  lookUps: LookUps,
  order: KnownOrder,
): Promise<LookUpAnswer> {
  const answer = await lookUps.ask(order);
  const now = sentOrders.get(order.clientOrderId);
  if (now === undefined || isOver(now) || answer === "known" || answer === "noAnswer") return answer;
  // An order that was reported in this life of the numbers needs no question: its reports come.
  const isTold = answer === "notTaken" && now.life === session.life;
  if (answer === "absent" && now.standing === "leaving") sentOrders.keep({ ...now, standing: "absent" });
  else if (now.standing === "accepted" && !isTold) {
    log.error(
      { event: "fix.orderLost", clientOrderId: now.clientOrderId },
      "the broker no longer knows an open order: a person must look",
    );
    sentOrders.keep({ ...now, standing: "lost" });
  }
  return answer;
}
