// tier: real
/**
 * Engine and edge as processes of their own on a real nats-server, ticks from a NATS client that is not ours.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { natsSuite } from "../support/machine/nats-server.ts";
import { pause, Stack, type StackUser, until } from "../support/world/stack.ts";

interface Row {
  readonly id: number;
  readonly groupId: number;
  readonly status: number;
  readonly orderType: number;
  readonly triggeredPrice: number | null;
  readonly triggeredDate: string | null;
}

async function createGroup(stack: Stack, user: StackUser, symbol: string, more: object = {}): Promise<number> {
  const answer = await stack.http("POST", "/api/v1/oco-orders", {
    token: user.token,
    json: {
      brokerageCode: "PAPER",
      accountNumber: `PAPER-${user.userId}`,
      symbol,
      stopLossPrice: 90,
      stopLossQuantity: 10,
      takeProfitItems: [
        { price: 110, quantity: 4 },
        { price: 120, quantity: 6 },
      ],
      ...more,
    },
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return (answer.body.data as Row).groupId;
}

async function rowsOf(stack: Stack, user: StackUser, groupId: number): Promise<Row[]> {
  const path = `/api/v1/oco-orders?brokerageCode=PAPER&accountNumber=PAPER-${user.userId}`;
  const answer = await stack.http("GET", path, { token: user.token });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return (answer.body.data as Row[]).filter((row) => row.groupId === groupId);
}

const statuses = (rows: readonly Row[]): number[] => rows.map((row) => row.status);

/** How many sells of a symbol the brokerage has. */
async function sellsOf(stack: Stack, user: StackUser, symbol: string): Promise<number> {
  const answer = await stack.http("POST", "/api/v1/accounts/daily-orders", {
    token: user.token,
    json: { brokerageCode: "PAPER", accountNumber: `PAPER-${user.userId}` },
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const orders = answer.body.data as { symbol: string; buySell: number }[];
  return orders.filter((order) => order.symbol === symbol && order.buySell === 2).length;
}

natsSuite("engines and edge as processes of their own", () => {
  let stack: Stack;
  before(async () => {
    stack = await Stack.start({ partitions: 2 });
  });
  after(() => stack.stop());

  test("a take-profit reached by a stranger's tick is sold once, the other rows stay under watch", async () => {
    const user = await stack.demoUser();
    const groupId = await createGroup(stack, user, "THYAO");
    await stack.tick("THYAO", 109.99);
    await stack.tick("THYAO", 110.5);
    const rows = await until(
      () => rowsOf(stack, user, groupId),
      (found) => found[1]?.status === 2,
    );
    assert.deepEqual(statuses(rows), [1, 2, 1]);
    assert.equal(rows[1]?.triggeredPrice, 110.5);
    assert.match(rows[1]?.triggeredDate ?? "", /^\d{4}-\d\d-\d\dT.*Z$/);
    await stack.tick("THYAO", 89);
    const stopped = await until(
      () => rowsOf(stack, user, groupId),
      (found) => found[0]?.status === 2,
    );
    assert.deepEqual(statuses(stopped), [2, 2, 4]);
    await pause(1_100);
    assert.equal(await sellsOf(stack, user, "THYAO"), 2);
  });

  test("two engines with a partition each serve users of both behind one edge", async () => {
    for (const partition of [0, 1]) {
      const user = await stack.userOn(partition);
      const groupId = await createGroup(stack, user, "GARAN");
      await stack.tick("GARAN", 130);
      const rows = await until(
        () => rowsOf(stack, user, groupId),
        (found) => found[2]?.status === 2,
      );
      assert.deepEqual(statuses(rows), [1, 2, 2], `partition ${partition}`);
    }
  });

  test("while one engine is away its users are told so, and the others are served", async () => {
    const [here, away] = [await stack.userOn(0), await stack.userOn(1)];
    await stack.engine(1).end("SIGTERM");
    const path = (user: StackUser): string =>
      `/api/v1/oco-orders?brokerageCode=PAPER&accountNumber=PAPER-${user.userId}`;
    assert.equal((await stack.http("GET", path(here), { token: here.token })).status, 200);
    assert.equal((await stack.http("GET", path(away), { token: away.token })).status, 503);
    await stack.startEngine(1);
    assert.equal((await stack.http("GET", path(away), { token: away.token })).status, 200);
  });

  test("a dip under the stop-loss and back while the engine is restarted fires it, once", async () => {
    const user = await stack.demoUser();
    await stack.tick("ASELS", 100);
    const groupId = await createGroup(stack, user, "ASELS");
    await pause(300);
    await stack.engine(0).end("SIGKILL");
    await stack.tick("ASELS", 85);
    await stack.tick("ASELS", 100);
    await stack.startEngine(0);
    const rows = await until(
      () => rowsOf(stack, user, groupId),
      (found) => found[0]?.status === 2,
    );
    assert.deepEqual(statuses(rows), [2, 4, 4]);
    assert.equal(rows[0]?.triggeredPrice, 85);
    await stack.engine(0).end("SIGKILL");
    await stack.startEngine(0);
    await pause(1_100);
    assert.equal(await sellsOf(stack, user, "ASELS"), 1);
  });

  test("what was placed and cancelled is still so after a kill", async () => {
    const user = await stack.demoUser();
    const kept = await createGroup(stack, user, "AKBNK", { notes: "kept", dueDate: "2099-01-01T00:00:00Z" });
    const cancelled = await createGroup(stack, user, "EREGL");
    const path = `/api/v1/oco-orders/${cancelled}?brokerageCode=PAPER`;
    assert.equal((await stack.http("DELETE", path, { token: user.token })).status, 200);
    await stack.engine(0).end("SIGKILL");
    await stack.startEngine(0);
    assert.deepEqual(statuses(await rowsOf(stack, user, kept)), [1, 1, 1]);
    assert.deepEqual(statuses(await rowsOf(stack, user, cancelled)), [4, 4, 4]);
  });
});
