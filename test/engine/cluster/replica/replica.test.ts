/** The circle of one shared partition under faults: it leads only what it may, and reports why it does not. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { decodeFrame, encodeFrame } from "../../../../engine/cluster/log/stream/frame.ts";
import type { Appended } from "../../../../engine/cluster/log/stream/log-stream.ts";
import { sequenceOf } from "../../../../engine/cluster/log/stream/record-location.ts";
import { writeWitness } from "../../../../engine/store/folder/witness.ts";
import { until } from "../../../support/world/stack.ts";
import { ModelStream } from "../log/model/model-stream.ts";

import { eachWithoutEngines, folderOf, LEASE_MS, lastOf, leadOnce, start } from "./replica-harness.ts";

/** Lets another engine claim instead of the next append that `isMeant`, which is lost. */
function claimInstead(stream: ModelStream, isMeant: (append: Appended) => boolean): void {
  const append = stream.append.bind(stream);
  stream.append = async (one) => {
    if (!isMeant(one)) return append(one);
    stream.append = append;
    const { expectedSequence } = one;
    const meant = decodeFrame(one.data);
    const number = meant.kind === "part" ? meant.number - 1 : meant.number;
    const claim = { kind: "claim", epoch: expectedSequence + 1, leaseMs: LEASE_MS, number, owner: "x" } as const;
    await append({ expectedSequence, id: `x-${expectedSequence}`, data: encodeFrame(claim) });
    throw new Error("no answer");
  };
}

eachWithoutEngines();

describe("an engine that leads a shared partition", () => {
  test("claims again where another engine was first, once that one is silent", async () => {
    const stream = new ModelStream();
    claimInstead(stream, ({ id }) => id.startsWith("claim-"));
    const engine = await start("a", stream);
    await engine.untilLeads();
    assert.equal(engine.replica.standing?.epoch, 2);
    await engine.untilSaid(/an engine claims the partition .*"owner":"x"/);
    await engine.untilSaid(/its leader fell silent.*"from":"x"/);
  });

  test("goes on after an append without an answer that was stored, once", async () => {
    let isUnanswered = false;
    const stream = new ModelStream(() => {
      if (!isUnanswered) return "stored";
      isUnanswered = false;
      return "unanswered";
    });
    const engine = await start("a", stream);
    await engine.untilLeads();
    isUnanswered = true;
    await engine.put("v/row", "one");
    await engine.put("v/row", "two");
    assert.equal(engine.read("v/row"), "two");
    assert.equal(engine.replica.standing?.epoch, 1);
    assert.equal(engine.replica.takeoverCount, 0, "nobody led before");
  });

  test("drops the partition where another engine's record is in its append's place, and follows it again", async () => {
    const stream = new ModelStream();
    const engine = await start("a", stream);
    await engine.untilLeads();
    await engine.put("v/row", "one");
    const { hosted } = engine;
    claimInstead(stream, () => true);
    hosted?.partition.journal.put("v/row", "two");
    await engine.untilSaid(/another engine leads the partition: it is dropped here/);
    await until(
      async () => engine.hosted,
      (now) => now !== hosted,
    );
    await engine.untilLeads();
    assert.equal(engine.read("v/row"), "one", "what was not in the log never was");
  });

  test("gives the log up where it cannot move in, and tries again", async () => {
    const stream = new ModelStream();
    const engine = await start("a", stream);
    engine.trouble = "no room";
    await engine.untilSaid(/trying again .*no room/);
    assert.equal(engine.replica.isLeading, false);
    engine.trouble = undefined;
    await engine.untilLeads();
  });

  test("lets others go first that could lead where it could not, and is none to hand the partition to meanwhile", async () => {
    const stream = new ModelStream();
    const engine = await start("a", stream, { heldBackMs: 60_000 });
    engine.trouble = "no room";
    engine.canOthersLead = true;
    await engine.untilSaid(/could not lead it: for a while it lets others go first.*"heldBackMs":60000/);
    engine.trouble = undefined;
    const lag = await until(
      async () => engine.replica.standing?.lagMessages,
      (count) => count === 0,
    );
    assert.deepEqual([lag, engine.replica.lagMessages], [0, undefined], "it follows, and says nothing of it");
    await leadOnce("b", stream, "v/row");
    await leadOnce("c", stream);
    await engine.untilSaid(/an engine claims the partition .*"owner":"c"/);
    assert.deepEqual(
      engine.lines.flatMap((line) => /an engine claims the partition .*"owner":"(.)"/.exec(line)?.[1] ?? []).slice(-2),
      ["b", "c"],
      "it claimed nothing that they gave up",
    );
    engine.canOthersLead = false;
    engine.replica.reconsider();
    await engine.untilLeads();
    assert.equal(engine.read("v/row"), "b");
    assert.equal(engine.replica.lagMessages, 0, "a term that held ends it");
  });

  test("loses the partition while it moves in: what fails there afterwards ends nothing", async () => {
    const stream = new ModelStream();
    const engine = await start("a", stream);
    let fail: (reason: Error) => void = () => undefined;
    engine.whenMovingIn = () => {
      engine.whenMovingIn = async () => undefined;
      claimInstead(stream, () => true);
      return new Promise((_resolve, reject) => {
        fail = reject;
      });
    };
    await engine.untilSaid(/another engine leads the partition: it is dropped here/);
    fail(new Error("the store is closed"));
    await engine.untilLeads();
  });

  test("gives the log up where its copy cannot be led, so that another engine can", async () => {
    const stream = new ModelStream();
    await leadOnce("a", stream, "v/row");
    await writeWitness(join(folderOf("a"), "witness.json"), {
      ...{ installation: stream.installation, batch: 99, tickPosition: null },
    });
    const engine = await start("a", stream);
    await engine.untilSaid(
      /cannot be used: follow the reason's instructions, then restart.*ends at \d+ but had reached 99/,
    );
    const other = await start("b", stream);
    await other.untilLeads();
    assert.equal(other.read("v/row"), "a");
    assert.equal(engine.replica.isLeading, false);
  });
});

