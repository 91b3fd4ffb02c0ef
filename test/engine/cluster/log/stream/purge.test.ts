/** The log is cut behind what every copy holds, and never in the middle of a record. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { encodeFrame, partsOf } from "../../../../../engine/cluster/log/stream/frame.ts";
import { purgeBehind } from "../../../../../engine/cluster/log/stream/purge.ts";
import { firstRecord, sequenceOf } from "../../../../../engine/cluster/log/stream/record-location.ts";
import { ModelStream } from "../model/model-stream.ts";

const RECORDS = 100;
const LARGE = 41;
let stream: ModelStream;

describe("a log that is purged", () => {
  /** A claim, records of 1,000 bytes with a beat behind every tenth, and a large one of three parts. */
  beforeEach(async () => {
    stream = new ModelStream();
    const append = async (data: Uint8Array): Promise<void> => {
      const { lastSequence } = await stream.state();
      await stream.append({ expectedSequence: lastSequence, id: `${lastSequence}`, data });
    };
    const place = { epoch: 1, leaseMs: 2_000 };
    await append(encodeFrame({ ...place, kind: "claim", number: -1, owner: "a" }));
    for (let number = 0; number < RECORDS; number += 1) {
      const record = Buffer.alloc(number === LARGE ? 1_200_000 : 1_000);
      for (const part of partsOf(record, { ...place, number })) await append(encodeFrame(part));
      if (number % 10 === 0) await append(encodeFrame({ ...place, kind: "beat", number }));
    }
  });

  test("all before the record that some copy needs is removed where nothing is kept", async () => {
    assert.ok(await purgeBehind(stream, 29, 0));
    assert.equal(await firstRecord(stream), 30);
    assert.equal((await stream.state()).firstSequence, await sequenceOf(stream, 30));
    assert.equal(await purgeBehind(stream, 29, 0), false, "there is nothing more");
  });

  test("about as much as is to be kept stays behind it", async () => {
    const { byteCount, lastSequence } = await stream.state();
    const keepBytes = byteCount / 4;
    assert.ok(await purgeBehind(stream, 89, keepBytes));
    const { firstSequence } = await stream.state();
    const kept = (await sequenceOf(stream, 90)) - firstSequence;
    assert.ok(Math.abs(kept - lastSequence / 4) < 5, `${kept} of ${lastSequence} messages`);
  });

  test("a record of several parts is removed whole or not at all", async () => {
    const { byteCount, lastSequence } = await stream.state();
    const start = await sequenceOf(stream, LARGE);
    // As many messages are kept behind record 60 as lie between it and the middle of the large one.
    const keptMessages = (await sequenceOf(stream, 60)) - (start + 1);
    assert.ok(await purgeBehind(stream, 59, (keptMessages * byteCount) / lastSequence - 1));
    assert.equal((await stream.state()).firstSequence, start);
    assert.equal(await firstRecord(stream), LARGE);
  });

  test("what is not worth a round of the servers waits", async () => {
    const { byteCount } = await stream.state();
    assert.equal(await purgeBehind(stream, 89, byteCount), false);
    assert.equal(await purgeBehind(stream, 89, byteCount * 0.97), false);
    assert.equal((await stream.state()).firstSequence, 1);
  });
});
