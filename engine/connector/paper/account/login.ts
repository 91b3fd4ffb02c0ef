/**
 * The two stages of a login to the paper brokerage (behaviour 6.6).
 *
 * Owns sessions that wait for their code, and until when a user counts as logged in. Does not own storage, time,
 * randomness or the delivery of the code: all of them are injected.
 *
 * Invariants:
 * 1. Passwords are only checked to be present, and never stored. A code is kept until its session ends, in memory.
 * 2. A user has at most one session; a new first stage ends the previous one. So do three wrong codes, five minutes and
 *    the right code.
 */
import type { BrokerReply, LoginAnswer, LoginRequest } from "../../../../src/contract/trading/order.ts";

const SESSION_MS = 5 * 60_000;
export const LOGGED_IN_MS = 24 * 60 * 60_000;
const WRONG_CODES_MAX = 3;
const CODES = 1_000_000;

/** Cryptographically random bytes (or seeded ones, in a simulation). */
export type RandomBytes = (byteCount: number) => Uint8Array;

/** A text message with the code of a login. */
export interface Sms {
  readonly accountNumber: string;
  readonly code: string;
}

interface Session {
  readonly sessionId: string;
  readonly code: string;
  readonly endsMs: number;
  wrongCodes: number;
}

export class Logins {
  readonly #random: RandomBytes;
  readonly #onSms: (sms: Sms) => void;
  readonly #sessions = new Map<number, Session>();
  readonly #loggedInUntilMs = new Map<number, number>();

  constructor(random: RandomBytes, onSms: (sms: Sms) => void) {
    this.#random = random;
    this.#onSms = onSms;
  }

  isLoggedIn(userId: number, nowMs: number): boolean {
    const untilMs = this.#loggedInUntilMs.get(userId);
    return untilMs !== undefined && nowMs < untilMs;
  }

  /** Counts a user as logged in until then. The caller also stores it. */
  setLoggedIn(userId: number, untilMs: number): void {
    this.#loggedInUntilMs.set(userId, untilMs);
  }

  /** Runs one stage of a login to the account that the request was checked to name. Refusals are REJECTED. */
  login(request: LoginRequest, accountNumber: string, nowMs: number): BrokerReply<LoginAnswer> {
    if (request.username === "" || request.password === "") return rejected("username or password is empty");
    if (request.sessionId === undefined && request.sms === undefined) {
      return this.#start(request.userId, accountNumber, nowMs);
    }
    if (request.sessionId === undefined || request.sms === undefined) {
      return rejected("sessionId and sms belong together");
    }
    return this.#finish(request.userId, request.sessionId, request.sms, nowMs);
  }

  #start(userId: number, accountNumber: string, nowMs: number): BrokerReply<LoginAnswer> {
    const sessionId = Buffer.from(this.#random(24)).toString("base64url");
    const code = String(Buffer.from(this.#random(6)).readUIntBE(0, 6) % CODES).padStart(6, "0");
    this.#sessions.set(userId, { sessionId, code, endsMs: nowMs + SESSION_MS, wrongCodes: 0 });
    this.#onSms({ accountNumber, code });
    return { ok: true, data: { otp: 1, sessionId } };
  }

  #finish(userId: number, sessionId: string, code: string, nowMs: number): BrokerReply<LoginAnswer> {
    const session = this.#sessions.get(userId);
    if (session === undefined || session.sessionId !== sessionId) return rejected("sessionId is not known");
    if (nowMs >= session.endsMs) {
      this.#sessions.delete(userId);
      return rejected("the session has expired: start the login again");
    }
    if (session.code !== code) {
      session.wrongCodes += 1;
      if (session.wrongCodes < WRONG_CODES_MAX) return rejected("sms is not the code that was sent");
      this.#sessions.delete(userId);
      return rejected("sms was wrong three times: start the login again");
    }
    this.#sessions.delete(userId);
    return { ok: true, data: { otp: 0, isLoggedIn: true } };
  }
}

function rejected(message: string): BrokerReply<LoginAnswer> {
  return { ok: false, code: "REJECTED", message };
}
