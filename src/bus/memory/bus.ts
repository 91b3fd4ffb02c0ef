/**
 * The in-process form of the bus: one hub, any number of connections to it, nothing on the wire.
 *
 * Owns: connections, requests and their deadlines, draining. The hub (`hub.ts`) owns routing and delivery.
 * Does not own: handler errors (`handler-runner.ts`).
 *
 * Invariants in addition to the port's:
 * 1. A connection is connected until it is drained; other connections of the hub do not notice.
 * 2. A reply takes its place in the same queue as messages: what a responder published before it answered arrives
 *    before the answer, as it does over one NATS connection.
 */

import { assert } from "../../assert.ts";
import { loopTimers, MAX_DELAY_MS } from "../../runtime/clock.ts";
import type { Schedule } from "../../runtime/ports.ts";
import { HandlerRunner, InFlight, StatusBoard, warnOfError } from "../handler-runner.ts";
import {
  type Bus,
  BusClosedError,
  type BusError,
  type BusErrorListener,
  type BusMessage,
  type BusStatus,
  type EndResponder,
  HandlerFailedError,
  NoResponderError,
  PayloadTooLargeError,
  ReplyTooLargeError,
  RequestTimeoutError,
  type SubscribeOptions,
  type Unsubscribe,
} from "../port.ts";
import { isPattern, isQueueName } from "../subject.ts";
import { Delivery, type Member, MemoryHub } from "./hub.ts";

interface MemoryBusOptions {
  /** Default: process warnings. */
  readonly onError?: BusErrorListener;
  /** Runs request deadlines. Default: the real timer. */
  readonly schedule?: Schedule;
  /** Runs a task in a later turn of the loop. Default: `setImmediate`. */
  readonly defer?: (task: () => void) => void;
  /** Default: 1 MiB, as a NATS server has it. */
  readonly maxPayloadBytes?: number;
}

/** A server in the process: every connection made by it sees the others' messages. */
export interface MemoryBusServer {
  connect(): Bus;
}

/** Makes an in-process bus with one connection. */
export function createMemoryBus(options: MemoryBusOptions = {}): Bus {
  return createMemoryBusServer(options).connect();
}

/** Makes an in-process bus for several connections, each of which can be drained alone. */
export function createMemoryBusServer(options: MemoryBusOptions = {}): MemoryBusServer {
  const onError = options.onError ?? warnOfError;
  const hub = new MemoryHub(options.defer ?? ((task) => void setImmediate(task)));
  const schedule = options.schedule ?? loopTimers.after;
  const maxPayloadBytes = options.maxPayloadBytes ?? 1_048_576;
  return { connect: () => new MemoryBus(hub, new HandlerRunner(onError), schedule, maxPayloadBytes) };
}

/** `draining`: no new messages come in, handlers still run. `closing`: only own requests are still awaited. */
type Phase = "open" | "draining" | "closing";

class MemoryBus implements Bus {
  readonly maxPayloadBytes: number;
  readonly #hub: MemoryHub;
  readonly #runner: HandlerRunner;
  readonly #schedule: Schedule;
  readonly #members = new Set<Member>();
  readonly #board: StatusBoard;
  readonly #requests = new InFlight();
  #phase: Phase = "open";
  #drained: Promise<void> | undefined;
  #droppedMessageCount = 0;

  constructor(hub: MemoryHub, runner: HandlerRunner, schedule: Schedule, maxPayloadBytes: number) {
    this.#hub = hub;
    this.#runner = runner;
    this.#board = new StatusBoard(runner);
    this.#schedule = schedule;
    this.maxPayloadBytes = maxPayloadBytes;
  }

  get status(): BusStatus {
    return this.#board.status;
  }

  get droppedMessageCount(): number {
    return this.#droppedMessageCount;
  }

