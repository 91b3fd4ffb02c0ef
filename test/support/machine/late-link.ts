/**
 * The way between one engine and its nats-servers, which can be cut so that bytes on it arrive later. Everything that
 * the engine had written reaches its server, however long after, and however little the engine knows of it.
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

interface Wire {
  readonly engine: Socket;
  readonly server: Socket;
  /** Bytes for each end, to be sent once the way is whole again. */
  readonly toServer: Buffer[];
  readonly toEngine: Buffer[];
}

export class LateLink {
  readonly #listeners: readonly Server[];
  readonly #wires = new Set<Wire>();
  #isHeld = false;
  #awaited: { readonly text: string; readonly go: () => void } | undefined;

  private constructor(targets: readonly number[]) {
    this.#listeners = targets.map((target) =>
      createServer((engine) => this.#take(engine, target)).listen(0, "127.0.0.1"),
    );
  }

  /** Addresses of the near ends, joined with commas. */
  get urls(): string {
    return this.#listeners.map((listener) => `nats://127.0.0.1:${(listener.address() as AddressInfo).port}`).join(",");
  }

  /** Opens one near end for each server; the servers must not announce one another to their clients. */
  static async open(servers: readonly { readonly port: number }[]): Promise<LateLink> {
    const link = new LateLink(servers.map(({ port }) => port));
    await Promise.all(link.#listeners.map((listener) => once(listener, "listening")));
    return link;
  }

  /** From now on nothing arrives, in either direction. */
  hold(): void {
    this.#isHeld = true;
  }

  /** The same from the engine's next bytes on that have `text` in them; these are the first that do not arrive. */
  holdFrom(text: string): Promise<void> {
    return new Promise((go) => {
      this.#awaited = { text, go };
    });
  }

  /**
   * Closes the engine's connections; it cannot reach a server any more. The bytes that it had written are kept on the
   * way.
   */
  sever(): void {
    this.hold();
    for (const { engine } of this.#wires) engine.destroy();
  }

  /** Makes the way whole again and delivers the bytes on it. */
  deliver(): void {
    this.#awaited = undefined;
    this.#isHeld = false;
    for (const { engine, server, toServer, toEngine } of this.#wires) {
      for (const bytes of toServer.splice(0)) server.write(bytes);
      for (const bytes of toEngine.splice(0)) engine.write(bytes);
      if (engine.destroyed) server.end();
      if (server.destroyed) engine.end();
    }
  }

  close(): void {
    for (const listener of this.#listeners) listener.close();
    for (const { engine, server } of this.#wires) for (const socket of [engine, server]) socket.destroy();
  }

  #take(engine: Socket, port: number): void {
    if (this.#isHeld) {
      engine.destroy();
      return;
    }
    const server = connect(port, "127.0.0.1");
    const wire: Wire = { engine, server, toServer: [], toEngine: [] };
    this.#wires.add(wire);
    engine.on("data", (bytes) => {
      this.#lookFor(bytes);
      if (this.#isHeld) wire.toServer.push(bytes);
      else server.write(bytes);
    });
    server.on("data", (bytes) => {
      if (this.#isHeld) wire.toEngine.push(bytes);
      else engine.write(bytes);
    });
    for (const [socket, other] of [
      [engine, server],
      [server, engine],
    ] as const) {
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        if (!this.#isHeld) other.end();
        if (other.closed) this.#wires.delete(wire);
      });
    }
  }

  #lookFor(bytes: Buffer): void {
    const awaited = this.#awaited;
    if (awaited === undefined || !bytes.includes(awaited.text)) return;
    this.#awaited = undefined;
    this.hold();
    awaited.go();
  }
}
