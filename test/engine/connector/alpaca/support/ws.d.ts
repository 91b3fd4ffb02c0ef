/** The part of ws that the server of these tests uses. */
declare module "ws" {
  import type { EventEmitter } from "node:events";
  import type { IncomingMessage, Server } from "node:http";

  export class WebSocket extends EventEmitter {
    send(data: string | Uint8Array, options?: { readonly binary?: boolean }): void;
    close(): void;
    terminate(): void;
    pause(): void;
  }
  export class WebSocketServer extends EventEmitter {
    constructor(options: { readonly server: Server; readonly autoPong?: boolean });
    on(event: "connection", listener: (socket: WebSocket, request: IncomingMessage) => void): this;
    close(): void;
  }
}
