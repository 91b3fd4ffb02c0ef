/**
 * Logging in to a brokerage, in two stages (behaviour 11.1; behaviour 6.6).
 *
 * Invariants:
 * 1. User name, password and code go to the brokerage and nowhere else: not to the store, a log or an answer, even if
 *    the brokerage repeats them. So a login is never remembered under an `Idempotency-Key`, not even as a hash.
 * 2. After a login the user's accounts are asked for again.
 */
import type { Reply } from "../../src/contract/command.ts";
import type { BrokerFailureCode, LoginRequest } from "../../src/contract/trading/order.ts";
import { type LoginBody, loginBody } from "../../src/contract/trading/trading.ts";
import type { Brokerage } from "../ports/brokerage.ts";
import { type AnyCommandHandler, checked } from "./context.ts";

export const login: AnyCommandHandler = checked<LoginBody>({
  schema: loginBody,
  handle: async (context, body, turn) => {
    const brokerage = context.brokerages.find(body.brokerageCode);
    if (brokerage === undefined) return { ok: false, code: "INVALID", message: "brokerageCode is not known" };
    const request = requestOf(turn.userId, body);
    const answer = await brokerage.login(request);
    if (answer.ok) {
      if (answer.data.otp === 0) context.accounts.forget(turn.userId, body.brokerageCode);
      return { ok: true, data: answer.data };
    }
    const isForeign =
      answer.code === "NOT_FOUND" || (answer.code === "REJECTED" && (await isOthers(brokerage, request)));
    if (isForeign) return { ok: false, code: "FORBIDDEN", message: "accountNumber is not one of your accounts" };
    return refuseLogin(answer.code, withoutSecrets(answer.message, request));
  },
});

function requestOf(userId: number, body: LoginBody): LoginRequest {
  const { username, password, accountNumber, sessionId, sms } = body;
  const first = { userId, username, password, accountNumber };
  return sessionId && sms ? { ...first, sessionId, sms } : first;
}

/** Whether the brokerage knows the user's accounts and this account is not among them (behaviour 1.7). */
async function isOthers(brokerage: Brokerage, { userId, accountNumber }: LoginRequest): Promise<boolean> {
  const known = await brokerage.accounts({ userId });
  if (!known.ok) return false;
  return !known.data.some((account) => account.accountNumber === accountNumber || account.number === accountNumber);
}

function refuseLogin(code: BrokerFailureCode, message: string): Reply {
  switch (code) {
    case "REJECTED":
    case "NOT_FOUND":
    case "UNAUTHORIZED":
      return { ok: false, code: "INVALID", message: `the brokerage refused the login: ${message}` };
    case "UNAVAILABLE":
    case "NOT_SENT":
    case "NOT_NOW":
    case "UNKNOWN":
    case "FENCED":
      return { ok: false, code: "UNAVAILABLE", message: "the brokerage did not answer the login; try again" };
  }
}

/** Returns the brokerage's message, unless it repeats a secret of the request. */
function withoutSecrets(message: string, { username, password, sms, sessionId }: LoginRequest): string {
  const secrets = [username, password, sms, sessionId].filter((text) => text !== undefined && text !== "");
  return secrets.some((secret) => secret !== undefined && message.includes(secret)) ? "it gave no reason" : message;
}
