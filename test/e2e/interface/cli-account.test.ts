// tier: real
/** An account by the command line: what it holds, its trading state, its end, price alerts (behaviour 18, 26, 29). */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { CommandLineWorld } from "./cli-world.ts";

const PLACE = ["--brokerage", "PAPER", "--account", "PAPER-1"];
const USAGE = 64;
const DATA = 65;
const TEMPORARY = 75;

/** Positions, balance and ledger share a limit of one a second: repeats a command until it is not limited. */
async function reading(world: CommandLineWorld, ...words: readonly string[]): Promise<unknown> {
  for (;;) {
    const { exitCode, out, err } = await world.run(["--json", ...words, ...PLACE]);
    if (exitCode !== TEMPORARY) {
      assert.equal(exitCode, 0, err);
      return JSON.parse(out);
    }
    await pause(1_000);
  }
}

const positions = z.array(z.object({ symbol: z.string(), quantity: z.number() }));
const ledger = z.array(
  z.object({
    symbol: z.string(),
    held: z.number(),
    committed: z.object({ groups: z.number() }),
    worstCase: z.number(),
  }),
);
const states = z.array(
  z.object({ scope: z.string(), accountNumber: z.string().nullable(), state: z.string(), reason: z.string() }),
);
const flattened = z.object({ orders: z.array(z.object({ symbol: z.string(), quantity: z.number() })) });

describe("an account by the command line", () => {
  let world: CommandLineWorld;
  before(async () => {
    world = await CommandLineWorld.start();
  });
  after(() => world.end());

  test("is listed, with its money and positions", async () => {
    const accounts = z.array(z.object({ brokerageCode: z.string(), accountNumber: z.string() }));
    const listed = accounts.parse(await world.json("accounts", "list"));
    assert.ok(listed.some(({ accountNumber }) => accountNumber === "PAPER-1"));
    assert.deepEqual(await reading(world, "accounts", "daily-orders"), []);
    const { cash } = z.object({ cash: z.number() }).parse(await reading(world, "accounts", "balance"));
    assert.ok(cash > 0);
    assert.ok(positions.parse(await reading(world, "accounts", "positions")).some(({ quantity }) => quantity > 0));
    assert.equal((await world.run(["accounts", "balance", "--brokerage", "PAPER"])).exitCode, USAGE);
  });

  test("has a ledger that counts what a group can sell, of one symbol if asked", async () => {
    const levels = ["--stop-loss", "200", "--take-profit", "500"];
    const created = await world.run(["oco", "create", "THYAO", "10", ...PLACE, ...levels]);
    assert.equal(created.exitCode, 0, created.err);
    assert.match(created.out, /^stopLossQuantity|^groupId/m);
    assert.equal((await world.run(["oco", "create", "THYAO", "10", ...PLACE, "--stop-loss", "200"])).exitCode, USAGE);
    const [row, ...others] = ledger.parse(await reading(world, "accounts", "ledger", "--symbol", "THYAO"));
    assert.deepEqual([row?.symbol, row?.committed.groups, others.length], ["THYAO", 10, 0]);
    assert.equal(row?.worstCase, (row?.held ?? 0) - 10);
  });

  test("is not flattened without the word, and then sold whole and halted", async () => {
    const flatten = ["accounts", "flatten", ...PLACE, "--reason", "leaving"];
    assert.equal((await world.run(flatten)).exitCode, USAGE);
    assert.equal((await world.run([...flatten, "--confirm", "flatten"])).exitCode, USAGE);
    assert.deepEqual(await world.json("my-trading", "show"), []);
    const { orders } = flattened.parse(await world.json(...flatten, "--confirm", "FLATTEN"));
    assert.ok(orders.some(({ symbol, quantity }) => symbol === "THYAO" && quantity > 0));
    const [state] = states.parse(await world.json("my-trading", "show"));
    assert.deepEqual([state?.scope, state?.accountNumber, state?.state], ["account", "PAPER-1", "halted"]);
  });

  test("stops the exit of a symbol that has no price to be sold at", async () => {
    const rows = z.array(z.object({ id: z.number(), notes: z.string().nullable() }));
    const [exit] = rows.parse(await world.json("oco", "list", ...PLACE)).filter(({ notes }) => notes === "leaving");
    const stopped = await world.run(["oco", "stop-exit", String(exit?.id)]);
    assert.equal(stopped.exitCode, 0, stopped.err);
    assert.match(stopped.out, /^message +The exit is being stopped\n$/);
  });

  test("is traded at a brokerage whose condition is shown", async () => {
    assert.match((await world.run(["conditions"])).out, /PAPER/);
  });

  test("has no totals of bots without bots, of either kind", async () => {
    assert.deepEqual(await world.json("totals", "PAPER", "PAPER-1"), []);
    assert.deepEqual(await world.json("totals", "PAPER", "PAPER-1", "--kind", "webhook"), []);
    assert.deepEqual(await world.json("history", "PAPER", "PAPER-1", "--kind", "webhook"), []);
    assert.equal((await world.run(["totals", "PAPER", "PAPER-1", "--kind", "other"])).exitCode, USAGE);
  });
});

