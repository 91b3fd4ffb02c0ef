/**
 * A client that follows its events while engine and edge are killed with SIGKILL in turn, under load: with Last-Event-ID
 * it gets every event once and in order.
 *
 * `EVENT_KILLS=50 npm test -- --test-timeout=1500000 test/e2e/interface/event-stream` kills more often.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { NatsConnection } from "nats";
import { natsSuite } from "../../support/nats-server.ts";
import { pause, Stack, type StackUser, until } from "../../support/stack.ts";

const KILLS = Number(process.env.EVENT_KILLS ?? 10);
const SYMBOLS = ["THYAO", "GARAN", "ASELS", "AKBNK"];

/** What one user was told on the bus, each event once: at least once is what the bus promises. */
class Published {
  readonly sequences = new Map<number, string>();

  constructor(nats: NatsConnection, userId: number) {
    nats.subscribe(`events.${userId}.>`, {
      callback: (_error, message) => {
        const event = message.json<{ sequence: number; id: string }>();
        this.sequences.set(event.sequence, event.id);
      },
    });
  }

  get ids(): string[] {
    return [...this.sequences].sort(([left], [right]) => left - right).map(([, id]) => id);
  }
}

/** A client as a browser's EventSource is one: it connects again and says where it was. */
class Follower {
  readonly ids: string[] = [];
  readonly odd: string[] = [];
  place = "";
  connectCount = 0;
  #isStopped = false;
  #abort = new AbortController();
  readonly #stack: Stack;
  readonly #token: string;

  constructor(stack: Stack, token: string) {
    this.#stack = stack;
    this.#token = token;
  }

  async follow(): Promise<void> {
    while (!this.#isStopped) {
      try {
        await this.#connect();
      } catch {
        // Killed, or not up yet.
      }
      await pause(50);
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#abort.abort();
  }

  async #connect(): Promise<void> {
    const headers: Record<string, string> = { Authorization: `Bearer ${this.#token}` };
    if (this.place !== "") headers["Last-Event-ID"] = this.place;
    this.#abort = new AbortController();
    const response = await fetch(`${this.#stack.url}/api/v1/events`, { headers, signal: this.#abort.signal });
    if (response.status !== 200) {
      if (response.status !== 503) this.odd.push(`${response.status} ${await response.text()}`);
      return;
    }
    this.connectCount += 1;
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) this.#take(block);
    }
  }

  #take(block: string): void {
    const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
    const data = field("data");
    const type = field("event");
    if (type === "gap") this.odd.push(block);
    this.place = field("id") ?? this.place;
    if (data !== undefined && type !== "end") this.ids.push((JSON.parse(data) as { id: string }).id);
  }
}

natsSuite("a client that follows its events", () => {
  let stack: Stack;
  let users: readonly StackUser[];
  const followers: Follower[] = [];
  const published: Published[] = [];
  let isLoaded = true;

  before(async () => {
    stack = await Stack.start({ environment: { LOG_LEVEL: "info" } });
    users = [await stack.userOn(0), await stack.userOn(0)];
    for (const { userId, token } of users) {
      published.push(new Published(stack.nats, userId));
      const follower = new Follower(stack, token);
      followers.push(follower);
      void follower.follow();
    }
    await until(
      async () => followers.every(({ place }) => place !== ""),
      (isSo) => isSo,
    );
  });
  after(() => stack.stop());

  /** Groups made, triggered by ticks and cancelled, through the engine itself: the edge may be dead. */
  async function load(user: StackUser, symbol: string): Promise<void> {
    const account = { brokerageCode: "PAPER", accountNumber: `PAPER-${user.userId}` };
    const levels = { stopLossPrice: 90, stopLossQuantity: 2, takeProfitItems: [{ price: 110, quantity: 1 }] };
    for (let round = 0; isLoaded; round += 1) {
      const made = await ask("oco.create", user, { ...account, symbol, ...levels });
      if (round % 2 === 0) for (const price of [100, 111, 100, 89]) await stack.tick(symbol, price);
      const id = (made as { id?: number } | undefined)?.id;
      if (id !== undefined) await ask("oco.cancel", user, { id, brokerageCode: "PAPER" });
      await pause(20);
    }
  }

  async function ask(type: string, { userId }: StackUser, body: object): Promise<unknown> {
    try {
      const envelope = JSON.stringify({ type, userId, requestId: "load", body });
      const reply = await stack.nats.request("engine.0.command", envelope, { timeout: 2_000 });
      return reply.json<{ data?: unknown }>().data;
    } catch {
      return undefined;
    }
  }

  test(`has every event once and in order, through ${KILLS} kills of engine and edge`, async (context) => {
    const loads = users.flatMap((user) => SYMBOLS.map((symbol) => load(user, symbol)));
    for (let kill = 0; kill < KILLS; kill += 1) {
      await pause(150 + 97 * (kill % 4));
      if (kill % 2 === 0) {
        await stack.engine(0).end("SIGKILL");
        await stack.startEngine(0);
      } else {
        await stack.edge?.end("SIGKILL");
        await stack.startEdge();
      }
    }
    isLoaded = false;
    await Promise.all(loads);
    await pause(500);
    for (const [index, follower] of followers.entries()) {
      const told = published[index];
      assert.ok(told !== undefined);
      await until(
        async () => follower.ids.length,
        (count) => count >= told.ids.length,
      );
      context.diagnostic(`${follower.ids.length} events over ${follower.connectCount} connections`);
      assert.ok(follower.ids.length > 4 * KILLS, `only ${follower.ids.length} events: the test proves little`);
      assert.ok(follower.connectCount >= Math.floor(KILLS / 2), "the client was cut off by each kill of the edge");
      assert.deepEqual(follower.odd, []);
      assert.deepEqual(follower.ids, told.ids);
    }
  });

  test("reads all of it again from its first event, over an edge that has never seen the client", async () => {
    for (const follower of followers) follower.stop();
    const [first = ""] = published[0]?.ids ?? [];
    const again = new Follower(stack, users[0]?.token ?? "");
    again.place = first;
    const following = again.follow();
    const expected = published[0]?.ids.slice(1) ?? [];
    await until(
      async () => again.ids.length,
      (count) => count >= expected.length,
    );
    again.stop();
    await following;
    assert.deepEqual(again.ids, expected);
  });
});
