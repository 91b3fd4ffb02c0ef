/**
 * The engine is killed with SIGKILL at random moments under a stream of ticks. The nats-server is real, and the
 * brokerage runs in its own process. At the end every reached row has exactly one order, and nothing armed was lost.
 */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { connect, type NatsConnection } from "nats";
import { EngineClient, type OcoRow, randomOf } from "../../support/client/engine-client.ts";
import { natsSuite, startNatsServer } from "../../support/machine/nats-server.ts";
import { type Program, startProgram, temporaryFolder } from "../../support/machine/process.ts";
import { pause } from "../../support/world/stack.ts";

const KILLS = Number(process.env.ENGINE_KILLS ?? 20);
/** A machine that starts an engine slowly kills it less often, for the test must end in its time. */
const KILLING_MS_MAX = Math.max(60_000, 3_000 * KILLS);
const KILLS_MIN = 5;
const USER = 7;
const ACCOUNT = `PAPER-${USER}`;
const SYMBOLS = ["THYAO", "GARAN", "AKBNK", "ASELS", "EREGL", "KCHOL", "SISE", "TUPRS", "BIMAS", "PGSUS"];
const START_PRICE = 100;
/** The stream of ticks stays between these; levels are set at most 2 beyond. */
const LOWEST = 60;
const HIGHEST = 140;
const POSITION = 1_000_000;

const brokerages = [
  {
    code: "PAPER",
    name: "Paper",
    adapter: "gateway",
    resend: "idempotent",
    ordersPerMinute: 1_000_000,
    timeoutMs: 2_000,
    paper: { startingPositions: Object.fromEntries(SYMBOLS.map((symbol) => [symbol, POSITION])) },
  },
];

/** Returns the orders that the brokerage lists, not the engine. */
async function ordersOf(nats: NatsConnection): Promise<Order[]> {
  const body = JSON.stringify({ userId: USER, accountNumber: ACCOUNT });
  const reply = await nats.request("broker.PAPER.dailyOrders", body, { timeout: 30_000 });
  return reply.json<{ data: Order[] }>().data;
}

interface Order {
  readonly clientOrderId: string;
  readonly quantity: number;
  readonly symbol: string;
  readonly orderStatus: number;
}

natsSuite("an engine that is killed", () => {
  test(`sells every reached row once, killed up to ${KILLS} times under a stream of ticks`, async (context) => {
    const folder = await temporaryFolder();
    const server = await startNatsServer({ jetStream: true });
    const file = join(folder.path, "brokerages.json");
    await writeFile(file, JSON.stringify(brokerages));
    const shared = { NATS_URL: server.url, BROKERAGES_FILE: file, LOG_LEVEL: "info" };
    const startEngine = (): Promise<Program> =>
      startProgram("engine/main.ts", { ...shared, DATA_DIR: join(folder.path, "engine") }, /engine is ready/);
    const paper = await startProgram(
      "engine/entry/paper.ts",
      { ...shared, DATA_DIR: join(folder.path, "paper") },
      /paper brokerage is ready/,
    );
    let engine = await startEngine();
    const nats = await connect({ servers: server.url });
    try {
      const client = new EngineClient(nats, USER);
      const tick = (symbol: string, price: number): void =>
        nats.publish(`ticks.${symbol}`, JSON.stringify({ price, time: Date.now() }));
      const random = randomOf(20_261_121);
      const prices = new Map(SYMBOLS.map((symbol) => [symbol, START_PRICE]));
      let isStreaming = true;
      const stream = (async () => {
        while (isStreaming) {
          for (const symbol of SYMBOLS) {
            const step = Math.round((random() - 0.5) * 8) / 10;
            const price =
              Math.round(Math.min(HIGHEST, Math.max(LOWEST, (prices.get(symbol) ?? START_PRICE) + step)) * 10) / 10;
            prices.set(symbol, price);
            tick(symbol, price);
          }
          await pause(10);
        }
      })();
      let created = 0;
      const place = async (): Promise<void> => {
        const symbol = SYMBOLS[created % SYMBOLS.length] ?? "THYAO";
        const key = `create-${created}`;
        created += 1;
        const price = Math.round(prices.get(symbol) ?? START_PRICE);
        const body = {
          brokerageCode: "PAPER",
          accountNumber: ACCOUNT,
          symbol,
          stopLossPrice: price - 2,
          stopLossQuantity: 10,
          takeProfitItems: [
            { price: price + 1, quantity: 3 },
            { price: price + 2, quantity: 4 },
          ],
        };
        const answer = await client.command("oco.create", body, key);
        assert.ok(
          answer.ok === true || /already exists|multiple of/.test(String(answer.message)),
          JSON.stringify(answer),
        );
      };
      let isPlacing = true;
      const placing = (async () => {
        while (isPlacing) {
          await place();
          await pause(30);
        }
      })();
      const startMs = performance.now();
      let kills = 0;
      for (; kills < KILLS && performance.now() - startMs < KILLING_MS_MAX; kills += 1) {
        await pause(50 + random() * 400);
        await engine.end("SIGKILL");
        engine = await startEngine();
      }
      isPlacing = false;
      await placing;
      context.diagnostic(`killed ${kills} times`);
      assert.ok(kills >= KILLS_MIN, `only ${kills} kills: the test proves little`);
      // One last swing, wider than the stream ever went, reaches every level that is still armed.
      isStreaming = false;
      await stream;
      for (const price of [HIGHEST + 5, LOWEST - 5]) {
        for (const symbol of SYMBOLS) tick(symbol, price);
        await nats.flush();
        await pause(1_000);
      }
      const rows = await settledRows(client);
      const orders = await ordersOf(nats);
      checkOutcome(rows, orders);
    } finally {
      await nats.close();
      await engine.end("SIGKILL");
      await paper.end("SIGKILL");
      await server.stop();
      await folder.remove();
    }
  });
});

/** The rows once no row is Active any more: each was reached, sold or cancelled by its group's stop-loss. */
async function settledRows(client: EngineClient): Promise<OcoRow[]> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    const rows = await client.rows("PAPER", ACCOUNT);
    if (rows.length > 0 && rows.every((row) => row.status !== 1)) return rows;
    await pause(200);
  }
  const active = (await client.rows("PAPER", ACCOUNT)).filter((row) => row.status === 1);
  throw new Error(`${active.length} rows are still Active, e.g. ${JSON.stringify(active[0])}`);
}

function checkOutcome(rows: readonly OcoRow[], orders: readonly Order[]): void {
  const triggered = rows.filter((row) => row.status === 2);
  assert.ok(triggered.length > 20, `only ${triggered.length} rows were triggered: the test proves little`);
  assert.deepEqual(
    rows.filter((row) => row.status === 3),
    [],
    "no sell failed",
  );
  const byId = new Map(orders.map((order) => [order.clientOrderId.replace(/^.*-r/, ""), order]));
  assert.equal(orders.length, triggered.length, "one order for each triggered row");
  assert.equal(byId.size, orders.length, "no order twice");
  for (const row of triggered) {
    const order = byId.get(String(row.id));
    assert.ok(order, `row ${row.id} has an order`);
    assert.equal(order.quantity, row.quantity);
    assert.equal(order.symbol, row.symbol);
    assert.equal(order.orderStatus, 2);
  }
  for (const group of new Set(rows.map((row) => row.groupId))) {
    const stopLoss = rows.find((row) => row.id === group);
    assert.equal(stopLoss?.status, 2, `the stop-loss of group ${group} was reached by the last swing`);
  }
}
