/** Operators' views of a partition, and their releases. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS, QUERIES } from "../../../../src/contract/command.ts";
import {
  OPERATOR_COMMANDS,
  OPERATOR_QUERIES,
  partitionStatsSchema,
} from "../../../../src/contract/operator/operator.ts";
import { livePrice } from "../../../../src/domain/price/price.ts";
import {
  ACCOUNT,
  brokerageOf,
  FakeBrokerage,
  type Life,
  no,
  orderBody,
  type Page,
  refusalOf,
  startLife,
} from "../harness.ts";

const release = (life: Life, id: string, decision: object | null = null, key?: string) =>
  life.command(OPERATOR_COMMANDS.release, { id, decision }, key === undefined ? {} : { key });
const list = async (life: Life, type: string, from: string | null = null): Promise<Page> =>
  (await life.query(type, { from }, { userId: null })) as Page;

/** A life with an order whose fate cannot be looked up. */
async function withStuckOrder() {
  const brokerage = new FakeBrokerage("PAPER", { resend: "none", timeoutMs: 100 });
  brokerage.answers.set("place", () => no("UNKNOWN", "no answer in time"));
  const life = await startLife(brokerage);
  const placed = life.begin(COMMANDS.placeOrder, orderBody());
  await life.time.advance(1_000);
  const [order] = (await list(life, OPERATOR_QUERIES.listQuarantine)).rows;
  assert.ok(order !== undefined, "the order is in quarantine");
  return { life, brokerage, placed, order };
}

describe("an order in quarantine", () => {
  test("is listed in outbox and quarantine with its reason, under an id that names it", async () => {
    const { life, order } = await withStuckOrder();
    assert.match(String(order.id), /^order-0-\d+$/);
    assert.deepEqual([order.type, order.state, order.reason], ["order", "quarantined", "no answer in time"]);
    assert.deepEqual((await list(life, OPERATOR_QUERIES.listOutbox)).rows, [order]);
  });

  for (const [decision, settled] of [
    [
      { action: "placed", orderNo: "N-9" },
      { ok: true, orderNo: "N-9" },
    ],
    [
      { action: "refused", message: "never arrived" },
      { ok: false, message: /never arrived/ },
    ],
  ] as const) {
    test(`released as ${decision.action} it settles the request that placed it`, async () => {
      const { life, placed, order } = await withStuckOrder();
      const released = await release(life, String(order.id), decision);
      assert.equal(released?.ok, true);
      const reply = placed();
      if (settled.ok) assert.equal(reply?.ok && (reply.data as { orderNo: string }).orderNo, settled.orderNo);
      else assert.match(refusalOf(reply, "INVALID"), settled.message);
      assert.deepEqual((await list(life, OPERATOR_QUERIES.listOutbox)).rows, []);
    });
  }

  test("released to be sent again it is sent again", async () => {
    const { life, brokerage, placed, order } = await withStuckOrder();
    brokerage.answers.delete("place");
    await release(life, String(order.id), { action: "resend" });
    await life.time.advance(1_000);
    assert.equal(brokerage.callsOf("place").length, 2);
    assert.equal(placed()?.ok, true);
  });

  test("under a key the first answer is given again, also after a crash", async () => {
    const { life, order } = await withStuckOrder();
    const decision = { action: "placed", orderNo: "N-9" };
    const first = await release(life, String(order.id), decision, "key");
    await life.crashAndStart();
    assert.deepEqual(await release(life, String(order.id), decision, "key"), first);
    assert.match(refusalOf(await release(life, String(order.id), decision), "NOT_FOUND"), /no order/);
  });

  test("needs a decision that fits it", async () => {
    const { life, order } = await withStuckOrder();
    const tooLong = { action: "refused", message: "x".repeat(501) };
    for (const decision of [
      null,
      { action: "retry" },
      { action: "placed", orderNo: "" },
      tooLong,
      { action: "forget" },
    ]) {
      refusalOf(await release(life, String(order.id), decision), "INVALID");
    }
    for (const id of ["order-1-0", "order-0-999", "order-0", "actor-0-x", ""]) {
      refusalOf(await release(life, id, { action: "resend" }), "NOT_FOUND");
    }
  });
});

