/** Versions of bots: what raises one, and whom it refuses (behaviour 8.5). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Reply } from "../../../../src/contract/command.ts";
import { startWorld, type TradingWorld } from "../../../support/world/trading-world.ts";
import {
  buySignal,
  createLevel,
  createWebhook,
  levelBot,
  pairsOf,
  readBot,
  signal,
  tradeOnce,
  webhookBot,
} from "./bots.ts";

const BODIES = { level: levelBot, webhook: webhookBot } as const;
type Kind = keyof typeof BODIES;

async function made(kind: Kind): Promise<{ readonly world: TradingWorld; readonly id: number }> {
  const world = await startWorld();
  return { world, id: kind === "level" ? await createLevel(world) : (await createWebhook(world)).id };
}

const update = (world: TradingWorld, kind: Kind, id: number, change: object, versions?: readonly number[]) =>
  world.command(`${kind}Bots.update`, {
    ...{ id, bot: { ...BODIES[kind], ...change } },
    ...(versions !== undefined && { versions }),
  });

function assertStale(reply: Reply, version: number): void {
  assert.ok(!reply.ok, "a version of before is refused");
  assert.deepEqual([reply.code, reply.version], ["PRECONDITION_FAILED", version]);
}

async function versionOf(world: TradingWorld, kind: Kind, id: number): Promise<number | undefined> {
  const reply = await readBot(world, kind, id);
  assert.ok(reply.ok);
  return reply.version;
}

for (const kind of ["level", "webhook"] as const) {
  describe(`the version of a ${kind} bot`, () => {
    test("is 1 at its creation, and one more with each update, also after a restart", async () => {
      const world = await startWorld();
      const created = await world.command(`${kind}Bots.create`, BODIES[kind]);
      assert.ok(created.ok);
      const { id } = created.data as { readonly id: number };
      assert.deepEqual([created.version, await versionOf(world, kind, id)], [1, 1]);
      const updated = await update(world, kind, id, { name: "Second" });
      assert.ok(updated.ok);
      assert.deepEqual([updated.version, await versionOf(world, kind, id)], [2, 2]);
      await world.restart();
      assert.equal(await versionOf(world, kind, id), 2);
      assertStale(await update(world, kind, id, { name: "Third" }, [1]), 2);
      assert.ok((await update(world, kind, id, { name: "Third" }, [1, 2])).ok);
      assert.equal(await versionOf(world, kind, id), 3);
    });

    test("lets one of a hundred clients with the same version change it", async () => {
      const { world, id } = await made(kind);
      const names = Array.from({ length: 100 }, (_, index) => `Name ${index}`);
      const replies = await Promise.all(names.map((name) => update(world, kind, id, { name }, [1])));
      assert.equal(replies.filter(({ ok }) => ok).length, 1);
      for (const reply of replies) if (!reply.ok) assertStale(reply, 2);
      assert.equal(await versionOf(world, kind, id), 2);
    });

    test("refuses a stale update and a stale end, which change nothing, and an unknown tag", async () => {
      const { world, id } = await made(kind);
      assert.ok((await update(world, kind, id, { isActive: false })).ok);
      const before = await readBot(world, kind, id);
      assertStale(await update(world, kind, id, {}, [1]), 2);
      assertStale(await update(world, kind, id, {}, []), 2);
      assertStale(await world.command(`${kind}Bots.delete`, { id, versions: [1] }), 2);
      assert.deepEqual(await readBot(world, kind, id), before);
      assert.equal(world.eventsOf("bot.updated").length, 1);
      assert.ok((await world.command(`${kind}Bots.delete`, { id, versions: [2] })).ok);
    });
  });
}

test("trades keep the version of a bot: they change none of its terms", async () => {
  const { world, id } = await made("level");
  await tradeOnce(world);
  assert.equal(await versionOf(world, "level", id), 1);
  const other = await createWebhook(world);
  assert.ok((await signal(world, other.secret, buySignal)).ok);
  assert.equal((await pairsOf(world, "webhook", other.id)).length, 1);
  assert.equal(await versionOf(world, "webhook", other.id), 1);
});

test("a new address of a webhook bot raises its version, and is refused to a version of before", async () => {
  const { world, id } = await made("webhook");
  const rotated = await world.command("webhookBots.rotateSecret", { id, versions: [1] });
  assert.ok(rotated.ok);
  assert.equal(rotated.version, 2);
  assertStale(await world.command("webhookBots.rotateSecret", { id, versions: [1] }), 2);
  assert.equal(await versionOf(world, "webhook", id), 2);
});
