/** Backups over several partitions. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type RunningEdge, runEdge } from "../../support/running-edge.ts";

const FOLDER = "/backups/one";

interface Answer {
  readonly message: string;
  readonly data: { readonly isDone: boolean; readonly partitions: { readonly partition: number }[] };
}

/** Which partition the engine was asked for last. */
function lastPartition(edge: RunningEdge): number {
  return Number(edge.engine.asked.at(-1)?.subject.split(".")[1]);
}

async function setUp(
  t: Parameters<typeof runEdge>[0],
  isRunning: (partition: number) => boolean,
): Promise<RunningEdge> {
  const edge = await runEdge(t, { partitions: 3 });
  edge.engine.on("operator.backup", (envelope) => {
    assert.deepEqual(envelope.body, { folder: FOLDER });
    const partition = lastPartition(edge);
    const state = isRunning(partition) ? "running" : "done";
    const data = { partition, folder: `${FOLDER}/partition-${partition}`, state, rowCount: 7, byteCount: 70, batch: 3 };
    return { ok: true, data };
  });
  return edge;
}

const ask = async (edge: RunningEdge): Promise<Answer> =>
  (await (await edge.send("POST", "/admin/v1/backup", { folder: FOLDER })).json()) as Answer;

describe("a backup", () => {
  test("copies the partition of the users last", async (t) => {
    const edge = await setUp(t, () => false);
    const { data, message } = await ask(edge);
    assert.equal(message, "The backup was made");
    assert.deepEqual([data.isDone, data.partitions.map(({ partition }) => partition)], [true, [2, 1, 0]]);
  });

  test("waits for a partition that is not done, and goes on when it is asked again", async (t) => {
    let isSlow = true;
    const edge = await setUp(t, (partition) => partition === 1 && isSlow);
    const first = await ask(edge);
    assert.deepEqual([first.data.isDone, first.data.partitions.map(({ partition }) => partition)], [false, [2, 1]]);
    assert.match(first.message, /ask again/);
    isSlow = false;
    assert.equal((await ask(edge)).data.isDone, true);
  });

  test("is refused with the number of the partition that refused it", async (t) => {
    const edge = await runEdge(t, { partitions: 3 });
    edge.engine.on("operator.backup", () => ({ ok: false, code: "CONFLICT", message: "another backup is being made" }));
    const answer = await edge.send("POST", "/admin/v1/backup", { folder: FOLDER });
    assert.equal(answer.status, 409);
    assert.match(((await answer.json()) as { message: string }).message, /^partition 2: another backup/);
  });
});
