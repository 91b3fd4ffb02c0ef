/** Cancels at the brokerage, for an actor. */
import type { OrderToCancel } from "../actor/order-effects.ts";
import type { CommandContext } from "../command/context.ts";
import type { Inbox } from "../ports/actor.ts";

interface Asking {
  readonly context: Pick<
    CommandContext,
    "actors" | "brokerages" | "clock" | "partition" | "epoch" | "followed" | "log"
  >;
  readonly inbox: Inbox;
}

/** Cancelling twice does no harm. The order is looked up next: its end shows the effect (behaviour 14.4). */
export async function cancelAtBrokerage({ context, inbox }: Asking, order: OrderToCancel): Promise<void> {
  const { actorId, userId, brokerageCode, accountNumber, symbol, orderNo, clientOrderId } = order;
  const { actors, brokerages, clock, partition, epoch, followed, log } = context;
  const fence = { partition, epoch, attempt: 0 };
  const named = { orderNo, ...(clientOrderId !== null && { clientOrderId }) };
  const answer = await brokerages.find(brokerageCode)?.cancel({ userId, accountNumber, symbol, ...named, fence });
  const code = answer?.ok === false ? answer.code : "OK";
  log.info({ event: "exit.cancelAsked", userId, brokerageCode, orderNo, code }, `asked to cancel order ${orderNo}`);
  if (answer?.ok === false && (answer.code === "REJECTED" || answer.code === "NOT_NOW")) {
    const { message } = answer;
    inbox.enqueue(() => {
      const isOfSetup = actors.find("setup", actorId)?.isEnded === false;
      if (isOfSetup) actors.deliver("setup", actorId, { type: "cancelRefused", message, timeMs: clock.nowMs() });
    });
  }
  followed.askNow({ userId, brokerageCode, accountNumber, orderNo });
}
