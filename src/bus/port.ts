/**
 * The bus port: publish-subscribe and request-reply between the parts of the installation.
 *
 * Owns: the interface both forms keep (`memory/bus.ts`, `nats/bus.ts`) and the errors a caller may meet.
 * Does not own: subjects and payload formats (src/contract), matching rules (`subject.ts`), retries: nothing is ever
 * sent twice here.
 *
 * Invariants, held by test/bus/conformance.ts over every form:
 * 1. A handler never runs inside the call that published; it runs in a later turn.
 * 2. Messages of one publisher reach one subscription in the order they were published.
 * 3. A handler that throws or rejects affects neither the process, nor other handlers, nor later messages.
 * 4. Every request settles by its deadline, with the reply or with one `BusError`.
 * 5. Delivery is at most once. What is published while the connection is lost is dropped and counted.
 * 6. Payload bytes are handed on without a copy: neither side may change an array once it was published or received.
 */

/** One received message. The bytes are shared: read them, never write to them. */
export interface BusMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  /** Where the message lies, for a handler that reads in place (`SubscribeOptions.readsInPlace`). */
  readonly frame?: MessageFrame | undefined;
}

/** A message as it came, among others: subject and payload from their starts to before their ends. */
export interface MessageFrame {
  readonly bytes: Uint8Array;
  readonly subjectStart: number;
  readonly subjectEnd: number;
  readonly dataStart: number;
  readonly dataEnd: number;
}

/** Ends a subscription: no handler call starts after it returns. Calling it again does nothing. */
export type Unsubscribe = () => void;

/** Ends a responder: resolves once the requests that had come are with their handler. Calling it again does nothing. */
export type EndResponder = () => Promise<void>;

/** `disconnected` also after `drain()`. */
export type BusStatus = "connected" | "disconnected";

export interface SubscribeOptions {
  /** Members of one queue group share the messages: each goes to exactly one of them. */
  readonly queue?: string;
  /**
   * The handler is done with the message when it returns: where the bus can, it then gives one and the same object for
   * every message, with a `frame`, instead of making new ones.
   */
  readonly readsInPlace?: boolean;
}

export interface BusErrorContext {
  readonly what: "handler" | "responder" | "reply" | "subscription" | "connection";
  readonly subject?: string;
}

/** Receives failures that no caller awaits, e.g. of a handler that threw. Must not throw. */
export type BusErrorListener = (error: unknown, context: BusErrorContext) => void;

export interface Bus {
  /**
   * Fire and forget. Never throws on a lost or drained connection: the message is dropped and counted.
   * Throws `PayloadTooLargeError` above `maxPayloadBytes`; an invalid subject is a bug and throws too.
   */
  publish(subject: string, data: Uint8Array): void;

  /**
   * Resolves when all that was published before has reached the server, and with it every own subscription.
   * Rejects with `BusDisconnectedError` or `BusClosedError`.
   */
  flush(): Promise<void>;

  /**
   * Calls `handler` for every message whose subject matches: `*` matches one token, a last `>` one or more.
   * Throws `BusClosedError` after `drain()`.
   */
  subscribe(subject: string, handler: (message: BusMessage) => void, options?: SubscribeOptions): Unsubscribe;

  /**
   * Sends one request and takes the first reply. Rejects with a `BusError`: `NoResponderError`, `PayloadTooLargeError`,
   * `BusDisconnectedError` (all three: no handler ran), `RequestTimeoutError`, `ReplyTooLargeError`,
   * `HandlerFailedError`, `PermissionDeniedError`, `BusClosedError` (these: a handler may have run).
   * `timeoutMs` is 1 to 2,147,483,647.
   */
  request(subject: string, data: Uint8Array, timeoutMs: number): Promise<Uint8Array>;

  /**
   * Answers requests. A handler that rejects answers `HandlerFailedError` (its message stays on this side), a reply
   * above `maxPayloadBytes` answers `ReplyTooLargeError`; both also reach the error listener.
   */
  respond(
    subject: string,
    handler: (message: BusMessage) => Promise<Uint8Array>,
    options?: SubscribeOptions,
  ): EndResponder;

