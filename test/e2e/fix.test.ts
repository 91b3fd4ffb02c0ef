/**
 * A real brokerage from end to end, as processes: an engine over NATS, the FIX connector, and QuickFIX's executor behind
 * it; and a connector that is killed while fills stream.
 */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { NatsConnection } from "nats";
import { SEPARATOR } from "../../engine/connector/fix/wire/message.ts";
import type { BrokerReply, OrderAnswer, OrderRecord } from "../../src/contract/trading/order.ts";
import type { ReceiptView } from "../../src/contract/trading/receipt.ts";
import { BookingBroker } from "../engine/connector/fix/support/booking-broker.ts";
import { ScriptedPeer } from "../engine/connector/fix/support/peer.ts";
import { QuickFixBroker, quickFixSuite } from "../engine/connector/fix/support/quickfix.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { type Program, runProgram, startProgram } from "../support/machine/process.ts";
import { ENGINE_USER, EngineWorld, groupOf } from "../support/world/engine-world.ts";
import { pause } from "../support/world/stack.ts";

/** FIX_KILLS=100 kills more often. */
const KILLS = Number(process.env.FIX_KILLS ?? "5");
const ORDERS_A_LIFE = 6;
const QUANTITY = 24;
const brokerages = [
  { code: "ACME", name: "Acme", adapter: "gateway", resend: "query", timeoutMs: 2_000, settleMs: 500 },
];

async function writeConfig(world: EngineWorld, port: number, orders: object): Promise<string> {
  const path = join(world.folder, "acme.json");
  const session = {
    ...{ senderCompId: "ME", targetCompId: "DESK", addresses: [`127.0.0.1:${port}`] },
    ...{ heartbeatSeconds: 1, reconnectSeconds: 0.05, reconnectSecondsMax: 0.5 },
  };
  const accounts = [{ accountNumber: "ACC1", number: "9001", users: [ENGINE_USER] }];
  await writeFile(path, JSON.stringify({ code: "ACME", folder: "acme", session, orders, accounts }));
  const made = await runProgram("engine/entry/connector.ts", {}, { arguments: ["new", path] });
  assert.equal(made.code, 0, made.output);
  return path;
}

/** Asks again, for a minute or more. */
async function until(isSo: () => boolean | Promise<boolean>, told: () => string = () => ""): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (await isSo()) return;
    await pause(100);
  }
  assert.fail(`it never came: ${told()}`);
}

const startConnector = (world: EngineWorld, config: string): Promise<Program> =>
  startProgram("engine/entry/connector.ts", { NATS_URL: world.server.url }, /the session is up/, ["fix", config]);

async function ask<Data>(nats: NatsConnection, operation: string, request: object): Promise<BrokerReply<Data>> {
  const account = { userId: ENGINE_USER, accountNumber: "ACC1" };
  const body = JSON.stringify({ ...account, ...request });
  try {
    return (await nats.request(`broker.ACME.${operation}`, body, { timeout: 3_000 })).json<BrokerReply<Data>>();
  } catch {
    return { ok: false, code: "UNAVAILABLE", message: "no answer" };
  }
}

