/**
 * The requests of a world's clients: sent, answered, lost when the engine dies, and repeated if they have a key.
 *
 * Owns: every answer to a request. Does not own: what is asked for (`clients.ts`, `setups.ts`, `bots.ts`).
 */
import type { Envelope, Reply } from "../../../src/contract/command.ts";
import type { Life } from "../world/life.ts";
import type { Random } from "../world/random.ts";
import type { Report } from "../world/report.ts";

/** One request with every answer to it. */
export interface Asked {
  readonly envelope: Envelope;
  readonly onReply: (reply: Reply) => void;
  /** Before every time that it is sent. */
  readonly onSend: (() => void) | undefined;
  final: Reply | undefined;
  isWaiting: boolean;
}

export class Requests {
  readonly #random: Random;
  readonly #report: Report;
  readonly #life: () => Life;
  readonly #keyed: Asked[] = [];
  #count = 0;

  constructor(random: Random, report: Report, life: () => Life) {
    this.#random = random;
    this.#report = report;
    this.#life = life;
  }

  /** The number of the next request, group, setup or bot. */
  nextNumber(): number {
    this.#count += 1;
    return this.#count;
  }

  /** A request that was not sent yet, in half of the cases with a key. */
  ask(
    type: string,
    userId: number,
    body: object,
    number: number,
    on: { readonly onReply: Asked["onReply"]; readonly onSend?: () => void },
    hasKey: boolean = this.#random.chance(0.5),
  ): Asked {
    const bare: Envelope = { type, userId, requestId: `request-${number}`, body };
    const idempotency = { key: `key-${number}`, fingerprint: `print-${number}` };
    const envelope = hasKey ? { ...bare, idempotency } : bare;
    return { envelope, onReply: on.onReply, onSend: on.onSend, final: undefined, isWaiting: false };
  }

  /** Repeats a request with a key: all answers to one key must be the same. */
  repeat(): void {
    const asked = this.#random.among(this.#random.chance(0.7) ? this.#keyed.slice(-3) : this.#keyed);
    if (asked === undefined) return;
    this.#report.count("client: request repeated");
    this.#report.note(() => `repeats ${asked.envelope.idempotency?.key}`);
    this.send(asked);
  }

  /** The engine died: no answer comes any more. Requests with a key are sent again now and then. */
  loseReplies(): void {
    for (const asked of this.#keyed) asked.isWaiting = false;
  }

  /** Every request with a key, once more: for the end, when everything has settled. */
  repeatAll(): void {
    for (const asked of this.#keyed) this.send(asked);
  }

  send(asked: Asked): void {
    const life = this.#life();
    if (!life.isAlive) return;
    // A repeat while the first runs adds nothing to what may exist.
    if (asked.final === undefined && !asked.isWaiting) asked.onSend?.();
    asked.isWaiting = true;
    if (asked.envelope.idempotency !== undefined && !this.#keyed.includes(asked)) this.#keyed.push(asked);
    life.partition.handleCommand(asked.envelope).then(
      (reply) => {
        if (life.isAlive) this.#onReply(asked, reply);
      },
      (error: unknown) => {
        if (life.isAlive) this.#report.fault(error);
      },
    );
  }

  #onReply(asked: Asked, reply: Reply): void {
    // A request of the wrong shape would prove nothing from here on.
    if (!reply.ok && reply.message.includes("is not a field")) {
      this.#report.violate(`the world's ${asked.envelope.type} was not understood: ${reply.message}`);
    }
    // A fault of the request itself is judged again every time: a clock that was set back changes it, and so does an
    // order that was filled after its end. An entry that its brokerage has not answered is answered again.
    const isEarly = reply.ok && typeof reply.data === "object" && Reflect.get(reply.data ?? {}, "orderNo") === null;
    const isFinal =
      (reply.ok && !isEarly) ||
      (!reply.ok &&
        reply.code !== "CONFLICT" &&
        reply.code !== "UNAVAILABLE" &&
        !/^(dueDate|entry\.expiresAt)|cancelled or rejected$/.test(reply.message));
    if (isFinal && asked.envelope.idempotency !== undefined) {
      asked.final ??= reply;
      if (JSON.stringify(asked.final) !== JSON.stringify(reply)) {
        const answers = `${JSON.stringify(asked.final)} and ${JSON.stringify(reply)}`;
        this.#report.violate(`key ${asked.envelope.idempotency.key} was answered ${answers}`);
      }
    } else if (isFinal) asked.final ??= reply;
    // The first of that key still runs.
    if (!reply.ok && reply.code === "CONFLICT" && asked.envelope.idempotency !== undefined) return;
    asked.isWaiting = false;
    asked.onReply(reply);
  }
}
