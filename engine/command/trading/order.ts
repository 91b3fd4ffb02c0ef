/**
 * Places and cancels orders (behaviour 11.2; behaviour 6).
 *
 * Owns: the meaning of a request, the name of a client's order, the answer to a cancel.
 * Does not own: sending and settling orders (the outbox), remembering answers (the command context).
 *
 * Invariants:
 * 1. An order is named, and stored in the outbox together with its command, before it is sent. Its name is never used
 *    again in the installation, on no partition.
 * 2. No client waits longer than `PATIENCE_MS`: an order that was not sent by then never is. The later outcome of a
 *    sent order is kept under the command's key.
 */
import type { z } from "zod";
import type { Reply } from "../../../src/contract/command.ts";
import { describeIssue } from "../../../src/contract/issue.ts";
import type { BrokerFailureCode, BrokerReply, OrderAnswer } from "../../../src/contract/trading/order.ts";
import {
  cancelBatchBody,
  cancelItemBody,
  cancelOrderBody,
  chainOrderBody,
  orderItemBody,
  placeBatchBody,
  placeOrderBody,
} from "../../../src/contract/trading/trading.ts";
import { ORDER_CANCELLED, ORDER_COMPLETED, ORDER_REJECTED, SELL } from "../../../src/domain/order/order.ts";
import { checkOrder, type OrderRequest, type OrderTerms } from "../../../src/domain/order/order-request.ts";
import { refuseOrder } from "../../../src/domain/order/trading-state.ts";
import type { Refusal, Result } from "../../../src/domain/refusal.ts";
import type { OrderName } from "../../ports/order.ts";
import {
  type AnyCommandHandler,
  type CommandContext,
  type CommandTurn,
  checked,
  refuseUnlessTraded,
} from "../context.ts";
import { describeExcess, judged } from "./sell-ledger.ts";

/** Less than a client's 30 s (behaviour 7), so that the answer still reaches it. */
const PATIENCE_MS = 27_000;
/** The most cancels of one batch that are under way at a time. */
const CANCELS_AT_ONCE = 4;

const NOT_KNOWN_YET =
  "the brokerage has not answered yet and the order may exist: repeat the same Idempotency-Key or read the daily orders";
const NOT_SENT = "the order was not sent: it waited too long for the brokerage or for its quota, and no order exists";
const CANCEL_NOT_KNOWN = "the brokerage did not answer, and the order may have been cancelled: read the daily orders";

interface AccountRef {
  readonly brokerageCode: string;
  readonly accountNumber: string;
}

export const placeOrder: AnyCommandHandler = checked({ schema: placeOrderBody, handle: placeOne });

/** Places an order that waits at the brokerage until its reference order is completed (behaviour 6.4). */
export const chainOrder: AnyCommandHandler = checked({
  schema: chainOrderBody,
  handle: (context, body, turn) => placeOne(context, body, turn, body.referenceOrderNo),
});

async function placeOne(
  context: CommandContext,
  body: OrderRequest & AccountRef,
  turn: CommandTurn,
  referenceOrderNo?: string,
): Promise<Reply> {
  const terms = check(context, body);
  if (!terms.ok) return terms;
  const account = await context.accounts.resolve(turn.userId, body.brokerageCode, body.accountNumber);
  if (!account.ok) return account;
  const { userId } = turn;
  const owner = { brokerageCode: body.brokerageCode, accountNumber: account.value.accountNumber };
  const { symbol, quantity, buySell } = terms.value;
  // A sell that waits for its reference order sells what that order buys.
  const commitsLots = buySell === SELL && referenceOrderNo === undefined;
  const placeOf = () => (commitsLots ? { userId, ...owner } : undefined);
  return judged(context, placeOf, async (commit) => {
    const excess = commitsLots ? describeExcess(context, { userId, ...owner }, symbol, quantity) : undefined;
    const names: OrderName[] = [];
    const decided = turn.decideLater((commandId) => {
      const refused =
        refuseUnlessTrading(context, userId, owner, terms.value) ??
        (commitsLots ? commit("quantity", symbol, quantity) : undefined) ??
        context.limits.refuseInTurn({ userId, ...owner }, terms.value);
      if (refused !== undefined) return refused;
      names.push(submit(context, userId, owner, terms.value, commandId, referenceOrderNo));
      return undefined;
    });
    const reply = await withPatience(context, turn, names, decided);
    return reply.ok && excess !== undefined ? { ...reply, message: `The order was placed; ${excess}` } : reply;
  });
}

/**
 * Places the items in order. A fault of the whole batch (account, no items, too many) refuses all of it. An item that
 * is malformed or against a rule fails alone, and the others are sent.
 */
