/**
 * Sends one event to one target, in the form of its kind.
 */
import { createTransport, type Transporter } from "nodemailer";
import { Webhook } from "standardwebhooks";
import { describeEvent } from "../../src/contract/event/event-words.ts";
import type { StoredTarget } from "../../src/contract/trading/notification.ts";
import type { Clock } from "../../src/runtime/ports.ts";
import type { AlertSettings } from "../ports/event.ts";
import { type Failure, failureOf, refusedWith } from "./failure.ts";
import { postGuarded, refuseUnlessTarget } from "./guarded-request.ts";

export interface EventToSend {
  readonly id: string;
  readonly type: string;
}

const GONE = 410;
/**
 * For a mail in all its steps. The library gives each step a limit of its own, and a server that says nothing 30 s: as
 * long as an edge waits for a test message, whose sender would be told nothing of the time-out.
 */
const MAIL_MS_MAX = 20_000;

/** What became of a message. `isFinal`: the target wants no more. */
export type Sent = { readonly ok: true } | ({ readonly ok: false; readonly isFinal: boolean } & Failure);

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

  /** Why a target cannot be one; undefined where it can. */
  whyNot({ body }: Pick<StoredTarget, "body">): string | undefined {
    if (body.kind === "webhook") return refuseUnlessTarget(body.url, this.#settings.arePrivateAllowed);
    if (body.kind === "email" && this.#mail === undefined) return "kind email cannot be sent here: SMTP_URL is not set";
    return undefined;
  }

  /** Never rejects. The message is for the target's owner, the detail for the log; neither holds a secret. */
  async send(target: StoredTarget, event: EventToSend): Promise<Sent> {
    const { body } = target;
    try {
      const status = await this.#send(target, event);
      if (status >= 200 && status < 300) return { ok: true };
      return { ok: false, message: refusedWith(body.kind, status), detail: null, isFinal: status === GONE };
    } catch (error) {
      return { ok: false, ...failureOf(error, body), isFinal: false };
    }
  }

  async #send({ body, secret }: StoredTarget, event: EventToSend): Promise<number> {
    const { arePrivateAllowed, telegramUrl, smtpFrom } = this.#settings;
    const text = JSON.stringify(event);
    switch (body.kind) {
      case "webhook": {
        const now = new Date(this.#clock.nowMs());
        const headers = {
          "webhook-id": event.id,
          "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
          "webhook-signature": new Webhook(secret ?? "").sign(event.id, now, text),
        };
        return postGuarded(body.url, headers, text, arePrivateAllowed);
      }
      case "telegram": {
        const message = JSON.stringify({ chat_id: body.chatId, text: describeEvent(event) });
        // The operator's own setting, which may be a server beside this one.
        return postGuarded(`${telegramUrl}/bot${body.botToken}/sendMessage`, {}, message, true);
      }
      case "email": {
        const words = describeEvent(event);
        const mail = { from: smtpFrom, to: body.address, subject: words.slice(0, 150), text: `${words}\n\n${text}\n` };
        const handedIn = this.#mail?.sendMail({ ...mail, messageId: `<${event.id}@trading-developer-api>` });
        await within(this.#mailMsMax, handedIn);
        return 200;
      }
    }
  }
}

/** Rejects with a `TimeoutError` once the time is over. What is under way goes on: the mail may still arrive. */
function within<T>(timeoutMs: number, work: Promise<T> | undefined): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    signal.addEventListener("abort", () => reject(signal.reason));
    Promise.resolve(work).then(resolve, reject);
  });
}
