/** A leader sends nothing before the connector has answered its fence, and so no request arrives earlier. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { requireFence } from "../../../../engine/order/gateway/require-fence.ts";
import type { Brokerage } from "../../../../engine/ports/brokerage.ts";
import type { FencedEpoch } from "../../../../src/contract/gateway/fence.ts";
import type { BrokerReply, PlaceRequest } from "../../../../src/contract/trading/order.ts";
import { FakeTime } from "../../../support/machine/fake-time.ts";
import { failed, placed, ScriptedBrokerage, settings } from "../outbox/harness.ts";

const LEADER = { partition: 3, epoch: 7 };

function world(answer: () => BrokerReply<FencedEpoch>) {
  const scripted = new ScriptedBrokerage(new FakeTime(), settings());
  const asked: FencedEpoch[] = [];
  const fenced: Brokerage = Object.assign(scripted, {
    fence: async (leader: FencedEpoch) => {
      asked.push(leader);
      return answer();
    },
  });
  return { scripted, asked, behind: requireFence(fenced, LEADER) };
}

const request: PlaceRequest = {
  ...{ userId: 7, accountNumber: "A1", clientOrderId: "new", symbol: "THYAO", quantity: 10 },
  ...{ buySell: 2, orderType: 1, price: 0 },
};
const lookUp = { userId: 7, accountNumber: "A1", clientOrderId: "new" };

test("it is asked once, at once, and before the first request of any kind", async () => {
  const { scripted, asked, behind } = world(() => ({ ok: true, data: LEADER }));
  assert.deepEqual(asked, [LEADER], "no request waits for it longer than it must");
  assert.deepEqual(await Promise.all([behind.place(request), behind.findOrder(lookUp)]), [
    placed("N1"),
    failed("NOT_FOUND"),
  ]);
  await behind.place(request);
  assert.deepEqual(asked, [LEADER]);
  assert.equal(scripted.calls.length, 3);
});

test("without its answer nothing is sent, and it is asked again with the next request", async () => {
  let isUp = false;
  const { scripted, asked, behind } = world(() => (isUp ? { ok: true, data: LEADER } : failed("UNAVAILABLE")));
  const reply = await behind.place(request);
  assert.ok(!reply.ok && reply.code === "NOT_SENT");
  assert.deepEqual(scripted.calls, []);
  isUp = true;
  assert.deepEqual(await behind.place(request), placed("N1"));
  assert.equal(asked.length, 2);
});

test("where a later leader was heard nothing is sent any more", async () => {
  const { scripted, behind } = world(() => ({ ok: true, data: { partition: 3, epoch: 8 } }));
  for (const reply of [await behind.place(request), await behind.findOrder(lookUp)]) {
    assert.ok(!reply.ok && reply.code === "FENCED");
  }
  assert.deepEqual(scripted.calls, []);
});

test("a brokerage in the process has no fence and needs none", async () => {
  const scripted = new ScriptedBrokerage(new FakeTime(), settings());
  assert.deepEqual(await requireFence(scripted, LEADER).place(request), placed("N1"));
});