export const placeBatch: AnyCommandHandler = checked({
  schema: placeBatchBody,
  handle: async (context, body, turn) => {
    const account = await context.accounts.resolve(turn.userId, body.brokerageCode, body.accountNumber);
    if (!account.ok) return account;
    const owner = { brokerageCode: body.brokerageCode, accountNumber: account.value.accountNumber };
    const items = body.items.map((item, index) => readItem(orderItemBody, item, index));
    const hasSell = items.some((item) => item.ok && item.value.buySell === SELL);
    const placeOf = () => (hasSell ? { userId: turn.userId, ...owner } : undefined);
    return judged(context, placeOf, (commit) => {
      const names: OrderName[] = [];
      const reply = turn.decideParts((partIdOf) =>
        items.map((item, index) => {
          const terms = item.ok ? check(context, item.value) : item;
          if (!terms.ok) return terms;
          const { symbol, quantity, buySell } = terms.value;
          const refused =
            refuseUnlessTrading(context, turn.userId, owner, terms.value) ??
            (buySell === SELL ? commit(`items[${index}].quantity`, symbol, quantity) : undefined) ??
            context.limits.refuseInTurn({ userId: turn.userId, ...owner }, terms.value);
          if (refused !== undefined) return refused;
          names.push(submit(context, turn.userId, owner, terms.value, partIdOf(index)));
          return undefined;
        }),
      );
      return withPatience(context, turn, names, reply);
    });
  },
});

function check(context: CommandContext, request: OrderRequest): Result<OrderTerms> {
  const { symbols } = context;
  const terms = checkOrder(request, (symbol) => (symbols.isKnown(symbol) ? symbols.tickTableOf(symbol) : undefined));
  return terms.ok ? (refuseUnlessTraded(context, terms.value.symbol) ?? terms) : terms;
}

/** In the turn: refuses a client's order that a halted or reducing trading state does not allow (behaviour 18.2). */
function refuseUnlessTrading(
  { tradingStates }: CommandContext,
  userId: number,
  owner: AccountRef,
  { buySell }: Pick<OrderTerms, "buySell">,
): Refusal | undefined {
  return refuseOrder(tradingStates.of({ userId, ...owner }), buySell);
}

function readItem<T>(schema: z.ZodType<T>, item: unknown, index: number): Result<T> {
  const parsed = schema.safeParse(item);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, code: "INVALID", message: describeIssue(parsed.error, `items[${index}]`) };
}

/** In a turn: names the order and gives it to the outbox; its outcome settles the command or the part. */
function submit(
  context: CommandContext,
  userId: number,
  owner: AccountRef,
  terms: OrderTerms,
  commandId: string,
  referenceOrderNo?: string,
): OrderName {
  // An id is unique over all partitions, the running sequence is not: two users may share an account.
  const [id = 0] = context.journal.allocateIds(1);
  const clientOrderId = context.orderName(id, `c${id}`);
  context.outbox.submit({
    ...terms,
    ...owner,
    userId,
    clientOrderId,
    urgency: "client",
    ...(referenceOrderNo === undefined ? {} : { referenceOrderNo }),
    origin: { kind: "command", commandId },
  });
  return { brokerageCode: owner.brokerageCode, clientOrderId };
}

/**
 * Returns the reply, or after `PATIENCE_MS` that it is not known yet. Orders in `names` that were not sent by then are
 * withdrawn: no client wants them minutes later. If none was sent, that settles the command, and its key is free again.
 * `replyInDoubt`: in the turn, makes the reply about an unknown outcome; the default is never stored under the key.
 */
export function withPatience(
  context: CommandContext,
  turn: CommandTurn,
  names: readonly OrderName[],
  reply: Promise<Reply>,
  replyInDoubt = (): Reply => ({ ok: false, code: "UNAVAILABLE", message: NOT_KNOWN_YET }),
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      // A reply that the withdrawals cause is durable with this one and was requested before it: it arrives first.
      const notKnown = turn.decide(() => {
        for (const name of names) context.outbox.withdraw(name, NOT_SENT);
        return replyInDoubt();
      });
      notKnown.then(resolve, reject);
    };
    const cancel = context.timers.after(PATIENCE_MS, giveUp);
    reply.then(resolve, reject).finally(cancel);
  });
}

// ------------------------------------------------------------------------------------------------------------ cancel

/** Sends a cancel directly to the brokerage: cancelling twice does no harm. */
export const cancelOrder: AnyCommandHandler = checked({
  schema: cancelOrderBody,
  handle: async (context, body, turn) => {
    const cancel = await cancelsOf(context, body, turn.userId);
    if (!cancel.ok) return cancel;
    const { accountNumber, send } = cancel.value;
    const reply = await send(body);
    return turn.decide(() => {
      if (reply.ok) tellCancelled(context, turn.userId, { ...body, accountNumber });
      return reply;
    });
  },
});

