/**
 * Sends one event to one target, in the form of its kind.
 */
import { createTransport, type Transporter } from "nodemailer";
import { Webhook } from "standardwebhooks";
import { describeEvent } from "../../src/contract/event/event-words.ts";
import type { StoredTarget, TargetBody } from "../../src/contract/trading/notification.ts";
import type { Clock } from "../../src/runtime/ports.ts";
import type { AlertSettings } from "../ports/event.ts";
import { type Failure, failureOf, refusedWith } from "./failure.ts";
import { postGuarded, refuseUnlessTarget } from "./guarded-request.ts";
import { type Concern, concernOfError, concernOfStatus, readTelegramRefusal, retryAfterMsOf } from "./verdict.ts";

export interface EventToSend {
  readonly id: string;
  readonly type: string;
}

/**
 * The limit for all steps of a mail together. The library gives each step a limit of its own, and a silent server 30 s.
 * An edge waits that long for a test message, and its sender would not learn of the time-out.
 */
const MAIL_MS_MAX = 20_000;

/** Of a Telegram message, and of a mail's subject, in characters. */
const TELEGRAM_LENGTH_MAX = 4_096;
const SUBJECT_LENGTH_MAX = 150;
/** Of Telegram's answer to a refused message: a short object. */
const TELEGRAM_ANSWER_BYTES = 16_384;

/** How the sending of a message ended. */
export type Sent = (Taken | Refused) & {
  /** The supergroup that a Telegram group became: from now on messages go there. */
  readonly movedToChatId?: string;
};
interface Taken {
  readonly ok: true;
}
interface Refused extends Failure {
  readonly ok: false;
  readonly concern: Concern;
  /** How long the other side asked for a pause; null if it gave no time. */
  readonly retryAfterMs: number | null;
}
const TAKEN: Taken = { ok: true };

export class Sender {
  readonly #settings: AlertSettings;
  readonly #clock: Clock;
  readonly #mail: Transporter | undefined;
  readonly #mailMsMax: number;

  constructor(settings: AlertSettings, clock: Clock, mailMsMax: number = MAIL_MS_MAX) {
    this.#settings = settings;
    this.#mailMsMax = mailMsMax;
    this.#clock = clock;
    this.#mail = settings.smtpUrl === undefined ? undefined : createTransport(settings.smtpUrl);
  }

  /** Returns why a target cannot be used; undefined if it can. */
  whyNot({ body }: Pick<StoredTarget, "body">): string | undefined {
    if (body.kind === "webhook") return refuseUnlessTarget(body.url, this.#settings.arePrivateAllowed);
    if (body.kind === "email" && this.#mail === undefined) return "kind email cannot be sent here: SMTP_URL is not set";
    return undefined;
  }

  /** Never rejects. The message is for the target's owner, the detail for the log; neither holds a secret. */
  async send(target: StoredTarget, event: EventToSend): Promise<Sent> {
    const { body } = target;
    let message: Message;
    try {
      message = { json: JSON.stringify(event), words: wellFormed(describeEvent(event)) };
    } catch (error) {
      // A fault of ours with this one event: it must not hold the others back.
      return { ok: false, ...failureOf(error, body), concern: "message", retryAfterMs: null };
    }
    try {
      return await this.#send(target, event, message);
    } catch (error) {
      return { ok: false, ...failureOf(error, body), concern: concernOfError(error), retryAfterMs: null };
    }
  }

  #send({ body, secret }: StoredTarget, event: EventToSend, message: Message): Promise<Sent> {
    switch (body.kind) {
      case "webhook":
        return this.#post(body.url, secret ?? "", event, message);
      case "telegram":
        return this.#tellChat(body.botToken, body.chatId, message);
      case "email":
        return this.#mailTo(body.address, event, message);
    }
  }

  async #post(url: string, secret: string, { id }: EventToSend, { json }: Message): Promise<Sent> {
    const { arePrivateAllowed } = this.#settings;
    const now = new Date(this.#clock.nowMs());
    const headers = {
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign(id, now, json),
    };
    const { status, retryAfter } = await postGuarded(url, headers, json, { arePrivateAllowed });
    if (isSuccess(status)) return TAKEN;
    return refused("webhook", status, concernOfStatus(status), retryAfterMsOf(retryAfter, this.#clock.nowMs()));
  }

  /** Follows a group that became a supergroup, once. */
  async #tellChat(botToken: string, chatId: string, message: Message, hasMoved = false): Promise<Sent> {
    const text = message.words.slice(0, TELEGRAM_LENGTH_MAX);
    const url = `${this.#settings.telegramUrl}/bot${botToken}/sendMessage`;
    // The operator's own setting, which can be a server in the same network.
    const options = { arePrivateAllowed: true, answerBytesMax: TELEGRAM_ANSWER_BYTES };
    const answer = await postGuarded(url, {}, JSON.stringify({ chat_id: chatId, text }), options);
    if (isSuccess(answer.status)) return TAKEN;
    const { concern, retryAfterMs, chatId: movedTo } = readTelegramRefusal(answer.status, answer.text);
    if (movedTo === null || hasMoved) return refused("telegram", answer.status, concern, retryAfterMs);
    return { ...(await this.#tellChat(botToken, movedTo, message, true)), movedToChatId: movedTo };
  }

  async #mailTo(address: string, { id }: EventToSend, { words, json }: Message): Promise<Sent> {
    const handedIn = this.#mail?.sendMail({
      ...{ from: this.#settings.smtpFrom, to: address, messageId: `<${id}@trading-developer-api>` },
      subject: words.slice(0, SUBJECT_LENGTH_MAX),
      text: `${words}\n\n${json}\n`,
      // No vacation reply comes back (RFC 3834, 5).
      headers: { "Auto-Submitted": "auto-generated" },
    });
    await within(this.#mailMsMax, handedIn);
    return TAKEN;
  }
}

/** An event in the forms that targets get. */
interface Message {
  readonly json: string;
  readonly words: string;
}

/** Half of a surrogate pair, which a user may have typed, is refused by others as no UTF-8. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function refused(kind: TargetBody["kind"], status: number, concern: Concern, retryAfterMs: number | null): Refused {
  return { ok: false, message: refusedWith(kind, status), detail: null, concern, retryAfterMs };
}

/** Rejects with a `TimeoutError` once the time is over. Work in progress continues: the mail can still arrive. */
function within<T>(timeoutMs: number, work: Promise<T> | undefined): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    signal.addEventListener("abort", () => reject(signal.reason));
    Promise.resolve(work).then(resolve, reject);
  });
}
