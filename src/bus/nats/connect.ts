/**
 * The first connection to a NATS server: the options every connection has, and waiting for a server to come up.
 *
 * nats.js can wait by itself (`waitOnFirstConnect`), but silently, without an end, and through refused credentials.
 */
import { type ConnectionOptions, connect, ErrorCode, type NatsConnection, NatsError } from "nats";
import { loopTimers, steadyClock } from "../../runtime/clock.ts";
import type { Clock, Schedule } from "../../runtime/ports.ts";
import { UserError } from "../../runtime/user-error.ts";
import { BusClosedError, type BusErrorListener } from "../port.ts";
import { readNatsAddress } from "./address.ts";

export interface NatsConnectOptions {
  /** `nats://host:4222`, with `user:password@` or `token@` where needed; several joined by commas. */
  readonly servers: string;
  /** Shown by the server in its list of connections. */
  readonly name: string;
  /** Default: process warnings. */
  readonly onError?: BusErrorListener;
  /** Wait for a server that does not answer yet. Refused credentials end the wait. Default: false. */
  readonly waitOnFirstConnect?: boolean;
  /** False: what this connection publishes or asks never reaches its own subscriptions. Default: true. */
  readonly isEchoed?: boolean;
  /** Ends the wait for the first connection. */
  readonly signal?: AbortSignal;
  /** Default 100; up to as much again is added at random, so that many processes do not dial as one. */
  readonly reconnectWaitMs?: number;
  /** How long one dial may take. Default 5000; 2000 with several servers. */
  readonly connectTimeoutMs?: number;
  /**
   * A server that answers no ping for two to three of these counts as lost. Default 5000; 1500 with several servers.
   */
  readonly pingIntervalMs?: number;
  /** Runs the waits between first dials, and those between two reports. Default: the real timer. */
  readonly schedule?: Schedule;
  /** Measures how long ago a fault was reported. Default: the real one. */
  readonly steadyClock?: Clock;
}

/** A fault that lasts is reported again so often: the line of its beginning scrolls away. */
export const REPORT_AGAIN_MS = 60_000;

const FIRST_CONNECT_WAIT_MS = 250;
const PATIENT = { dialMs: 5_000, pingMs: 5_000 };
/** With another server to turn to: one whose machine lost its power goes without a word. */
const IMPATIENT = { dialMs: 2_000, pingMs: 1_500 };
/** Less is what clocks drift. */
const STEP_MS_MIN = 100;
/** As many as a cluster may have servers. */
const DIALS_AFTER_STEP = 16;

/** No later attempt will do better. */
const FINAL_CODES: ReadonlySet<string> = new Set([
  ErrorCode.AuthorizationViolation,
  ErrorCode.AuthenticationExpired,
  ErrorCode.AccountExpired,
  ErrorCode.BadAuthentication,
  ErrorCode.BadCreds,
  ErrorCode.InvalidOption,
  ErrorCode.Tls,
  ErrorCode.ServerOptionNotAvailable,
]);

/**
 * Dials until there is a connection. Rejects with the reason when waiting was not asked for or cannot help, with
 * `BusClosedError` when `signal` ended the wait. `onWait` receives every new reason to wait, and a lasting one again
 * every minute. Every reason names the servers.
 */
export async function firstNatsConnection(
  options: NatsConnectOptions,
  onWait: (error: unknown) => void,
): Promise<NatsConnection> {
  const natsOptions = connectionOptions(options);
  const schedule = options.schedule ?? loopTimers.after;
  const clock = options.steadyClock ?? steadyClock;
  const { servers } = readNatsAddress(options.servers);
  let lastReason = "";
  let reportedAtMs = Number.NEGATIVE_INFINITY;
  for (;;) {
    if (options.signal?.aborted) throw new BusClosedError();
    try {
      const connection = await connect(natsOptions);
      if (!options.signal?.aborted) return connection;
      await connection.close();
    } catch (error) {
      const reason = reasonOf(error, servers);
      if (isFinal(error)) throw new UserError(`NATS: ${reason}`, { cause: error });
      if (options.waitOnFirstConnect !== true) {
        throw new UserError(`NATS: ${reason}`, { reason: "unavailable", cause: error });
      }
      // With several servers each dial may end at another one: that alone is not a new reason.
      const kind = error instanceof Error && "code" in error ? String(error.code) : reason;
      if (kind !== lastReason || clock.nowMs() - reportedAtMs >= REPORT_AGAIN_MS) {
        reportedAtMs = clock.nowMs();
        onWait(new Error(reason, { cause: error }));
      }
      lastReason = kind;
      await pause(schedule, options.signal);
    }
  }
}

/**
 * How long to wait between two dials of a server. nats.js counts from its last dial by the wall clock: if that was set
 * back, it would not dial before the clock is there again. So the step is subtracted, until every server was dialled.
 */
function reconnectDelays(waitMs: number): () => number {
  const offsetNowMs = (): number => Date.now() - performance.now();
  let offsetMs = offsetNowMs();
  let backMs = 0;
  let dialsLeft = 0;
  return () => {
    const steppedBackMs = offsetMs - offsetNowMs();
    offsetMs -= steppedBackMs;
    if (steppedBackMs > STEP_MS_MIN) {
      backMs = steppedBackMs;
      dialsLeft = DIALS_AFTER_STEP;
    }
    if (dialsLeft === 0) return waitMs * (1 + Math.random());
    dialsLeft -= 1;
    // Immediately: a call that ends in another wait would be taken for a dial.
    return -backMs - STEP_MS_MIN;
  };
}

function connectionOptions(options: NatsConnectOptions): ConnectionOptions {
  const address = readNatsAddress(options.servers);
  const reconnectWaitMs = options.reconnectWaitMs ?? 100;
  const { dialMs, pingMs } = address.servers.length > 1 ? IMPATIENT : PATIENT;
  return {
    servers: [...address.servers],
    name: options.name,
    ...(address.user === undefined ? {} : { user: address.user }),
    ...(address.password === undefined ? {} : { pass: address.password }),
    ...(address.token === undefined ? {} : { token: address.token }),
    ...(address.isTlsAsked ? { tls: {} } : {}),
    maxReconnectAttempts: -1,
    reconnectDelayHandler: reconnectDelays(reconnectWaitMs),
    // A server that comes back before its user store does must not end the connection for good.
    ignoreAuthErrorAbort: true,
    timeout: options.connectTimeoutMs ?? dialMs,
    pingInterval: options.pingIntervalMs ?? pingMs,
    maxPingOut: 2,
    noEcho: options.isEchoed === false,
    // A stack trace for every request costs more than the request.
    noAsyncTraces: true,
  };
}

/** The reason with the servers that were tried; credentials are no part of either. */
function reasonOf(error: unknown, servers: readonly string[]): string {
  const at = `at ${servers.join(", ")}`;
  if (!(error instanceof NatsError)) return `${error instanceof Error ? error.message : String(error)} ${at}`;
  if (error.code === ErrorCode.ServerOptionNotAvailable) {
    return `the server ${at} offers no TLS, and its address begins with tls://: write nats://, or give the server a certificate`;
  }
  const detail = error.chainedError === undefined ? "" : ` (${error.chainedError.message})`;
  return `${error.message}${detail} ${at}`;
}

function isFinal(error: unknown): boolean {
  return error instanceof NatsError && FINAL_CODES.has(error.code);
}

function pause(schedule: Schedule, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      cancel();
      signal?.removeEventListener("abort", finish);
      resolve();
    };
    const cancel = schedule(FIRST_CONNECT_WAIT_MS, finish);
    signal?.addEventListener("abort", finish);
  });
}
