/**
 * The body of an answer that is a stream of events: a web stream at first, then the connection itself.
 *
 * Owns: the way of each frame to the client, and what waits for it. Does not own: which frames there are
 * (event-stream.ts), the head of the answer (the route).
 *
 * A frame that goes through a web stream passes three promises until it is at the socket, which is most of what it costs
 * an edge. So once the server has sent the head and has written all that the web stream held, frames are written to the
 * connection at once, and the web stream is left to say when the client is gone, and when there is nothing more.
 *
 * Invariants:
 * 1. Frames leave in the order in which they were sent: the server asks the web stream for more only after all that it
 *    gave was written.
 * 2. Where there is no connection (a request that no socket is behind) the web stream has it all.
 */
import type { ServerResponse } from "node:http";

/** What is used of the server's side of an answer. */
export type ClientConnection = Pick<ServerResponse, "headersSent" | "writableLength" | "write" | "on" | "destroy">;

interface EventBodyOptions {
  readonly connection: ClientConnection | undefined;
  /** The client took some of what waits for it. */
  readonly onRoom: () => void;
  /** The client has gone, or its request. Also told after `end` and `cut`. */
  readonly onGone: () => void;
}

export class EventBody {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #connection: ClientConnection | undefined;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #isDirect = false;

  constructor({ connection, onRoom, onGone }: EventBodyOptions) {
    this.#connection = connection;
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => {
          this.#isDirect = connection?.headersSent === true;
          onRoom();
        },
        cancel: onGone,
      },
      // Nothing is asked for before somebody waits for it.
      new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
    );
    connection?.on("drain", onRoom);
    // An answer to HEAD leaves the body unread.
    connection?.on("close", onGone);
  }

  /** Bytes that the client has not taken, as far as this process knows. */
  get waitingBytes(): number {
    return (this.#connection?.writableLength ?? 0) - (this.#controller.desiredSize ?? 0);
  }

  send(frame: Uint8Array): void {
    if (this.#isDirect) this.#connection?.write(frame);
    else this.#controller.enqueue(frame);
  }

  /** Nothing more comes. */
  end(): void {
    this.#controller.close();
  }

  /** Ends the connection of a client that does not read. */
  cut(): void {
    // The server takes a body that fails for a fault of ours, and says so.
    if (this.#connection === undefined) this.#controller.error(new Error("the client reads too slowly"));
    else this.#connection.destroy();
  }
}
