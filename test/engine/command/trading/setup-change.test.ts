/** Changing a registered setup in place, over a partition and a paper brokerage (behaviour 5.9). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS, QUERIES, type Reply } from "../../../../src/contract/command.ts";
import type { OcoRowView } from "../../../../src/contract/trading/oco.ts";
import type { SetupView } from "../../../../src/contract/trading/setup.ts";
import { ACCOUNT, startWorld, type TradingWorld } from "../../../support/world/trading-world.ts";

const list = { brokerageCode: "PAPER", accountNumber: ACCOUNT };
const registration = {
  ...{ ...list, symbol: "THYAO", stopLossQuantity: 10, stopLossPercent: 5 },
  takeProfitItems: [{ quantity: 10, percent: 10 }],
};

/** A setup over a limit buy at 100 that rests. */
async function waiting(more: object = {}): Promise<{ world: TradingWorld; id: number }> {
  const world = await startWorld();
  await world.tick("THYAO", 105);
  const { orderNo } = await world.order({ price: 100 });
  const reply = await world.command(COMMANDS.registerSetup, { ...registration, brokerOrderNo: orderNo, ...more });
  assert.ok(reply.ok);
  assert.equal(reply.version, 1);
  return { world, id: reply.data as number };
}

const change = (world: TradingWorld, id: number, request: object, versions?: readonly number[]): Promise<Reply> =>
  world.command(COMMANDS.changeSetup, { id, change: request, ...(versions !== undefined && { versions }) });

const read = async (world: TradingWorld, id: number): Promise<SetupView> =>
  (await world.query(QUERIES.readSetup, { id })) as SetupView;

function refused(reply: Reply, code: string): string {
  assert.ok(!reply.ok, "the change is refused");
  assert.equal(reply.code, code, reply.message);
  return reply.message;
}

describe("a change of a registered setup", () => {
  test("takes away with null, also over a restart, and the group is made without it", async () => {
    const { world, id } = await waiting();
    const terms = { stopLossTrailing: { distance: 2 }, stopLossLadder: [{ afterTakeProfits: 1, to: "entry" }] };
    assert.ok((await change(world, id, terms)).ok);
    assert.ok((await change(world, id, { stopLossTrailing: null, stopLossLadder: null })).ok);
    for (const isRestarted of [false, true]) {
      if (isRestarted) await world.restart();
      const { stopLossTrailing, stopLossLadder, version } = await read(world, id);
      assert.deepEqual([stopLossTrailing, stopLossLadder, version], [null, null, 3], `restarted: ${isRestarted}`);
    }
  });

  test("is answered, shown, told once and made a group of", async () => {
    const { world, id } = await waiting();
    const request = { stopLossPrice: 92, takeProfitItems: [{ quantity: 10, price: 120 }], notes: "later" };
    const reply = await change(world, id, request);
    assert.ok(reply.ok);
    assert.equal(reply.version, 2);
    const shown = await read(world, id);
    assert.deepEqual(reply.data, shown);
    assert.deepEqual([shown.stopLossPercent, shown.stopLossPrice, shown.version], [null, 92, 2]);
    assert.deepEqual(await world.query(QUERIES.listSetups, list), [shown]);
    assert.deepEqual(
      world.eventsOf("setup.changed").map(({ row }) => row),
      [shown],
    );
    await world.tick("THYAO", 100);
    const rows = (await world.query(QUERIES.listGroups, list)) as OcoRowView[];
    assert.deepEqual(
      rows.map(({ price, notes }) => [price, notes]),
      [
        [92, "later"],
        [120, "later"],
      ],
    );
  });

  test("holds after a restart, and its version with it", async () => {
    const { world, id } = await waiting();
    assert.ok((await change(world, id, { stopLossPercent: 7, dueDate: "2099-01-01" })).ok);
    const before = await read(world, id);
    await world.restart();
    assert.deepEqual(await read(world, id), before);
    assert.equal(before.stopLossPercent, 7);
    const stale = await change(world, id, { stopLossPercent: 6 }, [1]);
    refused(stale, "PRECONDITION_FAILED");
    assert.equal(stale.version, 2);
    assert.ok((await change(world, id, { stopLossPercent: 6 }, [2])).ok);
  });

  test("of a hundred clients with one version changes it once", async () => {
    const { world, id } = await waiting();
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) => change(world, id, { notes: `n${index}` }, [1])),
    );
    assert.equal(replies.filter(({ ok }) => ok).length, 1);
    for (const reply of replies) if (!reply.ok) refused(reply, "PRECONDITION_FAILED");
    assert.equal((await read(world, id)).version, 2);
  });

  test("that changes nothing keeps the version and is told to nobody", async () => {
    const { world, id } = await waiting({ stopLossTrailing: { distance: 2 } });
    for (const request of [{}, { stopLossPercent: 5, stopLossTrailing: { distance: 2 } }]) {
      const reply = await change(world, id, request);
      assert.ok(reply.ok);
      assert.equal(reply.version, 1);
    }
    assert.equal(world.eventsOf("setup.changed").length, 0);
    assert.deepEqual((await read(world, id)).stopLossTrailing, { distance: 2, confirmTicks: 2 });
  });

  test("that is refused changes nothing", async () => {
    const { world, id } = await waiting();
    const before = await read(world, id);
    const wrong = await change(world, id, { notes: "x", stopLossQuantity: 9 });
    assert.match(refused(wrong, "INVALID"), /takeProfitItems quantities together/);
    assert.deepEqual(await read(world, id), before);
  });

  test("comes too late once the setup is over, and the message says what became of it", async () => {
    const { world, id } = await waiting();
    await world.tick("THYAO", 100);
    assert.match(refused(await change(world, id, { notes: "x" }), "CONFLICT"), /it became the OCO group \d+/);
    const removed = await waiting();
    await removed.world.done(COMMANDS.removeSetup, { id: removed.id, brokerageCode: "PAPER" });
    assert.match(refused(await change(removed.world, removed.id, { notes: "x" }), "CONFLICT"), /it was removed/);
    assert.equal(world.eventsOf("setup.changed").length, 0);
  });

  test("of another user's, of another brokerage or of none is not found", async () => {
    const { world, id } = await waiting();
    const foreign = await world.command(COMMANDS.changeSetup, { id, change: { notes: "x" } }, { userId: 8 });
    refused(foreign, "NOT_FOUND");
    refused(await change(world, id + 1, { notes: "x" }), "NOT_FOUND");
    refused(await change(world, id, { notes: "x", brokerageCode: "NONE" }), "INVALID");
  });

  test("warns where the stop-loss sells more lots than the order buys (behaviour 5.3a)", async () => {
    const { world, id } = await waiting();
    const reply = await change(world, id, { stopLossQuantity: 50 });
    assert.ok(reply.ok);
    assert.match(
      reply.message ?? "",
      /^The pending OCO was changed; the stop-loss sells 50 lots, and the order buys 10$/,
    );
  });
});
