/**
 * One engine per partition: if a second engine starts, with any data folder, no row is sold by both. Real engines on a
 * real nats-server, and a brokerage that counts orders.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { EXIT_CODES } from "../../src/runtime/user-error.ts";
import { type Fate, LossyBrokerage } from "../support/brokerage/lossy-brokerage.ts";
import { freePorts } from "../support/machine/free-ports.ts";
import { natsSuite, startNatsServer } from "../support/machine/nats-server.ts";
import { type Program, runProgram, startProgram, temporaryFolder } from "../support/machine/process.ts";
import { EngineWorld, groupOf } from "../support/world/engine-world.ts";
import { pause, until } from "../support/world/stack.ts";

const CODE = "FAR";
const READY = /engine is ready/;
const REFUSED = /^engine cannot start: partition 0 belongs to another engine/m;

natsSuite("a second engine for a partition", () => {
  let world: EngineWorld;
  let lossy: LossyBrokerage;
  let fate: Fate = "accept";
  let folderCount = 0;
  const started: Program[] = [];

  before(async () => {
    const brokerage = { code: CODE, name: "Far", adapter: "gateway", resend: "idempotent", timeoutMs: 4_000 };
    world = await EngineWorld.open({ brokerages: [brokerage] });
    const options = { code: CODE, promise: "idempotent", accounts: ["A1"], lateMs: 1_500 } as const;
    lossy = new LossyBrokerage(world.nats, { ...options, fate: () => fate, answersLookUp: () => true });
  });
  beforeEach(async () => {
    for (const program of started.splice(0)) await program.end("SIGKILL");
    fate = "accept";
  });
  after(async () => {
    for (const program of started) await program.end("SIGKILL");
    lossy.stop();
    await world.close();
  });

  const newFolder = (): string => {
    folderCount += 1;
    return join(world.folder, `data-${folderCount}`);
  };
  const start = async (dataFolder: string, change: Record<string, string> = {}): Promise<Program> => {
    const program = await startProgram("engine/main.ts", { ...world.environment(dataFolder), ...change }, READY);
    started.push(program);
    return program;
  };
  const create = async (symbol: string): Promise<void> => {
    const made = await world.client.createGroup(groupOf(CODE, "A1", symbol), `${symbol}-${folderCount}`);
    assert.ok("groupId" in made, JSON.stringify(made));
  };
  const ordersOf = (symbol: string): number => lossy.orders.filter((order) => order.symbol === symbol).length;
  const untilOrders = async (symbol: string, count: number): Promise<void> => {
    const counted = await until(
      async () => ordersOf(symbol),
      (now) => now >= count,
    );
    assert.equal(counted, count);
  };

  test("is refused in one line that says which, where and what to do; the first goes on", async () => {
    const first = await start(newFolder());
    await create("THYAO");
    const folder = newFolder();
    const { code, output } = await runProgram("engine/main.ts", world.environment(folder));
    assert.equal(code, EXIT_CODES.unavailable, output);
    assert.match(output, REFUSED);
    assert.match(output, new RegExp(`process ${first.pid} on host \\S+`));
    assert.match(output, /end that one, or .*NATS_URL.*ENGINE_PARTITIONS/);
    assert.equal(existsSync(folder), false, "nothing was made");
    await world.tick("THYAO", 111);
    await untilOrders("THYAO", 1);
    assert.equal(first.hasEnded(), false);
  });

  test("is refused as the whole service in one process, too, and to it", async () => {
    const service = { ...world.environment(newFolder()), PORT: "0" };
    const whole = await startProgram("src/main.ts", service, /Trading Developer API listens on/);
    started.push(whole);
    for (const entry of ["src/main.ts", "engine/main.ts"]) {
      const { code, output } = await runProgram(entry, { ...service, DATA_DIR: newFolder() });
      assert.equal(code, EXIT_CODES.unavailable, output);
      assert.match(output, /cannot start: partition 0 belongs to another engine/);
    }
    assert.equal(whole.hasEnded(), false);
  });

  test("of an installation of another size is refused where only the shared partition runs", async () => {
    await start(newFolder());
    const environment = { ...world.environment(newFolder()), PARTITIONS: "2", ENGINE_PARTITIONS: "1" };
    const { code, output } = await runProgram("engine/main.ts", environment);
    assert.equal(code, EXIT_CODES.unavailable, output);
    assert.match(output, /engine cannot start: .*two installations cannot share one NATS server/);
  });

  test("that starts at the same instant: exactly one of them goes on", async () => {
    for (let round = 0; round < 2; round += 1) {
      const outcomes = await Promise.allSettled([start(newFolder()), start(newFolder())]);
      assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
      for (const outcome of outcomes) {
        if (outcome.status === "rejected") assert.match(String(outcome.reason), REFUSED);
      }
      for (const program of started.splice(0)) await program.end("SIGKILL");
    }
  });

  /** Makes a folder that an engine has used before, like a folder restored from a backup. */
  const usedFolder = async (): Promise<string> => {
    const folder = newFolder();
    await (await start(folder)).end("SIGTERM");
    started.length = 0;
    return folder;
  };

  test("that begins while the first is frozen: the first wakes, sells nothing and ends", async () => {
    const folder = await usedFolder();
    const frozen = await start(newFolder());
    await create("GARAN");
    process.kill(frozen.pid, "SIGSTOP");
    const second = await start(folder);
    assert.match(second.output(), /"event":"owner\.silent"/);
    await create("GARAN");
    await world.tick("GARAN", 111);
    await untilOrders("GARAN", 1);
    process.kill(frozen.pid, "SIGCONT");
    await until(
      async () => frozen.hasEnded(),
      (hasEnded) => hasEnded,
    );
    assert.match(frozen.output(), /this engine gives way: partition 0 belongs to another engine/);
    assert.equal(await frozen.end("SIGTERM"), EXIT_CODES.unavailable, "as at a start");
    await pause(500);
    assert.equal(ordersOf("GARAN"), 1);
    assert.equal((await world.client.rows(CODE, "A1")).length, 3);
    assert.equal(second.hasEnded(), false);
  });

  test("with a new folder is refused while the first is frozen: the first wakes, goes on and sells", async () => {
    const frozen = await start(newFolder());
    await create("KCHOL");
    process.kill(frozen.pid, "SIGSTOP");
    const folder = newFolder();
    const { code, output } = await runProgram("engine/main.ts", world.environment(folder));
    assert.equal(code, EXIT_CODES.unavailable, output);
    assert.match(output, /is connected to NATS and does not answer, and DATA_DIR is new here/);
    assert.equal(existsSync(folder), false, "nothing was made");
    await world.tick("KCHOL", 111);
    process.kill(frozen.pid, "SIGCONT");
    await untilOrders("KCHOL", 1);
    assert.equal(frozen.hasEnded(), false);
  });

  test("that asked while the first was frozen and died meanwhile: the first wakes, goes on and sells", async () => {
    const folder = await usedFolder();
    const frozen = await start(newFolder());
    await create("TUPRS");
    process.kill(frozen.pid, "SIGSTOP");
    const second = await start(folder);
    await second.end("SIGKILL");
    await world.tick("TUPRS", 111);
    process.kill(frozen.pid, "SIGCONT");
    await untilOrders("TUPRS", 1);
    await pause(500);
    assert.equal(frozen.hasEnded(), false);
  });

  test("that never came: an engine that was frozen goes on by itself, and sells what it missed", async () => {
    const frozen = await start(newFolder());
    await create("AKBNK");
    process.kill(frozen.pid, "SIGSTOP");
    await pause(3_500);
    await world.tick("AKBNK", 111);
    process.kill(frozen.pid, "SIGCONT");
    await untilOrders("AKBNK", 1);
    assert.equal(frozen.hasEnded(), false);
  });

  test("that takes over the folder of one which is still ending waits for its end", async () => {
    const folder = newFolder();
    const first = await start(folder);
    await create("ASELS");
    // The answer is late, so that the orderly stop has something to wait for.
    fate = "answerLate";
    await world.tick("ASELS", 111);
    await untilOrders("ASELS", 1);
    const ended = first.end("SIGTERM");
    const next = await start(folder);
    await ended;
    assert.equal((await world.client.rows(CODE, "A1")).length, 3);
    assert.equal(ordersOf("ASELS"), 1);
    assert.equal(next.hasEnded(), false);
  });

  test("none is found in itself when the nats-server is started again: it goes on and sells", async () => {
    const only = await start(newFolder());
    await create("SISE");
    await world.server.restart();
    await until(
      async () => only.output(),
      (output) => /no other engine has taken over/.test(output),
    );
    await until(
      async () => {
        await world.tick("SISE", 111).catch(() => undefined);
        return ordersOf("SISE");
      },
      (count) => count > 0,
    );
    assert.equal(ordersOf("SISE"), 1);
    assert.equal(only.hasEnded(), false);
  });
});

