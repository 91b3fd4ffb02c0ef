/** What hangs on brokerages, and giving one up, over several partitions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Left } from "../../../../src/contract/operator/retirement.ts";
import { runEdge } from "../../support/running-edge.ts";

const PARTITIONS = 3;
const counts = { setups: 0, levelBots: 0, webhookBots: 1, orders: 0, quarantined: 0 };
const retired = { groups: 2, setups: 1, switchedOffBots: 0, endedBots: 0 };
const leftOf = (partition: number): Left => ({
  ...{ type: "group", partition, id: "7", userId: 1, rowIds: [7], pairIds: [], reason: "open", isBlocking: true },
});

interface Asked {
  readonly subject?: string;
  readonly body: unknown;
}
const partitionOf = ({ subject }: Asked): number => Number(subject?.split(".")[1]);

test("what hangs on a brokerage is the sum of all partitions", async (t) => {
  const edge = await runEdge(t, { partitions: PARTITIONS });
  edge.engine.on("operator.brokerageUse", () => ({ ok: true, data: [{ code: "PAPER", groups: 5, ...counts }] }));
  const { data } = (await (await edge.send("GET", "/admin/v1/brokerages")).json()) as { data: unknown };
  assert.deepEqual(data, [{ code: "PAPER", groups: 15, ...counts, webhookBots: 3 }]);
});

test("a brokerage is given up on one partition after the other, to the end of each", async (t) => {
  const edge = await runEdge(t, { partitions: PARTITIONS });
  edge.engine.on("operator.retire", ({ body }) => {
    const { from } = body as { from: string | null };
    const partition = partitionOf(edge.engine.asked.at(-1) ?? assert.fail());
    const isFirst = from === null;
    return { ok: true, data: { retired, left: isFirst ? [leftOf(partition)] : [], next: isFirst ? "orders-0" : null } };
  });
  const { data } = (await (await edge.send("POST", "/admin/v1/brokerages/PAPER/retire")).json()) as { data: unknown };
  assert.deepEqual(data, {
    code: "PAPER",
    retired: { groups: 12, setups: 6, switchedOffBots: 0, endedBots: 0 },
    left: [leftOf(0), leftOf(1), leftOf(2)],
    next: null,
  });
});

test("an answer that is not the last tells where the next goes on", async (t) => {
  const edge = await runEdge(t, { partitions: PARTITIONS });
  let asked = 0;
  edge.engine.on("operator.retire", () => {
    asked += 1;
    return { ok: true, data: { retired, left: [], next: asked <= 12 ? `actors-${asked}` : null } };
  });
  const path = "/admin/v1/brokerages/PAPER/retire";
  const first = (await (await edge.send("POST", path)).json()) as { data: { next: string } };
  assert.equal(first.data.next, "0-actors-10");
  const second = (await (await edge.send("POST", `${path}?from=${first.data.next}`)).json()) as { data: unknown };
  assert.deepEqual((second.data as { next: unknown }).next, null);
  const bodies = edge.engine.asked.filter(({ type }) => type === "operator.retire").map(({ body }) => body);
  assert.deepEqual(bodies[10], { brokerageCode: "PAPER", from: "actors-10" });
});

test("a refusal names the partition", async (t) => {
  const edge = await runEdge(t, { partitions: PARTITIONS });
  edge.engine.on("operator.retire", () => ({ ok: false, code: "UNAVAILABLE", message: "away" }));
  const answer = await edge.send("POST", "/admin/v1/brokerages/PAPER/retire");
  assert.equal(answer.status, 503);
  assert.equal(((await answer.json()) as { message: string }).message, "partition 0: away");
});
