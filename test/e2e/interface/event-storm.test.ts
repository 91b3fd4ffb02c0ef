/**
 * Hundreds of streams that lose their edge in one moment and come back together, and a client that stops reading: the
 * others get every event once and in order.
 */
import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { after, before, test } from "node:test";
import { EventFollower, PublishedEvents } from "../../support/client/event-follower.ts";
import { natsSuite } from "../../support/machine/nats-server.ts";
import { pause, Stack, type StackUser, until } from "../../support/world/stack.ts";

const USERS = 25;
/** The most streams of a user. */
const STREAMS_A_USER = 10;
const STORMS = 3;
const SYMBOL = "THYAO";
/** Longer than a sent order waits for its answer. */
const QUIET_MS = 1_500;
const TAKE_PROFITS = 50;

interface Followed {
  readonly user: StackUser;
  readonly published: PublishedEvents;
  readonly followers: readonly EventFollower[];
}

natsSuite("many streams of events", () => {
  let stack: Stack;
  let all: Followed[];

  before(async () => {
    stack = await Stack.start({ environment: { LOG_LEVEL: "info" } });
    all = [];
    for (let index = 0; index < USERS; index += 1) {
      const user = await stack.userOn(0);
      const followers = Array.from({ length: STREAMS_A_USER }, () => new EventFollower(stack, user.token));
      all.push({ user, published: new PublishedEvents(stack.nats, user.userId), followers });
      for (const follower of followers) void follower.follow();
    }
    await until(
      async () => all.every(({ followers }) => followers.every(({ place }) => place !== "")),
      (areAll) => areAll,
    );
  });
  after(async () => {
    for (const { followers } of all) for (const follower of followers) follower.stop();
    await stack.stop();
  });

  /** Asks the engine itself: the edge may be dead. */
  async function ask(type: string, { userId }: StackUser, body: object): Promise<{ id?: number } | undefined> {
    const envelope = JSON.stringify({ type, userId, requestId: "load", body });
    const reply = await stack.nats.request("engine.0.command", envelope, { timeout: 30_000 });
    return reply.json<{ data?: { id?: number } }>().data;
  }

  function accountOf({ userId }: StackUser): object {
    return { brokerageCode: "PAPER", accountNumber: `PAPER-${userId}`, symbol: SYMBOL };
  }

  /** Every user makes a group, and both of its levels are reached: three events and more. */
  async function fireAll(): Promise<void> {
    const levels = { stopLossPrice: 90, stopLossQuantity: 2, takeProfitItems: [{ price: 110, quantity: 1 }] };
    await stack.tick(SYMBOL, 100);
    // A group whose orders are on their way blocks the next group.
    const create = (user: StackUser) => ask("oco.create", user, { ...accountOf(user), ...levels });
    await Promise.all(
      all.map(({ user }) =>
        until(
          () => create(user),
          (made) => made?.id !== undefined,
        ),
      ),
    );
    for (const price of [111, 89]) await stack.tick(SYMBOL, price);
  }

  async function untilTold(): Promise<void> {
    const count = (): number => all.reduce((sum, { published }) => sum + published.ids.length, 0);
    for (let before = -1; before !== count(); await pause(QUIET_MS)) before = count();
    // The bus and the edge deliver events to this process on separate paths: either may be ahead.
    await until(
      async () =>
        all.every(({ followers, published }) => followers.every(({ ids }) => ids.length >= published.ids.length)),
      (areAll) => areAll,
    );
  }

  function checkAll(): void {
    for (const { followers, published } of all) {
      for (const follower of followers) {
        assert.deepEqual(follower.odd, []);
        assert.deepEqual(follower.ids, published.ids);
      }
    }
  }

  test("that lose their edge while orders fire come back together, and have every event once and in order", async (context) => {
    for (let storm = 0; storm < STORMS; storm += 1) {
      await fireAll();
      await stack.edge?.end("SIGKILL");
      await fireAll();
      const back = stack.startEdge();
      await fireAll();
      await back;
      await fireAll();
      await until(
        async () => all.every(({ followers }) => followers.every(({ connectCount }) => connectCount >= storm + 2)),
        (areBack) => areBack,
      );
    }
    await untilTold();
    const [first] = all;
    context.diagnostic(`${USERS * STREAMS_A_USER} streams, ${first?.published.ids.length} events each`);
    assert.ok((first?.published.ids.length ?? 0) >= 3 * 4 * STORMS, "too few events to prove much");
    checkAll();
  });

  test("are not held up by a client that stops reading, which is cut off", async () => {
    const [first] = all;
    assert.ok(first !== undefined);
    first.followers[0]?.stop();
    await pause(QUIET_MS);
    const stalled = await openStalled(first.user);
    const takeProfitItems = Array.from({ length: TAKE_PROFITS }, (_, index) => ({ price: 110 + index, quantity: 1 }));
    const levels = { stopLossPrice: 80, stopLossQuantity: 100, takeProfitItems };
    await stack.tick(SYMBOL, 100);
    const isCutOff = (): boolean => stack.edge?.output().includes("a slow reader was cut off") === true;
    for (let round = 0; round < 1_000 && !isCutOff(); round += 1) {
      const made = await ask("oco.create", first.user, { ...accountOf(first.user), ...levels });
      if (made?.id !== undefined) await ask("oco.cancel", first.user, { id: made.id, brokerageCode: "PAPER" });
    }
    assert.ok(isCutOff(), "what it did not read was kept for ever");
    stalled.destroy();
    await fireAll();
    const others = first.followers.slice(1);
    all[0] = { ...first, followers: others };
    await untilTold();
    checkAll();
  });

  /** Opens a stream whose client reads that it is open, and nothing more. */
  async function openStalled({ token }: StackUser): Promise<Socket> {
    const { hostname, port, host } = new URL(stack.url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET /api/v1/events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    const head = await new Promise<Buffer>((resolve, reject) => {
      socket.once("error", reject);
      socket.once("data", resolve);
    });
    assert.match(head.toString(), /^HTTP\/1\.1 200 /);
    socket.pause();
    socket.on("error", () => undefined);
    return socket;
  }
});