  publish(subject: string, data: Uint8Array): void {
    if (data.length > this.maxPayloadBytes) throw new PayloadTooLargeError(subject, data.length, this.maxPayloadBytes);
    const route = this.#hub.route(subject);
    if (!this.#canSend()) {
      this.#droppedMessageCount += 1;
      return;
    }
    if (route.isEmpty) return;
    this.#hub.enqueue(new Delivery(subject, data, route, undefined));
  }

  async flush(): Promise<void> {
    if (!this.#canSend()) throw new BusClosedError();
    await this.#hub.whenDelivered();
  }

  subscribe(subject: string, handler: (message: BusMessage) => void, options?: SubscribeOptions): Unsubscribe {
    const member = this.#add(subject, options, (delivery) => this.#runner.run(handler, delivery));
    return () => {
      member.isActive = false;
      if (this.#members.delete(member)) this.#hub.remove(member);
    };
  }

  respond(
    subject: string,
    handler: (message: BusMessage) => Promise<Uint8Array>,
    options?: SubscribeOptions,
  ): EndResponder {
    const member = this.#add(subject, options, (delivery) =>
      this.#runner.answer(handler, delivery, this.maxPayloadBytes, (outcome) => {
        const { reply } = delivery;
        if (reply !== undefined) this.#hub.enqueue(() => reply(outcome));
      }),
    );
    return async () => {
      if (!this.#members.delete(member)) return;
      this.#hub.remove(member);
      await this.#hub.whenDelivered();
      member.isActive = false;
    };
  }

  request(subject: string, data: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    // What is thrown in here rejects.
    return new Promise((resolve, reject) => {
      assert(timeoutMs >= 1 && timeoutMs <= MAX_DELAY_MS, `a request cannot wait ${timeoutMs} ms`);
      const route = this.#hub.route(subject);
      if (!this.#canSend()) throw new BusClosedError();
      if (data.length > this.maxPayloadBytes) {
        throw new PayloadTooLargeError(subject, data.length, this.maxPayloadBytes);
      }
      if (route.isEmpty) throw new NoResponderError(subject);
      this.#requests.enter();
      let isOpen = true;
      const cancelDeadline = this.#schedule(timeoutMs, () => {
        isOpen = false;
        reject(new RequestTimeoutError(subject, timeoutMs));
        this.#requests.leave();
      });
      const delivery = new Delivery(subject, data, route, (outcome) => {
        if (!isOpen) return;
        isOpen = false;
        cancelDeadline();
        if (outcome.kind === "data") resolve(outcome.data);
        else reject(failureOf(outcome.kind, subject));
        this.#requests.leave();
      });
      this.#hub.enqueue(delivery);
    });
  }

  onStatus(listener: (status: BusStatus) => void): Unsubscribe {
    return this.#board.listen(listener);
  }

  drain(): Promise<void> {
    this.#drained ??= this.#drainOnce();
    return this.#drained;
  }

  async #drainOnce(): Promise<void> {
    this.#phase = "draining";
    for (const member of this.#members) this.#hub.remove(member);
    await this.#hub.whenDelivered();
    for (const member of this.#members) member.isActive = false;
    this.#members.clear();
    await this.#runner.inFlight.whenIdle();
    this.#phase = "closing";
    await this.#requests.whenIdle();
    this.#board.change("disconnected");
  }

  #add(pattern: string, options: SubscribeOptions | undefined, deliver: Member["deliver"]): Member {
    assert(isPattern(pattern), `not a subject to subscribe to: ${JSON.stringify(pattern)}`);
    const queue = options?.queue;
    assert(queue === undefined || isQueueName(queue), `not a queue name: ${JSON.stringify(queue)}`);
    if (this.#phase !== "open") throw new BusClosedError();
    const member: Member = { pattern, queue, deliver, isActive: true };
    this.#members.add(member);
    this.#hub.add(member);
    return member;
  }

  #canSend(): boolean {
    return this.#phase === "open" || this.#phase === "draining";
  }
}

function failureOf(kind: "tooLarge" | "failed", subject: string): BusError {
  return kind === "tooLarge" ? new ReplyTooLargeError(subject) : new HandlerFailedError(subject);
}