describe("an order in doubt (behaviour 13.6)", () => {
  /** A life whose stop-loss of ten lots was taken, and whose brokerage does not know its outcome any more. */
  async function withDoubt() {
    const life = await startLife();
    const brokerage = brokerageOf(life);
    brokerage.answers.set("findOrder", () => no("UNKNOWN", "cannot tell"));
    const owner = { brokerageCode: "PAPER", accountNumber: ACCOUNT.accountNumber };
    const levels = { stopLossPrice: 90, stopLossQuantity: 10, takeProfitItems: [{ price: 110, quantity: 4 }] };
    const created = await life.command(COMMANDS.createGroup, {
      ...owner,
      symbol: "THYAO",
      ...levels,
      exit: { stopLoss: "once" },
    });
    assert.ok(created?.ok);
    const { groupId } = created.data as { groupId: number };
    const price = livePrice(89);
    assert.ok(price !== undefined);
    life.partition.onTick({ symbol: "THYAO", price, timeMs: life.time.nowMs(), isCaughtUp: false });
    await life.time.advance(60_000);
    const doubts = async (): Promise<Page["rows"]> => {
      const first = await list(life, OPERATOR_QUERIES.listQuarantine);
      return first.next === null ? [] : (await list(life, OPERATOR_QUERIES.listQuarantine, first.next)).rows;
    };
    const stopLoss = async () => {
      const page = (await life.query(QUERIES.listGroups, owner)) as Page;
      return page.rows.map(({ status, triggerErrorMessage }) => [status, triggerErrorMessage]);
    };
    return { life, groupId, id: `doubt-0-${groupId}`, doubts, stopLoss };
  }

  test("is listed, also after a crash, with what is known of it", async () => {
    const { life, groupId, id, doubts } = await withDoubt();
    await life.crashAndStart();
    await life.time.advance(5_000);
    const [{ since: _, clientOrderId, ...order } = {}, ...others] = await doubts();
    assert.deepEqual(others, []);
    assert.match(String(clientOrderId), /-r\d+$/);
    assert.deepEqual(order, {
      ...{ id, type: "doubt", partition: 0, actorId: groupId, orderNo: "N1", userId: 7 },
      ...{ brokerageCode: "PAPER", accountNumber: ACCOUNT.accountNumber, symbol: "THYAO", buySell: 2 },
      ...{ quantity: 10, filledQuantity: 0 },
      reason:
        "order N1 is in doubt, 0 of 10 known as filled: the brokerage cannot report the outcome; an operator decides",
    });
  });

  test("is listed for its owner, with what is wrong with it, and for nobody else", async () => {
    const { life, groupId } = await withDoubt();
    const owner = { brokerageCode: "PAPER", accountNumber: ACCOUNT.accountNumber };
    const { rows } = (await life.query(QUERIES.listOrders, owner)) as Page;
    assert.deepEqual(
      rows.map(({ orderNo, quantity, state, message, owner: whose }) => [orderNo, quantity, state, message, whose]),
      [
        [
          "N1",
          10,
          "inDoubt",
          "order N1 is in doubt, 0 of 10 known as filled: the brokerage cannot report the outcome; an operator decides",
          { type: "group", id: groupId },
        ],
      ],
    );
    const foreign = await life.query(QUERIES.listOrders, owner, { userId: 8 });
    assert.deepEqual((foreign as Page).rows ?? [], []);
  });

  test("of a group in quarantine cannot be settled before the group is released", async () => {
    const { life, groupId, id, doubts } = await withDoubt();
    life.partition.inbox.enqueue(() => life.partition.host.quarantine.admit(groupId, "a fault"));
    await life.time.advance(1_000);
    const reply = await release(life, id, { action: "filled", orderNo: "N1", quantity: 10, price: 89.5 });
    assert.match(refusalOf(reply, "CONFLICT"), /is in quarantine: release it first/);
    assert.ok((await doubts()).length >= 1);
  });

  test("of a bot is listed as its own, and settled it is what the pair holds", async () => {
    const life = await startLife();
    brokerageOf(life).answers.set("findOrder", () => no("UNKNOWN", "cannot tell"));
    const owner = { brokerageCode: "PAPER", accountNumber: ACCOUNT.accountNumber };
    const detail = { symbol: "THYAO", buyGap: 1, quantity: 5 };
    const bot = { ...owner, name: "Levels", isActive: true, levelBotDetails: [detail] };
    const created = await life.command(COMMANDS.createLevelBot, bot);
    assert.ok(created?.ok);
    const { id: botId } = created.data as { id: number };
    for (const value of [100, 99]) {
      const price = livePrice(value);
      assert.ok(price !== undefined);
      life.partition.onTick({ symbol: "THYAO", price, timeMs: life.time.nowMs(), isCaughtUp: false });
      await life.time.advance(5_000);
    }
    await life.time.advance(60_000);
    await life.crashAndStart();
    const { rows } = (await life.query(QUERIES.listOrders, owner)) as Page;
    assert.deepEqual(
      rows.map(({ buySell, state, owner: whose }) => [buySell, state, whose]),
      [[1, "inDoubt", { type: "bot", id: botId }]],
    );
    const decision = { action: "filled", orderNo: String(rows[0]?.orderNo), quantity: 5, price: 99 } as const;
    assert.equal((await release(life, `doubt-0-${botId}`, decision))?.ok, true);
    const pairs = (await life.query(QUERIES.listLevelPairs, { ...owner, id: botId })) as Page;
    assert.deepEqual(
      pairs.rows.map(({ buyStatus, buyPrice }) => [buyStatus, buyPrice]),
      [[2, 99]],
    );
    const [told] = life.log.filter(({ fields }) => Reflect.get(fields, "type") === "order.settled");
    assert.ok(told !== undefined, "its owner hears of it");
  });

  test("filled whole, its row is sold and says nothing more", async () => {
    const { life, id, doubts, stopLoss } = await withDoubt();
    const settled = await release(life, id, { action: "filled", orderNo: "N1", quantity: 10, price: 89.5 });
    assert.equal(settled?.ok, true);
    assert.deepEqual(
      [await doubts(), await stopLoss()],
      [
        [],
        [
          [2, null],
          [4, null],
        ],
      ],
    );
    const told = life.log.filter(({ fields }) => Reflect.get(fields, "type") === "order.settled");
    assert.equal(told.length, 1, "its owner hears of it");
  });

  test("not filled, its row failed and the take-profit is watched again, once that is durable", async () => {
    const { life, id, doubts, stopLoss } = await withDoubt();
    assert.equal((await release(life, id, { action: "notFilled", orderNo: "N1" }))?.ok, true);
    await life.crashAndStart();
    assert.deepEqual(
      [await doubts(), await stopLoss()],
      [
        [],
        [
          [3, "settled by an operator"],
          [1, null],
        ],
      ],
    );
  });

  test("takes no decision that does not fit it, and changes nothing then", async () => {
    const { life, id, doubts } = await withDoubt();
    const filled = { action: "filled", orderNo: "N1", quantity: 11, price: 90 };
    assert.match(refusalOf(await release(life, id, filled), "INVALID"), /^quantity must be at most 10: /);
    for (const decision of [null, { action: "retry" }, { ...filled, quantity: 0 }, { ...filled, price: 0 }]) {
      refusalOf(await release(life, id, decision), "INVALID");
    }
    refusalOf(await release(life, id, { action: "notFilled", orderNo: "N2" }), "NOT_FOUND");
    refusalOf(await release(life, "doubt-0-999", { action: "notFilled", orderNo: "N1" }), "NOT_FOUND");
    assert.equal((await doubts()).length, 1);
  });
});

