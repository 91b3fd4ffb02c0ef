/**
 * The NATS form of the bus.
 *
 * Owns: one connection, its reconnecting, the translation of nats.js errors into the port's, draining.
 * Does not own: handler errors (`handler-runner.ts`), JetStream: its users use `connection`.
 *
 * Invariants in addition to the port's:
 * 1. The connection is dialled until it is there; only `drain()` ends it.
 * 2. While it is lost nothing is sent: nats.js would keep a little, and throw it away with the next dial.
 * 3. A failed reply is an empty one with the headers of the NATS services convention (`Nats-Service-Error-Code` 413 or
 *    500), so a requester in any language can recognize it, and an empty reply stays an ordinary answer.
 * 4. Received bytes are views into what the socket read: keeping one keeps up to 128 KiB alive. Copy what is kept long.
 */
import { ErrorCode, Events, headers, type Msg, type NatsConnection, NatsError, type Subscription } from "nats";
import { assert } from "../../assert.ts";
import { loopTimers, MAX_DELAY_MS } from "../../runtime/clock.ts";
import type { Cancel, Schedule } from "../../runtime/ports.ts";
import { HandlerRunner, InFlight, type ReplyOutcome, StatusBoard, warnOfError } from "../handler-runner.ts";
import {
  type Bus,
  BusClosedError,
  BusDisconnectedError,
  type BusMessage,
  type BusStatus,
  type EndResponder,
  HandlerFailedError,
  NoResponderError,
  PayloadTooLargeError,
  ReplyTooLargeError,
  type SubscribeOptions,
  type Unsubscribe,
} from "../port.ts";
import { isPattern, isQueueName, isSubject } from "../subject.ts";
import { firstNatsConnection, type NatsConnectOptions, REPORT_AGAIN_MS } from "./connect.ts";
import { NatsFrames } from "./frames.ts";
import { type NatsReply, NatsRequests } from "./requests.ts";

export interface NatsBus extends Bus {
  /** For JetStream. Do not drain or close it: `drain()` of the bus does. */
  readonly connection: NatsConnection;
}

/**
 * Connects to a NATS server. Rejects with the reason if no server answers and `waitOnFirstConnect` is not set, if it
 * refuses the credentials, and with `BusClosedError` when `signal` ended the wait.
 */
export async function connectNatsBus(options: NatsConnectOptions): Promise<NatsBus> {
  const runner = new HandlerRunner(options.onError ?? warnOfError);
  const connection = await firstNatsConnection(options, (error) => runner.report(error, { what: "connection" }));
  return new NatsBusConnection(connection, runner, options.schedule ?? loopTimers.after);
}

/** `draining`: no new messages come in, handlers still run. `closing`: only own requests are still awaited. */
type Phase = "open" | "draining" | "closing";

class NatsBusConnection implements NatsBus {
  readonly connection: NatsConnection;
  readonly #runner: HandlerRunner;
  readonly #schedule: Schedule;
  readonly #board: StatusBoard;
  readonly #subscriptions = new Set<Subscription>();
  readonly #requestsInFlight = new InFlight();
  readonly #requests: NatsRequests;
  readonly #frames: NatsFrames;
  readonly #closed: Promise<unknown>;
  /** Who waits for the server now and must not wait any longer once it is closed. */
  readonly #whenClosed = new Set<() => void>();
  #phase: Phase = "open";
  #drained: Promise<void> | undefined;
  #maxPayloadBytes: number;
  #droppedMessageCount = 0;
  #cancelReport: Cancel = () => undefined;

