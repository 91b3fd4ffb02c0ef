/**
 * Processes that end or freeze: SIGTERM under load, twice, and during the start; a loop that stalls; a server that goes
 * away and comes back. An exit code of 0 also means that the process ended in time: later it would be 1.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Fate, LossyBrokerage } from "../support/brokerage/lossy-brokerage.ts";
import {
  checkGroups,
  checkOrders,
  checkSells,
  collectOutcomes,
  findLate,
  TRIGGERED,
} from "../support/chaos/chaos-checks.ts";
import { ChaosWorld } from "../support/chaos/chaos-world.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { startProgram } from "../support/machine/process.ts";
import { ENGINE_USER, EngineWorld, groupOf, paperBrokerage } from "../support/world/engine-world.ts";
import { pause, until } from "../support/world/stack.ts";

const SYMBOLS = ["THYAO", "GARAN", "AKBNK", "ASELS"];
const ACCOUNT = `PAPER-${ENGINE_USER}`;
const SLOW_MS = 400;

natsSuite("processes that are asked to end", () => {
  describe("under load", endingUnderLoad);
  describe("with a brokerage that is slow or silent", endingWithASlowBrokerage);
  describe("while starting", endingWhileStarting);
});

natsSuite("an engine that is cut off", () => {
  describe("and comes back", cutOff);
});

function endingUnderLoad(): void {
  test("engine, brokerage and edge end with 0, and nothing that anybody was told is lost", async () => {
    const world = await ChaosWorld.open(3, 20_261_124);
    try {
      world.startLoad();
      for (const victim of ["engine", "brokerage", "edge", "engine"] as const) {
        await pause(800);
        assert.equal(await world.endAndStart(victim), 0, victim);
      }
      await world.stopLoad();
      await world.swing();
      const outcomes = await collectOutcomes(world);
      assert.ok(outcomes.some(({ rows }) => rows.some(({ status }) => status === TRIGGERED)));
      for (const one of outcomes) checkSells(one);
      checkGroups(world, outcomes);
      checkOrders(world, outcomes);
      assert.deepEqual(findLate(world, outcomes, await world.ticks.readAll()), []);
      assert.deepEqual(world.oddAnswers, []);
    } finally {
      await world.close();
    }
  });
}

function endingWithASlowBrokerage(): void {
  let world: EngineWorld;
  let lossy: LossyBrokerage;
  let fate: Fate = "accept";
  const quarantined: string[] = [];

  before(async () => {
    const brokerage = { code: "SLOW", name: "Slow", adapter: "gateway", resend: "none", timeoutMs: 20_000 };
    world = await EngineWorld.open({ brokerages: [brokerage] });
    lossy = new LossyBrokerage(world.nats, {
      ...{ code: "SLOW", promise: "none", accounts: ["A1"], lateMs: SLOW_MS },
      ...{ fate: () => fate, answersLookUp: () => true },
    });
    world.nats.subscribe("events.*.order.quarantined", {
      callback: (_, message) => void quarantined.push(message.string()),
    });
    await world.startEngine();
  });
  after(async () => {
    lossy.stop();
    await world.close();
  });

  test("an answer that is on its way is waited for: nobody has to decide about that order", async () => {
    fate = "answerLate";
    const made = await world.client.createGroup(groupOf("SLOW", "A1", "THYAO"), "slow");
    assert.ok("groupId" in made);
    await world.tick("THYAO", 111);
    await until(
      async () => lossy.orders.length,
      (count) => count === 1,
    );
    assert.equal(await world.engine.end("SIGTERM"), 0);
    await world.startEngine();
    const rows = await world.client.rows("SLOW", "A1");
    assert.deepEqual(
      rows.map(({ status }) => status),
      [1, 2, 1],
    );
    assert.deepEqual(quarantined, []);
  });

  test("a command whose order is never answered does not hold the end up", async () => {
    fate = "loseRequest";
    const asked = lossy.attempts.size;
    const body = { brokerageCode: "SLOW", accountNumber: "A1", symbol: "THYAO" };
    const order = { ...body, quantity: 1, buySell: 1, orderType: 1, price: 0 };
    const envelope = { type: "order.place", userId: ENGINE_USER, requestId: "test", body: order };
    const answer = world.nats.request("engine.0.command", JSON.stringify(envelope), { timeout: 30_000 });
    answer.catch(() => undefined);
    await until(
      async () => lossy.attempts.size,
      (count) => count > asked,
    );
    assert.equal(await world.engine.end("SIGTERM"), 0, world.engine.output());
    await world.startEngine();
    await until(
      async () => quarantined.length,
      (count) => count > 0,
    );
    assert.equal(quarantined.length, 1);
  });

  test("a second SIGTERM ends it at once, and the next start finds everything", async () => {
    fate = "loseRequest";
    const asked = lossy.attempts.size;
    await world.tick("THYAO", 121);
    await until(
      async () => lossy.attempts.size,
      (count) => count > asked,
    );
    const { engine } = world;
    process.kill(engine.pid, "SIGTERM");
    await until(
      async () => engine.output().includes('"stopping"'),
      (isStopping) => isStopping,
    );
    assert.equal(await engine.end("SIGTERM"), 1);
    assert.ok(!engine.output().includes('"stopped"'));
    await world.startEngine();
    assert.equal((await world.client.rows("SLOW", "A1")).length, 3);
  });
}

function endingWhileStarting(): void {
  test("an engine that waits for its server ends with 0", async () => {
    const folder = "/nonexistent/never-made";
    const environment = { NATS_URL: "nats://127.0.0.1:1", DATA_DIR: folder };
    const engine = await startProgram("engine/main.ts", environment, /NATS: .*trying on/);
    assert.equal(await engine.end("SIGTERM"), 0);
  });

  test("at whatever stage, it ends with 0 and the next start finds everything", async () => {
    const world = await EngineWorld.open({ brokerages: [paperBrokerage(SYMBOLS)] });
    try {
      assert.equal(await (await world.startEngine(/a new data folder/)).end("SIGTERM"), 0);
      await world.startEngine();
      const made = await world.client.createGroup(groupOf("PAPER", ACCOUNT, "THYAO"), "kept");
      assert.ok("groupId" in made);
      await world.engine.end("SIGKILL");
      for (const stage of [/caught up/, /the outbox sends/]) {
        assert.equal(await (await world.startEngine(stage)).end("SIGTERM"), 0, String(stage));
      }
      await world.startEngine();
      assert.equal((await world.client.rows("PAPER", ACCOUNT)).length, 3);
    } finally {
      await world.close();
    }
  });
}

function cutOff(): void {
  let world: EngineWorld;
  const statusesOf = async (symbol: string): Promise<number[]> =>
    (await world.client.rows("PAPER", ACCOUNT)).filter((row) => row.symbol === symbol).map(({ status }) => status);
  const untilFired = (symbol: string): Promise<number[]> =>
    until(
      () => statusesOf(symbol),
      (statuses) => statuses[0] === 2,
    );

  before(async () => {
    world = await EngineWorld.open({
      brokerages: [paperBrokerage(SYMBOLS)],
      // The server soon disconnects a client that does not read.
      server: { configuration: 'write_deadline: "300ms"\nmax_pending: 1MB\n' },
    });
    await world.startEngine();
    for (const symbol of SYMBOLS) {
      await world.tick(symbol, 100);
      const made = await world.client.createGroup(groupOf("PAPER", ACCOUNT, symbol), symbol);
      assert.ok("groupId" in made);
    }
  });
  after(() => world.close());

  test("a dip while the process stood still fires once it goes on", async () => {
    process.kill(world.engine.pid, "SIGSTOP");
    await world.tick("THYAO", 85);
    await world.tick("THYAO", 100);
    await pause(3_000);
    process.kill(world.engine.pid, "SIGCONT");
    assert.deepEqual(await untilFired("THYAO"), [2, 4, 4]);
  });

  test("a dip in a flood for which the server cut the engine off fires all the same", async () => {
    process.kill(world.engine.pid, "SIGSTOP");
    const filler = JSON.stringify({ price: 100, note: "x".repeat(500) });
    for (let count = 0; count < 30_000; count += 1) {
      world.nats.publish("ticks.AKBNK", filler);
      if (count === 29_000) world.nats.publish("ticks.GARAN", JSON.stringify({ price: 85 }));
      if (count === 29_100) world.nats.publish("ticks.GARAN", JSON.stringify({ price: 100 }));
      if (count % 1_000 === 0) await world.nats.flush();
    }
    await world.nats.flush();
    await pause(1_000);
    process.kill(world.engine.pid, "SIGCONT");
    assert.deepEqual(await untilFired("GARAN"), [2, 4, 4]);
    await until(
      async () => world.engine.output().includes('"reason":"reconnect"'),
      (isBack) => isBack,
    );
    assert.match(world.engine.output(), /"reason":"reconnect"/);
  });

  test("a dip before the engine is back on a server that was killed fires it", async () => {
    process.kill(world.engine.pid, "SIGSTOP");
    await world.server.kill("SIGKILL");
    await world.server.restart();
    await until(
      () =>
        world.tick("ASELS", 85).then(
          () => true,
          () => false,
        ),
      (isSent) => isSent,
    );
    await world.tick("ASELS", 100);
    process.kill(world.engine.pid, "SIGCONT");
    assert.deepEqual(await untilFired("ASELS"), [2, 4, 4]);
    assert.deepEqual(await statusesOf("AKBNK"), [1, 1, 1]);
  });
}