  /** Calls `listener` at every change of `status`, not for the present one. */
  onStatus(listener: (status: BusStatus) => void): Unsubscribe;

  readonly status: BusStatus;

  /** The largest payload of a publish, a request or a reply. */
  readonly maxPayloadBytes: number;

  /** How many messages and replies were dropped because the connection was lost or drained. */
  readonly droppedMessageCount: number;

  /**
   * Takes no new messages, finishes those already received (handlers may still publish and request), waits for the
   * replies to own requests, then closes. Never rejects; a second call gives the same promise.
   */
  drain(): Promise<void>;
}

type BusErrorCode =
  | "NO_RESPONDER"
  | "REQUEST_TIMEOUT"
  | "BUS_CLOSED"
  | "BUS_DISCONNECTED"
  | "PAYLOAD_TOO_LARGE"
  | "REPLY_TOO_LARGE"
  | "HANDLER_FAILED"
  | "PERMISSION_DENIED";

/** What every refusal of the bus extends. */
export abstract class BusError extends Error {
  abstract readonly code: BusErrorCode;
  /** True when it is certain that no handler saw the message. */
  abstract readonly isCertainlyNotHandled: boolean;
}

/** The subject of a request has no subscriber. */
export class NoResponderError extends BusError {
  override readonly name = "NoResponderError";
  readonly code = "NO_RESPONDER";
  readonly isCertainlyNotHandled = true;

  constructor(subject: string) {
    super(`no responder on ${subject}`);
  }
}

/** No reply came before the deadline. The request may have been handled. */
export class RequestTimeoutError extends BusError {
  override readonly name = "RequestTimeoutError";
  readonly code = "REQUEST_TIMEOUT";
  readonly isCertainlyNotHandled = false;

  constructor(subject: string, timeoutMs: number) {
    super(`no reply on ${subject} within ${timeoutMs} ms`);
  }
}

/** The bus was drained or closed, perhaps while the request was under way. */
export class BusClosedError extends BusError {
  override readonly name = "BusClosedError";
  readonly code = "BUS_CLOSED";
  readonly isCertainlyNotHandled = false;

  constructor() {
    super("the bus is closed");
  }
}

/** The connection to the server is lost; it is being re-established. */
export class BusDisconnectedError extends BusError {
  override readonly name = "BusDisconnectedError";
  readonly code = "BUS_DISCONNECTED";
  readonly isCertainlyNotHandled = true;

  constructor(options?: ErrorOptions) {
    super("the bus is disconnected", options);
  }
}

/** The payload of a publish or request is above `maxPayloadBytes`; nothing was sent. */
export class PayloadTooLargeError extends BusError {
  override readonly name = "PayloadTooLargeError";
  readonly code = "PAYLOAD_TOO_LARGE";
  readonly isCertainlyNotHandled = true;

  constructor(subject: string, payloadBytes: number, maxPayloadBytes: number) {
    super(`payload of ${payloadBytes} bytes for ${subject} is above the limit of ${maxPayloadBytes}`);
  }
}

/** The request was handled, but its reply is above the responder's `maxPayloadBytes`. */
export class ReplyTooLargeError extends BusError {
  override readonly name = "ReplyTooLargeError";
  readonly code = "REPLY_TOO_LARGE";
  readonly isCertainlyNotHandled = false;

  constructor(subject: string) {
    super(`the reply on ${subject} is too large`);
  }
}

/** The handler threw or rejected; what it had done before stays done. */
export class HandlerFailedError extends BusError {
  override readonly name = "HandlerFailedError";
  readonly code = "HANDLER_FAILED";
  readonly isCertainlyNotHandled = false;

  constructor(subject: string) {
    super(`the handler of ${subject} failed`);
  }
}

/** The server does not let this connection use the subject, or receive the reply. */
export class PermissionDeniedError extends BusError {
  override readonly name = "PermissionDeniedError";
  readonly code = "PERMISSION_DENIED";
  readonly isCertainlyNotHandled = false;

  constructor(subject: string) {
    super(`not permitted to use ${subject}`);
  }
}