describe("the caller's own trading by the command line", () => {
  let world: CommandLineWorld;
  before(async () => {
    world = await CommandLineWorld.start();
  });
  after(() => world.end());

  test("is halted, never loosened by reduce alone, and resumed", async () => {
    await world.json("my-trading", "halt", "--reason", "a pause");
    const shown = states.parse(await world.json("my-trading", "show"));
    const halted = { scope: "user", accountNumber: null, state: "halted", reason: "a pause" };
    assert.deepEqual(shown, [halted]);
    const reduced = await world.run(["my-trading", "reduce", "--reason", "less"]);
    assert.equal(reduced.exitCode, DATA, reduced.err);
    assert.match(reduced.err, /confirm must be "RESUME" to leave halted/);
    assert.deepEqual(states.parse(await world.json("my-trading", "show")), [halted]);
    await world.json("my-trading", "reduce", "--reason", "less", "--from-halted");
    assert.equal(states.parse(await world.json("my-trading", "show"))[0]?.state, "reducing");
    await world.json("my-trading", "resume", "--reason", "back");
    assert.deepEqual(await world.json("my-trading", "show"), []);
    assert.equal((await world.run(["my-trading", "halt"])).exitCode, USAGE);
  });

  test("is halted for one account, which both options name", async () => {
    const one = await world.run(["my-trading", "halt", "--reason", "x", "--account", "PAPER-1"]);
    assert.equal(one.exitCode, USAGE, one.err);
    assert.deepEqual(await world.json("my-trading", "show"), []);
    await world.json("my-trading", "halt", "--reason", "x", ...PLACE);
    const [state] = states.parse(await world.json("my-trading", "show"));
    assert.deepEqual([state?.scope, state?.accountNumber], ["account", "PAPER-1"]);
  });

  test("has price alerts, which are added, listed, changed and removed", async () => {
    const alert = z.object({ id: z.number(), direction: z.string(), price: z.number(), note: z.string().nullable() });
    const { id } = alert.parse(await world.json("price-alerts", "add", "THYAO", "below", "20.5", "--note", "buy"));
    const listed = z.array(alert).parse(await world.json("price-alerts", "list"));
    assert.deepEqual(listed, [{ id, direction: "atOrBelow", price: 20.5, note: "buy" }]);
    const changes = ["--price", "21.5", "--note", "none", "--repeat", "on", "--until", "2199-01-01"];
    const changed = alert.extend({ repeat: z.boolean(), until: z.string() });
    const { until, ...row } = changed.parse(await world.json("price-alerts", "change", String(id), ...changes));
    assert.deepEqual(row, { id, direction: "atOrBelow", price: 21.5, note: null, repeat: true });
    assert.match(until, /^2199-01-01T/);
    assert.equal((await world.run(["price-alerts", "change", String(id)])).exitCode, USAGE);
    assert.deepEqual(await world.json("price-alerts", "list", "--ended"), []);
    await world.json("price-alerts", "remove", String(id));
    assert.deepEqual(await world.json("price-alerts", "list"), []);
    assert.equal((await world.run(["price-alerts", "add", "THYAO", "beyond", "20"])).exitCode, USAGE);
    assert.equal((await world.run(["price-alerts", "remove", String(id)])).exitCode, DATA);
  });
});
