/** AlgoLab's answers as replies of the gateway contract. Plain functions. */
import type { BrokerReply, OrderAnswer, PlaceRequest } from "../../../src/contract/trading/order.ts";
import { rowIdOfSell } from "../../../src/domain/oco/sell-name.ts";
import { SELL } from "../../../src/domain/order/order.ts";
import { type Failure, failed, taken } from "../host/connector.ts";
import type { ApiAnswer } from "./api.ts";
import type { KnownOrder } from "./order.ts";
import { URGENCY, type Urgency } from "./request-queue.ts";

/** A sell of a group's row goes before everything else. */
export function urgencyOf({ clientOrderId, buySell }: PlaceRequest): Urgency {
  return buySell === SELL && rowIdOfSell(clientOrderId) !== undefined ? URGENCY.triggeredSell : URGENCY.order;
}

export function answerOf(order: KnownOrder): BrokerReply<OrderAnswer> {
  if (order.standing === "refused") return failed("REJECTED", order.text || "AlgoLab refused the order");
  return taken({ ...order, orderNo: order.orderNo ?? order.clientOrderId });
}

/** A 401 to a login concerns the key: the other headers prove nothing yet. */
export function loginFailure(answer: Failed): Failure {
  if (answer.kind === "refused") return failed("REJECTED", answer.text);
  if (answer.kind === "loggedOut") return failed("UNAUTHORIZED", "AlgoLab refused the API key of the connector");
  return notAnswered(answer);
}

type Failed = Exclude<ApiAnswer<unknown>, { kind: "ok" }>;

/** A cancel that was certainly not taken. */
export function cancelFailure(answer: Exclude<Failed, { kind: "unknown" }>): Failure {
  if (answer.kind === "refused") return failed("REJECTED", answer.text);
  if (answer.kind === "loggedOut") return failed("UNAUTHORIZED", "the login at AlgoLab is over");
  return failed("NOT_SENT", answer.kind === "notSent" ? answer.text : "AlgoLab asks for fewer requests");
}

export function notAnswered(answer: Failed): Failure {
  switch (answer.kind) {
    case "loggedOut":
      return failed("UNAUTHORIZED", "the login at AlgoLab is over");
    case "tooFast":
      return failed("UNAVAILABLE", "AlgoLab asks for fewer requests");
    case "notSent":
    case "refused":
    case "unknown":
      return failed("UNAVAILABLE", answer.text);
  }
}