natsSuite("a network that was cut", () => {
  test("heals: of two engines that began on either side the one that began later ends", async (context) => {
    const [routePort = 0, otherPort = 0] = await freePorts(2);
    let isCut = true;
    const wire = createServer((from) => {
      if (isCut) return void from.destroy();
      const to = connect(routePort, "127.0.0.1");
      for (const socket of [from, to]) socket.on("error", () => undefined);
      from.pipe(to).pipe(from);
    });
    wire.listen(0, "127.0.0.1");
    await once(wire, "listening");
    context.after(() => void wire.close());
    const { port: cutPort } = wire.address() as AddressInfo;
    const cluster = (port: number, routes: string): string =>
      `cluster { name: one, listen: "127.0.0.1:${port}", no_advertise: true${routes} }`;
    const near = await startNatsServer({ configuration: cluster(routePort, "") });
    context.after(() => near.stop());
    const routes = `, routes: ["nats-route://127.0.0.1:${cutPort}"]`;
    const far = await startNatsServer({ configuration: cluster(otherPort, routes) });
    context.after(() => far.stop());
    const folder = await temporaryFolder();
    context.after(() => folder.remove());
    const start = async (name: string, url: string): Promise<Program> => {
      const environment = { NATS_URL: url, DATA_DIR: join(folder.path, name) };
      const program = await startProgram("engine/main.ts", environment, READY);
      context.after(() => program.end("SIGKILL"));
      return program;
    };
    const first = await start("near", near.url);
    const later = await start("far", far.url);

    isCut = false;
    await until(
      async () => later.hasEnded(),
      (hasEnded) => hasEnded,
    );
    assert.match(later.output(), /this engine gives way: partition 0 belongs to another engine/);
    await pause(1_000);
    assert.equal(first.hasEnded(), false);
  });
});
