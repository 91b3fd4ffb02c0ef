/**
 * The clients of a world: they create and cancel groups and place orders, lose replies when the engine dies, and repeat
 * what they sent with a key.
 *
 * Owns: what was asked for and what was answered. Does not own: what must follow from it (`oracle.ts`, `checks.ts`).
 */
import type { Envelope, Reply } from "../../src/contract/command.ts";
import { COMMANDS } from "../../src/contract/command.ts";
import type { Life } from "./life.ts";
import type { GroupModel, GroupOwner, RowModel } from "./model.ts";
import type { Oracle } from "./oracle.ts";
import { ACTIVE, type PlainDisk, type PlainRow } from "./plain-rows.ts";
import type { Random } from "./random.ts";
import type { Report } from "./report.ts";
import type { TickStream } from "./tick-stream.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** One request with everything that was ever answered to it. */
export interface Asked {
  readonly envelope: Envelope;
  readonly onReply: (reply: Reply) => void;
  /** Before every time that it is sent. */
  readonly onSend: (() => void) | undefined;
  final: Reply | undefined;
  isWaiting: boolean;
}

/** A client's own order: its quantity is its name. */
export interface ClientOrder {
  readonly quantity: number;
  readonly brokerageCode: string;
  readonly asked: Asked;
}

export interface ClientsOptions {
  readonly oracle: Oracle;
  readonly disk: PlainDisk;
  readonly stream: TickStream;
  readonly time: VirtualTime;
  readonly random: Random;
  readonly report: Report;
  readonly life: () => Life;
  readonly hasOversellGuard: boolean;
  readonly brokerageCodes: readonly [string, ...string[]];
  readonly symbols: readonly [string, ...string[]];
  readonly milliOf: (symbol: string) => number;
}

const FIRST_ORDER_QUANTITY = 1_000_000;

export class Clients {
  readonly #options: ClientsOptions;
  readonly keyed: Asked[] = [];
  readonly orders: ClientOrder[] = [];
  #requestCount = 0;

  constructor(options: ClientsOptions) {
    this.#options = options;
  }

