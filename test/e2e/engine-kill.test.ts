/**
 * The engine killed with SIGKILL at random moments under a stream of ticks, over a real nats-server, with the brokerage
 * in a process of its own: at the end every reached row has exactly one order, and nothing armed was lost.
 */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { connect, type NatsConnection } from "nats";
import { natsSuite, startNatsServer } from "../support/nats-server.ts";
import { type Program, startProgram, temporaryFolder } from "../support/process.ts";

const KILLS = 50;
const USER = 7;
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

interface Row {
  readonly id: number;
  readonly orderType: 1 | 2;
  readonly quantity: number;
  readonly price: number;
  readonly status: number;
  readonly symbol: string;
  readonly groupId: number;
}

/** A small deterministic random source, so that a failure can be run again. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000;
  };
}

class Client {
  readonly #nats: NatsConnection;

  constructor(nats: NatsConnection) {
    this.#nats = nats;
  }

  /** Asks until somebody answers: the engine may be down just now. */
  async ask(subject: string, type: string, body: object, key?: string): Promise<Record<string, unknown>> {
    const idempotency = key === undefined ? {} : { idempotency: { key, fingerprint: "f" } };
    const envelope = { type, userId: USER, requestId: "test", body, ...idempotency };
    for (let attempt = 0; attempt < 200; attempt += 1) {
      try {
        const reply = await this.#nats.request(subject, JSON.stringify(envelope), { timeout: 2_000 });
        const answer = reply.json<Record<string, unknown>>();
        if (answer.ok === true || (answer.code !== "CONFLICT" && answer.code !== "UNAVAILABLE")) return answer;
      } catch {
        // Killed just now: the next engine answers.
      }
      await pause(100);
    }
    throw new Error(`${type} was never answered`);
  }

  async rows(): Promise<Row[]> {
    const rows: Row[] = [];
    let from: string | null = null;
    do {
      const body = { brokerageCode: "PAPER", accountNumber: "PAPER-7", from };
      const envelope = { type: "oco.list", userId: USER, requestId: "test", body };
      const reply = await this.#nats.request("engine.0.query", JSON.stringify(envelope), { timeout: 5_000 });
      const text = Buffer.from(reply.data).toString();
      const end = text.indexOf("\n");
      const header = JSON.parse(text.slice(0, end)) as { next: string | null };
      rows.push(...(JSON.parse(`[${text.slice(end + 1)}]`) as Row[]));
      from = header.next;
    } while (from !== null);
    return rows;
  }

  async orders(): Promise<{ clientOrderId: string; quantity: number; symbol: string; orderStatus: number }[]> {
    const body = JSON.stringify({ userId: USER, accountNumber: "PAPER-7" });
    const reply = await this.#nats.request("broker.PAPER.dailyOrders", body, { timeout: 5_000 });
    return reply.json<{ data: { clientOrderId: string; quantity: number; symbol: string; orderStatus: number }[] }>()
      .data;
  }

  tick(symbol: string, price: number): void {
    this.#nats.publish(`ticks.${symbol}`, JSON.stringify({ price, time: Date.now() }));
  }
}

const pause = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs));

natsSuite("an engine that is killed", () => {
  test(`sells every reached row once, killed ${KILLS} times under a stream of ticks`, async () => {
    const folder = await temporaryFolder();
    const server = await startNatsServer({ jetStream: true });
    const file = join(folder.path, "brokerages.json");
    await writeFile(file, JSON.stringify(brokerages));
    const shared = { NATS_URL: server.url, BROKERAGES_FILE: file, LOG_LEVEL: "info" };
    const startEngine = (): Promise<Program> =>
      startProgram("engine/main.ts", { ...shared, DATA_DIR: join(folder.path, "engine") }, /engine is ready/);
    const paper = await startProgram(
      "engine/paper-main.ts",
      { ...shared, DATA_DIR: join(folder.path, "paper") },
      /paper brokerage is ready/,
    );
    let engine = await startEngine();
    const nats = await connect({ servers: server.url });
    try {
      const client = new Client(nats);
      const random = randomOf(20_261_121);
      const prices = new Map(SYMBOLS.map((symbol) => [symbol, START_PRICE]));
      let isStreaming = true;
      /** Price extremes of each symbol since the given number of ticks. */
      const history = new Map<string, number[]>(SYMBOLS.map((symbol) => [symbol, []]));
      const stream = (async () => {
        while (isStreaming) {
          for (const symbol of SYMBOLS) {
            const step = Math.round((random() - 0.5) * 8) / 10;
            const price =
              Math.round(Math.min(HIGHEST, Math.max(LOWEST, (prices.get(symbol) ?? START_PRICE) + step)) * 10) / 10;
            prices.set(symbol, price);
            history.get(symbol)?.push(price);
            client.tick(symbol, price);
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
          accountNumber: "PAPER-7",
          symbol,
          stopLossPrice: price - 2,
          stopLossQuantity: 10,
          takeProfitItems: [
            { price: price + 1, quantity: 3 },
            { price: price + 2, quantity: 4 },
          ],
        };
        const answer = await client.ask("engine.0.command", "oco.create", body, key);
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
      for (let kill = 0; kill < KILLS; kill += 1) {
        await pause(50 + random() * 400);
        await engine.end("SIGKILL");
        engine = await startEngine();
      }
      isPlacing = false;
      await placing;
      // One last swing, wider than the stream ever went, reaches every level that is still armed.
      isStreaming = false;
      await stream;
      for (const price of [HIGHEST + 5, LOWEST - 5]) {
        for (const symbol of SYMBOLS) client.tick(symbol, price);
        await nats.flush();
        await pause(1_000);
      }
      const rows = await settledRows(client);
      const orders = await client.orders();
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
async function settledRows(client: Client): Promise<Row[]> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const rows = await client.rows();
    if (rows.length > 0 && rows.every((row) => row.status !== 1)) return rows;
    await pause(200);
  }
  const active = (await client.rows()).filter((row) => row.status === 1);
  throw new Error(`${active.length} rows are still Active, e.g. ${JSON.stringify(active[0])}`);
}

function checkOutcome(
  rows: readonly Row[],
  orders: readonly { clientOrderId: string; quantity: number; symbol: string; orderStatus: number }[],
): void {
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
