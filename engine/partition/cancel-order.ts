/** Cancels at the brokerage that an actor asked for. */
import type { OrderToCancel } from "../actor/order-effects.ts";
import type { CommandContext } from "../command/context.ts";

type Context = Pick<CommandContext, "brokerages" | "partition" | "epoch" | "followed" | "log">;

/** Cancelling twice does no harm. Whether it had an effect is known from the order's end, for which is asked next (behaviour 14.4). */
export async function cancelAtBrokerage(context: Context, order: OrderToCancel): Promise<void> {
  const { userId, brokerageCode, accountNumber, symbol, orderNo, clientOrderId } = order;
  const { brokerages, partition, epoch, followed, log } = context;
  const fence = { partition, epoch, attempt: 0 };
  const named = { orderNo, ...(clientOrderId !== null && { clientOrderId }) };
  const answer = await brokerages.find(brokerageCode)?.cancel({ userId, accountNumber, symbol, ...named, fence });
  const code = answer?.ok === false ? answer.code : "OK";
  log.info({ event: "exit.cancelAsked", userId, brokerageCode, orderNo, code }, `asked to cancel order ${orderNo}`);
  followed.askNow({ userId, brokerageCode, accountNumber, orderNo });
}
