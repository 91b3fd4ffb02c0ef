/**
 * AlgoLab's WebSocket: connecting for ever, heartbeats, messages by type.
 *
 * Owns: the connection. Does not own: what a message means (connector, feed).
 *
 * Invariant: it subscribes right after it opened, because AlgoLab closes a silent connection with 1006.
 */
import WebSocket from "ws";
import { z } from "zod";
import { parseJson } from "../../../src/runtime/json.ts";
import type { Cancel, Log, Timers } from "../../../src/runtime/ports.ts";
import type { Secret } from "../host/config-file.ts";
import { checkerOf, lowerKeys } from "./protocol.ts";

const HEARTBEAT_MS = 60_000;
const RECONNECT_MS = 5_000;
const OPEN_MS_MAX = 15_000;

const messageSchema = z.object({ type: z.string(), content: z.unknown() });

interface StreamOptions {
  /** `https://www.algolab.com.tr`, or a server that plays AlgoLab. */
  readonly url: string;
  readonly apiKey: Secret;
  /** The hash of the login; `undefined` while nobody is logged in. */
  readonly hash: () => string | undefined;
  /** AlgoLab's names, or `ALL`. */
  readonly symbols: readonly string[];
  readonly timers: Timers;
  readonly log: Log;
  /** How long until a lost connection is made again, in milliseconds. */
  readonly reconnectMs?: number;
  readonly onMessage: (type: string, content: unknown) => void;
  readonly onTurn: (isConnected: boolean) => void;
}

/** Connects and connects again until the returned function is called. */
export function startAlgolabStream(options: StreamOptions): Cancel {
  const { url, apiKey, timers, log } = options;
  let isStopped = false;
  let socket: WebSocket | undefined;
  let cancelTimer: Cancel = () => undefined;

  const later = (): void => {
    cancelTimer();
    if (!isStopped) cancelTimer = timers.after(options.reconnectMs ?? RECONNECT_MS, connect);
  };
  const send = (message: object): void => socket?.send(JSON.stringify(message));
  const beat = (token: string): void => {
    send({ Type: "H", Token: token });
    cancelTimer = timers.after(HEARTBEAT_MS, () => beat(token));
  };
  const connect = (): void => {
    const token = options.hash();
    if (token === undefined) {
      later();
      return;
    }
    const key = apiKey();
    const headers = { APIKEY: key, Authorization: token, Checker: checkerOf(key, "/ws", "") };
    const current = new WebSocket(`${url.replace(/^http/, "ws")}/api/ws`, { headers, handshakeTimeout: OPEN_MS_MAX });
    socket = current;
    current.on("open", () => {
      send({ Type: "T", Token: token, Symbols: options.symbols });
      options.onTurn(true);
      cancelTimer();
      cancelTimer = timers.after(HEARTBEAT_MS, () => beat(token));
    });
    current.on("message", (data) => {
      const message = messageSchema.safeParse(lowerKeys(parseJson(Buffer.from(data as Buffer))));
      if (message.success) options.onMessage(message.data.type, message.data.content);
    });
    current.on("error", (error) =>
      log.warn({ event: "brokerage.streamFailed", reason: error.message }, "AlgoLab's stream failed"),
    );
    current.on("close", () => {
      if (socket !== current) return;
      options.onTurn(false);
      later();
    });
  };
  connect();
  return () => {
    isStopped = true;
    cancelTimer();
    socket?.terminate();
  };
}