/** Cancels the orders that can be cancelled and returns their number (behaviour 6.1). */
export const cancelBatch: AnyCommandHandler = checked({
  schema: cancelBatchBody,
  handle: async (context, body, turn) => {
    const cancel = await cancelsOf(context, body, turn.userId);
    if (!cancel.ok) return cancel;
    const { accountNumber, send } = cancel.value;
    const items = withoutRepeats(body.items.map((given, index) => readItem(cancelItemBody, given, index)));
    const replies = await inGroups(
      items,
      CANCELS_AT_ONCE,
      async (item): Promise<Reply> => (item.ok ? send(item.value) : item),
    );
    return turn.decide(() => {
      for (const [index, item] of items.entries()) {
        if (!item.ok || replies[index]?.ok !== true) continue;
        tellCancelled(context, turn.userId, { brokerageCode: body.brokerageCode, accountNumber, ...item.value });
      }
      return replyToCancels(replies);
    });
  },
});

interface CancelItem {
  readonly orderNo: string;
  readonly symbol: string;
}
interface Canceller {
  readonly accountNumber: string;
  readonly send: (item: CancelItem) => Promise<Reply>;
}

/** In a turn: notifies the owner of a cancelled order, and looks it up if it is followed (behaviour 13.5). */
function tellCancelled(context: CommandContext, userId: number, order: AccountRef & CancelItem): void {
  const { brokerageCode, accountNumber, symbol, orderNo } = order;
  context.events.emit(userId, "order.cancelled", { order: { brokerageCode, accountNumber, symbol, orderNo } });
  const isFollowed = context.watchbook.followersOf({ brokerageCode, accountNumber, orderNo }).length > 0;
  if (isFollowed) context.followed.askNow({ userId, brokerageCode, accountNumber, orderNo });
}

/** Removes repeats: of several items for one order the first is used, and it counts once. */
function withoutRepeats(items: readonly Result<CancelItem>[]): Result<CancelItem>[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    if (!item.ok) return true;
    const { orderNo } = item.value;
    const isNew = !seen.has(orderNo);
    seen.add(orderNo);
    return isNew;
  });
}

async function cancelsOf(
  context: CommandContext,
  { brokerageCode, accountNumber }: AccountRef,
  userId: number,
): Promise<Result<Canceller>> {
  const account = await context.accounts.resolve(userId, brokerageCode, accountNumber);
  if (!account.ok) return account;
  const brokerage = context.brokerages.find(brokerageCode);
  if (brokerage === undefined) return { ok: false, code: "INVALID", message: "brokerageCode is not known" };
  const fence = { partition: context.partition, epoch: context.epoch, attempt: 0 };
  const owner = { userId, accountNumber: account.value.accountNumber, fence };
  const send: Canceller["send"] = async ({ orderNo, symbol }) =>
    replyToCancel(await brokerage.cancel({ ...owner, orderNo, symbol }));
  return { ok: true, value: { accountNumber: owner.accountNumber, send } };
}

function replyToCancel(answer: BrokerReply<OrderAnswer>): Reply {
  if (!answer.ok) return refuseCancel(answer.code, answer.message);
  const { orderStatus } = answer.data;
  if (orderStatus === ORDER_CANCELLED) return { ok: true, data: true };
  return orderStatus === ORDER_COMPLETED || orderStatus === ORDER_REJECTED
    ? refuseCancel("REJECTED", "it is completed or rejected")
    : refuseCancel("UNAVAILABLE", "");
}

function refuseCancel(code: BrokerFailureCode, message: string): Reply {
  switch (code) {
    case "REJECTED":
      return { ok: false, code: "INVALID", message: `the brokerage refused to cancel the order: ${message}` };
    case "NOT_FOUND":
      return { ok: false, code: "NOT_FOUND", message: "the brokerage does not know the order" };
    case "UNAUTHORIZED":
      return { ok: false, code: "FORBIDDEN", message: "log in to the brokerage first" };
    case "NOT_NOW":
      return { ok: false, code: "NOT_NOW", message: `the order cannot be cancelled now: ${message}` };
    case "NOT_SENT":
    case "FENCED":
      return { ok: false, code: "UNAVAILABLE", message: "the brokerage cannot be reached now; nothing was cancelled" };
    case "UNAVAILABLE":
    case "UNKNOWN":
      return { ok: false, code: "UNAVAILABLE", message: CANCEL_NOT_KNOWN };
  }
}

/** A fault of every item is a fault of the whole: it can be tried again under the same key. */
function replyToCancels(replies: readonly Reply[]): Reply {
  const cancelledCount = replies.filter((reply) => reply.ok).length;
  const [first] = replies;
  const isAllFault = replies.every((reply) => !reply.ok && reply.code === "UNAVAILABLE");
  if (isAllFault && first !== undefined) return first;
  const orders = replies.length === 1 ? "1 order was" : `${replies.length} orders were`;
  return { ok: true, data: true, message: `${cancelledCount} of ${orders} cancelled` };
}

/** Maps in order, `size` at a time. */
async function inGroups<T, R>(items: readonly T[], size: number, map: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += size) {
    results.push(...(await Promise.all(items.slice(start, start + size).map(map))));
  }
  return results;
}
