/** A group that was set aside with the end of its sell, and is released once another one has taken its place. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ActorKind } from "../../../engine/actor/kind.ts";
import { kindNamed } from "../../../engine/partition/kinds.ts";
import { COMMANDS, QUERIES } from "../../../src/contract/command.ts";
import { livePrice } from "../../../src/domain/price/price.ts";
import { ACCOUNT, brokerageOf, type Life, startLife } from "../command/harness.ts";

const account = { brokerageCode: "PAPER", accountNumber: ACCOUNT.accountNumber };

async function open(life: Life): Promise<number> {
  const takeProfitItems = [{ price: 110, quantity: 10 }];
  const body = {
    ...account,
    symbol: "THYAO",
    stopLossPrice: 90,
    stopLossQuantity: 10,
    takeProfitItems,
    exit: { stopLoss: "once" },
  };
  const reply = await life.command(COMMANDS.createGroup, body);
  assert.ok(reply?.ok, JSON.stringify(reply));
  return (reply.data as { readonly groupId: number }).groupId;
}

async function statusesOf(life: Life): Promise<unknown[]> {
  const page = await life.query(QUERIES.listGroups, account);
  assert.ok("rows" in page);
  return page.rows.map(({ status }) => status);
}

test("a release looks anew at whether the place is free: the other group keeps it", async () => {
  const life = await startLife();
  const groupId = await open(life);
  const price = livePrice(89);
  assert.ok(price !== undefined);
  life.partition.onTick({ symbol: "THYAO", price, timeMs: life.time.nowMs(), isCaughtUp: false });
  await life.time.advance(100);
  const [order] = brokerageOf(life).orders.values();
  assert.ok(order !== undefined);
  // A fault of ours while the end of its sell is handled.
  const groups = kindNamed("group") as { -readonly [K in keyof ActorKind]: ActorKind[K] };
  const { facts } = groups;
  groups.facts = (context) => {
    assert((context as { readonly groupId: number }).groupId !== groupId, "a fault of ours");
    return facts(context);
  };
  try {
    brokerageOf(life).tell({ ...order, orderStatus: 3 });
    await life.time.advance(100);
  } finally {
    groups.facts = facts;
  }
  assert.deepEqual(life.partition.host.quarantine.ids(), [groupId]);
  await open(life);
  const reply = await life.command("operator.release", { id: `actor-0-${groupId}` });
  assert.ok(reply?.ok, JSON.stringify(reply));
  await life.time.advance(1_000);
  assert.deepEqual(await statusesOf(life), [3, 4, 1, 1]);
});