  /** Asks for a group around the last price, sometimes one that is reached already. */
  create(): void {
    const { random, oracle, hasOversellGuard, disk, report, time } = this.#options;
    const owner = this.#owner();
    const number = this.#nextNumber();
    const base = Math.round(this.#options.milliOf(owner.symbol) / 1000) + random.whole(-1, 1);
    const stopLoss = { price: base - random.whole(1, 5), quantity: random.whole(3, 9) * 10 };
    const tierCount = random.whole(1, 3);
    const takeProfits = Array.from({ length: tierCount }, () => ({
      price: stopLoss.price + random.whole(1, 8),
      quantity: Math.floor(stopLoss.quantity / tierCount) - random.whole(0, 2),
    }));
    const dueMs = random.chance(0.4) ? time.wallClock.nowMs() + random.whole(50, 90_000) : null;
    const sorted = [...takeProfits].sort((left, right) => left.price - right.price);
    const group: GroupModel = {
      number,
      owner,
      dueMs,
      hasGuard: hasOversellGuard,
      rows: [stopLoss, ...sorted].map(toRowModel),
      fate: "asked",
      asked: { sequence: 0, steps: 0, last: undefined },
      meanwhile: [],
      knownSequence: 0,
      viewKey: undefined,
      createdAtMs: 0,
      mayBeCancelled: false,
      wasToBeCancelled: false,
      isCancelled: false,
      stopLossMayHaveFired: false,
      stopLossFired: false,
    };
    oracle.groups.push(group);
    const mustBeFree = this.#isFree(group);
    const body = {
      ...owner,
      stopLossPrice: stopLoss.price,
      stopLossQuantity: stopLoss.quantity,
      takeProfitItems: takeProfits,
      dueDate: dueMs === null ? null : new Date(dueMs).toISOString(),
      notes: `n${number}`,
    };
    const envelope = this.#envelope(COMMANDS.createGroup, owner.userId, body, number);
    const onSend = (): void => oracle.ask(group, this.#options.stream.lastSequence, this.#lastTick(owner.symbol));
    const onReply = (reply: Reply): void => {
      report.note(() => `n${number} is answered ${JSON.stringify(reply)}`);
      if (reply.ok) oracle.acknowledge(group, reply.data as PlainRow);
      else if (reply.code !== "CONFLICT") oracle.dismiss(group);
      const isFirst = reply.ok || (reply.code === "INVALID" && reply.message.includes("already exists"));
      if (!reply.ok && isFirst && mustBeFree && disk.groupsByNotes().size === 0) {
        report.violate(`group n${number} was refused and there is no other`);
      }
    };
    const describe = `n${number} ${JSON.stringify(body)}`;
    report.note(() => `asks for ${describe}`);
    this.#send({ envelope, onReply, onSend, final: undefined, isWaiting: false });
  }

  /** Cancels by the id of any row, of a group that may have ended long ago. */
  cancel(): void {
    const { random, oracle, disk, report } = this.#options;
    const known = oracle.groups.filter(({ viewKey }) => viewKey !== undefined);
    const group = random.among(random.chance(0.5) ? known.slice(-4) : known);
    const views = disk.rows(group?.viewKey ?? "");
    const row = random.among(views);
    if (group === undefined || row === undefined) return;
    report.note(() => `asks to cancel n${group.number} by row ${row.id}`);
    const number = this.#nextNumber();
    const { brokerageCode, userId } = group.owner;
    const envelope = this.#envelope(COMMANDS.cancelGroup, userId, { id: row.id, brokerageCode }, number);
    let mustSucceed = false;
    const onSend = (): void => {
      mustSucceed = !group.mayBeCancelled && group.dueMs === null && this.#isSurelyOpen(group);
      group.mayBeCancelled = true;
      group.wasToBeCancelled = true;
    };
    const onReply = (reply: Reply): void => {
      report.note(() => `cancel of n${group.number} is answered ${JSON.stringify(reply)}`);
      if (reply.ok) this.#onCancelled(group);
      else if (reply.code === "NOT_FOUND") report.violate(`row ${row.id} was not found`);
      else if (reply.code === "INVALID" && mustSucceed && !group.stopLossMayHaveFired) {
        report.violate(`the cancel of n${group.number} was refused while its rows were open`);
      }
    };
    this.#send({ envelope, onReply, onSend, final: undefined, isWaiting: false });
  }

  /** A client's own market order. */
  placeOrder(): void {
    const { random, report } = this.#options;
    const { userId, brokerageCode, accountNumber, symbol } = this.#owner();
    const number = this.#nextNumber();
    const quantity = FIRST_ORDER_QUANTITY + number;
    const order = { brokerageCode, accountNumber, symbol, quantity, buySell: 1, orderType: 1, price: 0 };
    const envelope = this.#envelope(COMMANDS.placeOrder, userId, order, number, random.chance(0.7));
    const asked: Asked = {
      envelope,
      onReply: (reply) => report.note(() => `order x${quantity} is answered ${JSON.stringify(reply)}`),
      onSend: undefined,
      final: undefined,
      isWaiting: false,
    };
    this.orders.push({ quantity, brokerageCode, asked });
    report.note(() => `asks for order x${quantity} at ${brokerageCode}`);
    this.#send(asked);
  }

  /** Sends again what has a key: all answers to one key must be the same. */
  repeat(): void {
    const { random, report } = this.#options;
    const asked = random.among(random.chance(0.7) ? this.keyed.slice(-3) : this.keyed);
    if (asked === undefined) return;
    report.count("client: request repeated");
    report.note(() => `repeats ${asked.envelope.idempotency?.key}`);
    this.#send(asked);
  }

  /** The engine died: no answer comes any more. What has a key is sent again now and then. */
  loseReplies(): void {
    for (const asked of this.keyed) asked.isWaiting = false;
  }

  /** Every request with a key, once more: for the end, when everything has settled. */
  repeatAll(): void {
    for (const asked of this.keyed) this.#send(asked);
  }

  #send(asked: Asked): void {
    const life = this.#options.life();
    if (!life.isAlive) return;
    // A repeat while the first runs says nothing new of what may exist.
    if (asked.final === undefined && !asked.isWaiting) asked.onSend?.();
    asked.isWaiting = true;
    if (asked.envelope.idempotency !== undefined && !this.keyed.includes(asked)) this.keyed.push(asked);
    life.partition.handleCommand(asked.envelope).then(
      (reply) => {
        if (life.isAlive) this.#onReply(asked, reply);
      },
      (error: unknown) => {
        if (life.isAlive) this.#options.report.fault(error);
      },
    );
  }

  #onReply(asked: Asked, reply: Reply): void {
    // What was wrong with the request itself is judged anew every time: a clock that was set back changes it.
    const isFinal =
      reply.ok || (reply.code !== "CONFLICT" && reply.code !== "UNAVAILABLE" && !reply.message.startsWith("dueDate"));
    if (isFinal && asked.envelope.idempotency !== undefined) {
      asked.final ??= reply;
      if (JSON.stringify(asked.final) !== JSON.stringify(reply)) {
        const answers = `${JSON.stringify(asked.final)} and ${JSON.stringify(reply)}`;
        this.#options.report.violate(`key ${asked.envelope.idempotency.key} was answered ${answers}`);
      }
    } else if (isFinal) asked.final ??= reply;
    if (!reply.ok && reply.code === "CONFLICT") return;
    asked.isWaiting = false;
    asked.onReply(reply);
  }

