/** The examples in Python, as a reader would run them, against the whole service on a real nats-server. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { natsSuite, startNatsServer } from "../../support/machine/nats-server.ts";
import { startProgram, temporaryFolder } from "../../support/machine/process.ts";
import { until } from "../../support/world/stack.ts";

const EXAMPLES = fileURLToPath(new URL("../../../docs/examples/", import.meta.url));

natsSuite("the examples in Python", () => {
  test("a client made from the document, a publisher of prices, and a strategy that protects once more", async (context) => {
    const folder = await temporaryFolder();
    context.after(folder.remove);
    const server = await startNatsServer({ jetStream: true });
    context.after(() => server.stop());
    const service = await startProgram(
      "src/main.ts",
      { NATS_URL: server.url, DATA_DIR: folder.path, PORT: "0", FEED: "none" },
      /listens on/,
    );
    context.after(() => service.end("SIGKILL"));
    const environment = {
      PATH: process.env.PATH ?? "",
      PYTHONDONTWRITEBYTECODE: "1",
      API_URL: /listens on (\S+)/.exec(service.output())?.[1] ?? "",
      API_KEY: (await readFile(join(folder.path, "bootstrap-api-key"), "utf8")).trim(),
    };
    const start = (name: string, ...parameters: string[]) => {
      const child = spawn("python3", [join(EXAMPLES, name), ...parameters], { env: environment });
      context.after(() => child.kill("SIGKILL"));
      let output = "";
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (part: string) => {
          output += part;
        });
      }
      const closed = once(child, "close");
      return { output: () => output, end: async () => ((await closed)[0] === 0 ? output : assert.fail(output)) };
    };
    const publish = async (price: number): Promise<void> => {
      const told = await start("publish_prices.py", `ASELS=${price}`, "--nats", `127.0.0.1:${server.port}`).end();
      assert.equal(told, "published 1 prices\n");
    };

    assert.match(await start("client.py", "listAccounts").end(), /"accountNumber": "PAPER-1"/);
    await publish(100);
    const lastPrice = async (): Promise<boolean> =>
      (await start("client.py", "listLastPrices", '{"symbols": "ASELS"}').end()).includes('"price": 100');
    assert.ok(await until(lastPrice, Boolean));
    const strategy = start("strategy.py", "ASELS", "1");
    assert.ok(await until(async () => strategy.output().includes("half at 103"), Boolean), strategy.output());
    await publish(104);
    const told = await strategy.end();
    assert.match(told, /^group \d+: 1000 lots, stop at 96, half at 103\nhalf sold at 104\n/);
    assert.match(told, /\ngroup \d+: 500 lots, stop at 100, half at 107\n$/);
  });
});
