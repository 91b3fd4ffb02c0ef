/** A start that leaves a brokerage out which orders wait for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { BrokerageUse } from "../../engine/brokerage-use.ts";
import { allPending } from "../../engine/partition-recovery.ts";

const PAGE = 1_000;

/** An outbox that tells its orders in pages. */
function outboxOf(codes: readonly string[]) {
  const orders = codes.map((brokerageCode, sequence) => ({ sequence, brokerageCode }));
  return {
    pending: ({ afterSequence = -1 }: { readonly afterSequence?: number }) =>
      orders.filter(({ sequence }) => sequence > afterSequence).slice(0, PAGE),
  };
}

test("is refused for an order on any page of the outbox", () => {
  const outbox = outboxOf([...new Array<string>(2 * PAGE).fill("LISTED"), "GONE", "GONE"]);
  const brokerages = { find: (code: string) => (code === "LISTED" ? {} : undefined) };
  assert.throws(() => new BrokerageUse().refuseUnlisted(allPending(outbox), 0, brokerages), /GONE: 2 orders/);
});
