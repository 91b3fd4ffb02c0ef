/**
 * An installation that continues from a backup, while its brokerages remember what it sold after it: the rows are armed
 * and reached again, and no brokerage gets a second order.
 */
import assert from "node:assert/strict";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { LossyBrokerage, type LossyPromise } from "../support/brokerage/lossy-brokerage.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { EngineWorld, groupOf } from "../support/world/engine-world.ts";
import { until } from "../support/world/stack.ts";

const PROMISES: readonly LossyPromise[] = ["idempotent", "expiry", "query", "none"];
const [ACTIVE, TRIGGERED] = [1, 2];
const codeOf = (promise: LossyPromise): string => promise.toUpperCase();

natsSuite("a backup that is restored after orders were sent", () => {
  let world: EngineWorld;
  let isAway = false;
  const lossy = new Map<LossyPromise, LossyBrokerage>();
  const quarantined = new Set<string>();

  before(async () => {
    const brokerages = PROMISES.map((resend) => ({
      ...{ code: codeOf(resend), name: resend, adapter: "gateway", resend, ordersPerMinute: 100_000 },
      ...{ timeoutMs: 6_000, settleMs: 300, expiryMs: 500 },
    }));
    world = await EngineWorld.open({ brokerages });
    for (const promise of PROMISES) {
      const options = { code: codeOf(promise), promise, accounts: ["A1"], lateMs: 1, answersLookUp: () => !isAway };
      lossy.set(promise, new LossyBrokerage(world.nats, { ...options, fate: () => "accept" }));
    }
    world.nats.subscribe("events.*.order.quarantined", {
      callback: (_, message) => {
        quarantined.add(message.json<{ order: { brokerageCode: string } }>().order.brokerageCode);
      },
    });
    await world.startEngine();
  });
  after(async () => {
    for (const one of lossy.values()) one.stop();
    await world.close();
  });

  const create = async (symbol: string): Promise<void> => {
    for (const promise of PROMISES) {
      const made = await world.client.createGroup(groupOf(codeOf(promise), "A1", symbol), `${promise}-${symbol}`);
      assert.ok("groupId" in made, JSON.stringify(made));
    }
  };
  const ordersAt = (promise: LossyPromise): number => lossy.get(promise)?.orders.length ?? 0;
  /** The statuses of a group's rows: stop-loss, take-profit at 110, take-profit at 120. */
  const statuses = async (promise: LossyPromise, symbol: string): Promise<string> => {
    const rows = await world.client.rows(codeOf(promise), "A1");
    return rows
      .filter((row) => row.symbol === symbol)
      .map(({ status }) => status)
      .join();
  };
  const untilStatuses = async (promise: LossyPromise, symbol: string, expected: readonly number[]): Promise<void> => {
    assert.equal(
      await until(
        () => statuses(promise, symbol),
        (one) => one === expected.join(),
      ),
      expected.join(),
      `${promise} ${symbol}`,
    );
  };
  const command = async (type: string, body: object): Promise<{ ok: boolean; data: unknown }> => {
    const envelope = JSON.stringify({ type, userId: 1, requestId: "test", body });
    return (await world.nats.request("engine.0.command", envelope, { timeout: 20_000 })).json();
  };

  test("rows that were sold after the backup are found sold, or a person is called: none is sold twice", async () => {
    await create("THYAO");
    const backup = join(world.dataFolder, "backups", "one");
    const made = await command("operator.backup", { folder: backup });
    assert.equal(made.ok, true, JSON.stringify(made));
    await world.tick("THYAO", 111);
    for (const promise of PROMISES) await untilStatuses(promise, "THYAO", [ACTIVE, TRIGGERED, ACTIVE]);
    assert.deepEqual(PROMISES.map(ordersAt), [1, 1, 1, 1]);
    const sold = PROMISES.map((promise) => lossy.get(promise)?.orders[0]?.clientOrderId);

    await world.engine.end("SIGKILL");
    const kept = join(world.folder, "kept");
    await cp(backup, kept, { recursive: true });
    await rm(world.dataFolder, { recursive: true });
    await cp(kept, world.dataFolder, { recursive: true });
    isAway = true;
    await world.startEngine();
    await world.tick("THYAO", 111);
    // While the brokerage cannot be asked, the engine sends nothing and reports no failure.
    await until(
      async () => quarantined.has("NONE"),
      (isCalled) => isCalled,
    );
    assert.equal(await statuses("query", "THYAO"), [ACTIVE, ACTIVE, ACTIVE].join());
    isAway = false;

    for (const promise of ["idempotent", "expiry", "query"] as const) {
      await untilStatuses(promise, "THYAO", [ACTIVE, TRIGGERED, ACTIVE]);
    }
    assert.deepEqual(PROMISES.map(ordersAt), [1, 1, 1, 1]);
    assert.deepEqual([...quarantined], ["NONE"]);
    assert.equal(await statuses("none", "THYAO"), [ACTIVE, ACTIVE, ACTIVE].join());
    assert.deepEqual(
      PROMISES.map((promise) => lossy.get(promise)?.orders[0]?.clientOrderId),
      sold,
    );
  });

  test("rows that were not are sold", async () => {
    await world.tick("THYAO", 121);
    for (const promise of ["idempotent", "expiry", "query"] as const) {
      await untilStatuses(promise, "THYAO", [ACTIVE, TRIGGERED, TRIGGERED]);
      assert.equal(ordersAt(promise), 2, promise);
    }
    assert.equal(ordersAt("none"), 1);
  });

  test("what a person says about them stands, after another kill too", async () => {
    await world.restartEngine();
    const waiting = await world.nats.request(
      "engine.0.query",
      JSON.stringify({ type: "operator.quarantine", userId: 1, requestId: "test", body: {} }),
      { timeout: 20_000 },
    );
    const ids = [...waiting.string().matchAll(/"id":"(order-0-\d+)"/g)].map(([, id]) => id);
    assert.equal(ids.length, 2);
    for (const id of ids) {
      const released = await command("operator.release", { id, decision: { action: "placed", orderNo: "by hand" } });
      assert.equal(released.ok, true, JSON.stringify(released));
    }
    await untilStatuses("none", "THYAO", [ACTIVE, TRIGGERED, TRIGGERED]);
    assert.equal(ordersAt("none"), 1);
  });

  test("groups made since are sold without a question, at every brokerage", async () => {
    await create("GARAN");
    await world.tick("GARAN", 111);
    for (const promise of PROMISES) {
      await untilStatuses(promise, "GARAN", [ACTIVE, TRIGGERED, ACTIVE]);
      assert.equal(lossy.get(promise)?.orders.filter(({ symbol }) => symbol === "GARAN").length, 1, promise);
    }
  });
});
