/**
 * Engines and message servers are killed, frozen and restarted and clocks set while orders flow, often an engine and a
 * server together. The brokerage promises only `query`. Each stop-loss is sold once, no minute without a sale passes in
 * silence, and all copies reach the same rows. There is one engine more than copies.
 */
import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, type TestContext, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { hasReplica } from "../../../engine/cluster/replica/retired-replica.ts";
import { openLevelStore } from "../../../engine/store/level-store.ts";
import { ALL_KEYS } from "../../../engine/table/keys.ts";
import { eventSubject } from "../../../src/contract/subject.ts";
import { WrongClock } from "../../borders/support/clock.ts";
import { randomOf } from "../../support/client/engine-client.ts";
import { eachServerSuite, newestServer, type ServerProgram } from "../../support/machine/nats-cluster.ts";
import { ENGINE_USER } from "../../support/world/engine-world.ts";
import { ACCOUNTS, FailoverWorld } from "../../support/world/failover-world.ts";
import { pause, until } from "../../support/world/stack.ts";

const SECONDS = Number(process.env.FAILOVER_CHAOS_SECONDS ?? 90);
const SEED = Number(process.env.FAILOVER_CHAOS_SEED ?? Date.now() % 100_000);
const SYMBOLS = ["THYAO", "GARAN", "AKBNK", "ASELS", "KCHOL"];
const ENGINES = ["a", "b", "c"];
const COPIES = 2;
/** Longer than rows wait before they are written and the position follows. */
const QUIET_MS = 8_000;
const LOOKS_MAX = 3;
/** By then another engine leads and has placed the waiting orders. */
const LONGER_THAN_LEASE_MS = 5_000;
/** How far a clock is off: more than the 2 s that an engine's clock may be, up to what a paused machine loses. */
const CLOCK_OFF_MS = [-120_000, -8_000, 3_000, 60_000];
/** A server that was away this long has ticks to catch up with when it is back. */
const SERVER_AWAY_MS = 8_000;
/** A reached stop-loss may wait this long without a notice. */
const SILENT_MS_MAX = 60_000;
const LOOK_EVERY_MS = 500;
/** The engines' output is stored here if the test fails. */
const OUTPUTS = join(tmpdir(), `failover-chaos-${SEED}`);

/** The newest servers; with `FAILOVER_CHAOS_ALL=on` all. */
function isTried({ suite }: ServerProgram): boolean {
  return suite === newestServer().suite || process.env.FAILOVER_CHAOS_ALL === "on";
}

