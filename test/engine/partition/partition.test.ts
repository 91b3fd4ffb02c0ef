import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ActorKind } from "../../../engine/actor/kind.ts";
import { kindNamed } from "../../../engine/partition/kinds.ts";
import { COMMANDS, QUERIES } from "../../../src/contract/command.ts";
import type { PlaceRequest } from "../../../src/contract/trading/order.ts";
import type { ReceiptView } from "../../../src/contract/trading/receipt.ts";
import { livePrice } from "../../../src/domain/price/price.ts";
import { ACCOUNT, startWorld, USER } from "../../support/world/trading-world.ts";
import { brokerageOf, type Life, no, orderBody, refusalOf, startLife } from "../command/harness.ts";

const PAPER = { startingCash: 1_000, startingPositions: { THYAO: 100 }, requiresLogin: false, fillShareMax: 1 };
const ACCOUNT_NUMBER = (orderBody() as { accountNumber: string }).accountNumber;

async function openGroup(life: Life, symbol = "THYAO", change: object = {}): Promise<number> {
  const body = {
    brokerageCode: "PAPER",
    accountNumber: ACCOUNT_NUMBER,
    symbol,
    stopLossPrice: 90,
    stopLossQuantity: 10,
    takeProfitItems: [{ price: 110, quantity: 10 }],
    ...change,
  };
  const reply = await life.command(COMMANDS.createGroup, body);
  assert.ok(reply?.ok, JSON.stringify(reply));
  return (reply.data as { groupId: number }).groupId;
}

function reach(life: Life, symbol: string, value: number): void {
  const price = livePrice(value);
  assert.ok(price !== undefined);
  life.partition.onTick({ symbol, price, timeMs: life.time.nowMs(), isCaughtUp: false });
}

async function tick(life: Life, symbol: string, value: number): Promise<void> {
  reach(life, symbol, value);
  await life.time.advance(100);
}

async function statuses(life: Life): Promise<unknown[]> {
  const page = await life.query(QUERIES.listGroups, { brokerageCode: "PAPER", accountNumber: ACCOUNT_NUMBER });
  assert.ok("rows" in page, JSON.stringify(page));
  return page.rows.map((row) => row.status);
}