  #onCancelled(group: GroupModel): void {
    const { disk, report } = this.#options;
    group.isCancelled = true;
    for (const [index, view] of disk.rows(group.viewKey ?? "").entries()) {
      if (view.status === ACTIVE && group.rows[index]?.may.length === 0 && group.rows[index]?.shadow.length === 0) {
        report.violate(`the cancel of n${group.number} was acknowledged and row ${view.id} is Active on the disk`);
      }
    }
  }

  /** Some row is Active and was certainly not reached by any price. */
  #isSurelyOpen(group: GroupModel): boolean {
    const views = this.#options.disk.rows(group.viewKey ?? "");
    // With the guard, take-profits that sold everything close the stop-loss.
    if (group.fate !== "exists" || group.stopLossMayHaveFired || group.hasGuard) return false;
    return views.some(({ status }, index) => status === ACTIVE && group.rows[index]?.may.length === 0);
  }

  #isFree(group: GroupModel): boolean {
    return this.#options.oracle.groups.every((other) => other === group || other.fate === "none");
  }

  #lastTick(symbol: string) {
    const { stream, life } = this.#options;
    if (life().feed.last(symbol) === undefined) return undefined;
    return stream.ticks.findLast((tick) => tick.symbol === symbol);
  }

  #owner(): GroupOwner {
    const { random, brokerageCodes, symbols } = this.#options;
    const userId = random.whole(1, 2);
    const accountNumber = `A${userId}-${random.chance(0.8) ? 1 : 2}`;
    return { userId, brokerageCode: random.pick(brokerageCodes), accountNumber, symbol: random.pick(symbols) };
  }

  #nextNumber(): number {
    this.#requestCount += 1;
    return this.#requestCount;
  }

  #envelope(type: string, userId: number, body: object, number: number, hasKey = this.#options.random.chance(0.5)) {
    const envelope: Envelope = { type, userId, requestId: `request-${number}`, body };
    if (!hasKey) return envelope;
    return { ...envelope, idempotency: { key: `key-${number}`, fingerprint: `print-${number}` } };
  }
}

function toRowModel({ price, quantity }: { readonly price: number; readonly quantity: number }): RowModel {
  return { levelMilli: price * 1000, quantity, may: [], shadow: [], must: undefined };
}
