/** `cluster`: the tables for people, and the same as JSON. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { runCommandLine } from "../../../edge/cli/program.ts";
import type { ClusterView } from "../../../src/contract/operator/cluster.ts";

const CLUSTER: ClusterView = {
  partitions: [
    {
      ...{ partition: 0, leader: "a", epoch: 40 },
      copies: [
        { engine: "b", lagRecords: 0 },
        { engine: "c", lagRecords: 12 },
      ],
    },
    { partition: 1, leader: null, epoch: null, copies: [{ engine: "b", lagRecords: null }] },
  ],
  engines: [
    { engine: "a", leads: 1, isEnding: false, takeovers: [] },
    { engine: "b", leads: 0, isEnding: true, takeovers: [{ partition: 0, count: 2 }] },
  ],
  servers: [
    { url: "http://10.0.0.1:8222", name: "n1", version: "2.12.3", isSynced: true },
    { url: "http://10.0.0.2:8222", name: null, version: null, isSynced: null },
  ],
  streams: [
    { stream: "JOURNAL_0", currentReplicas: 2 },
    { stream: "TICKS", currentReplicas: 3 },
  ],
  faults: ["nats-server n3 is 2.9.10, and a log needs 2.10.27"],
};

let answered: ClusterView | null = CLUSTER;
const server = createServer((request, response) => {
  const answer =
    request.url === "/oauth/token" ? { access_token: "token" } : { success: true, message: "", data: answered };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(answer));
});

before(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
after(() => server.close());

async function said(...words: readonly string[]): Promise<string> {
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const out: string[] = [];
  const streams = { out: (text: string) => void out.push(text), err: (text: string) => void assert.fail(text) };
  const given = ["--url", `http://127.0.0.1:${address.port}`, "--api-key", "key", ...words, "cluster"];
  assert.equal(await runCommandLine(given, {}, streams), 0);
  return out.join("");
}

test("says who leads, how far copies are, who takes over, and what the servers are", async () => {
  answered = CLUSTER;
  assert.equal(
    await said(),
    [
      "partition  leader  epoch  copies",
      "0          a       40     b has all, c lacks 12",
      "1          nobody  -      b does not read along",
      "",
      "engine  leads  takeovers  state",
      "a       1      0          stays",
      "b       0      2          ends",
      "",
      "server                version  synced",
      "n1                    2.12.3   true",
      "http://10.0.0.2:8222  away     not known",
      "stream JOURNAL_0 has 2 current replicas of 3",
      "nats-server n3 is 2.9.10, and a log needs 2.10.27",
      "",
    ].join("\n"),
  );
});

test("as JSON: all of it", async () => {
  answered = CLUSTER;
  assert.deepEqual(JSON.parse(await said("--json")), CLUSTER);
});

test("where engines share nothing it says so", async () => {
  answered = null;
  assert.equal(await said(), "engines share no partitions (REPLICATION=off)\n");
});
