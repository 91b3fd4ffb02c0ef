/** A brokerage behind the question whether this engine may act. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { requireLease } from "../../../engine/order/require-lease.ts";
import type { Brokerage, BrokerageSession } from "../../../engine/ports/brokerage.ts";
import { ScriptedBrokerage, settings } from "./outbox/harness.ts";

const SESSION: BrokerageSession = {
  ...{ state: "up", since: null, resend: "query", refusal: null },
  ...{ canLookUp: false, canTellInstrument: false, canTellBars: false },
};

test("tells what its connector tells of itself, as without the question", () => {
  const brokerage: Brokerage = Object.assign(new ScriptedBrokerage({ nowMs: () => 0 }, settings()), {
    session: () => SESSION,
  });
  assert.deepEqual(requireLease(brokerage, { mayAct: () => true }).session?.(), SESSION);
});

test("tells nothing of a connector where there is none", () => {
  const brokerage = new ScriptedBrokerage({ nowMs: () => 0 }, settings());
  assert.equal(requireLease(brokerage, { mayAct: () => true }).session, undefined);
});

test("sends nothing while it may not act", async () => {
  const brokerage = new ScriptedBrokerage({ nowMs: () => 0 }, settings());
  const reply = await requireLease(brokerage, { mayAct: () => false }).findOrder({ userId: 7, accountNumber: "A1" });
  assert.equal(reply.ok ? "" : reply.code, "NOT_SENT");
});
