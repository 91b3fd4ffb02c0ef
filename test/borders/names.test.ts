/**
 * Names are never given twice. A data folder that a volume snapshot set back, with its witness, gives out its ids
 * again: no order is taken for an order that the lost life sent.
 */
import assert from "node:assert/strict";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { LossyBrokerage } from "../support/brokerage/lossy-brokerage.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { EngineWorld, groupOf, paperBrokerage } from "../support/world/engine-world.ts";
import { until } from "../support/world/stack.ts";

const CODE = "FAR";
const ACCOUNT = "A1";
const [ACTIVE, TRIGGERED] = [1, 2];
const LIMITS = { maxBuyPrice: 0, minBuyPrice: 0, maxSellPrice: 0, minSellPrice: 0 };

natsSuite("a data folder that was set back with its witness", () => {
  let world: EngineWorld;
  let lossy: LossyBrokerage;
  let snapshot = "";
  let hook = "";
  let keyCount = 0;

  before(async () => {
    const brokerage = { code: CODE, name: "Far", adapter: "gateway", resend: "idempotent", ordersPerMinute: 100_000 };
    world = await EngineWorld.open({ brokerages: [brokerage, paperBrokerage(["THYAO"])] });
    const options = { code: CODE, promise: "idempotent", accounts: [ACCOUNT], lateMs: 1 } as const;
    lossy = new LossyBrokerage(world.nats, { ...options, fate: () => "accept", answersLookUp: () => true });
    snapshot = join(world.folder, "snapshot");
    await world.startEngine();
  });
  after(async () => {
    lossy.stop();
    await world.close();
  });

  const create = async (symbol: string): Promise<void> => {
    keyCount += 1;
    const made = await world.client.createGroup(groupOf(CODE, ACCOUNT, symbol), `key-${keyCount}`);
    assert.ok("groupId" in made, JSON.stringify(made));
  };
  const ordersOf = (symbol: string) => lossy.orders.filter((order) => order.symbol === symbol);
  const statuses = async (symbol: string): Promise<string> => {
    const rows = await world.client.rows(CODE, ACCOUNT);
    const own = rows.filter((row) => row.symbol === symbol);
    return own.map(({ status }) => status).join();
  };
  const sellOne = async (symbol: string): Promise<void> => {
    await world.tick(symbol, 111);
    const sold = [ACTIVE, TRIGGERED, ACTIVE].join();
    assert.equal(
      await until(
        () => statuses(symbol),
        (now) => now === sold,
      ),
      sold,
    );
  };
  const signal = async (symbol: string, side: string): Promise<void> => {
    keyCount += 1;
    const given = { algoName: "trend", period: "1H", symbol, side, price: 100 };
    const envelope = { type: "webhook.signal", userId: null, requestId: "test" };
    const body = { webhookSecret: hook, signal: given, bodyHash: `body ${keyCount}` };
    const reply = await world.nats.request("engine.0.command", JSON.stringify({ ...envelope, body }), {
      timeout: 30_000,
    });
    assert.match(reply.string(), /"matched":1/);
  };
  const untilOrders = async (symbol: string, count: number): Promise<void> => {
    const counted = await until(
      async () => ordersOf(symbol).length,
      (now) => now >= count,
    );
    assert.equal(counted, count);
  };
  const buyAndSell = async (symbol: string): Promise<void> => {
    await signal(symbol, "buy");
    await untilOrders(symbol, 1);
    await until(
      async () => signal(symbol, "sell").then(() => ordersOf(symbol).length),
      (count) => count === 2,
    );
    assert.equal(ordersOf(symbol).length, 2);
  };

  test("gives rows and pairs made since names of their own, at every brokerage", async () => {
    await create("THYAO");
    const detail = { algoName: "trend", period: "1H", quantity: 7, ...LIMITS };
    const bot = { brokerageCode: CODE, accountNumber: ACCOUNT, name: "trend", isActive: true };
    const webhookBotDetails = ["EREGL", "KCHOL"].map((symbol) => ({ ...detail, symbol }));
    const made = await world.client.command("webhookBots.create", { ...bot, webhookBotDetails }, "bot");
    assert.equal(made.ok, true, JSON.stringify(made));
    hook = String((made.data as { webhookPath: string }).webhookPath.split("/").at(-1));
    await world.engine.end("SIGTERM");
    await cp(world.dataFolder, snapshot, { recursive: true });

    await world.startEngine();
    await sellOne("THYAO");
    await create("GARAN");
    await sellOne("GARAN");
    await buyAndSell("EREGL");

    await world.engine.end("SIGKILL");
    await rm(world.dataFolder, { recursive: true });
    await cp(snapshot, world.dataFolder, { recursive: true });
    await world.startEngine();
    await create("AKBNK");
    await sellOne("AKBNK");
    assert.deepEqual(
      ordersOf("AKBNK").map(({ quantity }) => quantity),
      [3],
    );
    await buyAndSell("KCHOL");
    assert.equal(new Set(lossy.orders.map(({ clientOrderId }) => clientOrderId)).size, lossy.orders.length);
  });

  test("calls what was armed before by its old name: a brokerage that sold it says so", async () => {
    await sellOne("THYAO");
    assert.equal(ordersOf("THYAO").length, 1);
  });

  test("keeps the names of rows over every later start", async () => {
    await create("SISE");
    const [row] = (await world.client.rows(CODE, ACCOUNT)).filter(({ symbol }) => symbol === "SISE");
    await world.restartEngine();
    await world.restartEngine();
    await sellOne("SISE");
    const [sold] = ordersOf("SISE");
    const [akbnk] = ordersOf("AKBNK");
    assert.match(sold?.clientOrderId ?? "", new RegExp(`^[a-z0-9]{10}-r${(row?.id ?? 0) + 1}$`));
    assert.equal(sold?.clientOrderId.split("-")[0], akbnk?.clientOrderId.split("-")[0], "both were made in one life");
  });
});