  constructor(connection: NatsConnection, runner: HandlerRunner, schedule: Schedule) {
    this.connection = connection;
    this.#runner = runner;
    this.#schedule = schedule;
    this.#frames = new NatsFrames(connection);
    this.#requests = new NatsRequests(connection, this.#frames);
    this.#board = new StatusBoard(runner);
    this.#maxPayloadBytes = connection.info?.max_payload ?? 0;
    this.#closed = connection.closed().then((reason) => {
      this.#cancelReport();
      this.#board.change("disconnected");
      for (const tell of this.#whenClosed) tell();
      this.#requests.end(new BusClosedError());
      if (reason instanceof Error) this.#runner.report(reason, { what: "connection" });
    });
    void this.#followStatus();
  }

  get status(): BusStatus {
    return this.#board.status;
  }

  get maxPayloadBytes(): number {
    return this.#maxPayloadBytes;
  }

  get droppedMessageCount(): number {
    return this.#droppedMessageCount;
  }

  publish(subject: string, data: Uint8Array): void {
    assert(isSubject(subject), () => `not a subject to publish to: ${JSON.stringify(subject)}`);
    this.#refuseLarge(subject, data);
    if (this.#canSend()) this.connection.publish(subject, data);
    else this.#droppedMessageCount += 1;
  }

  async flush(): Promise<void> {
    this.#refuseUnlessSending();
    await this.#roundTrip();
  }

  subscribe(subject: string, handler: (message: BusMessage) => void, options?: SubscribeOptions): Unsubscribe {
    const take = (message: BusMessage): void => this.#runner.run(handler, message);
    const subscription = this.#add(subject, options, take);
    if (options?.readsInPlace) this.#frames.add(subscription.getID(), take);
    return () => this.#remove(subscription);
  }

  respond(
    subject: string,
    handler: (message: BusMessage) => Promise<Uint8Array>,
    options?: SubscribeOptions,
  ): EndResponder {
    const subscription = this.#add(subject, options, (message) =>
      this.#runner.answer(handler, message, this.#maxPayloadBytes, (outcome) => this.#reply(message, outcome)),
    );
    return async () => {
      if (this.#subscriptions.delete(subscription)) await this.#endSubscription(subscription);
    };
  }

  async request(subject: string, data: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    assert(timeoutMs >= 1 && timeoutMs <= MAX_DELAY_MS, () => `a request cannot wait ${timeoutMs} ms`);
    assert(isSubject(subject), () => `not a subject to publish to: ${JSON.stringify(subject)}`);
    this.#refuseUnlessSending();
    this.#refuseLarge(subject, data);
    this.#requestsInFlight.enter();
    try {
      return takeReply(await this.#requests.ask(subject, data, timeoutMs), subject);
    } catch (error) {
      if (!(error instanceof NatsError)) throw error;
      if (this.connection.isClosed()) throw new BusClosedError();
      // The server may lower its limit while the connection lives: nats.js receives it first.
      const isTooLarge = error.code === ErrorCode.MaxPayloadExceeded;
      throw isTooLarge ? new PayloadTooLargeError(subject, data.length, this.#maxPayloadBytes) : error;
    } finally {
      this.#requestsInFlight.leave();
    }
  }

  onStatus(listener: (status: BusStatus) => void): Unsubscribe {
    return this.#board.listen(listener);
  }

  drain(): Promise<void> {
    this.#drained ??= this.#drainOnce();
    return this.#drained;
  }

  /** Not `connection.drain()`: that waits for no asynchronous handler and ends the inbox of own requests first. */
  async #drainOnce(): Promise<void> {
    this.#phase = "draining";
    await Promise.all([...this.#subscriptions].map((each) => this.#endSubscription(each)));
    this.#subscriptions.clear();
    await this.#runner.inFlight.whenIdle();
    this.#phase = "closing";
    await this.#requestsInFlight.whenIdle();
    // A connection that is lost now takes with it what is still to be sent; no client is left to notify.
    if (this.status === "connected") await this.#roundTrip().catch(() => undefined);
    await this.connection.close();
    await this.#closed;
  }

  async #endSubscription(subscription: Subscription): Promise<void> {
    if (this.status === "disconnected" || subscription.isClosed()) subscription.unsubscribe();
    else await Promise.race([subscription.drain().catch(() => undefined), this.#closed]);
    this.#frames.remove(subscription.getID());
  }

  /**
   * nats.js rejects a ping on disconnecting, but leaves it pending forever on closing. Not a race with `#closed`: that
   * promise lives as long as the process, and would remember every promise that ever raced with it.
   */
  async #roundTrip(): Promise<void> {
    let tell = (): void => undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        tell = resolve;
        this.#whenClosed.add(tell);
        this.connection.flush().then(resolve, reject);
      });
    } catch (error) {
      throw this.connection.isClosed() ? new BusClosedError() : new BusDisconnectedError({ cause: error });
    } finally {
      this.#whenClosed.delete(tell);
    }
    if (this.connection.isClosed()) throw new BusClosedError();
  }

  #add(pattern: string, options: SubscribeOptions | undefined, take: (message: Msg) => void): Subscription {
    assert(isPattern(pattern), `not a subject to subscribe to: ${JSON.stringify(pattern)}`);
    const queue = options?.queue;
    assert(queue === undefined || isQueueName(queue), `not a queue name: ${JSON.stringify(queue)}`);
    if (this.#phase !== "open" || this.connection.isClosed()) throw new BusClosedError();
    const subscription = this.connection.subscribe(pattern, {
      ...(queue === undefined ? {} : { queue }),
      callback: (error, message) => {
        if (error === null) take(message);
        else this.#runner.report(error, { what: "subscription", subject: pattern });
      },
    });
    this.#subscriptions.add(subscription);
    return subscription;
  }

  #remove(subscription: Subscription): void {
    if (!this.#subscriptions.delete(subscription)) return;
    this.#frames.remove(subscription.getID());
    subscription.unsubscribe();
  }

  #reply(message: Msg, outcome: ReplyOutcome): void {
    if (message.reply === undefined || message.reply === "") return;
    if (!this.#canSend()) {
      this.#droppedMessageCount += 1;
      return;
    }
    if (outcome.kind === "data") {
      message.respond(outcome.data);
      return;
    }
    const explained = headers();
    explained.set(ERROR_CODE_HEADER, outcome.kind === "tooLarge" ? TOO_LARGE_CODE : FAILED_CODE);
    explained.set(ERROR_HEADER, outcome.kind === "tooLarge" ? "the reply is too large" : "the handler failed");
    message.respond(NO_BYTES, { headers: explained });
  }

  #canSend(): boolean {
    return this.#phase !== "closing" && this.status === "connected";
  }

  #refuseUnlessSending(): void {
    if (this.#phase === "closing" || this.connection.isClosed()) throw new BusClosedError();
    if (this.status === "disconnected") throw new BusDisconnectedError();
  }

  #refuseLarge(subject: string, data: Uint8Array): void {
    if (data.length > this.#maxPayloadBytes) {
      throw new PayloadTooLargeError(subject, data.length, this.#maxPayloadBytes);
    }
  }

  async #followStatus(): Promise<void> {
    for await (const event of this.connection.status()) {
      switch (event.type) {
        case Events.Disconnect:
          this.#board.change("disconnected");
          this.#reportLoss(`the connection to ${String(event.data)} is lost`);
          break;
        case Events.Reconnect:
          this.#cancelReport();
          this.#maxPayloadBytes = this.connection.info?.max_payload ?? this.#maxPayloadBytes;
          this.#board.change("connected");
          break;
        case Events.Error:
          if (event.permissionContext !== undefined) {
            this.#requests.onForbidden(event.permissionContext.operation, event.permissionContext.subject);
          }
          this.#runner.report(new Error(`server error ${String(event.data)} at ${this.connection.getServer()}`), {
            what: "connection",
          });
          break;
      }
    }
  }

  /** Reports now and, while it lasts, every minute. Losses during an orderly end are not reported. */
  #reportLoss(words: string): void {
    this.#cancelReport();
    if (this.#phase !== "open" || this.connection.isClosed()) return;
    this.#runner.report(new Error(words), { what: "connection" });
    this.#cancelReport = this.#schedule(REPORT_AGAIN_MS, () => this.#reportLoss(words));
  }
}

const NO_BYTES = new Uint8Array(0);
const ERROR_HEADER = "Nats-Service-Error";
const ERROR_CODE_HEADER = "Nats-Service-Error-Code";
const TOO_LARGE_CODE = "413";
const FAILED_CODE = "500";
/** The status of the server's own empty reply if no client is subscribed. */
const NO_RESPONDERS = 503;

/** Throws the failure that the reply contains. Headers are read only now: nats.js throws on some that others may send. */
function takeReply(reply: NatsReply, subject: string): Uint8Array {
  let status: number | undefined;
  let code = "";
  try {
    status = reply.headers?.code;
    code = reply.headers?.get(ERROR_CODE_HEADER) ?? "";
  } catch {
    throw new HandlerFailedError(subject);
  }
  if (status === NO_RESPONDERS && reply.data.length === 0) throw new NoResponderError(subject);
  if (code === "") return reply.data;
  throw code === TOO_LARGE_CODE ? new ReplyTooLargeError(subject) : new HandlerFailedError(subject);
}
