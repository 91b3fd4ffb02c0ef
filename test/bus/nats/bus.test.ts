// tier: real
import assert from "node:assert/strict";
import { createConnection } from "node:net";
import { after, before, describe, test } from "node:test";
import { connectNatsBus, type NatsBus } from "../../../src/bus/nats/bus.ts";
import {
  type Bus,
  BusClosedError,
  BusDisconnectedError,
  BusError,
  type BusErrorListener,
  type BusMessage,
  type BusStatus,
  HandlerFailedError,
  NoResponderError,
  PermissionDeniedError,
  RequestTimeoutError,
} from "../../../src/bus/port.ts";
import { type NatsServer, natsSuite, startNatsServer } from "../../support/machine/nats-server.ts";
import { busConformance } from "../conformance.ts";
import { signal } from "../conformance-support.ts";

const AMPLE_MS = 30_000;

natsSuite("NATS bus", () => {
  busConformance("the NATS bus", async () => {
    const server = await startNatsServer();
    return {
      connect: (onError: BusErrorListener) => connectNatsBus({ servers: server.url, name: "conformance", onError }),
      stop: () => server.stop(),
    };
  });
  describe("the NATS bus and its server", lossTests);
  describe("a server with users and permissions", permissionTests);
});

function bytes(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

function text(data: Uint8Array): string {
  return new TextDecoder().decode(data);
}

/** Resolves when the bus has (or next gets) the status. */
function statusOf(bus: Bus, wanted: BusStatus): Promise<void> {
  if (bus.status === wanted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = bus.onStatus((status) => {
      if (status !== wanted) return;
      end();
      resolve();
    });
  });
}

/** Repeats a request until a responder answers it. */
async function untilHeard(ask: () => Promise<Uint8Array>): Promise<Uint8Array> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof NoResponderError)) throw error;
    }
  }
}

