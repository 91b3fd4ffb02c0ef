/** The example client, as a reader would run it, against a live service. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { startProgram, temporaryFolder } from "../../support/machine/process.ts";
import { until } from "../../support/world/stack.ts";

test("the example client logs in, places an OCO and follows it until it fires", async (t) => {
  const folder = await temporaryFolder();
  t.after(() => folder.remove());
  const environment = { DATA_DIR: folder.path, PORT: "0", FEED: "none" };
  const service = await startProgram("src/main.ts", environment, /Trading Developer API listens on/);
  t.after(() => service.end("SIGKILL"));
  const url = /listens on (\S+)/.exec(service.output())?.[1] ?? "";
  const apiKey = (await readFile(join(folder.path, "bootstrap-api-key"), "utf8")).trim();
  const client = await startProgram(
    "edge/openapi/example-client.ts",
    { API_URL: url, API_KEY: apiKey },
    /is under watch/,
  );
  t.after(() => client.end("SIGKILL"));
  const send = async (path: string, body: object, headers: Readonly<Record<string, string>>) => {
    const response = await fetch(url + path, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    assert.equal(response.status, 200);
    return (await response.json()) as Record<string, unknown>;
  };
  const tokens = await send("/oauth/token", { grant_type: "api_key" }, { "X-API-Key": apiKey });
  const authorization = { Authorization: `Bearer ${tokens.access_token}` };
  await send("/admin/v1/ticks", { ticks: [{ symbol: "THYAO", price: 401.5 }] }, authorization);
  assert.equal(await until(async () => client.hasEnded(), Boolean), true, client.output());
  assert.match(client.output(), /^account PAPER-1 at Paper Brokerage\n/);
  assert.match(client.output(), /take profit 400: Triggered at 401.5\n/);
});
