/**
 * The HTTP server around the app.
 *
 * Owns: sockets, TLS, time limits on slow clients, an orderly end. Does not own: anything about a request's meaning.
 *
 * Invariants:
 * 1. A client that sends slowly, or nothing, is cut off: headers within 10 s, a whole request within 30 s.
 * 2. `stop` takes no new connection, lets what is under way finish, and ends by its deadline whatever clients do.
 *    Streams are told to end first (`closing`): an open one would keep the server for ever.
 */
import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener, RequestError } from "@hono/node-server";
import { explainSystemError, OperatorMistake } from "../src/operator-mistake.ts";
import type { EdgeConfig, TlsFiles } from "./config.ts";
import { type EdgeHono, JSON_HEADERS } from "./exchange.ts";
import type { Log, Schedule } from "./ports.ts";

const SERVER_OPTIONS: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 15_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16_384,
  // Asked for below, so that its absence gets the envelope too.
  requireHostHeader: false,
};
/** As for headers: a client that connects and never begins TLS is cut off. */
const HANDSHAKE_TIMEOUT_MS = 10_000;
const CLOSE_IDLE_EVERY_MS = 50;

export interface EdgeServerOptions {
  readonly app: EdgeHono;
  readonly config: Pick<EdgeConfig, "host" | "port" | "tls">;
  readonly log: Log;
  readonly schedule: Schedule;
  /** Aborted when the server begins to stop: streams end on it. */
  readonly closing: AbortController;
}

export interface EdgeServer {
  /** Where it listens, with the port that was given out for port 0. */
  readonly url: string;
  /** Ends within `graceMs`; what is still open then is cut off. */
  stop(graceMs: number): Promise<void>;
}

/** Starts to listen. Rejects where the address cannot be had; throws `OperatorMistake` where TLS files cannot be read. */
export async function startServer(options: EdgeServerOptions): Promise<EdgeServer> {
  const { app, config, log, schedule, closing } = options;
  const serve = getRequestListener(app.fetch, {
    hostname: config.host,
    errorHandler: (error) => {
      if (error instanceof RequestError) return new Response(INVALID, { status: 400, headers: JSON_HEADERS });
      log.error({ error }, "a request failed outside of its route");
      return new Response(FAILED, { status: 500, headers: JSON_HEADERS });
    },
  });
  const listener: RequestListener = (incoming, outgoing) => {
    if (incoming.headers.host !== undefined || incoming.httpVersion === "1.0") void serve(incoming, outgoing);
    else outgoing.writeHead(400, { ...JSON_HEADERS, connection: "close" }).end(INVALID);
  };
  const server =
    config.tls === undefined
      ? createServer(SERVER_OPTIONS, listener)
      : createTlsServer(
          { ...SERVER_OPTIONS, ...readTls(config.tls), handshakeTimeout: HANDSHAKE_TIMEOUT_MS },
          listener,
        );
  const sockets = trackSockets(server);
  server.on("clientError", refuseMalformed);
  await listen(server, config.host, config.port);
  return {
    url: urlOf(server, config),
    stop: (graceMs) => stopServer(server, sockets, closing, schedule, graceMs),
  };
}

const INVALID = JSON.stringify({ success: false, message: "the request is not valid HTTP" });
const FAILED = JSON.stringify({
  success: false,
  message: "something went wrong here",
  error: { code: "INTERNAL", message: "something went wrong here" },
});

/** What Node's parser refused never becomes a request; it still gets the envelope, and its connection ends. */
function refuseMalformed(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const status = error.code === "HPE_HEADER_OVERFLOW" ? TOO_LARGE : error.code === TIMEOUT_CODE ? TIMEOUT : BAD_REQUEST;
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${INVALID.length}\r\n\r\n${INVALID}`,
  );
}
const TIMEOUT_CODE = "ERR_HTTP_REQUEST_TIMEOUT";
const BAD_REQUEST = "400 Bad Request";
const TIMEOUT = "408 Request Timeout";
const TOO_LARGE = "431 Request Header Fields Too Large";

function readTls({ certFile, keyFile }: TlsFiles): { readonly cert: Buffer; readonly key: Buffer } {
  return { cert: readTlsFile("TLS_CERT_FILE", certFile), key: readTlsFile("TLS_KEY_FILE", keyFile) };
}

function readTlsFile(name: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new OperatorMistake(`${name}: ${path} cannot be read`, { reason: "noInput" });
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (cause: Error): void => reject(explainSystemError(cause) ?? cause);
    server.once("error", refuse);
    server.listen(port, host, () => {
      server.off("error", refuse);
      resolve();
    });
  });
}

function urlOf(server: Server, { host, port, tls }: EdgeServerOptions["config"]): string {
  const address = server.address();
  const listened = typeof address === "object" && address !== null ? address.port : port;
  return `${tls === undefined ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${listened}`;
}

/** Every open socket. The server itself knows none that has not finished TLS, and would wait for it for ever. */
function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}

function stopServer(
  server: Server,
  sockets: ReadonlySet<Socket>,
  closing: AbortController,
  schedule: Schedule,
  graceMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    let cancelSweep: () => void = () => undefined;
    const cancelDeadline = schedule(graceMs, () => {
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
    });
    // A connection that was busy when the server closed stays open after its answer unless it is closed then.
    const sweep = (): void => {
      server.closeIdleConnections();
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      cancelSweep = schedule(CLOSE_IDLE_EVERY_MS, sweep);
    };
    server.close(() => {
      cancelSweep();
      cancelDeadline();
      resolve();
    });
    closing.abort();
    sweep();
  });
}
