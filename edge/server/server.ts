/**
 * The HTTP server around the app.
 *
 * Owns: time limits on slow clients, an orderly end. Does not own: how many connections are allowed (`connections.ts`),
 * the certificate (`certificate.ts`), anything about a request's meaning.
 *
 * Invariants:
 * 1. A client that sends slowly, or nothing, is cut off: headers within 10 s, a whole request within 30 s. So is a
 *    client that takes nothing of an answer for a minute.
 * 2. `stop` accepts no new connection, lets requests in progress finish, and ends by its deadline for all clients.
 *    Streams are asked to end first (`closing`): an open one would keep the server forever.
 */
import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import { createServer as createTlsServer, Server as TlsServer } from "node:https";
import type { Duplex } from "node:stream";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { Registry } from "prom-client";
import type { Clock, Log, Schedule } from "../../src/runtime/ports.ts";
import { explainSystemError } from "../../src/runtime/user-error.ts";
import type { EdgeConfig } from "../config.ts";
import { toInvalidBody } from "../middleware/errors.ts";
import { CurrentCertificate, readTls, type TlsPair } from "./certificate.ts";
import { type ConnectionLimits, Connections } from "./connections.ts";
import { type EdgeHono, JSON_HEADERS } from "./request-state.ts";

/** How long the server waits for clients. */
interface Patience {
  readonly headersMs: number;
  readonly requestMs: number;
  /** How much longer an idle connection is kept than the announced time. */
  readonly keptLongerMs: number;
  /** While a request is answered, in which nothing is sent and nothing taken: longer than any answer takes. */
  readonly idleMs: number;
  readonly checkEveryMs: number;
}
const PATIENCE: Patience = {
  headersMs: 10_000,
  requestMs: 30_000,
  // Node before 24.6 closes a connection at the moment that it announces (`keepAliveTimeoutBuffer` came then): a
  // request that was sent a moment earlier met a reset.
  keptLongerMs: 5_000,
  idleMs: 60_000,
  checkEveryMs: 5_000,
};
const SERVER_OPTIONS: ServerOptions = {
  maxHeaderSize: 16_384,
  // Asked for below, so that its absence gets the envelope too.
  requireHostHeader: false,
};
const CLOSE_IDLE_EVERY_MS = 50;

interface EdgeServerOptions {
  readonly app: EdgeHono;
  readonly config: Pick<EdgeConfig, "host" | "port" | "tls" | "keepAliveSeconds">;
  readonly log: Log;
  readonly schedule: Schedule;
  readonly clock: Pick<Clock, "nowMs">;
  /** Aborted when the server begins to stop: streams end on it. */
  readonly closing: AbortController;
  readonly limits: ConnectionLimits;
  /** The registry in which connections are counted; undefined: they are not counted. */
  readonly registry?: Registry | undefined;
  readonly patience?: Patience;
}

interface EdgeServer {
  /** The address it listens on, with the assigned port if the port was 0. */
  readonly url: string;
  /** Reads the certificate's files now; without TLS nothing happens. */
  rereadCertificate(): void;
  /** Ends within `graceMs`; connections still open then are cut off. */
  stop(graceMs: number): Promise<void>;
}

