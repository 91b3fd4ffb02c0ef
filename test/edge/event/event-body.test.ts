/** Frames reach the client in their order, whichever way each takes, and soon without a promise between. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, type TestContext, test } from "node:test";
import { getRequestListener } from "@hono/node-server";
import { type ClientConnection, EventBody } from "../../../edge/event/event-body.ts";
import fc from "../../support/property.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const bytes = (text: string): Buffer => Buffer.from(text);

/** A server that answers every request with a body of its own. */
class World {
  readonly bodies: EventBody[] = [];
  readonly written: string[] = [];
  goneCount = 0;
  url = "";

  static async start(test: TestContext): Promise<World> {
    const world = new World();
    const listener = getRequestListener((_request, env) => world.#answer(env.outgoing as ClientConnection));
    const server = createServer((incoming, outgoing) => {
      const write = outgoing.write.bind(outgoing);
      outgoing.write = (frame: Uint8Array) => {
        world.written.push(Buffer.from(frame).toString());
        return write(frame);
      };
      void listener(incoming, outgoing);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    test.after(() => server.closeAllConnections());
    test.after(() => server.close());
    world.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    return world;
  }

  get body(): EventBody {
    const body = this.bodies.at(-1);
    assert.ok(body !== undefined);
    return body;
  }

  #answer(connection: ClientConnection): Response {
    const onGone = (): void => {
      this.goneCount += 1;
    };
    const body = new EventBody({ connection, onRoom: () => undefined, onGone });
    this.bodies.push(body);
    body.send(bytes("first "));
    return new Response(body.stream, { headers: { "content-type": "text/plain" } });
  }
}

describe("the body of a stream of events", () => {
  test("gives all frames in their order, sent at whatever moment, and ends", async (t) => {
    const world = await World.start(t);
    const moments = fc.array(fc.constantFrom("now", "microtask", "turn"), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(moments, async (steps) => {
        const answered = fetch(world.url).then((response) => response.text());
        const count = world.bodies.length;
        while (world.bodies.length === count) await turn();
        const { body } = world;
        let expected = "first ";
        for (const [index, moment] of steps.entries()) {
          expected += `${index} `;
          body.send(bytes(`${index} `));
          if (moment === "microtask") await undefined;
          if (moment === "turn") await turn();
        }
        body.end();
        assert.equal(await answered, expected);
      }),
      { numRuns: 60 },
    );
  });

  test("writes a frame within the call once the head and all before it are written", async (t) => {
    const world = await World.start(t);
    const response = await fetch(world.url);
    while (world.written.length < 1) await turn();
    await turn();
    world.body.send(bytes("second"));
    assert.deepEqual(world.written, ["first ", "second"]);
    world.body.end();
    assert.equal(await response.text(), "first second");
  });

  test("counts what waits for a client that does not read, and cuts it off", async (t) => {
    const world = await World.start(t);
    const response = await fetch(world.url);
    const frame = Buffer.alloc(64 * 1024);
    for (let sent = 0; sent < 100_000 && world.body.waitingBytes < 4 * frame.length; sent += 1) {
      world.body.send(frame);
      if (sent % 16 === 0) await turn();
    }
    assert.ok(world.body.waitingBytes >= 4 * frame.length);
    world.body.cut();
    await assert.rejects(response.text());
    assert.ok(world.goneCount > 0);
  });

  test("tells that its client has gone", async (t) => {
    const world = await World.start(t);
    const abort = new AbortController();
    await fetch(world.url, { signal: abort.signal });
    abort.abort();
    while (world.goneCount === 0) await turn();
    world.body.send(bytes("to nobody"));
  });
});
