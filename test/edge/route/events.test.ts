/** The stream of events and last prices over HTTP, with an engine that a test scripts. */
import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { z } from "zod";
import type { EventsPage } from "../../../src/contract/event/event.ts";
import { eventSubject } from "../../../src/contract/subject.ts";
import { untilTrue } from "../../support/machine/until-true.ts";
import { type RunningEdge, runEdge } from "../support/running-edge.ts";

const place = (sequence: number): string => `abcdefghij-0-${sequence}`;

/** A client that reads a stream. */
class Client {
  text = "";
  isClosed = false;
  readonly status: number;
  readonly response: Response;
  readonly #abort: AbortController;

  private constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.status = response.status;
    this.#abort = abort;
  }

  static async open(edge: RunningEdge, query = "", headers: Record<string, string> = {}): Promise<Client> {
    const abort = new AbortController();
    const response = await edge.fetch(`/api/v1/events${query}`, {
      headers: { ...(await edge.bearer()), ...headers },
      signal: abort.signal,
    });
    const client = new Client(response, abort);
    void client.#read();
    return client;
  }

  async has(text: string): Promise<void> {
    await untilTrue(() => this.text.includes(text));
  }

  close(): void {
    this.#abort.abort();
  }

  async #read(): Promise<void> {
    try {
      for await (const chunk of this.response.body ?? []) this.text += Buffer.from(chunk).toString();
    } catch {
      // The client closed the stream, or was cut off.
    }
    this.isClosed = true;
  }
}

/** Starts an edge whose engine has these events of user 1. */
async function world(test: TestContext, sequences: number[] = []): Promise<RunningEdge> {
  const edge = await runEdge(test);
  edge.engine.on("events.since", ({ body }) => {
    const { after } = z.object({ after: z.string().nullable() }).parse(body);
    if (after === "nonsense") return { ok: false, code: "INVALID", message: "Last-Event-ID is not the id of an event" };
    const last = sequences.at(-1) ?? 0;
    const from = after === null ? last : Number(after.split("-")[2]);
    const events = sequences
      .filter((sequence) => sequence > from)
      .map((sequence) => ({ id: place(sequence), sequence, type: "oco.created" }));
    const data: EventsPage = { events, through: place(last), isLast: true, gapTo: null };
    return { ok: true, data };
  });
  edge.engine.on("symbols.get", ({ body }) => {
    const { symbol } = z.object({ symbol: z.string() }).parse(body);
    if (symbol === "NOSUCH") return { ok: false, code: "NOT_FOUND", message: "the symbol was not found" };
    return { ok: true, data: { symbol } };
  });
  return edge;
}

function publish(edge: RunningEdge, sequence: number, previous: number, userId = 1, type = "oco.created"): void {
  const event = { previous, id: place(sequence), sequence, userId, type };
  edge.engineBus.publish(eventSubject(userId, type), Buffer.from(JSON.stringify(event)));
}