/** Starts to listen. Rejects if the address is not available; throws `UserError` if TLS files cannot be read. */
export async function startServer(options: EdgeServerOptions): Promise<EdgeServer> {
  const { app, config, log, schedule, closing, patience = PATIENCE } = options;
  const serve = getRequestListener(app.fetch, {
    hostname: config.host,
    errorHandler: (error) => {
      if (error instanceof RequestError) return new Response(INVALID, { status: 400, headers: JSON_HEADERS });
      log.error({ event: "http.failedOutsideRoute", error }, "a request failed outside of its route");
      return new Response(FAILED, { status: 500, headers: JSON_HEADERS });
    },
  });
  // Replaces Node's own header, which names the moment at which it closes.
  const keepAlive = `timeout=${config.keepAliveSeconds}`;
  const listener: RequestListener = (incoming, outgoing) => {
    if (incoming.headers.connection !== "close") outgoing.setHeader("keep-alive", keepAlive);
    if (incoming.headers.host !== undefined || incoming.httpVersion === "1.0") void serve(incoming, outgoing);
    else outgoing.writeHead(400, { ...JSON_HEADERS, connection: "close" }).end(INVALID);
  };
  const pair = config.tls === undefined ? undefined : readTls(config.tls);
  const server = makeServer(config, pair, patience, listener);
  const connections = new Connections(options.limits, schedule, options.registry);
  connections.watch(server);
  server.on("clientError", (error, socket) => refuseMalformed(connections, error, socket));
  await listen(server, config.host, config.port);
  const certificate = keepCertificate(server, pair, options);
  return {
    url: urlOf(server, config),
    rereadCertificate: () => certificate?.reread(),
    stop: (graceMs) => {
      certificate?.stop();
      return stopServer(server, connections.all, closing, schedule, graceMs);
    },
  };
}

function keepCertificate(
  server: Server,
  pair: TlsPair | undefined,
  { config, clock, schedule, log, registry }: EdgeServerOptions,
): CurrentCertificate | undefined {
  if (pair === undefined || config.tls === undefined || !(server instanceof TlsServer)) return undefined;
  const use = (renewed: TlsPair): void => server.setSecureContext(renewed);
  return new CurrentCertificate(pair, { files: config.tls, use, clock, schedule, log, registry });
}

function makeServer(
  { keepAliveSeconds }: EdgeServerOptions["config"],
  tls: TlsPair | undefined,
  patience: Patience,
  listener: RequestListener,
): Server {
  const options: ServerOptions = {
    ...SERVER_OPTIONS,
    headersTimeout: patience.headersMs,
    requestTimeout: patience.requestMs,
    keepAliveTimeout: keepAliveSeconds * 1_000 + patience.keptLongerMs,
    connectionsCheckingInterval: patience.checkEveryMs,
  };
  // As for headers: a client that connects and never begins TLS is cut off.
  const server =
    tls === undefined
      ? createServer(options, listener)
      : createTlsServer({ ...options, ...tls, handshakeTimeout: patience.headersMs }, listener);
  server.timeout = patience.idleMs;
  return server;
}

const NO_HTTP = "the request is not valid HTTP";
const INVALID = JSON.stringify(toInvalidBody(NO_HTTP, [{ code: "RULE", field: null, message: NO_HTTP }]));
const FAILED = JSON.stringify({
  success: false,
  message: "something went wrong here",
  error: { code: "INTERNAL", message: "something went wrong here" },
});

/**
 * Answers a request that Node's parser refused, which never reaches the app: it still gets the envelope, and its
 * connection ends.
 */
function refuseMalformed(connections: Connections, error: Error & { readonly code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const status = error.code === "HPE_HEADER_OVERFLOW" ? TOO_LARGE : error.code === TIMEOUT_CODE ? TIMEOUT : BAD_REQUEST;
  connections.end(
    socket,
    error.code === TIMEOUT_CODE ? "late" : "malformed",
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${INVALID.length}\r\n\r\n${INVALID}`,
  );
}
const TIMEOUT_CODE = "ERR_HTTP_REQUEST_TIMEOUT";
const BAD_REQUEST = "400 Bad Request";
const TIMEOUT = "408 Request Timeout";
const TOO_LARGE = "431 Request Header Fields Too Large";

/** Takes the address and gives it back, before a start makes anything. Rejects if it is not available. */
export async function checkAddress({ host, port }: Pick<EdgeConfig, "host" | "port">): Promise<void> {
  const server = createServer();
  await listen(server, host, port);
  await new Promise((resolve) => server.close(resolve));
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

function stopServer(
  server: Server,
  sockets: Connections["all"],
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
