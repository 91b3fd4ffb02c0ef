/** Each event that has a bot's number shows the bot's name, and the lists of bots are rarely requested. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { BotNames } from "../../../edge/web/dashboard/state/bot-names.ts";
import type { Account } from "../../../edge/web/dashboard/state/model.ts";

const accountOf = (accountNumber: string): Account => ({
  ...{ accountNumber, number: accountNumber, name: "", brokerageCode: "PAPER", isActive: true, isDefault: true },
});

/** A service with one level bot. */
class World {
  accounts: readonly Account[] = [accountOf("A1"), accountOf("A2")];
  names: ReadonlyMap<number, string> = new Map();
  readonly asked: string[] = [];
  isAway = false;
  readonly bots = new BotNames({
    get: async <T>(path: string) => {
      this.asked.push(path);
      if (this.isAway) throw new Error("not reached");
      return (path.startsWith("/api/v1/level-bots?") && path.endsWith("A1") ? [{ id: 4, name: "Dips" }] : []) as T;
    },
    accounts: () => this.accounts,
    attempt: (work) =>
      work().then(
        () => undefined,
        (error: unknown) => String(error),
      ),
    onNames: (names) => {
      this.names = names;
    },
  });

  async hear(systemId: number, row: object = {}): Promise<void> {
    this.bots.hear({ type: "pair.bought", systemId, row });
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test("the names of all accounts' bots are read at the first event of an unknown one, once", async () => {
  const world = new World();
  for (let count = 0; count < 3; count += 1) await world.hear(4);
  assert.equal(world.names.get(4), "Dips");
  assert.equal(world.asked.length, 4, "level bots and webhook bots of two accounts");
  for (let count = 0; count < 3; count += 1) await world.hear(5);
  assert.equal(world.asked.length, 8, "one that stays unknown is asked for once");
});

test("an event that carries the name teaches it, and nothing is asked", async () => {
  const world = new World();
  await world.hear(4, { name: "Dips" });
  await world.hear(4);
  await world.hear(4, { name: "Deep dips" });
  assert.deepEqual([...world.names], [[4, "Deep dips"]]);
  assert.deepEqual(world.asked, []);
});

test("where the lists cannot be read the next event has them read", async () => {
  const world = new World();
  world.isAway = true;
  await world.hear(4);
  assert.equal(world.names.size, 0);
  world.isAway = false;
  await world.hear(4);
  assert.equal(world.names.get(4), "Dips");
});

test("before the accounts are known nothing is asked; once they are, the bots that were heard of get their names", async () => {
  const world = new World();
  const { accounts } = world;
  world.accounts = [];
  await world.hear(4);
  assert.deepEqual(world.asked, []);
  world.accounts = accounts;
  world.bots.findEarly();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(world.names.get(4), "Dips");
  world.bots.findEarly();
  assert.equal(world.asked.length, 4, "once");
});
