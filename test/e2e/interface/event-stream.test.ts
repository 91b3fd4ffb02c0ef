/**
 * A client that follows its events while engine and edge are killed with SIGKILL in turn, under load: with Last-Event-ID
 * it gets every event once and in order.
 *
 * `EVENT_KILLS=50 npm test -- --test-timeout=1500000 test/e2e/interface/event-stream` kills more often.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { EventFollower, PublishedEvents } from "../../support/client/event-follower.ts";
import { natsSuite } from "../../support/machine/nats-server.ts";
import { pause, Stack, type StackUser, until } from "../../support/world/stack.ts";

const KILLS = Number(process.env.EVENT_KILLS ?? 10);
const SYMBOLS = ["THYAO", "GARAN", "ASELS", "AKBNK"];
/** Longer than a sent order waits for its answer. */
const QUIET_MS = 1_500;

natsSuite("a client that follows its events", () => {
  let stack: Stack;
  let users: readonly StackUser[];
  const followers: EventFollower[] = [];
  const published: PublishedEvents[] = [];
  let isLoaded = true;

  before(async () => {
    stack = await Stack.start({ environment: { LOG_LEVEL: "info" } });
    users = [await stack.userOn(0), await stack.userOn(0)];
    for (const { userId, token } of users) {
      published.push(new PublishedEvents(stack.nats, userId));
      const follower = new EventFollower(stack, token);
      followers.push(follower);
      void follower.follow();
    }
    await until(
      async () => followers.every(({ place }) => place !== ""),
      (isSo) => isSo,
    );
  });
  after(() => stack.stop());

  /** Creates, triggers and cancels groups through the engine itself: the edge may be dead. */
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

  /** Waits until no event has arrived for a while: orders may be answered after the last request. */
  async function untilQuiet(told: readonly PublishedEvents[]): Promise<void> {
    let before = -1;
    await until(
      async () => {
        const now = told.reduce((sum, { ids }) => sum + ids.length, 0);
        const isQuiet = now === before;
        before = now;
        if (!isQuiet) await pause(QUIET_MS);
        return isQuiet;
      },
      (isQuiet) => isQuiet,
    );
  }

  test(`has every event once and in order, through ${KILLS} kills of engine and edge`, async (context) => {
    const loads = users.flatMap((user) => SYMBOLS.map((symbol) => load(user, symbol)));
    for (let kill = 0; kill < KILLS; kill += 1) {
      await pause(150 + 97 * (kill % 4));
      if (kill % 2 === 0) {
        await stack.engine(0).end("SIGKILL");
        await stack.startEngine(0);
      } else {
        const before = followers.map(({ connectCount }) => connectCount);
        await stack.edge?.end("SIGKILL");
        await stack.startEdge();
        // Each kill must cut off all followers.
        await until(
          async () => followers.every(({ connectCount }, index) => connectCount > (before[index] ?? 0)),
          (areBack) => areBack,
        );
      }
    }
    isLoaded = false;
    await Promise.all(loads);
    await untilQuiet(published);
    for (const [index, follower] of followers.entries()) {
      const told = published[index];
      assert.ok(told !== undefined);
      // The bus and the edge deliver events to this process on separate paths: either may be ahead.
      await until(
        async () => follower.ids.length,
        (count) => count > 4 * KILLS && count === told.ids.length,
      );
      context.diagnostic(`${follower.ids.length} events over ${follower.connectCount} connections`);
      assert.ok(follower.ids.length > 4 * KILLS, `only ${follower.ids.length} events: the test proves little`);
      // Half of the kills are of the edge.
      assert.ok(follower.connectCount > KILLS / 2, "kills of the edge cut the client off");
      assert.deepEqual(follower.odd, []);
      assert.deepEqual(follower.ids, told.ids);
    }
  });

  test("reads all of it again from its first event, over an edge that has never seen the client", async () => {
    for (const follower of followers) follower.stop();
    const [first = ""] = published[0]?.ids ?? [];
    const again = new EventFollower(stack, users[0]?.token ?? "");
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
