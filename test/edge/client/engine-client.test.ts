/** The meaning of a failure of the bus for a client: the request had an effect, had none, or may have had one. */
import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { EngineClient } from "../../../edge/client/engine-client.ts";
import { createMemoryBusServer } from "../../../src/bus/memory/bus.ts";
import type { Reply } from "../../../src/contract/command.ts";
import { commandSubject, querySubject } from "../../../src/contract/subject.ts";
import { partitionOf } from "../../../src/domain/partition.ts";
import type { Schedule } from "../../../src/runtime/ports.ts";

const ask = { userId: 1, requestId: "r", body: { a: 1 } };
const never = () => new Promise<Uint8Array>(() => undefined);

function connect(t: TestContext, partitions = 1, schedule?: Schedule) {
  const hub = createMemoryBusServer({ onError: () => undefined, maxPayloadBytes: 10_000 });
  const engine = hub.connect();
  const bus = hub.connect();
  t.after(() => void Promise.all([bus.drain(), engine.drain()]));
  const faults: unknown[] = [];
  const client = new EngineClient({
    ...{ bus, partitions, onFault: (error: unknown) => faults.push(error) },
    ...(schedule === undefined ? {} : { schedule }),
  });
  return { engine, bus, client, faults };
}

function assertRefused(reply: Reply, code: string, message: RegExp): void {
  assert.ok(!reply.ok);
  assert.equal(reply.code, code);
  assert.match(reply.message, message);
}

describe("a command", () => {
  test("without an answer in time may have had an effect, and says so", async (t) => {
    const { engine, client } = connect(t);
    engine.respond(commandSubject(0), never);
    const reply = await client.command("x", ask, { timeoutMs: 20 });
    assertRefused(reply, "UNAVAILABLE", /may have had an effect.*same Idempotency-Key/);
  });

  test("that nobody took had none, and says so", async (t) => {
    const { client, faults } = connect(t);
    assertRefused(await client.command("x", ask), "UNAVAILABLE", /nothing was done/);
    assert.equal(faults.length, 0);
  });

  test("larger than the bus takes is too large", async (t) => {
    const { engine, client } = connect(t);
    engine.respond(commandSubject(0), never);
    const reply = await client.command("x", { ...ask, body: "x".repeat(10_000) });
    assertRefused(reply, "PAYLOAD_TOO_LARGE", /too large/);
  });

  test("of which the answer is too large may have had an effect, and an operator hears of it", async (t) => {
    const { engine, client, faults } = connect(t);
    engine.respond(commandSubject(0), async () => Buffer.alloc(10_001));
    assertRefused(await client.command("x", ask), "INTERNAL", /may have had an effect/);
    assert.equal(faults.length, 1);
  });

  test("after the bus was closed is refused", async (t) => {
    const { bus, client } = connect(t);
    await bus.drain();
    assertRefused(await client.command("x", ask), "UNAVAILABLE", /./);
  });
});

describe("a query", () => {
  test("without an answer is unavailable and promises nothing of effects", async (t) => {
    const { engine, client } = connect(t);
    engine.respond(querySubject(0), never);
    const refused = { ok: false, code: "UNAVAILABLE", message: "the service is not available now" };
    assert.deepEqual(await client.query("x", ask, { timeoutMs: 20 }), refused);
    assert.deepEqual(await client.page("x", ask, null, { timeoutMs: 20 }), refused);
  });

  test("for a page takes the cursor along beside the body, and the bytes as they are", async (t) => {
    const { engine, client } = connect(t);
    engine.respond(querySubject(0), async ({ data }) => {
      const { body } = JSON.parse(Buffer.from(data).toString()) as { readonly body: object };
      return Buffer.from(`{"ok":true,"next":"n"}\n${JSON.stringify(body)}`);
    });
    const first = await client.page("x", ask, null);
    assert.ok(first.ok);
    assert.deepEqual([first.next, Buffer.from(first.rows).toString()], ["n", '{"a":1}']);
    const second = await client.page("x", ask, "n");
    assert.ok(second.ok);
    assert.equal(Buffer.from(second.rows).toString(), '{"a":1,"from":"n"}');
  });

  test("for a page reads the header however it is spelled, and the same array as the same page", async (t) => {
    const { engine, client, faults } = connect(t);
    const header = '{"ok":true,"next":null}';
    const replies = [header, ' {"next":null, "ok":true}', header, `${header} `].map((text) =>
      Buffer.from(`${text}\n{}`),
    );
    let asked = 0;
    engine.respond(querySubject(0), async () => replies[asked++ % replies.length] ?? Buffer.from(""));
    const pages = [];
    for (let time = 0; time < 2 * replies.length; time += 1) pages.push(await client.page("x", ask, null));
    for (const page of pages) {
      assert.ok(page.ok);
      assert.deepEqual([page.next, Buffer.from(page.rows).toString()], [null, "{}"]);
    }
    assert.equal(pages[0], pages[4]);
    assert.notEqual(pages[0], pages[2]);
    assert.equal(faults.length, 0);
  });
});

