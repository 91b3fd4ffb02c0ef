/** Stored contexts are read as strictly as they are written; that whole lives pass is held by the charts' tests. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { levelBotSnapshot, webhookBotSnapshot } from "../../src/contract/stored/bot-snapshot.ts";
import { clientOrderSnapshot } from "../../src/contract/stored/client-order-snapshot.ts";
import { setupSnapshot } from "../../src/contract/stored/setup-snapshot.ts";
import { versionOf } from "../../src/domain/oco/group.ts";
import { beginClientOrder } from "../../src/domain/order/client-order.ts";
import { levelActor, levelPlan, webhookActor, webhookPlan } from "../machine/bot/bot-samples.ts";
import { sampleSetup } from "../machine/setup-samples.ts";

const detail = { symbol: "ACME", quantity: 1, algoName: "cross", period: "1H" };

const terms = { symbol: "ACME", quantity: 10, buySell: 1, orderType: 1, price: 0 } as const;
const place = { orderId: 5, userId: 7, brokerageCode: "PAPER", accountNumber: "A1" };
const clientOrder = beginClientOrder({ ...place, ...terms, clientOrderId: "life-c5" }, "N1", 1, 1_000).order;

const STORED = [
  { name: "order of a client", schema: clientOrderSnapshot, context: clientOrder },
  { name: "setup", schema: setupSnapshot, context: sampleSetup({}) },
  { name: "level bot", schema: levelBotSnapshot, context: levelActor(levelPlan({})).context },
  { name: "webhook bot", schema: webhookBotSnapshot, context: webhookActor(webhookPlan(true, detail)).context },
] as const;

/** What bots that were stored by an older build lack. */
const ADDED = "levelsChangedBy";

test("a level bot of an older build is read, with what it could not know as unknown", () => {
  const { context } = levelActor(levelPlan({}));
  const { [ADDED]: _, ...others } = context;
  const details = context.details.map(({ confirmTicks: __, before: ___, ...detail }) => detail);
  assert.deepEqual(levelBotSnapshot.parse({ ...others, details }), { ...context, [ADDED]: null });
});

test("a bot that was changed before changes were counted is read as its first version", () => {
  const { context } = levelActor(levelPlan({}));
  const changed = { ...context, updatedAtMs: 2_000 };
  assert.equal(versionOf(levelBotSnapshot.parse(changed)), 1);
  assert.equal(versionOf(levelBotSnapshot.parse({ ...changed, changes: 2 })), 3);
  assert.throws(() => levelBotSnapshot.parse({ ...changed, changes: 0 }));
});

test("a webhook bot that was stored with a blank label is read: what is refused now does not end it", () => {
  const { context } = webhookActor(webhookPlan(true, detail));
  const blank = { ...context, details: context.details.map((one) => ({ ...one, algoName: " ", period: " 1H" })) };
  assert.deepEqual(webhookBotSnapshot.parse(JSON.parse(JSON.stringify(blank))), blank);
});

for (const { name, schema, context } of STORED) {
  test(`a stored ${name} is read back as it was`, () => {
    assert.deepEqual(schema.parse(JSON.parse(JSON.stringify(context))), context);
  });

  test(`a stored ${name} with a field missing, unknown or of another version is refused`, () => {
    for (const key of Object.keys(context).filter((each) => each !== ADDED)) {
      const { [key]: _, ...rest } = context as unknown as Record<string, unknown>;
      assert.ok(!schema.safeParse(rest).success, `without ${key}`);
    }
    assert.ok(!schema.safeParse({ ...context, other: 1 }).success);
    assert.ok(!schema.safeParse({ ...context, version: 9 }).success);
  });
}

test("a tier of a stored setup has a percent or a price, not both and not neither", () => {
  const setup = sampleSetup({});
  for (const stopLoss of [{ quantity: 1 }, { quantity: 1, percent: 3, price: 100 }, { quantity: 1, percent: 0 }]) {
    assert.ok(!setupSnapshot.safeParse({ ...setup, stopLoss }).success);
  }
  assert.ok(setupSnapshot.safeParse({ ...setup, stopLoss: { quantity: 1, price: 100 } }).success);
});
