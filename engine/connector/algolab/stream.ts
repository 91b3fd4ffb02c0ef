/**
 * AlgoLab's WebSocket: connections, heartbeats, messages by type.
 *
 * Owns: the connection. Does not own: the meaning of a message (connector, feed).
 *
 * Invariants:
 * 1. It subscribes to all symbols right after each opening, because AlgoLab closes a silent connection with 1006.
 * 2. After each end, with any code, it connects again, with back-off until AlgoLab has answered something. A new login
 *    connects without a wait, and ends the connection of the old one.
 * 3. A connection that leaves a heartbeat without any answer is ended: it would be silent forever.
 * 4. A message that cannot be read is counted and skipped.
 */
import WebSocket from "ws";
import { z } from "zod";
import { parseJson } from "../../../src/runtime/json.ts";
import type { Cancel, Log, Timers } from "../../../src/runtime/ports.ts";
import type { Secret } from "../host/config-file.ts";
import { Reconnect } from "../host/reconnect.ts";
import { checkerOf, lowerKeys } from "./protocol.ts";
import type { TroubleLog } from "./trouble-log.ts";

const HEARTBEAT_MS = 60_000;
const ANSWER_MS_MAX = 15_000;
const RECONNECT_MS = 5_000;
const RECONNECT_MS_MAX = 60_000;
const OPEN_MS_MAX = 15_000;

const messageSchema = z.object({ type: z.string(), content: z.unknown() });

interface StreamOptions {
  /** `https://www.algolab.com.tr`, or a server that plays AlgoLab. */
  readonly url: string;
  readonly apiKey: Secret;
  /** The hash of the login; `undefined` while no user is logged in. */
  readonly hash: () => string | undefined;
  /** AlgoLab's names, or `ALL`. */
  readonly symbols: readonly string[];
  readonly timers: Timers;
  readonly log: Log;
  readonly troubles: TroubleLog;
  /** How long until a lost connection is made again, in milliseconds; it doubles up to a minute. */
  readonly reconnectMs?: number | undefined;
  /** How often a heartbeat is sent, and how long its answer can take, in milliseconds. */
  readonly heartbeatMs?: number;
  readonly answerMsMax?: number;
  readonly onMessage: (type: string, content: unknown) => void;
  readonly onTurn: (isConnected: boolean) => void;
}

/** Connects and connects again until the returned function is called. */
export function startAlgolabStream(options: StreamOptions): Cancel {
  const stream = new AlgolabStream(options);
  stream.start();
  return () => stream.stop();
}

class AlgolabStream {
  readonly #options: StreamOptions;
  readonly #reconnectMs: number;
  readonly #reconnect: Reconnect;
  #socket: WebSocket | undefined;
  /** The hash that the last try was made with. */
  #token: string | undefined;
  #isConnected = false;
  #hasAnswered = false;
  #unreadableCount = 0;
  #isStopped = false;
  #cancelWatch: Cancel = () => undefined;
  #cancelBeat: Cancel = () => undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#reconnectMs = options.reconnectMs ?? RECONNECT_MS;
    const reconnectMsMax = Math.max(this.#reconnectMs, RECONNECT_MS_MAX);
    const waits = { reconnectMsMin: this.#reconnectMs, reconnectMsMax, refusedMsMin: 0 };
    this.#reconnect = new Reconnect(waits, options.timers, () => this.#connect());
  }

  /** Connects with each new hash. */
  start(): void {
    if (this.#options.hash() !== this.#token) {
      this.#reconnect.succeeded();
      this.#connect();
    }
    this.#cancelWatch = this.#options.timers.after(this.#reconnectMs, () => this.start());
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelWatch();
    this.#cancelBeat();
    this.#reconnect.stop();
    this.#socket?.terminate();
  }

  #connect(): void {
    const token = this.#options.hash();
    const { url, log } = this.#options;
    const before = this.#socket;
    const isUnderWay = before !== undefined && before.readyState <= WebSocket.OPEN;
    if (isUnderWay && token === this.#token) return;
    this.#token = token;
    // Its end must not cause another connection.
    this.#socket = undefined;
    before?.terminate();
    this.#turn(false);
    if (token === undefined || this.#isStopped) return;
    const key = this.#readKey();
    if (key === undefined) return;
    const headers = { APIKEY: key, Authorization: token, Checker: checkerOf(key, "/ws", "") };
    const socket = new WebSocket(`${url.replace(/^http/, "ws")}/api/ws`, { headers, handshakeTimeout: OPEN_MS_MAX });
    this.#socket = socket;
    const isThis = (): boolean => this.#socket === socket;
    socket.on("open", () => {
      if (!isThis()) return;
      socket.send(JSON.stringify({ Type: "T", Token: token, Symbols: this.#options.symbols }));
      this.#turn(true);
      this.#beatLater(socket, token);
    });
    socket.on("message", (data) => {
      if (!isThis()) return;
      this.#noteAnswer();
      this.#take(Buffer.from(data as Buffer));
    });
    socket.on("pong", () => {
      if (isThis()) this.#noteAnswer();
    });
    socket.on("error", (error) => {
      if (isThis()) log.warn({ event: "brokerage.streamFailed", reason: error.message }, "AlgoLab's stream failed");
    });
    socket.on("close", (code) => {
      if (!isThis() || this.#isStopped) return;
      log.info({ event: "brokerage.streamClosed", code }, "AlgoLab's stream was closed");
      this.#turn(false);
      this.#reconnect.later(false);
    });
  }

  /** The key of a file that cannot be read now is read again later. */
  #readKey(): string | undefined {
    try {
      return this.#options.apiKey();
    } catch (err) {
      this.#options.log.warn({ event: "brokerage.streamFailed", err }, "apiKey cannot be read: AlgoLab's stream waits");
      this.#reconnect.later(false);
      return undefined;
    }
  }

  #turn(isConnected: boolean): void {
    this.#cancelBeat();
    if (isConnected === this.#isConnected) return;
    this.#isConnected = isConnected;
    this.#options.onTurn(isConnected);
  }

  #noteAnswer(): void {
    this.#hasAnswered = true;
    this.#reconnect.succeeded();
  }

  #beatLater(socket: WebSocket, token: string): void {
    const { timers, log, heartbeatMs = HEARTBEAT_MS, answerMsMax = ANSWER_MS_MAX } = this.#options;
    this.#cancelBeat = timers.after(heartbeatMs, () => {
      this.#hasAnswered = false;
      socket.send(JSON.stringify({ Type: "H", Token: token }));
      socket.ping();
      this.#cancelBeat = timers.after(answerMsMax, () => {
        if (this.#hasAnswered) {
          this.#beatLater(socket, token);
          return;
        }
        log.warn(
          { event: "brokerage.streamSilent" },
          "AlgoLab's stream leaves a heartbeat without an answer: it is ended",
        );
        socket.terminate();
      });
    });
  }

  #take(bytes: Buffer): void {
    const message = messageSchema.safeParse(lowerKeys(parseJson(bytes)));
    if (message.success) {
      this.#options.onMessage(message.data.type, message.data.content);
      return;
    }
    this.#unreadableCount += 1;
    this.#options.troubles.tell("messageUnreadable", { count: this.#unreadableCount });
  }
}