describe("an actor in quarantine", () => {
  const group = {
    symbol: "THYAO",
    stopLossPrice: 90,
    stopLossQuantity: 10,
    takeProfitItems: [{ price: 110, quantity: 4 }],
  };
  const owner = { brokerageCode: "PAPER", accountNumber: ACCOUNT.accountNumber };

  /** A life with a group that was quarantined. */
  async function withStoppedGroup() {
    const life = await startLife();
    const created = await life.command(COMMANDS.createGroup, { ...owner, ...group });
    assert.ok(created?.ok);
    const { groupId } = created.data as { groupId: number };
    const { host, watchbook } = life.partition;
    // as the host takes what it quarantines out of the watch.
    watchbook.disarm(groupId, { watch: 0, symbol: "THYAO", side: "below", level: 9_000 });
    watchbook.disarm(groupId, { watch: 1, symbol: "THYAO", side: "above", level: 11_000 });
    const quarantine = (): Promise<void> => life.partition.decide(() => host.quarantine.admit(groupId, "a fault"));
    void quarantine();
    await life.time.advance(100);
    return { life, groupId, id: `actor-0-${groupId}` };
  }

  test("is listed after the orders, with its reason and how much it missed", async () => {
    const { life, groupId, id } = await withStoppedGroup();
    void life.partition.decide(() => life.partition.host.deliver("group", groupId, { type: "cancel", timeMs: 1 }));
    await life.time.advance(100);
    const first = await list(life, OPERATOR_QUERIES.listQuarantine);
    assert.deepEqual(first.rows, []);
    assert.ok(first.next !== null, "actors are a page of their own");
    const second = await list(life, OPERATOR_QUERIES.listQuarantine, first.next);
    assert.equal(second.next, null);
    const [{ since: _, ...actor } = {}] = second.rows;
    assert.deepEqual(actor, {
      id,
      type: "actor",
      partition: 0,
      actorId: groupId,
      reason: "a fault",
      heldEventCount: 1,
    });
  });

  test("tries again when it is released, and takes no other decision", async () => {
    const { life, id } = await withStoppedGroup();
    assert.match(refusalOf(await release(life, id, { action: "resend" }), "INVALID"), /must be retry/);
    const released = await release(life, id);
    assert.equal(released?.ok, true);
    assert.deepEqual(life.partition.host.quarantine.ids(), []);
    refusalOf(await release(life, id, { action: "retry" }), "NOT_FOUND");
  });

  test("that fails once more stays, and says why", async () => {
    const { life, groupId, id } = await withStoppedGroup();
    const { host, journal } = life.partition;
    void life.partition.decide(() => journal.put(`a/${String(groupId).padStart(16, "0")}`, "no snapshot"));
    await life.time.advance(100);
    assert.match(refusalOf(await release(life, id), "CONFLICT"), /^the actor failed again: /);
    assert.deepEqual(host.quarantine.ids(), [groupId]);
  });
});

