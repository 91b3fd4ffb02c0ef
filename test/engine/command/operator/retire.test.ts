/**
 * Giving a brokerage up on one partition: what is cancelled, what is reported as left, and the messages of a start
 * without it.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { actorKey } from "../../../../engine/table/keys.ts";
import { COMMANDS } from "../../../../src/contract/command.ts";
import {
  BROKERAGE_USE_QUERY,
  type BrokerageUseView,
  RETIREMENT_COMMAND,
  type Retirement,
  retirementSchema,
} from "../../../../src/contract/operator/retirement.ts";
import { ACCOUNT, brokerageOf, FakeBrokerage, Life, no, orderBody, refusalOf, startLife } from "../harness.ts";
import { levelBot, webhookBot } from "../trading/bots.ts";

const { accountNumber } = ACCOUNT;
const NOTHING = { groups: 0, setups: 0, switchedOffBots: 0, endedBots: 0 };
const groupBody = (symbol: string, brokerageCode = "PAPER") => ({
  ...{ brokerageCode, accountNumber, symbol, stopLossPrice: 90, stopLossQuantity: 10 },
  takeProfitItems: [{ price: 110, quantity: 4 }],
});

async function done<T>(life: Life, type: string, body: object, userId = 7): Promise<T> {
  const reply = await life.command(type, body, { userId });
  assert.ok(reply?.ok, JSON.stringify(reply));
  return reply.data as T;
}

const newGroup = async (life: Life, symbol: string, userId = 7): Promise<number> =>
  (await done<{ groupId: number }>(life, COMMANDS.createGroup, groupBody(symbol), userId)).groupId;

/** All of a retirement, page after page. */
async function retire(life: Life): Promise<Omit<Retirement, "next">> {
  const retired = { ...NOTHING };
  const left: Retirement["left"] = [];
  for (let from: string | null = null; ; ) {
    const data: unknown = await done(life, RETIREMENT_COMMAND, { brokerageCode: "PAPER", from });
    const part: Retirement = retirementSchema.parse(data);
    for (const kind of ["groups", "setups", "switchedOffBots", "endedBots"] as const)
      retired[kind] += part.retired[kind];
    left.push(...part.left);
    from = part.next;
    if (from === null) return { retired, left };
  }
}

async function useOf(life: Life, code: string): Promise<Omit<BrokerageUseView, "code"> | undefined> {
  const reply = await life.query(BROKERAGE_USE_QUERY, {}, { userId: null });
  assert.ok("ok" in reply && reply.ok);
  const { code: _, ...use } = (reply.data as BrokerageUseView[]).find((one) => one.code === code) ?? assert.fail();
  return use;
}

/** Sells the stop-loss of THYAO, by a price at its level. */
async function fall(life: Life): Promise<void> {
  const { partition, time } = life;
  const price = { value: 89, floor: 8_900, ceil: 8_900 } as never;
  partition.onTick({ symbol: "THYAO", price, timeMs: time.nowMs(), isCaughtUp: false } as never);
  await time.advance(100);
}

test("cancels every group of the brokerage, in many turns, and none of another", async () => {
  const life = await startLife(new FakeBrokerage("PAPER"), new FakeBrokerage("OTHER"));
  for (let userId = 1; userId <= 70; userId += 1) {
    for (const symbol of ["THYAO", "GARAN"]) await newGroup(life, symbol, userId);
  }
  await done(life, COMMANDS.createGroup, groupBody("THYAO", "OTHER"));
  assert.equal((await useOf(life, "PAPER"))?.groups, 140);
  assert.deepEqual(await retire(life), { retired: { ...NOTHING, groups: 140 }, left: [] });
  assert.deepEqual(await retire(life), { retired: NOTHING, left: [] }, "again changes nothing");
  assert.deepEqual([(await useOf(life, "PAPER"))?.groups, (await useOf(life, "OTHER"))?.groups], [0, 1]);
});

test("of a group whose sell is on its way it cancels the rest, and names the row and the order until they are done", async () => {
  const brokerage = new FakeBrokerage();
  const life = await startLife(brokerage);
  const groupId = await newGroup(life, "THYAO");
  brokerage.isMute = true;
  await fall(life);
  const { left } = await retire(life);
  assert.deepEqual(
    left.map(({ type, id, rowIds, isBlocking }) => ({ type, id: type === "order" ? "" : id, rowIds, isBlocking })),
    [
      { type: "group", id: String(groupId), rowIds: [groupId], isBlocking: true },
      { type: "order", id: "", rowIds: [], isBlocking: true },
    ],
  );
  assert.match(left.at(-1)?.id ?? "", /^order-0-\d+$/);
});

