/** An end waits for the answers to the requests that may have caused it, and for nothing else. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CancelRequests } from "../../../../engine/connector/alpaca/cancel-requests.ts";
import { readOrder } from "../../../../engine/connector/alpaca/order.ts";

const word = (status: string, updatedMs = 2_000) =>
  readOrder({
    ...{ id: "n1", clientOrderId: "o1", symbol: "AAPL", side: "sell", type: "market", qty: "10", filledQty: "0" },
    ...{ status, createdAt: new Date(1_000), updatedAt: new Date(updatedMs) },
  });

test("an end that a request may have caused waits for the last of them; the newest word of it counts", () => {
  const requests = new CancelRequests();
  assert.equal(requests.hold(word("canceled")), false);
  requests.begin("o1");
  requests.begin("o1");
  assert.equal(requests.hold(word("canceled")), true);
  assert.equal(requests.hold(word("canceled", 3_000)), true);
  assert.equal(requests.hold(word("canceled", 2_500)), true);
  assert.equal(requests.finish("o1"), undefined);
  assert.equal(requests.finish("o1")?.updatedMs, 3_000);
  assert.equal(requests.hold(word("canceled")), false);
  assert.equal(requests.finish("o1"), undefined);
});

test("what a request did not cause waits for none: other ends, and orders without one", () => {
  const requests = new CancelRequests();
  requests.begin("o1");
  for (const status of ["expired", "rejected", "new", "pending_cancel"]) {
    assert.equal(requests.hold(word(status)), false, status);
  }
  requests.begin("o2");
  assert.equal(requests.finish("o2"), undefined);
  assert.equal(requests.finish("o1"), undefined);
});