describe("GET /api/v1/events", () => {
  test("is a stream that nothing on the way may keep", async (t) => {
    const edge = await world(t);
    const client = await Client.open(edge);
    assert.equal(client.status, 200);
    assert.equal(client.response.headers.get("content-type"), "text/event-stream");
    assert.match(client.response.headers.get("cache-control") ?? "", /no-store, no-transform/);
    assert.ok(client.response.headers.has("x-ratelimit-remaining"));
    await client.has(": alive\nid: abcdefghij-0-0\n\n");
    client.close();
  });

  test("goes on after Last-Event-ID, of the header or else of the query", async (t) => {
    const edge = await world(t, [3, 5, 8]);
    const byHeader = await Client.open(edge, `?lastEventId=${place(0)}`, { "Last-Event-ID": place(3) });
    await byHeader.has(`id: ${place(8)}\nevent: oco.created`);
    assert.ok(!byHeader.text.includes(`id: ${place(3)}\nevent`));
    const byQuery = await Client.open(edge, `?lastEventId=${place(5)}`);
    await byQuery.has(`id: ${place(8)}\nevent: oco.created`);
    assert.ok(!byQuery.text.includes(`id: ${place(5)}\nevent`));
    for (const client of [byHeader, byQuery]) client.close();
  });

  test("takes an empty Last-Event-ID for none: the query's counts then, else the stream begins now", async (t) => {
    const edge = await world(t, [3, 5, 8]);
    const none = await Client.open(edge, "", { "Last-Event-ID": "" });
    assert.equal(none.status, 200);
    await none.has(`: alive\nid: ${place(8)}`);
    assert.ok(!none.text.includes("event: oco.created"));
    const emptyQuery = await Client.open(edge, "?lastEventId=");
    assert.equal(emptyQuery.status, 200);
    const byQuery = await Client.open(edge, `?lastEventId=${place(5)}`, { "Last-Event-ID": "" });
    await byQuery.has(`id: ${place(8)}\nevent: oco.created`);
    for (const client of [none, emptyQuery, byQuery]) client.close();
  });

  test("refuses a Last-Event-ID that the engine refuses, before anything is streamed", async (t) => {
    const edge = await world(t);
    const { status, response } = await Client.open(edge, "", { "Last-Event-ID": "nonsense" });
    assert.equal(status, 400);
    assert.equal(response.headers.get("content-type"), "application/json");
  });

  test("says first that events after Last-Event-ID are gone, and from where it goes on", async (t) => {
    const edge = await world(t);
    edge.engine.on("events.since", () => {
      const events = [{ id: place(8), sequence: 8, type: "oco.created" }];
      return { ok: true, data: { events, through: place(8), isLast: true, gapTo: place(7) } satisfies EventsPage };
    });
    const client = await Client.open(edge, "", { "Last-Event-ID": place(3) });
    await client.has(`id: ${place(8)}\nevent: oco.created`);
    const [, data = "{}"] = /event: gap\ndata: (.+)\n/.exec(client.text) ?? [];
    const { message, ...gap } = JSON.parse(data) as Record<string, unknown>;
    assert.deepEqual(gap, { type: "gap", after: place(3), resumesAfter: place(7) });
    assert.match(String(message), /read the lists again/);
    assert.ok(client.text.indexOf("event: gap") < client.text.indexOf("event: oco.created"));
    client.close();
  });

  test("tells live events of the caller and of nobody else, without what only the bus needs", async (t) => {
    const edge = await world(t);
    const client = await Client.open(edge);
    await client.has("alive");
    publish(edge, 4, 0, 2);
    publish(edge, 5, 0);
    await client.has(`id: ${place(5)}\nevent: oco.created\ndata: {"id":"${place(5)}"`);
    assert.ok(!client.text.includes("previous") && !client.text.includes(place(4)));
    client.close();
  });

  test("reads what the bus has lost", async (t) => {
    const stored: number[] = [];
    const edge = await world(t, stored);
    const client = await Client.open(edge);
    await client.has("alive");
    stored.push(4, 7);
    publish(edge, 7, 4);
    await client.has(`id: ${place(7)}\nevent`);
    assert.ok(client.text.indexOf(`id: ${place(4)}\nevent`) < client.text.indexOf(`id: ${place(7)}\nevent`));
    assert.equal(client.text.split(`id: ${place(7)}\nevent`).length, 2);
    client.close();
  });

  test("tells only the types that are asked for", async (t) => {
    const edge = await world(t);
    const client = await Client.open(edge, "?types=order.placed,setup.*");
    await client.has("alive");
    publish(edge, 1, 0);
    publish(edge, 2, 1, 1, "setup.converted");
    await client.has("event: setup.converted");
    assert.ok(!client.text.includes("oco.created"));
    client.close();
  });

  test("ends within a second or so when the token is revoked or expires, and says why", async (t) => {
    const edge = await world(t);
    const revoked = await Client.open(edge);
    await revoked.has("alive");
    edge.engine.revoke(100);
    await revoked.has('event: end\ndata: {"type":"end","message":"the access token was revoked"}');
    await untilTrue(() => revoked.isClosed);
    const fresh = await edge.fetch("/api/v1/events", { headers: await edge.bearer({ claims: { fid: 200 } }) });
    const reader = fresh.body?.getReader();
    edge.advance(90_000_000);
    let text = "";
    for (let done = false; !done; ) {
      const read = await reader?.read();
      text += Buffer.from(read?.value ?? "").toString();
      done = read?.done !== false;
    }
    assert.match(text, /the access token has expired/);
  });

  test("is limited for each user, and a stream that was closed makes room", async (t) => {
    const edge = await world(t);
    const clients: Client[] = [];
    for (let count = 0; count < 10; count += 1) clients.push(await Client.open(edge));
    const refused = await Client.open(edge);
    assert.equal(refused.status, 429);
    assert.equal(refused.response.headers.get("retry-after"), "10");
    await untilTrue(() => refused.text !== "");
    assert.match(refused.text, /the limit of 10 open event streams per user is reached/);
    clients[0]?.close();
    await untilTrue(async () => {
      const again = await Client.open(edge);
      again.close();
      return again.status === 200;
    });
    for (const client of clients) client.close();
  });

  test("is not opened for HEAD, which nobody reads", async (t) => {
    const edge = await world(t);
    for (let count = 0; count < 12; count += 1) {
      const { status } = await edge.fetch("/api/v1/events", { method: "HEAD", headers: await edge.bearer() });
      assert.equal(status, 200);
    }
    const client = await Client.open(edge);
    assert.equal(client.status, 200);
    client.close();
  });

  test("ends at once when the server closes, and does not hold it up", async (t) => {
    const edge = await world(t);
    const client = await Client.open(edge);
    await client.has("alive");
    await edge.stop();
    await untilTrue(() => client.isClosed);
    assert.match(client.text, /the server is closing; connect again/);
  });

  test("tells prices that are asked for, at each change and at most a few times a second", async (t) => {
    const edge = await world(t);
    let price = 0;
    edge.engine.on("prices.last", ({ body }) => {
      const { symbols } = z.object({ symbols: z.array(z.string()) }).parse(body);
      price += 1;
      const time = "2026-03-02T10:15:00.000Z";
      const data = symbols.map((symbol) =>
        symbol === "GARAN" ? { symbol, price: 7, time, ageMs: price } : { symbol, price, time, ageMs: 0 },
      );
      return { ok: true, data };
    });
    const client = await Client.open(edge, "?prices=THYAO,GARAN");
    await client.has('event: price\ndata: {"type":"price","symbol":"THYAO","price":3,');
    assert.equal(client.text.split('"symbol":"GARAN"').length, 2, "an unchanged price is told once");
    assert.ok(!/id: .*\nevent: price/.test(client.text));
    client.close();
    await untilTrue(async () => {
      const before = price;
      await new Promise((resolve) => setTimeout(resolve, 600));
      return before === price;
    });
  });

  test("refuses unknown symbols and event types by name", async (t) => {
    const edge = await world(t);
    for (const [query, message] of [
      ["?prices=NOSUCH", /symbol NOSUCH is not known/],
      ["?prices=nosuch", /prices must be symbol codes/],
      ["?types=oco.fired", /types must be event types/],
    ] as const) {
      const refused = await Client.open(edge, query);
      assert.equal(refused.status, 400);
      await untilTrue(() => refused.isClosed);
      assert.match(refused.text, message);
    }
  });
});

describe("GET /api/v1/prices", () => {
  test("asks the engine once for all symbols of the list", async (t) => {
    const edge = await world(t);
    edge.engine.on("lists.get", () => ({
      ok: true,
      data: { id: 5, name: "mine", symbols: ["THYAO", "GARAN"], listType: "CUSTOM" },
    }));
    edge.engine.on("prices.last", ({ body }) => ({ ok: true, data: body }));
    const response = await edge.send("GET", "/api/v1/prices?list=5");
    const { data } = z.object({ data: z.unknown() }).parse(await response.json());
    assert.deepEqual(data, { symbols: ["THYAO", "GARAN"] });
  });
});
