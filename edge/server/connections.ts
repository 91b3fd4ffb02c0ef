/**
 * The connections of the HTTP server: how many are allowed, and how each of them ends.
 *
 * Owns: the sockets, their number in all and of each address, and the figures on them. Does not own: requests.
 *
 * Invariants:
 * 1. One address can have only a part of the connections: other addresses still get in.
 * 2. An ended connection is closed a moment later, whether its client takes the answer or not.
 * 3. Descriptors are left for the files and the bus of the process.
 */
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Counter, Gauge, type Registry } from "prom-client";
import type { Schedule } from "../../src/runtime/ports.ts";
import { networkOf } from "../middleware/client-address.ts";

const CONNECTIONS_MAX = 10_000;
const CONNECTIONS_PER_ADDRESS_MAX = 1_000;
/** Of all descriptors of the process; the rest is for files, the bus and connections that are just refused. */
const DESCRIPTOR_SHARE = 0.75;
const ADDRESS_SHARE = 0.25;
/** How long a client has to take the last answer. After an immediate end it would see a reset in place of it. */
const LINGER_MS = 1_000;

export interface ConnectionLimits {
  readonly max: number;
  readonly perAddressMax: number;
}

/** The operator's limits; undefined: limits that fit the process. */
interface GivenLimits {
  readonly maxConnections: number | undefined;
  readonly maxConnectionsPerAddress: number | undefined;
  /** Then all connections come from the proxy's address, and only their number in all is meaningful. */
  readonly isProxyTrusted: boolean;
}

/** The limits of a process that can open this many descriptors. */
export function connectionLimits(given: GivenLimits, descriptorsMax = readDescriptorsMax()): ConnectionLimits {
  const fitting = Math.max(1, Math.floor(descriptorsMax * DESCRIPTOR_SHARE));
  const max = given.maxConnections ?? Math.min(CONNECTIONS_MAX, fitting);
  const share = Math.max(1, Math.floor(max * ADDRESS_SHARE));
  const usual = given.isProxyTrusted ? max : Math.min(CONNECTIONS_PER_ADDRESS_MAX, share);
  return { max, perAddressMax: given.maxConnectionsPerAddress ?? usual };
}

/** How many descriptors the process can open; infinite if the system does not report it. */
function readDescriptorsMax(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Why a connection was refused or ended by this side. */
type EndReason = "tooMany" | "tooManyOfAddress" | "late" | "malformed";

export class Connections {
  readonly #sockets = new Set<Socket>();
  readonly #countByAddress = new Map<string, number>();
  readonly #limits: ConnectionLimits;
  readonly #schedule: Schedule;
  readonly #ended: Counter<"reason"> | undefined;

  constructor(limits: ConnectionLimits, schedule: Schedule, registry: Registry | undefined) {
    this.#limits = limits;
    this.#schedule = schedule;
    if (registry === undefined) return;
    const sockets = this.#sockets;
    new Gauge({
      name: "trading_edge_connections",
      help: "Open connections of clients",
      registers: [registry],
      collect() {
        this.set(sockets.size);
      },
    });
    this.#ended = new Counter({
      name: "trading_edge_connections_ended_total",
      help: "Connections that were refused or cut off, by why",
      labelNames: ["reason"],
      registers: [registry],
    });
  }

  /** Every open socket. The server itself lists no socket that has not finished TLS. */
  get all(): ReadonlySet<Socket> {
    return this.#sockets;
  }

  /** Counts the connections of the server from here on, and refuses connections over the limit. */
  watch(server: Server): void {
    // After the server's own listener: the TLS wrapper does not accept a socket that is closed already.
    server.on("connection", (socket: Socket) => this.#admit(socket));
  }

  /** Sends the last words and ends the connection, by force if its client does not end it. */
  end(socket: Duplex, reason: EndReason, lastWords: string): void {
    this.#ended?.inc({ reason });
    const cancel = this.#schedule(LINGER_MS, () => socket.destroy());
    socket.once("close", cancel);
    // Later bytes are discarded: a full buffer would keep the end from being seen.
    socket.resume();
    socket.end(lastWords);
  }

  #admit(socket: Socket): void {
    const address = networkOf(socket.remoteAddress ?? "unknown");
    const count = this.#countByAddress.get(address) ?? 0;
    if (this.#sockets.size >= this.#limits.max) {
      this.#destroy(socket, "tooMany");
    } else if (count >= this.#limits.perAddressMax) {
      this.#destroy(socket, "tooManyOfAddress");
    } else {
      this.#sockets.add(socket);
      this.#countByAddress.set(address, count + 1);
      socket.once("close", () => this.#forget(socket, address));
    }
  }

  #forget(socket: Socket, address: string): void {
    this.#sockets.delete(socket);
    const left = (this.#countByAddress.get(address) ?? 1) - 1;
    if (left === 0) this.#countByAddress.delete(address);
    else this.#countByAddress.set(address, left);
  }

  #destroy(socket: Socket, reason: EndReason): void {
    this.#ended?.inc({ reason });
    socket.destroy();
  }
}
