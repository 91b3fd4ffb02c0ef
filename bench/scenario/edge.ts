/**
 * The throughput of the REST interface: a read of ten rows and the creation of a group, on the installation of
 * `npm start` (engine and edge in one process). The baselines are a bare Hono route that returns the same bytes, and
 * the stack that a developer would build instead.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { barsOf } from "../harness/figure/report.ts";
import { againstFloor, type Figure, type Scenario, type Target } from "../harness/figure/result.ts";
import { ratios } from "../harness/figure/statistics.ts";
import { type Client, call } from "../harness/load/clients.ts";
import { SYMBOLS, symbolOf } from "../harness/load/owned-group.ts";
import {
  CODE,
  CONNECTIONS,
  load,
  makeReaders,
  OCO_PATH,
  paperEnvironment,
  perSecond,
  readRequest,
} from "../harness/load/readers.ts";
import { type BenchProgram, startBenchProgram } from "../harness/program.ts";
import type { BareHonoOptions } from "../process/bare-hono.ts";
import type { UsualStack, UsualStackOptions } from "../process/usual-stack.ts";

const ROUNDS = 5;
const CLIENTS = 400;
const CREATES_PER_SECOND = 3_000;

export const scenario: Scenario = async ({ isQuick, say }) => {
  const readSeconds = isQuick ? 1 : 4;
  const createSeconds = isQuick ? 1 : 3;
  const folder = mkdtempSync(join(tmpdir(), "trading-bench-"));
  const product = await startProduct(folder);
  const { url } = product;
  say(`makes ${CLIENTS} users`);
  const clients = await makeReaders(folder, url, CLIENTS);
  const answers = await sampleAnswers(url, clients);
  const bare = await startBenchProgram({ entry: "bench/process/bare-hono.ts" });
  const { port } = await bare.ask<{ readonly port: number }>(answers);
  const bareUrl = `http://127.0.0.1:${port}`;
  const usual = await startUsualStack(folder, url, clients);
  const rates = {
    ...{ read: [] as number[], bareRead: [] as number[], usualRead: [] as number[] },
    ...{ create: [] as number[], bareCreate: [] as number[], usualCreate: [] as number[] },
  };
  const measured = async (into: number[], round: number, run: () => Promise<number>): Promise<void> => {
    const rate = await run();
    say(`round ${round}: ${rate.toFixed(0)} a second`);
    if (round > 0) into.push(rate);
  };
  const makeBody = bodyMaker(clients);
  const makeUsualBody = bodyMaker(usual.clients);
  for (let round = 0; round <= ROUNDS; round += 1) {
    await measured(rates.bareRead, round, () => load(bareUrl, readSeconds, [{ method: "GET", path: "/read" }]));
    await measured(rates.usualRead, round, () => load(usual.url, readSeconds, usual.clients.map(readRequest)));
    await measured(rates.read, round, () => load(url, readSeconds, clients.map(readRequest)));
  }
  for (let round = 0; round <= ROUNDS; round += 1) {
    const json = { "content-type": "application/json" };
    const bareRequest = { method: "POST", path: "/create", headers: json, body: makeBody.sample };
    await measured(rates.bareCreate, round, () => load(bareUrl, createSeconds, [bareRequest]));
    await measured(rates.usualCreate, round, () =>
      load(usual.url, createSeconds, [{ setupRequest: makeUsualBody.next }]),
    );
    await measured(rates.create, round, () => load(url, createSeconds, [{ setupRequest: makeBody.next }]));
  }
  await bare.end("SIGKILL");
  await usual.program.end("SIGKILL");
  await product.program.end("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
  const read = perSecond("reads of ten rows, cached token", rates.read);
  const bareRead = perSecond("bare Hono route, the same bytes", rates.bareRead);
  const create = perSecond("OCO groups created over REST, durable", rates.create);
  const bareCreate = perSecond("bare Hono POST, the same bytes", rates.bareCreate);
  const usualRead = perSecond("usual stack, reads of ten rows", rates.usualRead);
  const usualCreate = perSecond("usual stack, durable creates", rates.usualCreate);
  return {
    title: "REST: engine and edge in one process, as npm start runs them",
    figures: [read, usualRead, bareRead, create, usualCreate, bareCreate],
    targets: [
      againstFloor("reads of ten rows, of the usual stack", read, usualRead, "atLeast", 1),
      againstFloor("durable creates, of the usual stack", create, usualCreate, "atLeast", 1),
      againstFloor("reads of ten rows, of bare Hono", read, bareRead, "atLeast", 0.55),
      createTarget(create, bareCreate),
    ],
    charts: [barsOf("Requests a second", [read, usualRead, bareRead, create, usualCreate, bareCreate])],
    notes: [
      `${CONNECTIONS} connections from a process of its own; tokens of ${CLIENTS} users in turn, since limits count users`,
      "the usual stack is Hono, jose with a cache of verified tokens, rate-limiter-flexible, zod and LevelDB with a row a level; a create is one synced batch; it watches no price",
      "the bare route checks no token, counts no limit, asks nobody and sets two headers",
    ],
  };
};

/** The lower of 3,000 a second and half of the bare route: reported as a share of the bare route. */
function createTarget(create: Figure, bareCreate: Figure): Target {
  const needed = bareCreate.rounds.map((rate) => Math.min(CREATES_PER_SECOND, rate / 2));
  return {
    name: "creates, of the lower of 3,000 a second and half of bare Hono",
    bound: "atLeast",
    limit: 1,
    unit: "x needed",
    rounds: ratios(create.rounds, needed),
    measured: create,
  };
}

