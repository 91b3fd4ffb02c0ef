/** A start without a brokerage for which orders wait. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readStoredActor } from "../../../engine/actor/stored-actor.ts";
import { kindNamed } from "../../../engine/partition/kinds.ts";
import { allPending } from "../../../engine/partition/recovery.ts";
import { BrokerageUse } from "../../../engine/query/held-by-brokerage.ts";

const PAGE = 1_000;

/** An outbox that returns its orders in pages. */
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

test("counts an actor in quarantine, also one whose context cannot be read", () => {
  const stored = (kind: string, context: unknown) => Buffer.from(JSON.stringify({ kind, state: "watching", context }));
  const use = new BrokerageUse();
  for (const context of [
    { brokerageCode: "GONE", isBroken: true },
    [3, 1, 7, "GONE", ...new Array<null>(11).fill(null)],
  ]) {
    use.addActor(readStoredActor(stored("group", context), kindNamed), true);
  }
  assert.equal(readStoredActor(Buffer.from("not JSON"), kindNamed), undefined);
  assert.deepEqual(
    use.views([]).map(({ code, groups, quarantined }) => [code, groups, quarantined]),
    [["GONE", 2, 2]],
  );
  assert.throws(() => use.refuseUnlisted([], 0, { find: () => undefined }), /GONE: 2 OCO groups/);
});
