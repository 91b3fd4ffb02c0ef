/**
 * A frozen connector with orders in its socket resumes while its replacement runs: it passes no order on, and ends.
 * Real processes of a connector that promises `query`.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { connect, type NatsConnection } from "nats";
import { EXIT_CODES } from "../../src/runtime/user-error.ts";
import { type NatsServer, natsSuite, startNatsServer } from "../support/machine/nats-server.ts";
import { type Program, runProgram, startProgram } from "../support/machine/process.ts";
import { until } from "../support/world/stack.ts";

const PROGRAM = "test/support/brokerage/counting-process.ts";
const READY = /the connector is ready/;
const ORDERS = 13;

natsSuite("a connector that was frozen with orders in its socket", () => {
  let server: NatsServer;
  let nats: NatsConnection;
  const started: Program[] = [];

  before(async () => {
    server = await startNatsServer();
    nats = await connect({ servers: server.url });
  });
  after(async () => {
    for (const program of started) await program.end("SIGKILL");
    await nats.close();
    await server.stop();
  });

  const start = async (): Promise<Program> => {
    const program = await startProgram(PROGRAM, { NATS_URL: server.url }, READY);
    started.push(program);
    return program;
  };
  const ask = async (operation: string, request: object): Promise<unknown> =>
    (await nats.request(`broker.ACME.${operation}`, JSON.stringify(request), { timeout: 120_000 })).json();
  const orderOf = (index: number, instance?: string): object => ({
    ...{
      userId: 1,
      accountNumber: "A1",
      clientOrderId: `order-${index}`,
      symbol: "THYAO",
      quantity: 1,
      buySell: 2,
    },
    ...{ orderType: 2, price: 500, fence: { partition: 0, epoch: 0, attempt: 1 }, ...(instance && { instance }) },
  });

  test("answers NOT_SENT to each, and ends for its replacement, which nobody may serve beside", async () => {
    const first = await start();
    const { data } = (await ask("status", {})) as { data: { instance: string } };
    process.kill(first.pid, "SIGSTOP");
    // Half come from an engine that names the connector's process, half from an engine that does not.
    const answers = Array.from({ length: ORDERS }, (_, index) =>
      ask("place", orderOf(index, index % 2 === 0 ? data.instance : undefined)).catch(String),
    );
    await nats.flush();
    await start();
    process.kill(first.pid, "SIGCONT");
    const codes = (await Promise.all(answers)).map((answer) => (answer as { code?: string }).code);
    assert.deepEqual(new Set(codes), new Set(["NOT_SENT"]));
    await until(
      async () => first.hasEnded(),
      (hasEnded) => hasEnded,
    );
    assert.match(first.output(), /this process gives way: process \d+ on host \S+ began to serve the brokerage later/);
    const { code, output } = await runProgram(PROGRAM, { NATS_URL: server.url });
    assert.equal(code, EXIT_CODES.unavailable, output);
    assert.match(output, /serves ACME already: one process serves a brokerage/);
    assert.match(JSON.stringify(await ask("place", orderOf(99))), /"ok":true/);
  });
});