async function startProduct(folder: string): Promise<{ readonly program: BenchProgram; readonly url: string }> {
  const environment = { ...paperEnvironment(folder), PORT: "0", TRUST_PROXY: "on" };
  const program = await startBenchProgram({ entry: "src/main.ts", ready: /listens on (http:\S+)/, environment });
  const [, url = ""] = /listens on (http:\S+)/.exec(program.output()) ?? [];
  return { program, url };
}

/** Starts the stack with the same accounts and the rows that the product lists for the first of them. */
async function startUsualStack(folder: string, url: string, clients: readonly Client[]) {
  const [client] = clients;
  if (client === undefined) throw new Error("there are clients");
  const { path, headers } = readRequest(client);
  const { data: listedRows } = (await call(url, "GET", path, headers)) as { readonly data: readonly object[] };
  const program = await startBenchProgram({ entry: "bench/process/usual-stack.ts" });
  const accountNumbers = clients.map(({ accountNumber }) => accountNumber);
  const options: UsualStackOptions = { folder: join(folder, "usual-stack"), accountNumbers, listedRows };
  const { port, tokens } = await program.ask<UsualStack>(options);
  const asClient = (token: string, index: number): Client => ({
    authorization: `Bearer ${token}`,
    accountNumber: accountNumbers[index] ?? "",
  });
  return { program, url: `http://127.0.0.1:${port}`, clients: tokens.map(asClient) };
}

/** Returns the product's answers, which the bare route returns too. */
async function sampleAnswers(url: string, clients: readonly Client[]): Promise<BareHonoOptions> {
  const [client] = clients;
  if (client === undefined) throw new Error("there are clients");
  const { path, headers } = readRequest(client);
  const read = await call(url, "GET", path, headers);
  const { sample } = bodyMaker(clients);
  const body = { ...(JSON.parse(sample) as object), symbol: symbolOf(SYMBOLS - 1) };
  const created = await call(url, "POST", OCO_PATH, headers, body);
  return { readAnswer: Buffer.from(JSON.stringify(read)), createAnswer: Buffer.from(JSON.stringify(created)) };
}

/** Makes bodies that each create a new group: every client on every symbol, once. */
function bodyMaker(clients: readonly Client[]) {
  let made = 0;
  const bodyOf = (client: Client | undefined, symbol: string): string =>
    JSON.stringify({
      brokerageCode: CODE,
      accountNumber: client?.accountNumber,
      symbol,
      stopLossPrice: 80,
      stopLossQuantity: 10,
      takeProfitItems: [
        { price: 120, quantity: 5 },
        { price: 160, quantity: 5 },
      ],
    });
  return {
    sample: bodyOf(clients[0], symbolOf(1)),
    next: <R extends object>(request: R): R => {
      const client = clients[made % clients.length];
      const symbol = symbolOf(1 + (Math.floor(made / clients.length) % (SYMBOLS - 2)));
      made += 1;
      const headers = { authorization: client?.authorization ?? "", "content-type": "application/json" };
      return { ...request, method: "POST", path: OCO_PATH, headers, body: bodyOf(client, symbol) };
    },
  };
}
