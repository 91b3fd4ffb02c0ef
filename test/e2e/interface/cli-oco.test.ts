// tier: real
/** A running group changed by the command line (behaviour 15 and 19). */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { CommandLineWorld } from "./cli-world.ts";

const changed = z.object({ version: z.number(), rows: z.array(z.object({ price: z.number(), quantity: z.number() })) });
const planned = z.object({
  version: z.number(),
  trailing: z.object({ distance: z.number().nullable(), distancePercent: z.number().nullable() }).nullable(),
});

const outlook = z.object({ groupId: z.number(), rows: z.array(z.object({ result: z.string() })) });

describe("a group by the command line", () => {
  let world: CommandLineWorld;
  let id = "";
  before(async () => {
    world = await CommandLineWorld.start();
    id = String(await createGroup(world));
  });
  after(() => world.end());

  test("is changed in place, and only in the version that is named", async () => {
    const { version, rows } = changed.parse(
      await world.json("oco", "change", id, "--stop-loss", "210", "--lots", "20"),
    );
    assert.deepEqual([version, rows[0]], [2, { price: 210, quantity: 20 }]);
    const stale = await world.run(["oco", "change", id, "--notes", "late", "--if-version", "1"]);
    assert.equal(stale.exitCode, 65, stale.err);
    assert.match(stale.err, /412: If-Match does not name the version of the group, which is 2 now/);
    assert.equal((await world.run(["oco", "change", id])).exitCode, 64);
  });

  test("says what would happen to its rows now", async () => {
    const { groupId, rows } = outlook.parse(await world.json("oco", "outlook", id));
    assert.deepEqual([groupId, rows[0]?.result], [Number(id), "sells"]);
    assert.equal((await world.run(["oco", "outlook", "0"])).exitCode === 0, false);
  });

  test("is listed by its status, row by row", async () => {
    const account = ["--brokerage", "PAPER", "--account", "PAPER-1"];
    const first = await world.run(["--json", "oco", "list", ...account, "--status", "1", "--limit", "1"]);
    const rows = z.array(z.object({ id: z.number() }));
    assert.deepEqual(rows.parse(JSON.parse(first.out)), [{ id: Number(id) }], first.err);
    const cursor = /--cursor (\S+)/.exec(first.err)?.[1] ?? "";
    const second = await world.json("oco", "list", ...account, "--status", "1", "--cursor", cursor);
    assert.equal(rows.parse(second).length, 1);
    assert.deepEqual(await world.json("oco", "list", ...account, "--status", "2,3,4"), []);
  });

  test("has its stop-loss follow the price, and leaves it where it is", async () => {
    await world.json("oco", "trail", id, "--percent", "2.5", "--activation", "300", "--confirm", "1");
    const { trailing } = planned.parse(await world.json("oco", "show", id));
    assert.deepEqual(trailing, { distance: null, distancePercent: 2.5 });
    await world.json("oco", "trail", id, "--off");
    assert.equal(planned.parse(await world.json("oco", "show", id)).trailing, null);
    for (const words of [[], ["--distance", "1", "--percent", "1"], ["--distance", "1", "--off"], ["--confirm", "3"]]) {
      assert.equal((await world.run(["oco", "trail", id, ...words])).exitCode, 64, words.join(" "));
    }
    const wrong = await world.run(["oco", "trail", id, "--distance", "1", "--activation", "100"]);
    assert.equal(wrong.exitCode, 65, wrong.err);
    assert.match(wrong.err, /400: stopLossTrailing\.activationPrice 100 must be higher than stopLossPrice 210/);
  });
});

describe("the end of a group by the command line", () => {
  let world: CommandLineWorld;
  before(async () => {
    world = await CommandLineWorld.start();
  });
  after(() => world.end());

  test("is released while its symbol is held, and only then", async () => {
    const id = String(await createGroup(world));
    const early = await world.run(["oco", "release", id]);
    assert.equal(early.exitCode, 65, early.err);
    await world.json("symbols", "hold", "THYAO");
    const released = await world.run(["oco", "release", id]);
    assert.match(released.out, /^message +The OCO group was released\n$/, released.err);
    await world.json("symbols", "release", "THYAO");
    const exit = await world.run(["oco", "stop-exit", id]);
    assert.equal(exit.exitCode, 65, exit.err);
    assert.equal((await world.run(["oco", "cancel", id])).exitCode, 64);
    const cancelled = await world.run(["oco", "cancel", id, "--brokerage", "PAPER"]);
    assert.match(cancelled.out, /^message +The OCO group was cancelled\n$/, cancelled.err);
  });

  test("leaves a receipt of the row that fired", async () => {
    const id = String(await createGroup(world));
    const unfired = await world.run(["oco", "receipt", id]);
    assert.equal(unfired.exitCode, 65, unfired.err);
    await world.json("ticks", "send", "THYAO=199");
    const ended = await untilDone(world, ["--json", "oco", "receipt", id]);
    const receipt = z.object({ orderId: z.number().optional() }).loose().parse(JSON.parse(ended.out));
    assert.match(JSON.stringify(receipt), /199/);
  });

  test("is an entry that is listed as pending and removed", async () => {
    const place = ["--brokerage", "PAPER", "--account", "PAPER-1"];
    const levels = ["--stop-loss", "3", "--take-profit", "5", "--trigger", "900000"];
    const { setupId } = z
      .object({ setupId: z.number() })
      .parse(await world.json("oco", "enter", "GARAN", "3", ...place, ...levels));
    const listed = z.array(z.object({ symbol: z.string() })).parse(await world.json("oco", "pending", ...place));
    assert.deepEqual(listed, [{ symbol: "GARAN" }]);
    await world.json("oco", "remove-pending", String(setupId), "--brokerage", "PAPER");
    assert.deepEqual(await world.json("oco", "pending", ...place), []);
  });
});

