/** What a socket gives goes straight to the frames, as soon as nats.js holds none of it any more. */
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { NatsConnection } from "nats";
import { NatsFrames } from "../../../src/bus/nats/frames.ts";

const TAKEN = 7;
const message = (data: string): Buffer => Buffer.from(`MSG ticks.A ${TAKEN} ${data.length}\r\n${data}\r\n`);

class FakeSocket extends EventEmitter {
  destroyedBy: Error | undefined;

  destroy(error: Error): void {
    this.destroyedBy = error;
  }
}

/** As far as nats.js is looked into: a socket's chunks lie in `yields` until `run` hands them to the parser. */
class FakeTransport {
  readonly yields: Uint8Array[] = [];
  socket: FakeSocket | undefined = new FakeSocket();
  connected = true;

  constructor() {
    this.socket?.on("data", (chunk: Uint8Array) => void this.yields.push(chunk));
  }
}

class FakeProtocol {
  readonly given: string[] = [];
  parser = this.newParser();
  transport = new FakeTransport();
  inMsgs = 0;
  inBytes = 0;

  newParser() {
    return {
      state: 0,
      parse: (bytes: Uint8Array): void => {
        const text = Buffer.from(bytes).toString();
        if (text.startsWith("HTTP")) throw new Error("not a protocol line");
        this.given.push(text);
      },
    };
  }

  /** What the generator of nats.js does. */
  run(): void {
    for (const chunk of this.transport.yields.splice(0)) this.parser.parse(chunk);
  }
}

function connect(protocol: FakeProtocol): string[] {
  const taken: string[] = [];
  const frames = new NatsFrames({ protocol } as unknown as NatsConnection);
  frames.add(TAKEN, ({ data }) => void taken.push(Buffer.from(data).toString()));
  return taken;
}

test("from the next turn on nothing goes by nats.js but what is for it", async () => {
  const protocol = new FakeProtocol();
  const taken = connect(protocol);
  await nextTurn();
  protocol.transport.socket?.emit("data", Buffer.concat([message("1"), Buffer.from("PING\r\n"), message("2")]));
  assert.deepEqual(taken, ["1", "2"]);
  assert.deepEqual(protocol.given, ["PING\r\n"]);
  assert.deepEqual(protocol.transport.yields, []);
});

test("while nats.js holds a chunk the next one waits behind it", async () => {
  const protocol = new FakeProtocol();
  const taken = connect(protocol);
  protocol.transport.socket?.emit("data", message("1"));
  await nextTurn();
  protocol.transport.socket?.emit("data", message("2"));
  assert.deepEqual(taken, []);
  protocol.run();
  await nextTurn();
  protocol.transport.socket?.emit("data", message("3"));
  assert.deepEqual(taken, ["1", "2", "3"]);
});

test("a socket that is dialled anew is read straight once it is in use, and not before", async () => {
  const protocol = new FakeProtocol();
  const taken = connect(protocol);
  await nextTurn();
  protocol.parser = protocol.newParser();
  protocol.transport = new FakeTransport();
  protocol.transport.connected = false;
  const peeked: string[] = [];
  protocol.transport.socket?.on("data", (chunk: Uint8Array) => void peeked.push(Buffer.from(chunk).toString()));
  protocol.transport.socket?.emit("data", message("1"));
  protocol.run();
  await nextTurn();
  protocol.transport.socket?.emit("data", message("2"));
  assert.equal(peeked.length, 2);
  protocol.transport.connected = true;
  protocol.run();
  await nextTurn();
  protocol.transport.socket?.emit("data", message("3"));
  assert.equal(peeked.length, 2);
  assert.deepEqual(taken, ["1", "2", "3"]);
});

test("what is no NATS ends its socket and not the process", async () => {
  const protocol = new FakeProtocol();
  connect(protocol);
  await nextTurn();
  protocol.transport.socket?.emit("data", Buffer.from("HTTP/1.1 400 Bad Request\r\n"));
  assert.match(protocol.transport.socket?.destroyedBy?.message ?? "", /not a protocol line/);
});