describe("a copy that the system does not let be read", () => {
  const failingDisk = "/proc/self/mem";

  test("is tried again until it is, without a person", { skip: !existsSync(failingDisk) }, async () => {
    const stream = new ModelStream();
    await leadOnce("a", stream, "v/row");
    const witness = join(folderOf("a"), "witness.json");
    const whole = readFileSync(witness);
    rmSync(witness);
    symlinkSync(failingDisk, witness);
    const engine = await start("a", stream);
    await engine.untilSaid(/the disk or the way to it failed/);
    rmSync(witness);
    writeFileSync(witness, whole);
    await engine.untilLeads();
    assert.equal(engine.read("v/row"), "a");
  });
});

describe("a copy that is not of the log that it finds", () => {
  test("does not follow that of another installation", async () => {
    await leadOnce("a", new ModelStream());
    const engine = await start("a", new ModelStream(undefined, { installation: "otherother" }));
    await engine.untilSaid(
      /cannot be used: follow the reason's instructions.* belongs to installation modelmodel, and the log to otherother/,
    );
  });

  test("does not follow one with another record in the place of its last", async () => {
    const own = new ModelStream();
    await leadOnce("a", own, "v/one");
    const other = new ModelStream();
    await leadOnce("b", other, "v/two", "v/three", "v/four", "v/five");
    const engine = await start("a", other);
    const last = await lastOf(own);
    await engine.untilSaid(
      new RegExp(`cannot be used: follow the reason.*record ${last} of the log differs from the record of this copy`),
    );
  });

  test("does not follow one that ends before it, and says both numbers", async () => {
    const stream = new ModelStream();
    await leadOnce("a", stream, "v/one", "v/two");
    const last = await lastOf(stream);
    stream.lose(await sequenceOf(stream, last));
    const engine = await start("a", stream);
    await engine.untilSaid(new RegExp(`this copy holds record ${last}, and the log ends at ${last - 1}`));
    assert.equal(engine.replica.isLeading, false);
  });

  test("of a later life is set aside; nobody begins that life's log", async () => {
    await leadOnce("a", new ModelStream(), "v/one");
    const engine = await start("a", new ModelStream(undefined, { life: 7 }));
    await engine.untilSaid(/the copy is of the life before a restore: set aside/);
    await engine.untilSaid(/the log of life 7 holds nothing/);
    assert.equal(engine.replica.isLeading, false);
  });
});
