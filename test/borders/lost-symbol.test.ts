/** Partition 0 is set back to before a symbol was added: levels on it elsewhere are still watched and sold. */
import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { connect } from "nats";
import { partitionOf } from "../../src/domain/partition.ts";
import { EngineClient, type OcoRow } from "../support/client/engine-client.ts";
import { natsSuite, startNatsServer } from "../support/machine/nats-server.ts";
import { type Program, startProgram, temporaryFolder } from "../support/machine/process.ts";
import { until } from "../support/world/stack.ts";

const SYMBOL = "NEWCO";
const USER = Array.from({ length: 100 }, (_, index) => index + 1).find((user) => partitionOf(user, 2) === 1) ?? 0;
const ACCOUNT = `PAPER-${USER}`;

natsSuite("a symbol that partition 0 no longer knows", () => {
  test("stays watched where levels are armed on it, also after a restart", async () => {
    const folder = await temporaryFolder();
    const server = await startNatsServer({ jetStream: true });
    const nats = await connect({ servers: server.url });
    const engines: Program[] = [];
    try {
      const file = join(folder.path, "brokerages.json");
      const paper = { startingPositions: { [SYMBOL]: 1_000 } };
      await writeFile(file, JSON.stringify([{ code: "PAPER", name: "Paper", adapter: "paper", paper }]));
      const start = async (partition: number): Promise<Program> => {
        const engine = await startProgram(
          "engine/main.ts",
          {
            ...{ NATS_URL: server.url, BROKERAGES_FILE: file, PARTITIONS: "2" },
            ...{ ENGINE_PARTITIONS: String(partition), DATA_DIR: join(folder.path, `engine-${partition}`) },
          },
          /engine is ready/,
        );
        engines.push(engine);
        return engine;
      };
      const shared = await start(0);
      const symbols = [{ symbol: SYMBOL, name: SYMBOL, exchange: "BIST", isActive: true }];
      await new EngineClient(nats, 1, 0).command("symbols.write", { symbols });
      const second = await start(1);
      const client = new EngineClient(nats, USER, 1);
      const created = await client.createGroup(
        {
          ...{ brokerageCode: "PAPER", accountNumber: ACCOUNT, symbol: SYMBOL },
          ...{ stopLossPrice: 90, stopLossQuantity: 10, takeProfitItems: [{ price: 110, quantity: 10 }] },
        },
        "create",
      );
      assert.ok("groupId" in created, JSON.stringify(created));
      await shared.end("SIGKILL");
      await rm(join(folder.path, "engine-0"), { recursive: true });
      await start(0);
      await second.end("SIGKILL");
      const restarted = await start(1);
      const output = await until(
        async () => restarted.output(),
        (text) => text.includes("no longer names"),
      );
      assert.match(output, /no longer names/);
      nats.publish(`ticks.${SYMBOL}`, JSON.stringify({ price: 89 }));
      const statuses = async (): Promise<string> =>
        (await client.rows("PAPER", ACCOUNT)).map(({ status }: OcoRow) => status).join();
      assert.equal(await until(statuses, (now) => now === "2,4"), "2,4");
    } finally {
      for (const engine of engines) await engine.end("SIGKILL");
      await nats.close();
      await server.stop();
      await folder.remove();
    }
  });
});
