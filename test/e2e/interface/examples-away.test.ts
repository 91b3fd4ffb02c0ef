/** Examples that find no service name the address that they tried and the setting that changes it. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";

const ROOT = join(import.meta.dirname, "../../..");
const PROGRAMS = [
  ["python3", "docs/examples/client.py", "listAccounts"],
  ["python3", "docs/examples/strategy.py", "ASELS"],
  [process.execPath, "--import", "tsx", "edge/openapi/example-client.ts"],
] as const;

/** A port that nothing listens on any more. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

for (const [program, ...parameters] of PROGRAMS) {
  test(`${parameters.find((one) => one.includes("/"))} says in a line where no service answers, and how to name another`, async () => {
    const url = `http://127.0.0.1:${await closedPort()}`;
    const env = { PATH: process.env.PATH ?? "", API_URL: url, API_KEY: "tdk_live_x", PYTHONDONTWRITEBYTECODE: "1" };
    const { status, stderr } = spawnSync(program, parameters, { cwd: ROOT, env, encoding: "utf8" });
    assert.equal(status, 1, stderr);
    assert.equal(stderr.trim().split("\n").length, 1, stderr);
    assert.match(stderr, new RegExp(`^the service does not answer at ${url}.*API_URL`));
  });
}

test("client.py without a key says where one may be", () => {
  const env = { PATH: process.env.PATH ?? "", PYTHONDONTWRITEBYTECODE: "1" };
  const script = join(ROOT, "docs/examples/client.py");
  const { status, stderr } = spawnSync("python3", [script, "listAccounts"], { cwd: "/", env, encoding: "utf8" });
  assert.deepEqual([status, /^no API key: set API_KEY/.test(stderr)], [1, true], stderr);
});