test("who asks decides the partition, unless one is named; nobody is on the shared one", async (t) => {
  const { engine, client } = connect(t, 3);
  for (const partition of [0, 1, 2]) {
    engine.respond(querySubject(partition), async () => Buffer.from(JSON.stringify({ ok: true, data: partition })));
  }
  for (const userId of [1, 2, 3, 4, 5, 6]) {
    const reply = await client.query("x", { ...ask, userId });
    assert.deepEqual(reply, { ok: true, data: partitionOf(userId, 3) });
  }
  assert.deepEqual(await client.query("x", { ...ask, userId: null }), { ok: true, data: 0 });
  assert.deepEqual(await client.query("x", ask, { partition: 2 }), { ok: true, data: 2 });
});

describe("while a partition is handed over (behaviour 1.10)", () => {
  const key = { key: "k", fingerprint: "f" };
  const yes = async () => Buffer.from(JSON.stringify({ ok: true, data: "done" }));

  /** Counts the pauses, and runs `then` in pause `number`. */
  function pauses(number: number, then: () => void): { readonly schedule: Schedule; count: number } {
    const state = {
      count: 0,
      schedule: (_delayMs: number, task: () => void) => {
        state.count += 1;
        if (state.count === number) then();
        setImmediate(task);
        return () => undefined;
      },
    };
    return state;
  }

  test("reads and commands with a key wait for the engine that takes over", async (t) => {
    for (const what of ["query", "command"] as const) {
      const world: { answer: () => void } = { answer: () => undefined };
      const state = pauses(3, () => world.answer());
      const { engine, client } = connect(t, 1, state.schedule);
      world.answer = () => void engine.respond(what === "query" ? querySubject(0) : commandSubject(0), yes);
      const reply = await client[what]("x", { ...ask, idempotency: key });
      assert.deepEqual(reply, { ok: true, data: "done" });
      assert.equal(state.count, 3);
    }
  });

  test("a command without a key is refused at once, and so is what asks whether anybody listens", async (t) => {
    const state = pauses(1, () => undefined);
    const { client } = connect(t, 1, state.schedule);
    assertRefused(await client.command("x", ask), "UNAVAILABLE", /nothing was done/);
    assertRefused(await client.query("x", ask, { mayWait: false }), "UNAVAILABLE", /./);
    assert.equal(state.count, 0);
  });

  test("the wait has an end", async (t) => {
    const state = pauses(0, () => undefined);
    const { client } = connect(t, 1, state.schedule);
    assertRefused(await client.query("x", ask), "UNAVAILABLE", /./);
    assert.equal(state.count, 30, "three seconds");
  });

  test("what may have been handled is not asked again", async (t) => {
    const state = pauses(0, () => undefined);
    const { engine, client } = connect(t, 1, state.schedule);
    engine.respond(commandSubject(0), never);
    const reply = await client.command("x", { ...ask, idempotency: key }, { timeoutMs: 20 });
    assertRefused(reply, "UNAVAILABLE", /may have had an effect/);
    assert.equal(state.count, 0);
  });
});
