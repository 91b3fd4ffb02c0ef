/** A line between connector and broker that cuts, swallows, garbles and delays, by a seeded chance. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

interface Faults {
  /** Chances for each chunk that passes. */
  readonly cut: number;
  readonly swallow: number;
  readonly garble: number;
  readonly delayMsMax: number;
}

/** Called with each chunk that passes, in order; `isFromNear`: from the connector. */
type OnPassed = (isFromNear: boolean, bytes: Buffer) => void;

export class FaultyLine {
  readonly #server: Server;
  readonly #random: () => number;
  readonly #sockets = new Set<Socket>();
  readonly #onPassed: OnPassed;
  faults: Faults;

  private constructor(server: Server, to: number, random: () => number, faults: Faults, onPassed: OnPassed) {
    this.#server = server;
    this.#onPassed = onPassed;
    this.#random = random;
    this.faults = faults;
    server.on("connection", (socket) => this.#join(socket, connect({ host: "127.0.0.1", port: to })));
  }

  static async open(
    to: number,
    random: () => number,
    faults: Faults,
    onPassed: OnPassed = () => undefined,
  ): Promise<FaultyLine> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new FaultyLine(server, to, random, faults, onPassed);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  #join(near: Socket, far: Socket): void {
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        this.#sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    this.#carry(near, far, true);
    this.#carry(far, near, false);
  }

  /** Chunks keep their order under any delay. */
  #carry(from: Socket, to: Socket, isFromNear: boolean): void {
    let before: Promise<void> = Promise.resolve();
    from.on("data", (chunk) => {
      const delayMs = this.#random() * this.faults.delayMsMax;
      const passed = this.#spoil(chunk);
      before = before.then(async () => {
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        if (passed === undefined) from.destroy();
        else if (!to.destroyed) {
          to.write(passed);
          this.#onPassed(isFromNear, passed);
        }
      });
    });
  }

  /** Returns the rest of a chunk after the faults; undefined: the line is cut, after a part of it at most. */
  #spoil(chunk: Buffer): Buffer | undefined {
    const { cut, swallow, garble } = this.faults;
    if (this.#random() < cut) return undefined;
    const at = Math.floor(this.#random() * chunk.length);
    // Swallows from a random byte on: the rest may be half a message.
    if (this.#random() < swallow) return chunk.subarray(0, at);
    if (this.#random() >= garble) return chunk;
    const garbled = Buffer.from(chunk);
    garbled[at] = (garbled[at] ?? 0) ^ (1 << Math.floor(this.#random() * 8));
    return garbled;
  }
}
