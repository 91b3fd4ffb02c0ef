/**
 * What a person may decide about an order whose fate nobody can look up.
 */

export type ReleaseDecision =
  /** It does not exist: send it as if for the first time. */
  | { readonly action: "resend" }
  /** It exists under this number. */
  | { readonly action: "placed"; readonly orderNo: string }
  /** It does not exist and shall not. */
  | { readonly action: "refused"; readonly message: string };

const ORDER_NO_MAX = 100;
const MESSAGE_MAX = 500;

/** What is wrong with a decision: a message that names the field, or undefined. */
export function findFault(decision: ReleaseDecision): string | undefined {
  if (decision.action === "placed" && (decision.orderNo === "" || decision.orderNo.length > ORDER_NO_MAX)) {
    return `orderNo must have 1 to ${ORDER_NO_MAX} characters`;
  }
  if (decision.action === "refused" && (decision.message === "" || decision.message.length > MESSAGE_MAX)) {
    return `message must have 1 to ${MESSAGE_MAX} characters`;
  }
  return undefined;
}