/** Runs a command until it succeeds. */
async function untilDone(world: CommandLineWorld, words: readonly string[]) {
  for (;;) {
    const ended = await world.run(words);
    if (ended.exitCode === 0) return ended;
    await pause(500);
  }
}

describe("a pending OCO by the command line", () => {
  test("is not changed without a field, or with both levels", async () => {
    const world = await CommandLineWorld.start();
    try {
      assert.equal((await world.run(["oco", "change-pending", "9"])).exitCode, 64);
      const both = await world.run(["oco", "change-pending", "9", "--percent", "3", "--stop-loss", "90"]);
      assert.equal(both.exitCode, 64, both.err);
      const absent = await world.run(["oco", "change-pending", "9", "--percent", "3"]);
      assert.match(absent.err, /404: pending OCO 9 was not found/);
    } finally {
      await world.end();
    }
  });
});

test("an entry by the command line is a pending OCO with its buy, or a mistake of usage", async () => {
  const world = await CommandLineWorld.start();
  try {
    const place = ["--brokerage", "PAPER", "--account", "PAPER-1"];
    const levels = ["--stop-loss", "3", "--take-profit", "5"];
    assert.equal((await world.run(["oco", "enter", "THYAO", "10", ...place, "--stop-loss", "3"])).exitCode, 64);
    const wrong = await world.run(["oco", "enter", "THYAO", "10", ...place, ...levels, "--limit", "10.001"]);
    assert.equal(wrong.exitCode, 65, wrong.err);
    assert.match(wrong.err, /400: entry\.price 10\.001/);
    const entered = await world.run(["oco", "enter", "THYAO", "10", ...place, ...levels, "--limit", "10"]);
    assert.equal(entered.exitCode, 0, entered.err);
    assert.match(entered.out, /setupId/);
    const twice = await world.run(["oco", "enter", "GARAN", "10", ...place, ...levels, "--cash", "1000"]);
    assert.equal(twice.exitCode, 64, twice.err);
    const sized = ["--trigger", "900000", "--cash", "2700000", "--expires", "2099-01-01", "--follow-position"];
    const waiting = await world.run(["oco", "enter", "GARAN", ...place, ...levels, ...sized]);
    assert.equal(waiting.exitCode, 0, waiting.err);
    assert.match(waiting.out, /quantity\W+3\b/);
    const setupId = /setupId\W+(\d+)/.exec(waiting.out)?.[1] ?? "";
    const moved = ["oco", "change-pending", setupId, "--trigger", "910000", "--expires", "none"];
    const { version, entry, followPosition } = changedEntry.parse(
      await world.json(...moved, "--follow-position", "off"),
    );
    assert.deepEqual([version, entry, followPosition], [2, { triggerPrice: 910_000, expiresAt: null }, false]);
    const word = await world.run(["oco", "change-pending", setupId, "--follow-position", "yes"]);
    assert.equal(word.exitCode, 64, word.err);
  } finally {
    await world.end();
  }
});

const changedEntry = z.object({
  version: z.number(),
  followPosition: z.boolean(),
  entry: z.object({ triggerPrice: z.number(), expiresAt: z.string().nullable() }),
});

async function createGroup(world: CommandLineWorld): Promise<number> {
  const place = { brokerageCode: "PAPER", accountNumber: "PAPER-1", symbol: "THYAO" };
  const levels = { stopLossPrice: 200, stopLossQuantity: 10, takeProfitItems: [{ price: 500, quantity: 10 }] };
  const made = await world.post("/api/v1/oco-orders", { ...place, ...levels });
  return z.object({ id: z.number() }).parse(made).id;
}
