/**
 * Reads of ten rows from an edge of its own, which asks the engine over NATS. The baseline is a bare Hono route that
 * asks a bare responder over the same server and passes the same bytes on.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { QUERIES } from "../../src/contract/command.ts";
import { barsOf } from "../harness/figure/report.ts";
import { againstFloor, type Scenario } from "../harness/figure/result.ts";
import { type Client, call } from "../harness/load/clients.ts";
import { startEdge } from "../harness/load/followers.ts";
import {
  CODE,
  CONNECTIONS,
  load,
  makeReaders,
  paperEnvironment,
  perSecond,
  readRequest,
} from "../harness/load/readers.ts";
import { startBenchProgram } from "../harness/program.ts";
import { startServer } from "../harness/world.ts";
import type { BareAnswererOptions } from "../process/bare-answerer.ts";
import type { BareHonoOptions } from "../process/bare-hono.ts";

const ROUNDS = 5;
const CLIENTS = 200;
const SUBJECT = "bare.read";

export const scenario: Scenario = async ({ isQuick, say }) => {
  const seconds = isQuick ? 1 : 4;
  const folder = mkdtempSync(join(tmpdir(), "trading-bench-"));
  const server = await startServer();
  const environment = { ...paperEnvironment(folder), NATS_URL: server.url, LOG_LEVEL: "info" };
  const engine = await startBenchProgram({ entry: "engine/main.ts", ready: /engine is ready/, environment });
  const edge = await startEdge(server.url);
  say(`makes ${CLIENTS} users`);
  const clients = await makeReaders(folder, edge.url, CLIENTS);
  const bare = await startBareEdge(server.url, edge.url, clients);
  const rates = { read: [] as number[], bareRead: [] as number[] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const bareRead = await load(bare.url, seconds, [{ method: "GET", path: "/read" }]);
    const read = await load(edge.url, seconds, clients.map(readRequest));
    say(`round ${round}: ${read.toFixed(0)} a second, bare ${bareRead.toFixed(0)}`);
    if (round === 0) continue;
    rates.read.push(read);
    rates.bareRead.push(bareRead);
  }
  for (const program of [...bare.programs, edge.program, engine]) await program.end("SIGKILL");
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
  const read = perSecond("reads of ten rows, an edge over NATS", rates.read);
  const bareRead = perSecond("bare Hono route that asks a bare responder, the same bytes", rates.bareRead);
  return {
    title: "Reads: an edge of its own over NATS",
    figures: [read, bareRead],
    targets: [againstFloor("reads of ten rows over NATS", read, bareRead, "atLeast", 0.55)],
    charts: [barsOf("Requests a second", [read, bareRead])],
    notes: [
      `${CONNECTIONS} connections; client, edge, nats-server and engine share the machine's cores, and so do the bare ones`,
    ],
  };
};

/** A route and a responder that take and give the bytes which edge and engine exchange for the first client. */
async function startBareEdge(natsUrl: string, edgeUrl: string, [client]: readonly Client[]) {
  if (client === undefined) throw new Error("there are clients");
  const { path, headers } = readRequest(client);
  const answer = Buffer.from(JSON.stringify(await call(edgeUrl, "GET", path, headers)));
  const body = { brokerageCode: CODE, accountNumber: client.accountNumber };
  const request = Buffer.from(
    JSON.stringify({ type: QUERIES.listGroups, userId: 1, requestId: crypto.randomUUID(), body }),
  );
  const answerer = await startBenchProgram({ entry: "bench/process/bare-answerer.ts" });
  await answerer.ask({ natsUrl, subject: SUBJECT, answer } satisfies BareAnswererOptions);
  const hono = await startBenchProgram({ entry: "bench/process/bare-hono.ts" });
  const options: BareHonoOptions = {
    readAnswer: answer,
    createAnswer: answer,
    asks: { natsUrl, subject: SUBJECT, request },
  };
  const { port } = await hono.ask<{ readonly port: number }>(options);
  return { programs: [hono, answerer], url: `http://127.0.0.1:${port}` };
}