function lossTests(): void {
  let server: NatsServer;
  before(async () => {
    server = await startNatsServer();
  });
  after(() => server.stop());

  function connect(onError: BusErrorListener = () => undefined): Promise<NatsBus> {
    return connectNatsBus({ servers: server.url, name: "test", onError, reconnectWaitMs: 10 });
  }

  test("after the server was killed and came back subscriptions, queue groups and responders live again", async () => {
    const [asking, answering] = [await connect(), await connect()];
    const statuses: BusStatus[] = [];
    asking.onStatus((status) => statuses.push(status));
    const received: string[] = [];
    asking.subscribe("events.*", ({ subject }) => {
      received.push(subject);
    });
    answering.respond("echo", async ({ data }) => data, { queue: "group" });
    await answering.flush();
    assert.equal(text(await asking.request("echo", bytes("1"), AMPLE_MS)), "1");

    await server.kill("SIGKILL");
    await Promise.all([statusOf(asking, "disconnected"), statusOf(answering, "disconnected")]);
    await assert.rejects(asking.request("echo", bytes("2"), AMPLE_MS), (error) => {
      assert.ok(error instanceof BusDisconnectedError);
      assert.equal(error.isCertainlyNotHandled, true);
      return true;
    });
    await assert.rejects(asking.flush(), BusDisconnectedError);
    answering.publish("events.lost", bytes(""));
    assert.equal(answering.droppedMessageCount, 1);
    const made: string[] = [];
    asking.subscribe("events.>", ({ subject }) => {
      made.push(subject);
    });

    await server.restart();
    await Promise.all([statusOf(asking, "connected"), statusOf(answering, "connected")]);
    await Promise.all([asking.flush(), answering.flush()]);
    assert.equal(text(await asking.request("echo", bytes("3"), AMPLE_MS)), "3");
    answering.publish("events.back", bytes(""));
    await answering.flush();
    await asking.flush();
    assert.deepEqual(received, ["events.back"]);
    assert.deepEqual(made, ["events.back"]);
    assert.deepEqual(statuses, ["disconnected", "connected"]);
    await Promise.all([asking.drain(), answering.drain()]);
  });

  test("a request under way when the server dies fails at its deadline, typed, and may have been handled", async () => {
    const [asking, answering] = [await connect(), await connect()];
    const started = signal();
    const released = signal();
    answering.respond("slow", async ({ data }) => {
      started.give();
      await released.given;
      return data;
    });
    await answering.flush();
    const asked = asking.request("slow", bytes(""), 500);
    const rejected = assert.rejects(asked, RequestTimeoutError);
    await started.given;
    await server.kill("SIGKILL");
    await statusOf(answering, "disconnected");
    released.give();
    await rejected;
    assert.equal(answering.droppedMessageCount, 1);
    await server.restart();
    await Promise.all([statusOf(asking, "connected"), statusOf(answering, "connected")]);
    await Promise.all([asking.drain(), answering.drain()]);
  });

  test("requests hammered through a restart all settle, each with its reply or a typed error", async () => {
    const [asking, answering] = [await connect(), await connect()];
    answering.respond("echo", async ({ data }) => data);
    await answering.flush();
    const outcomes = { replies: 0, errors: 0 };
    let isOver = false;
    const hammer = async (): Promise<void> => {
      while (!isOver) {
        try {
          const value = String(outcomes.replies);
          assert.equal(text(await asking.request("echo", bytes(value), 200)), value);
          outcomes.replies += 1;
        } catch (error) {
          assert.ok(error instanceof BusError, String(error));
          outcomes.errors += 1;
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
    };
    const hammering = Promise.all(Array.from({ length: 4 }, hammer));
    await server.kill("SIGKILL");
    await statusOf(asking, "disconnected");
    await server.restart();
    await Promise.all([statusOf(asking, "connected"), statusOf(answering, "connected")]);
    await answering.flush();
    assert.equal(text(await asking.request("echo", bytes("x"), AMPLE_MS)), "x");
    isOver = true;
    await hammering;
    assert.ok(outcomes.errors > 0);
    await Promise.all([asking.drain(), answering.drain()]);
  });

  test("a server that hangs without closing the connection counts as lost", async () => {
    const own = await startNatsServer();
    const bus = await connectNatsBus({
      servers: own.url,
      name: "test",
      onError: () => undefined,
      reconnectWaitMs: 10,
      pingIntervalMs: 20,
    });
    await own.kill("SIGSTOP");
    await statusOf(bus, "disconnected");
    await own.kill("SIGCONT");
    await statusOf(bus, "connected");
    await bus.drain();
    await own.stop();
  });

  test("a server that is away while the wall clock is set back by an hour is dialled on", async (context) => {
    const bus = await connectNatsBus({ servers: server.url, name: "clock", reconnectWaitMs: 200 });
    // The wait after the step is longer than the one before it.
    let chance = 0;
    context.mock.method(Math, "random", () => chance);
    await server.kill("SIGKILL");
    await statusOf(bus, "disconnected");
    const trueMs = Date.now.bind(Date);
    context.mock.method(Date, "now", () => trueMs() - 3_600_000);
    chance = 0.9;
    await server.restart();
    await statusOf(bus, "connected");
    await bus.drain();
  });

  test("a drain ends also while the server is away", async () => {
    const bus = await connect();
    bus.subscribe("a", () => undefined);
    await server.kill("SIGKILL");
    await statusOf(bus, "disconnected");
    await bus.drain();
    await assert.rejects(bus.request("a", bytes(""), AMPLE_MS), BusClosedError);
    await server.restart();
  });

  test("a drain ends also when the server dies during it", async () => {
    const bus = await connect();
    for (let index = 0; index < 100; index += 1) bus.subscribe(`a.${index}`, () => undefined);
    await bus.flush();
    await server.kill("SIGSTOP");
    const drained = bus.drain();
    await server.kill("SIGKILL");
    await drained;
    assert.equal(bus.status, "disconnected");
    await server.restart();
  });

  test("a plain message is shown where it lies, also after the connection was lost", async () => {
    const bus = await connect();
    try {
      const shown: (string | undefined)[] = [];
      const show = ({ frame }: BusMessage): void => {
        shown.push(frame === undefined ? undefined : text(frame.bytes.subarray(frame.dataStart, frame.dataEnd)));
      };
      bus.subscribe("ticks.*", show, { readsInPlace: true });
      await bus.flush();
      bus.publish("ticks.ŞİŞE", bytes("1"));
      await bus.flush();
      const isBack = new Promise<void>((resolve) => {
        bus.onStatus((status) => status === "connected" && resolve());
      });
      await server.kill("SIGKILL");
      await server.restart();
      await isBack;
      await bus.flush();
      bus.publish("ticks.ACME", bytes("2"));
      await bus.flush();
      assert.deepEqual(shown, ["1", "2"]);
    } finally {
      await bus.drain();
    }
  });

  test("a reply whose headers are no headers fails its request, and the connection goes on", async () => {
    const bus = await connect();
    const { hostname, port } = new URL(server.url);
    const stranger = createConnection({ host: hostname, port: Number(port) });
    let heard = "";
    stranger.on("data", (chunk) => {
      heard += chunk.toString();
      const inbox = /MSG strange 1 (\S+)/.exec(heard)?.[1];
      if (inbox === undefined) return;
      heard = "";
      const header = "NATS/1.0\r\nNote: two\nlines\r\n\r\n";
      stranger.write(`HPUB ${inbox} ${header.length} ${header.length}\r\n${header}\r\n`);
    });
    try {
      stranger.write('CONNECT {"verbose":false,"headers":true}\r\nSUB strange 1\r\n');
      await assert.rejects(
        untilHeard(() => bus.request("strange", bytes("x"), AMPLE_MS)),
        HandlerFailedError,
      );
      bus.respond("echo", async ({ data }) => data);
      await bus.flush();
      assert.equal(text(await bus.request("echo", bytes("1"), AMPLE_MS)), "1");
    } finally {
      stranger.destroy();
      await bus.drain();
    }
  });

  test("the connection is there for JetStream and closed by the drain", async () => {
    const bus = await connect();
    assert.equal(bus.connection.info?.max_payload, bus.maxPayloadBytes);
    await bus.drain();
    assert.ok(bus.connection.isClosed());
  });
}

function permissionTests(): void {
  test("a subject the server forbids is a typed error, and the connection goes on", async () => {
    const server = await startNatsServer({
      configuration: `authorization { users: [
        { user: "a", password: "a", permissions: { publish: { deny: ["no.>"] }, subscribe: { deny: ["no.>"] } } }
      ] }`,
    });
    const whats: string[] = [];
    const bus = await connectNatsBus({
      servers: server.url.replace("nats://", "nats://a:a@"),
      name: "test",
      onError: (_error, context) => whats.push(context.what),
    });
    await assert.rejects(bus.request("no.way", bytes(""), AMPLE_MS), PermissionDeniedError);
    const end = bus.subscribe("no.way", () => undefined);
    await bus.flush();
    assert.ok(whats.includes("subscription"));
    end();
    bus.respond("yes", async ({ data }) => data);
    assert.equal(text(await bus.request("yes", bytes("x"), AMPLE_MS)), "x");
    await bus.drain();
    await server.stop();
  });

  test("who may not hear replies is told so at once, with every request", async () => {
    const server = await startNatsServer({
      configuration: `authorization { users: [
        { user: "a", password: "a", permissions: { subscribe: { deny: ["_INBOX.>"] } } }
        { user: "b", password: "b" }
      ] }`,
    });
    const open = (name: string) =>
      connectNatsBus({
        servers: server.url.replace("nats://", `nats://${name}:${name}@`),
        name,
        onError: () => undefined,
      });
    const [deaf, answering] = await Promise.all([open("a"), open("b")]);
    answering.respond("yes", async ({ data }) => data);
    await answering.flush();
    for (const _ of [1, 2]) {
      await assert.rejects(deaf.request("yes", bytes("x"), AMPLE_MS), PermissionDeniedError);
    }
    await Promise.all([deaf.drain(), answering.drain()]);
    await server.stop();
  });
}
