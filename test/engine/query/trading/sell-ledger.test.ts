/** What the sell ledger counts, over a partition and a paper brokerage, and what it leaves unknown. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LedgerRowView } from "../../../../src/contract/trading/ledger.ts";
import { startWorld } from "../../../support/world/trading-world.ts";
import { brokerageOf, no, startLife } from "../../command/harness.ts";
import { buySignal, createWebhook, place, signal } from "../../command/trading/bots.ts";

const levels = { stopLossPrice: 90, stopLossQuantity: 10, takeProfitItems: [{ price: 120, quantity: 10 }] };

test("held lots stand beside open sells and what groups, pending OCOs and bots may still sell", async () => {
  const world = await startWorld();
  await world.tick("THYAO", 100);
  await world.order({ orderType: 1, quantity: 20 });
  await world.order({ buySell: 2, price: 110, quantity: 4 });
  await world.done("oco.create", { ...place, symbol: "THYAO", ...levels });
  const { orderNo } = await world.order({ price: 95, quantity: 7 });
  const tiers = { stopLossQuantity: 7, stopLossPercent: 5, takeProfitItems: [{ quantity: 7, percent: 10 }] };
  await world.done("setup.register", { ...place, symbol: "THYAO", brokerOrderNo: orderNo, ...tiers });
  const { secret } = await createWebhook(world);
  await signal(world, secret, buySignal);
  await world.time.turns();
  const ledger = (await world.query("accounts.sellLedger", place)) as LedgerRowView[];
  const committed = { groups: 10, bots: 5, entries: 7 };
  const [row] = ledger;
  assert.equal(ledger.length, 1);
  assert.ok(typeof row?.heldAsOf === "string");
  assert.deepEqual(
    { ...row, heldAsOf: null },
    { symbol: "THYAO", held: 25, heldAsOf: null, openSells: 4, committed, worstCase: -1, overcommitted: true },
  );
  await world.tick("THYAO", 89);
  await world.time.turns();
  const [after] = (await world.query("accounts.sellLedger", place)) as LedgerRowView[];
  // The stop sold 10, and the buy of the pending OCO was filled, which is over.
  assert.deepEqual([after?.held, after?.committed], [22, { groups: 0, bots: 5, entries: 0 }]);
});

test("what the brokerage does not tell now is null, and the rest is there", async () => {
  const life = await startLife();
  await life.command("oco.create", { brokerageCode: "PAPER", accountNumber: "A-7", symbol: "THYAO", ...levels });
  brokerageOf(life).answers.set("positions", () => no("UNAVAILABLE"));
  brokerageOf(life).answers.set("dailyOrders", () => no("REJECTED"));
  const answer = await life.query("accounts.sellLedger", { brokerageCode: "PAPER", accountNumber: "0007" });
  const committed = { groups: 10, bots: 0, entries: 0 };
  const unknown = { held: null, heldAsOf: null, openSells: null, worstCase: null, overcommitted: null };
  assert.deepEqual(answer, { ok: true, data: [{ symbol: "THYAO", committed, ...unknown }] });
});

test("another user's account has no ledger", async () => {
  const life = await startLife();
  const answer = await life.query("accounts.sellLedger", { brokerageCode: "PAPER", accountNumber: "A-8" });
  assert.equal(answer !== undefined && "code" in answer && answer.code, "FORBIDDEN");
});
