/** A stream that does not answer at a start is asked again within the process. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PROBE_MS } from "../../../../engine/feed/stream/catch-up.ts";
import { setUp } from "../support/catch-up-world.ts";

for (const [what, silence] of [
  ["says that there is no JetStream", { presence: "absent" }],
  ["does not answer", { failure: new Error("timeout") }],
] as const) {
  test(`a server that ${what} at a start is asked again: what it holds since the position is read back`, async () => {
    const { server, catchUp, time, live, texts } = setUp();
    server.publish("A", 1);
    server.publish("A", 2);
    Object.assign(server, silence);
    void catchUp.start(1);
    await time.advance(15_000);
    assert.equal(live.state, "live");
    server.publish("A", 3);
    assert.deepEqual(texts(), ["A 3"], "live prices count");
    await time.advance(PROBE_MS * 5);
    assert.equal(catchUp.position(), 1);
    Object.assign(server, { presence: "ready", failure: undefined });
    await time.advance(PROBE_MS + 500);
    assert.deepEqual(texts(), ["A 3", "A 2 caught up", "A 3 caught up"]);
    const reads = server.reads.length;
    await time.advance(PROBE_MS * 5);
    assert.ok((catchUp.position() ?? 0) > 3, "from now on the position follows the stream");
    assert.equal(server.reads.length, reads);
  });
}

test("a feed that was stopped asks no more", async () => {
  const { server, catchUp, time } = setUp();
  server.presence = "absent";
  void catchUp.start(1);
  await time.advance(2_000);
  catchUp.stop();
  server.presence = "ready";
  await time.advance(PROBE_MS * 5);
  assert.deepEqual(server.reads, []);
});
