/**
 * The body of an answer that is a stream of events: a web stream at first, then the connection itself.
 *
 * Owns: the way of each frame to the client, and the frames that wait for it. Does not own: the frames
 * (event-stream.ts), the head of the answer (the route).
 *
 * A frame that goes through a web stream passes three promises until it is at the socket, which is most of its cost for
 * an edge. So once the server has sent the head and has written all that the web stream held, frames are written to the
 * connection directly. The web stream then only reports when the client has left, and when the body has ended.
 *
 * Invariants:
 * 1. Frames leave in the order in which they were sent: the server asks the web stream for more only after it has
 *    written everything before.
 * 2. Without a connection (a request without a socket) the web stream carries all frames.
 */
import type { ServerResponse } from "node:http";

/** The used part of the server's side of an answer. */
export type ClientConnection = Pick<ServerResponse, "headersSent" | "writableLength" | "write" | "on" | "destroy">;

interface EventBodyOptions {
  readonly connection: ClientConnection | undefined;
  /** The client took some of the waiting bytes. */
  readonly onRoom: () => void;
  /** The client has left, or its request. Also called after `end` and `cut`. */
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
      // No frame is asked for before a reader waits for it.
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
    // The server takes a failing body for a fault of ours, and reports it.
    if (this.#connection === undefined) this.#controller.error(new Error("the client reads too slowly"));
    else this.#connection.destroy();
  }
}
