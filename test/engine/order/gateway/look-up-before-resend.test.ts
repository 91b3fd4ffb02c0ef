/** A brokerage after a restoration: what the lost life may have sent is looked up before it is sent. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { lookUpBeforeResend } from "../../../../engine/order/gateway/look-up-before-resend.ts";
import type { Brokerage } from "../../../../engine/ports/brokerage.ts";
import type { BrokerageSettings, PlaceRequest } from "../../../../src/contract/trading/order.ts";
import { FakeTime } from "../../../support/machine/fake-time.ts";
import { failed, placed, recordOf, ScriptedBrokerage, settings } from "../outbox/harness.ts";

function world(resend: BrokerageSettings["resend"]): {
  readonly time: FakeTime;
  readonly scripted: ScriptedBrokerage;
  readonly careful: Brokerage;
} {
  const time = new FakeTime();
  const scripted = new ScriptedBrokerage(time, settings({ resend }));
  return { time, scripted, careful: lookUpBeforeResend(scripted, time, (name) => name.startsWith("old")) };
}

const request = (clientOrderId: string): PlaceRequest => ({
  ...{
    userId: 7,
    accountNumber: "A1",
    clientOrderId,
    symbol: "THYAO",
    quantity: 10,
    buySell: 2,
    orderType: 1,
    price: 0,
  },
});

for (const resend of ["query", "expiry"] as const) {
  test(`${resend}: what the brokerage knows is not sent, and its answer is that order's`, async () => {
    const { scripted, careful } = world(resend);
    scripted.onFind = async () => ({ ok: true, data: recordOf(request("old"), "N9") });
    assert.deepEqual(await careful.place(request("old")), placed("N9"));
    assert.deepEqual(await careful.chain({ ...request("old"), referenceOrderNo: "N1" }), placed("N9"));
    assert.deepEqual(scripted.sent, []);
  });

  test(`${resend}: what it does not know is sent, after the look-up`, async () => {
    const { scripted, careful } = world(resend);
    assert.deepEqual(await careful.place(request("old")), placed("N1"));
    assert.deepEqual(
      scripted.calls.map(({ operation }) => operation),
      ["findOrder", "place"],
    );
  });

  test(`${resend}: where that cannot be found out nothing is sent, and an order may exist`, async () => {
    const { scripted, careful } = world(resend);
    for (const code of ["UNAVAILABLE", "UNAUTHORIZED", "NOT_SENT", "UNKNOWN", "FENCED"] as const) {
      scripted.onFind = () => failed(code);
      const answer = await careful.place(request("old"));
      assert.ok(!answer.ok && answer.code === "UNAVAILABLE", code);
    }
    scripted.onFind = async () => ({ ok: true, data: recordOf(request("other"), "N9") });
    const answer = await careful.place(request("old"));
    assert.ok(!answer.ok && answer.code === "UNAVAILABLE", "another order");
    assert.deepEqual(scripted.sent, []);
  });
}

test("expiry: an order that expired during the look-up is not sent, for it would be refused", async () => {
  const { time, scripted, careful } = world("expiry");
  const expiresAt = new Date(time.nowMs() + 1_000).toISOString();
  scripted.onFind = async () => {
    await time.advance(1_000);
    return failed("NOT_FOUND");
  };
  const answer = await careful.place({ ...request("old"), expiresAt });
  assert.ok(!answer.ok && answer.code === "UNAVAILABLE");
  assert.deepEqual(scripted.sent, []);
});

test("none: a person is called, and what that person sends again is sent", async () => {
  const { scripted, careful } = world("none");
  const answer = await careful.place(request("old"));
  assert.ok(!answer.ok && answer.code === "UNAVAILABLE");
  assert.deepEqual(scripted.calls, []);
  assert.deepEqual(await careful.place(request("old")), placed("N1"));
});

test("idempotent, and whatever is named after what came later: sent as ever", async () => {
  const { scripted, careful } = world("idempotent");
  assert.deepEqual(await careful.place(request("old")), placed("N1"));
  assert.deepEqual(scripted.lookedUp, []);
  for (const resend of ["query", "expiry", "none"] as const) {
    const later = world(resend);
    assert.deepEqual(await later.careful.place(request("new")), placed("N1"));
    assert.deepEqual(later.scripted.lookedUp, []);
  }
});