function describeChaos(server: ServerProgram): void {
  let world: FailoverWorld;
  const random = randomOf(SEED);
  const lanes = SYMBOLS.flatMap((symbol) => ACCOUNTS.map((account) => ({ symbol, account, created: 0, asked: 0 })));
  const isSold = ({ symbol, account, created }: (typeof lanes)[number]): boolean =>
    world.ordersOf(symbol, account).length >= created;
  let isOver = false;
  /** The last sign that levels may not be watched: no engine led, or an owner received an alarm. */
  let lastToldMs = 0;
  let longestWaitMs = 0;
  const clocks = new Map<string, WrongClock>();
  const reachedMs = new Map<(typeof lanes)[number], number>();

  before(async () => {
    world = await FailoverWorld.open({ server, environment: { REPLICAS: String(COPIES) } });
    for (const name of ENGINES) clocks.set(name, new WrongClock(join(world.folder, `clock-${name}`)));
    for (const name of ENGINES) await startEngine(name);
    await world.untilLed();
    const callback = (): void => {
      lastToldMs = performance.now();
    };
    world.nats.subscribe(eventSubject(ENGINE_USER, "alarm.*"), { callback });
  });
  after(() => world?.close());

  async function startEngine(name: string): Promise<void> {
    await world.startEngine(name, clocks.get(name)?.environment);
  }

  /** Notes until the end whether an engine leads, and fails if a reached stop-loss waits in silence. */
  async function watch(): Promise<void> {
    while (!isOver) {
      if ((await world.leader().catch(() => undefined)) === undefined) lastToldMs = performance.now();
      for (const lane of lanes) {
        const sinceMs = reachedMs.get(lane);
        if (sinceMs === undefined) continue;
        if (isSold(lane)) {
          reachedMs.delete(lane);
          continue;
        }
        const waitedMs = performance.now() - sinceMs;
        longestWaitMs = Math.max(longestWaitMs, waitedMs);
        const isTold = lastToldMs >= sinceMs;
        assert.ok(waitedMs < SILENT_MS_MAX || isTold, `${lane.symbol} of ${lane.account} waits in silence`);
      }
      await pause(LOOK_EVERY_MS);
    }
  }

  const oneOf = <T>(things: readonly T[]): T => {
    const chosen = things[Math.floor(random() * things.length)];
    assert.ok(chosen !== undefined);
    return chosen;
  };

  const tickAll = async (price: number): Promise<void> => {
    for (const symbol of SYMBOLS) await world.tick(symbol, price).catch(() => undefined);
  };

  /** Repeats the request until it is answered: under so many faults no engine may lead while one client waits. */
  async function create(symbol: string, key: string, account: string): Promise<boolean> {
    for (;;) {
      // An attempt that begins after all faults are over is the last.
      const isLast = isOver;
      const isMade = await world.tryCreate(symbol, key, account).catch((error: Error) => error);
      if (!(isMade instanceof Error)) return isMade;
      if (isLast || !isMade.message.includes("never answered")) throw isMade;
    }
  }

  async function trade(): Promise<void> {
    while (!isOver) {
      await tickAll(100);
      await Promise.all(
        lanes.filter(isSold).map(async (lane) => {
          const key = `${lane.symbol}-${lane.account}-${lane.asked}`;
          lane.asked += 1;
          if (await create(lane.symbol, key, lane.account)) lane.created += 1;
        }),
      );
      await tickAll(89);
      for (const lane of lanes) if (!isSold(lane) && !reachedMs.has(lane)) reachedMs.set(lane, performance.now());
      await pause(100);
    }
  }

  const ofAnEngine: Readonly<Record<string, () => Promise<void>>> = {
    "engine killed": async () => {
      const leader = await world.untilLed();
      await world.engine(leader).end("SIGKILL");
      await pause(1_000);
      await startEngine(leader);
    },
    "engine ended politely": async () => {
      const leader = await world.untilLed();
      await world.engine(leader).end("SIGTERM");
      await startEngine(leader);
    },
    "clock wrong": async () => {
      const clock = clocks.get(await world.untilLed());
      clock?.setAhead(oneOf(CLOCK_OFF_MS));
      await pause(LONGER_THAN_LEASE_MS);
      clock?.setAhead(0);
    },
    "engine frozen": async () => {
      const { pid } = world.engine(await world.untilLed());
      process.kill(pid, "SIGSTOP");
      await pause(LONGER_THAN_LEASE_MS);
      process.kill(pid, "SIGCONT");
    },
    "link cut, bytes come late": async () => {
      const link = world.link(await world.untilLed());
      await Promise.race([link.holdFrom(".place"), pause(1_000)]);
      link.hold();
      await pause(LONGER_THAN_LEASE_MS);
      link.deliver();
    },
    "link severed, bytes come late": async () => {
      const link = world.link(await world.untilLed());
      await Promise.race([link.holdFrom(".place"), pause(1_000)]);
      link.sever();
      await pause(LONGER_THAN_LEASE_MS);
      link.deliver();
    },
  };
  const ofAServer: Readonly<Record<string, () => Promise<void>>> = {
    "server killed": async () => {
      const victim = oneOf(world.cluster.servers);
      await victim.kill("SIGKILL");
      await pause(2_000);
      await victim.restart();
    },
    "server lags behind": async () => {
      const victim = oneOf(world.cluster.servers);
      await victim.kill("SIGKILL");
      await pause(SERVER_AWAY_MS);
      await victim.restart();
    },
    "server ended politely": async () => {
      const victim = oneOf(world.cluster.servers);
      await victim.kill("SIGTERM");
      await victim.restart();
    },
    "server frozen": async () => {
      const victim = oneOf(world.cluster.servers);
      await victim.kill("SIGSTOP");
      await pause(6_000);
      await victim.kill("SIGCONT");
    },
  };

  const folderOf = (name: string): string => join(world.folder, name, "partition-0");

  /** Reads all rows of an engine's copy from its disk. */
  async function rowsOf(name: string): Promise<Map<string, string>> {
    const store = await openLevelStore(join(folderOf(name), "store"), false);
    const rows = new Map<string, string>();
    for await (const page of store.scan(ALL_KEYS)) {
      for (const [key, value] of page) rows.set(key, Buffer.from(value).toString("base64"));
    }
    await store.close();
    return rows;
  }

  /** Chooses a fault of an engine, a fault of a server, or both together. */
  function rollFaults(): [string, () => Promise<void>][] {
    const families = oneOf([[ofAnEngine], [ofAServer], [ofAnEngine, ofAServer]]);
    return families.map((family) => oneOf(Object.entries(family)));
  }

  /** Causes faults until the time is over; then everything is whole again. */
  async function trouble(t: TestContext): Promise<void> {
    const endMs = performance.now() + SECONDS * 1_000;
    const running = Promise.all([trade(), watch()]);
    // Judged below, when the faults are over.
    running.catch(() => undefined);
    while (performance.now() < endMs) {
      const chosen = rollFaults();
      t.diagnostic(`${new Date().toISOString()} ${chosen.map(([name]) => name).join(", ")}`);
      await Promise.all(chosen.map(([, happen]) => happen()));
      await pause(1_000 + random() * 3_000);
    }
    isOver = true;
    await running;
    t.diagnostic(`a reached stop-loss waited for ${Math.round(longestWaitMs)} ms at most`);
  }

  async function judge(t: TestContext): Promise<void> {
    await until(
      async () => {
        await tickAll(89);
        return lanes.every(isSold);
      },
      (isDone) => isDone,
    );
    await pause(QUIET_MS);
    for (const { symbol, account, created } of lanes) {
      assert.equal(world.ordersOf(symbol, account).length, created, `${symbol} of ${account}`);
    }
    assert.deepEqual(world.doubled(), []);
    t.diagnostic(`${world.connector.orders.length} orders, ${world.refusedCount} requests came too late`);
    for (let look = 1; ; look += 1) {
      await Promise.all(ENGINES.map((name) => world.engine(name).end("SIGKILL")));
      const [first, ...others] = await Promise.all(ENGINES.filter((name) => hasReplica(folderOf(name))).map(rowsOf));
      assert.ok(others.length >= COPIES - 1, `${others.length + 1} copies`);
      // A copy that lacked processor time may be behind; it reaches the same rows once it resumes.
      if (look < LOOKS_MAX && !others.every((other) => isDeepStrictEqual(other, first))) {
        t.diagnostic("a copy is behind: again");
        for (const name of ENGINES) await startEngine(name);
        await world.untilLed();
        await pause(QUIET_MS);
        continue;
      }
      for (const other of others) assert.deepEqual(other, first);
      return;
    }
  }

  test(`nothing is lost, nothing is doubled, and the copies are equal (seed ${SEED})`, async (t) => {
    try {
      await trouble(t);
      await judge(t);
    } catch (error) {
      await world.keepOutputs(OUTPUTS);
      t.diagnostic(`what the engines said: ${OUTPUTS}`);
      throw error;
    }
  });
}

eachServerSuite("chaos over a replicated log", describeChaos, isTried);
