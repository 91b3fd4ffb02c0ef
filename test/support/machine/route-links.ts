/** The ways between the servers of a cluster, each of which can be cut while every other one and all clients stay. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

interface Way {
  readonly listener: Server;
  readonly sockets: Set<Socket>;
  isCut: boolean;
}

function end(way: Way | undefined): void {
  way?.listener.close();
  for (const socket of way?.sockets ?? []) socket.destroy();
}

export class RouteLinks {
  readonly #ways = new Map<string, Way>();

  /**
   * Where the server `from` is to dial for the routes of the server `to`, which listens at `port`. The way between two
   * servers that were started before under these names ends.
   */
  async url(from: string, to: string, port: number): Promise<string> {
    const sockets = new Set<Socket>();
    const listener = createServer((near) => this.#take(way, near, port)).listen(0, "127.0.0.1");
    const way: Way = { listener, sockets, isCut: false };
    const key = `${from} ${to}`;
    end(this.#ways.get(key));
    this.#ways.set(key, way);
    await once(listener, "listening");
    return `nats://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  }

  /** These two no longer reach each other. */
  cut(one: string, other: string): void {
    for (const way of this.#between(one, other)) {
      way.isCut = true;
      for (const socket of way.sockets) socket.destroy();
    }
  }

  mend(one: string, other: string): void {
    for (const way of this.#between(one, other)) way.isCut = false;
  }

  close(): void {
    for (const way of this.#ways.values()) end(way);
  }

  #between(one: string, other: string): Way[] {
    return [`${one} ${other}`, `${other} ${one}`].flatMap((key) => this.#ways.get(key) ?? []);
  }

  #take(way: Way, near: Socket, port: number): void {
    if (way.isCut) {
      near.destroy();
      return;
    }
    const far = connect(port, "127.0.0.1");
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      way.sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        way.sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }
}
