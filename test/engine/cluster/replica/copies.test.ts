/** Copies of a shared partition: which engine keeps one, and how one is filled that the log cannot fill. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { sequenceOf } from "../../../../engine/cluster/log/stream/record-location.ts";
import { hasReplica } from "../../../../engine/cluster/replica/retired-replica.ts";
import { until } from "../../../support/world/stack.ts";
import { ModelStream } from "../log/model/model-stream.ts";

import {
  type Engine,
  eachWithoutEngines,
  folderOf,
  LEASE_MS,
  lastOf,
  leadOnce,
  start,
  stop,
} from "./replica-harness.ts";

eachWithoutEngines();

describe("a copy that other engines have", () => {
  const standing = ({ replica }: Engine) => [replica.standing, replica.syncedTo, replica.lagMessages];

  test("is put aside, claims nothing, and goes on where it was once it is kept again", async () => {
    const stream = new ModelStream();
    const leader = await start("a", stream);
    await leader.untilLeads();
    await leader.put("v/one", "a");
    const copy = await start("b", stream);
    await copy.untilCopied();
    copy.replica.keep(false);
    await copy.untilSaid(/the copy of the partition is put aside: other engines have it/);
    assert.equal(hasReplica(folderOf("b")), false);
    assert.deepEqual(standing(copy), [undefined, undefined, undefined]);
    await leader.put("v/two", "a");
    await stop(leader);
    await new Promise((resolve) => setTimeout(resolve, LEASE_MS));
    assert.equal(copy.replica.isLeading, false);
    copy.replica.keep(true);
    await copy.untilLeads();
    assert.equal(copy.read("v/one"), "a");
    assert.equal(copy.read("v/two"), "a");
  });

  test("is kept by who leads, until another engine does", async () => {
    const stream = new ModelStream();
    const first = await start("a", stream);
    await first.untilLeads();
    first.replica.keep(false);
    await first.put("v/one", "a");
    assert.equal(first.replica.isLeading, true);
    assert.equal(first.replica.hasCopy, true, "whether others are to have it may change until then");
    const second = await start("b", stream);
    await second.untilCopied();
    first.replica.handOver("b");
    await second.untilLeads();
    await first.untilSaid(/the copy of the partition is put aside/);
    assert.equal(first.replica.hasCopy, false);
    assert.equal(second.read("v/one"), "a");
  });

  test("lies aside when its engine ends, and is taken up at the next start", async () => {
    const stream = new ModelStream();
    const engine = await start("a", stream);
    await engine.untilLeads();
    engine.replica.keep(false);
    engine.replica.handOver("nobody");
    await engine.untilSaid(/the copy of the partition is put aside/);
    await stop(engine);
    const again = await start("a", stream);
    await again.untilLeads();
  });
});

describe("a copy that the log cannot fill", () => {
  /** A log that begins with its last record, and its leader. */
  const cutLog = async (stream: ModelStream, seedBytesPerSecond = 1e9): Promise<Engine> => {
    const leader = await start("a", stream, { seedBytesPerSecond });
    await leader.untilLeads();
    for (const key of ["v/one", "v/two", "v/three"]) await leader.put(key, "a");
    await stream.purge(await sequenceOf(stream, await lastOf(stream)));
    return leader;
  };

  test("is seeded by the leader, empty or with a hole, and leads with all of it", async () => {
    const stream = new ModelStream();
    await leadOnce("b", stream);
    const leader = await cutLog(stream);
    const [behind, empty] = [await start("b", stream), await start("c", stream)];
    for (const engine of [behind, empty]) {
      await engine.untilSaid(/the copy of the partition was seeded/);
      assert.equal(
        engine.replica.syncedTo,
        leader.replica.standing?.position,
        "the log is cut behind that, no further",
      );
    }
    await leader.put("v/four", "a");
    await stop(leader);
    const next = await until(
      async () => [behind, empty].find(({ replica }) => replica.isLeading),
      (found) => found !== undefined,
    );
    assert.equal(next?.read("v/one"), "a");
    assert.equal(next?.read("v/four"), "a");
  });

  test("as it lay aside meanwhile is seeded, and leads with all of it", async () => {
    const stream = new ModelStream();
    const leader = await start("a", stream);
    await leader.untilLeads();
    const copy = await start("b", stream);
    await copy.untilCopied();
    copy.replica.keep(false);
    await copy.untilSaid(/the copy of the partition is put aside/);
    for (const key of ["v/one", "v/two", "v/three"]) await leader.put(key, "a");
    await stream.purge(await sequenceOf(stream, await lastOf(stream)));
    copy.replica.keep(true);
    await copy.untilSaid(/the copy of the partition was seeded/);
    await leader.put("v/four", "a");
    await stop(leader);
    await copy.untilLeads();
    assert.equal(copy.read("v/one"), "a");
    assert.equal(copy.read("v/four"), "a");
  });

  test("keeps no log from being cut once it was left", async () => {
    const stream = new ModelStream();
    const leader = await cutLog(stream);
    const copy = await start("c", stream);
    await copy.untilSaid(/the copy of the partition was seeded/);
    assert.equal(copy.replica.syncedTo, leader.replica.standing?.position);
    copy.replica.keep(false);
    await copy.untilSaid(/the copy of the partition is put aside/);
    assert.equal(copy.replica.syncedTo, undefined);
  });

  test("is waited for no longer once it is left half way, and seeded once it is kept again", async () => {
    const stream = new ModelStream();
    const slow = await cutLog(stream, 10);
    const copy = await start("c", stream);
    await slow.untilSaid(/seeding a copy of the partition at another engine/);
    copy.replica.keep(false);
    await copy.untilSaid(/the copy of the partition is put aside/);
    assert.doesNotMatch(copy.lines.join("\n"), /was seeded|cannot be followed/);
    assert.equal(copy.replica.syncedTo, undefined);
    await stop(slow);
    await (await start("a", stream)).untilLeads();
    copy.replica.keep(true);
    await copy.untilSaid(/the copy of the partition was seeded/);
  });

  test("keeps no log from being cut once it was seeded, and then refused", async () => {
    const stream = new ModelStream();
    const leader = await cutLog(stream);
    const copy = await start("c", stream);
    await copy.untilSaid(/the copy of the partition was seeded/);
    await copy.untilCopied();
    await writeFile(join(folderOf("c"), "life.json"), "damaged");
    leader.replica.handOver("c");
    await copy.untilLeads();
    copy.replica.handOver("a");
    await leader.untilLeads();
    await copy.untilSaid(/cannot be used/);
    assert.equal(copy.replica.syncedTo, undefined);
  });

  test("waits where nobody leads, claims nothing, and is seeded by whoever leads next", async () => {
    const stream = new ModelStream();
    await stop(await cutLog(stream));
    const { lastSequence } = await stream.state();
    const empty = await start("c", stream);
    await empty.untilSaid(/trying again .*must be seeded, and no engine leads the partition now/);
    assert.equal((await stream.state()).lastSequence, lastSequence);
    const leader = await start("a", stream);
    await leader.untilLeads();
    await empty.untilSaid(/the copy of the partition was seeded/);
  });
});
