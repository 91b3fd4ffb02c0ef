/**
 * An engine stores a copy of the shared data with each of its own partitions: while the shared partition is down, armed
 * rows are watched, in any order of the engine's partitions.
 */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { connect } from "nats";
import { partitionOf } from "../../src/domain/partition.ts";
import { LossyBrokerage } from "../support/brokerage/lossy-brokerage.ts";
import { EngineClient } from "../support/client/engine-client.ts";
import { natsSuite, startNatsServer } from "../support/machine/nats-server.ts";
import { startProgram, temporaryFolder } from "../support/machine/process.ts";
import { groupOf } from "../support/world/engine-world.ts";
import { until } from "../support/world/stack.ts";

const PARTITIONS = 3;
const CODE = "FAR";
const READY = /engine is ready/;
const USERS = [1, 2].map((partition) => {
  let userId = 100;
  while (partitionOf(userId, PARTITIONS) !== partition) userId += 1;
  return { userId, partition };
});

natsSuite("an engine of two partitions while the shared one is down", () => {
  test("watches what is armed, with its partitions named in another order or run alone", async (context) => {
    const folder = await temporaryFolder();
    context.after(() => folder.remove());
    const server = await startNatsServer({ jetStream: true });
    context.after(() => server.stop());
    const brokeragesFile = join(folder.path, "brokerages.json");
    const brokerage = { code: CODE, name: "Far", adapter: "gateway", resend: "idempotent" };
    await writeFile(brokeragesFile, JSON.stringify([brokerage]));
    const nats = await connect({ servers: server.url });
    context.after(() => nats.close());
    const options = { code: CODE, promise: "idempotent", accounts: ["A1"], lateMs: 1 } as const;
    const lossy = new LossyBrokerage(nats, { ...options, fate: () => "accept", answersLookUp: () => true });
    context.after(() => lossy.stop());
    const start = async (name: string, ownPartitions: string) => {
      const place = { DATA_DIR: join(folder.path, name), ENGINE_PARTITIONS: ownPartitions };
      const shared = { NATS_URL: server.url, BROKERAGES_FILE: brokeragesFile, PARTITIONS: String(PARTITIONS) };
      const program = await startProgram("engine/main.ts", { ...shared, ...place }, READY);
      context.after(() => program.end("SIGKILL"));
      return program;
    };
    const symbols = ["THYAO", "GARAN", "AKBNK"];
    const sharedEngine = await start("shared", "0");
    let engine = await start("own", "1,2");
    for (const { userId, partition } of USERS) {
      const client = new EngineClient(nats, userId, partition);
      for (const symbol of symbols) {
        const made = await client.createGroup(groupOf(CODE, "A1", symbol), `${userId}-${symbol}`);
        assert.ok("groupId" in made, JSON.stringify(made));
      }
    }
    await sharedEngine.end("SIGKILL");
    for (const [order, symbol, expected] of [
      ["2,1", "THYAO", 2],
      ["1,2", "GARAN", 2],
      ["2", "AKBNK", 1],
    ] as const) {
      await engine.end("SIGKILL");
      engine = await start("own", order);
      nats.publish(`ticks.${symbol}`, JSON.stringify({ price: 111, time: Date.now() }));
      const sold = (): number => lossy.orders.filter((one) => one.symbol === symbol).length;
      const count = await until(
        async () => sold(),
        (now) => now >= expected,
      );
      assert.equal(count, expected, order);
    }
  });
});