describe("partition", () => {
  test("a tick that cannot be handled is fatal, and hands its levels to no later tick", async () => {
    const life = await startLife();
    await openGroup(life);
    const { host } = life.partition;
    const deliver = host.deliverReached.bind(host);
    host.deliverReached = () => {
      throw new Error("the store cannot be read");
    };
    await assert.rejects(tick(life, "THYAO", 89), /could not be handled/);
    host.deliverReached = deliver;
    await openGroup(life, "GARAN");
    await tick(life, "GARAN", 19);
    assert.deepEqual(await statuses(life), [1, 1, 2, 4], "only the group of the later tick fired");
    await life.crashAndStart();
    await tick(life, "THYAO", 89);
    assert.deepEqual((await statuses(life)).slice(0, 2), [2, 4], "the restart armed the level again");
  });

  test("one that was dropped sends nothing any more, and the next goes on from what is stored", async () => {
    const life = await startLife();
    await openGroup(life);
    life.partition.drop();
    await tick(life, "THYAO", 89);
    assert.equal(life.partition.outbox.stats().sendCount, 0);
    assert.equal(
      life.partition.inbox.enqueue(() => undefined),
      false,
      "it takes no work",
    );
    await life.crashAndStart();
    assert.deepEqual(await statuses(life), [1, 1], "what was not durable never was");
    await tick(life, "THYAO", 89);
    assert.deepEqual(await statuses(life), [2, 4], "the next sells");
  });

  test("its orders and cancellations carry the epoch of its leader", async () => {
    const life = await startLife();
    await openGroup(life);
    life.epoch = 7;
    await life.crashAndStart();
    await tick(life, "THYAO", 89);
    const cancelled = { brokerageCode: "PAPER", accountNumber: ACCOUNT_NUMBER, orderNo: "N1", symbol: "THYAO" };
    await life.command(COMMANDS.cancelOrder, cancelled);
    const requests = ["place", "cancel"].flatMap((operation) => brokerageOf(life).callsOf(operation));
    assert.deepEqual(
      requests.map((request) => (request as PlaceRequest).fence),
      [
        { partition: 0, epoch: 7, attempt: 1 },
        { partition: 0, epoch: 7, attempt: 0 },
      ],
    );
  });

  test("a group that cannot be read harms nobody who asks for an id behind it", async () => {
    const life = await startLife();
    const groupId = await openGroup(life);
    await life.time.advance(1_000);
    life.partition.journal.put(`a/${String(groupId).padStart(16, "0")}`, '{"kind":"group","state":"watching"}');
    await life.time.advance(100);
    await life.crashAndStart();
    assert.deepEqual(life.partition.host.quarantine.ids(), [groupId]);
    const body = { id: groupId + 1, brokerageCode: "PAPER" };
    refusalOf(await life.command(COMMANDS.cancelGroup, body, { userId: 99 }), "NOT_FOUND");
    assert.equal((await life.command(COMMANDS.placeOrder, orderBody()))?.ok, true, "others are served");
  });

  test("a group that is quarantined is not told cancelled, and its release checks the last price", async () => {
    const world = await startWorld({ paper: PAPER });
    await world.tick("THYAO", 100);
    const body = {
      brokerageCode: "PAPER",
      accountNumber: ACCOUNT,
      symbol: "THYAO",
      stopLossPrice: 90,
      stopLossQuantity: 10,
      takeProfitItems: [{ price: 110, quantity: 10 }],
    };
    const { groupId } = (await world.done(COMMANDS.createGroup, body)) as { groupId: number };
    const { host, watchbook, inbox } = world.partition;
    inbox.enqueue(() => {
      watchbook.disarm(groupId, { watch: 0, symbol: "THYAO", side: "below", level: 9_000 });
      watchbook.disarm(groupId, { watch: 1, symbol: "THYAO", side: "above", level: 11_000 });
      host.quarantine.admit(groupId, "a fault of ours");
    });
    await world.time.turns();
    const cancel = world.partition.handleCommand({
      type: COMMANDS.cancelGroup,
      userId: USER,
      requestId: "cancel",
      body: { id: groupId, brokerageCode: "PAPER" },
    });
    await world.tick("THYAO", 85);
    refusalOf(await cancel, "UNAVAILABLE");
    const shown = async (): Promise<unknown[]> => {
      const rows = await world.query(QUERIES.listGroups, { brokerageCode: "PAPER", accountNumber: ACCOUNT });
      return (rows as { status: number }[]).map((row) => row.status);
    };
    assert.deepEqual(await shown(), [1, 1]);
    inbox.enqueue(() => void host.release(groupId));
    await world.time.advance(5_000);
    assert.deepEqual(await shown(), [2, 4]);
  });

  test("the fill in the answer to a sell reaches its receipt while its group is in quarantine", async () => {
    const world = await startWorld({ paper: PAPER });
    await world.tick("THYAO", 100);
    const levels = { stopLossPrice: 90, stopLossQuantity: 10, takeProfitItems: [{ price: 110, quantity: 10 }] };
    const body = { brokerageCode: "PAPER", accountNumber: ACCOUNT, symbol: "THYAO", ...levels };
    const { groupId } = (await world.done(COMMANDS.createGroup, body)) as { groupId: number };
    const { host, inbox } = world.partition;
    await world.time.advance(1);
    world.give("THYAO", 85);
    inbox.enqueue(() => host.quarantine.admit(groupId, "a fault of ours"));
    await world.time.advance(1_000);
    assert.deepEqual(world.sent.length, 1);
    assert.deepEqual(
      host.quarantine.find(groupId)?.held.map(({ type }) => type),
      ["orderPlaced"],
    );
    const group = host.find("group", groupId)?.context;
    const rowId = group?.rows[0]?.id ?? 0;
    const receipt = (await world.query(QUERIES.readReceipt, { id: rowId })) as ReceiptView;
    assert.deepEqual(
      receipt.orders.map(({ filledQuantity }) => filledQuantity),
      [10],
    );
    inbox.enqueue(() => void host.release(groupId));
    await world.time.advance(20_000);
    assert.equal(world.sent.length, 1, "nothing is sold again");
    assert.equal(host.find("group", groupId)?.context.rows[0]?.status ?? 0, 2);
  });

  test("a deadline passes no earlier than the ticks before it that are read back", async () => {
    const life = await startLife();
    const dueDate = new Date(life.time.nowMs() + 4_000).toISOString();
    await openGroup(life, "THYAO", { dueDate });
    await openGroup(life, "GARAN", { dueDate });
    const dipMs = life.time.nowMs() + 2_000;
    life.isCatchingUp = true;
    await life.time.advance(10_000);
    assert.deepEqual(await statuses(life), [1, 1, 1, 1], "nobody knows yet what the price was");
    const price = livePrice(89);
    assert.ok(price !== undefined);
    life.partition.onTick({ symbol: "THYAO", price, timeMs: dipMs, isCaughtUp: true });
    life.partition.onTick({ symbol: "GARAN", price, timeMs: dipMs + 3_000, isCaughtUp: true });
    life.isCatchingUp = false;
    life.partition.onCaughtUp();
    await life.time.advance(1_000);
    assert.deepEqual(await statuses(life), [2, 4, 4, 4]);
  });

  /** A group came due while missed ticks are read back, among them a dip from before that. */
  const dueBehindDip = async (life: Life) => {
    const dueDate = new Date(life.time.nowMs() + 4_000).toISOString();
    await openGroup(life, "THYAO", { dueDate });
    const dipMs = life.time.nowMs() + 2_000;
    life.isCatchingUp = true;
    await life.time.advance(10_000);
    const place = { brokerageCode: "PAPER", accountNumber: ACCOUNT_NUMBER, symbol: "THYAO" };
    const levels = { stopLossPrice: 80, stopLossQuantity: 10, takeProfitItems: [{ price: 110, quantity: 10 }] };
    return {
      createAgain: () => life.command(COMMANDS.createGroup, { ...place, ...levels }, { key: "again" }),
      giveDip: async (): Promise<void> => {
        const price = livePrice(89);
        assert.ok(price !== undefined);
        life.partition.onTick({ symbol: "THYAO", price, timeMs: dipMs, isCaughtUp: true });
        life.isCatchingUp = false;
        life.partition.onCaughtUp();
        await life.time.advance(1_000);
      },
    };
  };

  test("a new group in the place of one that is due waits for the ticks that are read back", async () => {
    const life = await startLife();
    const { createAgain, giveDip } = await dueBehindDip(life);
    assert.match(refusalOf(await createAgain(), "UNAVAILABLE"), /prices of THYAO that were missed are being read back/);
    await giveDip();
    assert.deepEqual(await statuses(life), [2, 4], "the dip came before the due date");
    assert.equal((await createAgain())?.ok, true);
    assert.deepEqual(await statuses(life), [2, 4, 1, 1]);
  });

  test("a new group waits for them also where it was asked for before they were given, and they wait behind it", async () => {
    const life = await startLife();
    const { createAgain, giveDip } = await dueBehindDip(life);
    const asked = createAgain();
    while (life.partition.inbox.isIdle) await Promise.resolve();
    await giveDip();
    assert.match(refusalOf(await asked, "UNAVAILABLE"), /prices of THYAO that were missed are being read back/);
    assert.deepEqual(await statuses(life), [2, 4], "the dip came before the due date");
  });

  test("a group that is quarantined at a level is quarantined as it was when it was reached, whatever is lost", async () => {
    const life = await startLife();
    const groupId = await openGroup(life);
    await openGroup(life, "GARAN");
    let refuse = (): void => undefined;
    brokerageOf(life).answers.set("place", () => {
      brokerageOf(life).answers.set("place", () => no("REJECTED"));
      return new Promise((resolve) => {
        refuse = () => resolve(no("REJECTED"));
      });
    });
    await tick(life, "THYAO", 89);
    // The stop-loss is refused, and the take-profit watched again: no request waits for that.
    refuse();
    await life.time.turns();
    const groups = kindNamed("group") as {
      -readonly [K in keyof ActorKind]: ActorKind[K];
    };
    const { facts } = groups;
    groups.facts = (context) => {
      assert((context as { groupId: number }).groupId !== groupId, "a fault of ours");
      return facts(context);
    };
    try {
      reach(life, "THYAO", 111);
      reach(life, "GARAN", 89);
      await life.time.advance(4);
    } finally {
      groups.facts = facts;
    }
    assert.deepEqual(life.partition.host.quarantine.ids(), [groupId]);
    await life.crashAndStart();
    await life.time.advance(1_000);
    life.partition.inbox.enqueue(() => void life.partition.host.release(groupId));
    await life.time.advance(1_000);
    const orders = brokerageOf(life).calls.filter(({ operation }) => operation === "place");
    const names = orders.map(({ request }) => request as PlaceRequest).filter(({ symbol }) => symbol === "THYAO");
    const sold = new Set(names.map(({ clientOrderId }) => clientOrderId));
    assert.equal(sold.size, 2, "the stop-loss was refused, so the take-profit is sold");
  });

  test("rows are shown while the brokerage cannot be asked whose the account is", async () => {
    const life = await startLife();
    await openGroup(life);
    await life.crashAndStart();
    brokerageOf(life).accounts = no("NOT_SENT", "away");
    assert.deepEqual(await statuses(life), [1, 1]);
  });

  test("a polite stop answers whoever still waits for an order's outcome", async () => {
    const life = await startLife();
    brokerageOf(life).isMute = true;
    const reply = life.begin(COMMANDS.placeOrder, orderBody(), { key: "k" });
    await life.time.advance(100);
    assert.equal(reply(), undefined);
    const stopped = life.partition.stop();
    await life.time.advance(5_000);
    await stopped;
    await life.time.turns();
    assert.match(refusalOf(reply(), "UNAVAILABLE"), /outcome is not known yet/);
    assert.equal(life.begin(COMMANDS.placeOrder, orderBody())(), undefined);
  });
});