quickFixSuite("FIX", () => {
  natsSuite("from end to end", () => {
    test("a stop-loss fires, goes over FIX 4.4 to QuickFIX, is filled, and row and receipt show it", async () => {
      const world = await EngineWorld.open({ brokerages });
      const brokerFolder = join(world.folder, "quickfix");
      await mkdir(brokerFolder);
      const broker = await QuickFixBroker.start("executor", brokerFolder, "FIX.4.4");
      const config = await writeConfig(world, broker.port, { marketAs: "limitIOC" });
      const checked = await runProgram("engine/entry/connector.ts", {}, { arguments: ["check", config] });
      assert.deepEqual([checked.code, checked.output], [0, "ACME: the counterparty accepted the logon\n"]);
      const connector = await startConnector(world, config);
      const updates: OrderRecord[] = [];
      world.nats.subscribe("broker.ACME.updates", {
        callback: (_, message) => updates.push(message.json<OrderRecord>()),
      });
      try {
        await world.startEngine();
        await world.tick("THYAO", 100);
        const made = await world.client.createGroup(groupOf("ACME", "ACC1", "THYAO"), "g1");
        assert.ok("groupId" in made, JSON.stringify(made));
        await world.tick("THYAO", 89);
        await until(async () =>
          (await world.client.rows("ACME", "ACC1")).some((row) => row.orderType === 2 && row.status === 2),
        );
        await until(() => updates.some((record) => record.orderStatus === 2));
        const sold = updates.find((record) => record.orderStatus === 2);
        assert.deepEqual([sold?.symbol, sold?.buySell, sold?.filledQuantity], ["THYAO", 2, 10]);
        assert.equal(broker.output.split(`35=D${SEPARATOR}`).length - 1, 1);
        const stopLoss = (await world.client.rows("ACME", "ACC1")).find((row) => row.orderType === 2);
        const isShown = async () => {
          const receipt = await world.client.query("oco.receipt", { id: stopLoss?.id });
          const { orders } = (receipt.data ?? {}) as Partial<ReceiptView>;
          return orders?.[0]?.orderNo === sold?.orderNo && orders?.[0]?.filledQuantity === 10;
        };
        await until(isShown, () => `a receipt with the order number ${sold?.orderNo}`);
      } finally {
        await connector.end("SIGTERM");
        await broker.stop();
        await world.close();
      }
    });
  });
});

natsSuite("a FIX connector that is killed while fills stream", () => {
  test(`tells every fill in the end and doubles no order (${KILLS} kills)`, async () => {
    const world = await EngineWorld.open({ brokerages });
    const peer = await ScriptedPeer.start();
    const broker = new BookingBroker(peer, 8);
    const config = await writeConfig(world, peer.port, { answerTimeoutSeconds: 1 });
    const told = new Map<string, number>();
    world.nats.subscribe("broker.ACME.updates", {
      callback: (_, message) => {
        const { orderNo, filledQuantity } = message.json<OrderRecord>();
        told.set(orderNo, Math.max(told.get(orderNo) ?? 0, filledQuantity));
      },
    });
    let connector = await startConnector(world, config);
    const names: string[] = [];
    const place = (clientOrderId: string) => {
      const order = { symbol: "THYAO", quantity: QUANTITY, buySell: 2, orderType: 1, price: 0 };
      return ask<OrderAnswer>(world.nats, "place", { clientOrderId, ...order });
    };
    const settle = async (name: string): Promise<void> => {
      for (let attempt = 0; attempt < 200; attempt += 1) {
        const found = await ask<OrderRecord>(world.nats, "findOrder", { clientOrderId: name });
        if (found.ok) return;
        if (found.code === "NOT_FOUND" && (await place(name)).ok) return;
        assert.notEqual(found.code, "UNKNOWN");
        await pause(50);
      }
      assert.fail(`${name} was never settled`);
    };
    try {
      for (let life = 0; life < KILLS; life += 1) {
        const born = Array.from({ length: ORDERS_A_LIFE }, (_, index) => `k${life}-${index}`);
        names.push(...born);
        const placing = born.map((name) => place(name));
        // Some orders are on their way, some fill: anywhere between.
        await pause((life * 7) % 40);
        await connector.end("SIGKILL");
        void Promise.allSettled(placing);
        connector = await startConnector(world, config);
        for (const name of born) await settle(name);
      }
      await until(
        () => names.every((name) => told.get(name) === QUANTITY) && broker.isDone,
        () => names.map((name) => `${name}: ${told.get(name)} of ${broker.filledOf(name)}`).join(", "),
      );
      assert.deepEqual(broker.doubled, []);
      assert.equal(broker.bookings.length, names.length);
      for (const name of names) {
        const found = await ask<OrderRecord>(world.nats, "findOrder", { clientOrderId: name });
        assert.equal(found.ok && found.data.filledQuantity, broker.filledOf(name));
      }
    } finally {
      await connector.end("SIGKILL");
      await peer.stop();
      await world.close();
    }
  });
});
