/**
 * A brokerage that `BROKERAGES_FILE` no longer lists, while rows, bots or orders hang on it: refused, with what hangs.
 */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { RETIREMENT_COMMAND, type Retirement, retirementSchema } from "../../src/contract/operator/retirement.ts";
import { EXIT_CODES } from "../../src/runtime/user-error.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { runProgram } from "../support/machine/process.ts";
import { EngineWorld, groupOf, paperBrokerage } from "../support/world/engine-world.ts";

const ACCOUNT = "PAPER-7";
const limits = { maxBuyPrice: 0, minBuyPrice: 0, maxSellPrice: 0, minSellPrice: 0 };

natsSuite("a start without a brokerage that something hangs on", () => {
  test("is refused, names what hangs on it, and goes on once nothing does", async (context) => {
    const paper = paperBrokerage(["THYAO", "GARAN"]);
    const other = { code: "OTHER", name: "Other", adapter: "gateway" };
    const world = await EngineWorld.open({ brokerages: [paper, other] });
    context.after(() => world.close());
    const list = (brokerages: readonly object[]) =>
      writeFile(join(world.folder, "brokerages.json"), JSON.stringify(brokerages));
    await world.startEngine();
    for (const symbol of ["THYAO", "GARAN"]) {
      const made = await world.client.createGroup(groupOf("PAPER", ACCOUNT, symbol), symbol);
      assert.ok("groupId" in made, JSON.stringify(made));
    }
    const detail = { symbol: "THYAO", algoName: "trend", period: "1H", quantity: 1, ...limits };
    const bot = {
      ...{ brokerageCode: "PAPER", accountNumber: ACCOUNT, name: "trend" },
      webhookBotDetails: [detail],
    };
    const created = await world.client.command("webhookBots.create", { ...bot, isActive: true }, "bot");
    assert.equal(created.ok, true, JSON.stringify(created));

    await world.engine.end("SIGTERM");
    await list([other]);
    const { code, output } = await runProgram("engine/main.ts", world.environment());
    assert.equal(code, EXIT_CODES.configuration, output);
    assert.match(
      output,
      /cannot start: BROKERAGES_FILE leaves out what partition 0 needs: list it again.* brokerages retire <CODE>/,
    );
    assert.match(output, /PAPER: 2 OCO groups, 1 webhook bot/);

    await list([paper, other]);
    await world.startEngine();
    const retire = async (): Promise<Retirement> => {
      const answer = await world.client.command(RETIREMENT_COMMAND, { brokerageCode: "PAPER" });
      assert.equal(answer.ok, true, JSON.stringify(answer));
      return retirementSchema.parse(answer.data);
    };
    assert.deepEqual(await retire(), {
      retired: { groups: 2, setups: 0, switchedOffBots: 0, endedBots: 1 },
      left: [],
      next: "orders-0",
    });
    assert.equal((await retire()).retired.groups, 0, "again changes nothing");
    await world.engine.end("SIGTERM");
    await list([other]);
    await world.startEngine();
  });
});