test("a partition's figures are what the contract says, and count what is there", async () => {
  const { life } = await withStuckOrder();
  const reply = await life.query(OPERATOR_QUERIES.readStats, {}, { userId: null });
  assert.ok("ok" in reply && reply.ok);
  const stats = partitionStatsSchema.parse(reply.data);
  assert.deepEqual([stats.partition, stats.outbox.byState.quarantined, stats.outbox.sendCount], [0, 1, 1]);
  assert.equal(stats.feed, undefined);
});

test("pages of the outbox miss no order", async () => {
  const brokerage = new FakeBrokerage("PAPER", { resend: "none" });
  brokerage.isMute = true;
  const life = await startLife(brokerage);
  const items = Array.from({ length: 100 }, () => ({
    symbol: "THYAO",
    quantity: 1,
    buySell: 1,
    orderType: 1,
    price: 0,
  }));
  for (let batch = 0; batch < 6; batch += 1) life.begin(COMMANDS.placeBatch, { ...owner(), items });
  await life.time.advance(200);
  const seen: unknown[] = [];
  let pageCount = 0;
  for (let from: string | null = null; ; pageCount += 1) {
    const page = await list(life, OPERATOR_QUERIES.listOutbox, from);
    seen.push(...page.rows.map(({ id }) => id));
    if (page.next === null) break;
    from = page.next;
  }
  assert.equal(new Set(seen).size, 600);
  assert.equal(seen.length, 600);
  assert.ok(pageCount >= 2);
});

function owner() {
  return { brokerageCode: "PAPER", accountNumber: ACCOUNT.accountNumber };
}
