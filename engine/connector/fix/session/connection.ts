/**
 * One TCP or TLS connection to the counterparty.
 *
 * Owns: connecting, certificates, one report of its end. Does not own: the content, trying again.
 */
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Certificates as PEM text. Without `ca` the machine's own list counts. */
export interface TlsSettings {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly serverName?: string;
}

interface ConnectionHandlers {
  readonly onOpen: () => void;
  readonly onData: (chunk: Buffer) => void;
  /** Called once, for every cause of the end. */
  readonly onClosed: (reason: string) => void;
}

export interface Connection {
  /** False when too much waits to be sent: the other side does not read. */
  readonly isWritable: boolean;
  write(bytes: Buffer): void;
  /** Ends once all that was written has left. `onClosed` follows. */
  end(reason: string): void;
  /** Ends immediately. `onClosed` follows. */
  destroy(reason: string): void;
}

/** Opens a connection; a test may hand in another way. */
export type Connect = (address: Address, handlers: ConnectionHandlers) => Connection;

/** More than this waiting means that the peer does not read. */
const WAITING_BYTES_MAX = 1024 * 1024;

/** Connects over TCP, or over TLS if `tls` is given. `tls` is called for each connection. */
export function connectSocket(tls: (() => TlsSettings) | undefined): Connect {
  return (address, handlers) => {
    const socket = openSocket(address, tls?.());
    let reason = "the counterparty closed the connection";
    let isOpen = false;
    socket.setNoDelay(true);
    socket.once(tls === undefined ? "connect" : "secureConnect", () => {
      isOpen = true;
      handlers.onOpen();
    });
    socket.on("data", handlers.onData);
    socket.once("error", (error) => {
      reason = error.message;
    });
    socket.once("close", () => {
      isOpen = false;
      handlers.onClosed(reason);
    });
    return {
      get isWritable() {
        return isOpen && socket.writable && socket.writableLength < WAITING_BYTES_MAX;
      },
      write: (bytes) => {
        // All writes of one turn leave together.
        if (socket.writableCorked === 0) {
          socket.cork();
          queueMicrotask(() => socket.uncork());
        }
        socket.write(bytes);
      },
      end: (why) => {
        reason = why;
        isOpen = false;
        socket.destroySoon();
      },
      destroy: (why) => {
        reason = why;
        isOpen = false;
        socket.destroy();
      },
    };
  };
}

function openSocket({ host, port }: Address, tls: TlsSettings | undefined): Socket | TLSSocket {
  if (tls === undefined) return connectTcp({ host, port });
  const { ca, cert, key, serverName } = tls;
  return connectTls({
    host,
    port,
    minVersion: "TLSv1.2",
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(serverName === undefined ? {} : { servername: serverName }),
  });
}