test("removes pending OCOs", async () => {
  const brokerage = new FakeBrokerage();
  const life = await startLife(brokerage);
  const order = { orderNo: "N-1", clientOrderId: "c", accountNumber, symbol: "THYAO", buySell: 1, orderType: 1 };
  const rest = { quantity: 10, price: 100, filledQuantity: 0, averagePrice: 0, orderStatus: 1 };
  const dates = { createdDate: "2026-01-05T12:00:00+03:00", updatedDate: null };
  brokerage.answers.set("findOrder", () => ({ ok: true, data: { ...order, ...rest, ...dates } }));
  const { stopLossPrice, ...terms } = groupBody("THYAO");
  await done(life, COMMANDS.registerSetup, { ...terms, brokerOrderNo: "N-1", stopLossPrice });
  assert.deepEqual(await retire(life), { retired: { ...NOTHING, setups: 1 }, left: [] });
  assert.equal((await useOf(life, "PAPER"))?.setups, 0);
});

test("switches bots off, deletes those without open pairs, and names the open pairs of the others", async () => {
  const life = await startLife();
  await done(life, COMMANDS.createLevelBot, { ...levelBot, accountNumber });
  const made = await done<{ id: number; webhookPath: string }>(life, COMMANDS.createWebhookBot, {
    ...webhookBot,
    accountNumber,
  });
  const webhookSecret = made.webhookPath.split("/").at(-1);
  const signal = { algoName: "MACD", period: "1H", symbol: "THYAO", side: "buy" };
  await done(life, COMMANDS.hearSignal, { webhookSecret, signal, bodyHash: "1" });
  const { retired, left } = await retire(life);
  assert.deepEqual(retired, { ...NOTHING, switchedOffBots: 1, endedBots: 1 });
  assert.equal(left.length, 1);
  assert.deepEqual([left[0]?.type, left[0]?.id, left[0]?.pairIds.length], ["webhookBot", String(made.id), 1]);
  assert.equal(left[0]?.isBlocking, true, "its buy is not done at the brokerage");
  assert.deepEqual((await retire(life)).retired, NOTHING);
});

test("names a client's order as long as it is open", async () => {
  const life = await startLife();
  await done(life, COMMANDS.placeOrder, orderBody({ accountNumber }));
  const { retired, left } = await retire(life);
  assert.deepEqual(retired, NOTHING);
  assert.deepEqual(
    left.map(({ type, reason, isBlocking }) => [type, reason, isBlocking]),
    [["clientOrder", "order N1 of a client is open at the brokerage", false]],
  );
  const [order] = [...brokerageOf(life).orders.values()];
  assert.ok(order !== undefined);
  brokerageOf(life).tell({ ...order, orderStatus: 2, filledQuantity: order.quantity, averagePrice: 90 });
  await life.time.advance(1_000);
  assert.deepEqual(await retire(life), { retired: NOTHING, left: [] });
});

test("names an actor in quarantine by the id of its release and leaves it as it is", async () => {
  const life = await startLife();
  const groupId = await newGroup(life, "THYAO");
  void life.partition.decide(() => life.partition.host.quarantine.admit(groupId, "a fault"));
  await life.time.advance(100);
  const before = life.partition.journal.read(actorKey(groupId));
  const { retired, left } = await retire(life);
  assert.deepEqual(retired, NOTHING);
  assert.deepEqual([left[0]?.id, left[0]?.isBlocking], [`actor-0-${groupId}`, true]);
  assert.match(left[0]?.reason ?? "", /quarantine.*a fault/);
  assert.deepEqual(life.partition.journal.read(actorKey(groupId)), before);
  const use = await useOf(life, "PAPER");
  assert.deepEqual([use?.groups, use?.quarantined], [1, 1]);
});

test("a start without a brokerage of which only an actor in quarantine is left is refused", async () => {
  const brokerages = [new FakeBrokerage()];
  const life = new Life(brokerages);
  await life.start();
  const groupId = await newGroup(life, "THYAO");
  void life.partition.decide(() => life.partition.host.quarantine.admit(groupId, "a fault"));
  await life.time.advance(100);
  brokerages.length = 0;
  await assert.rejects(life.crashAndStart(), /PAPER: 1 OCO group$/);
});

test("names orders without an outcome, and those in quarantine", async () => {
  const brokerage = new FakeBrokerage("PAPER", { resend: "none", timeoutMs: 100 });
  brokerage.answers.set("place", () => no("UNKNOWN", "no answer in time"));
  const life = await startLife(brokerage);
  life.begin(COMMANDS.placeOrder, orderBody());
  await life.time.advance(1_000);
  const { left } = await retire(life);
  assert.deepEqual([left.length, left[0]?.type], [1, "order"]);
  assert.match(left[0]?.reason ?? "", /quarantine.*no answer in time/);
  assert.equal((await useOf(life, "PAPER"))?.orders, 1);
});

test("is refused for a brokerage that is not listed", async () => {
  const life = await startLife();
  const reply = await life.command(RETIREMENT_COMMAND, { brokerageCode: "GONE" });
  assert.match(refusalOf(reply, "NOT_FOUND"), /GONE was not found/);
});
