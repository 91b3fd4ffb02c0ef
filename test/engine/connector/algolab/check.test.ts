/**
 * `connector check` at AlgoLab: address, key, clock, login, sub-accounts, live or delayed prices; no order is placed.
 */
import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, test } from "node:test";
import { parseAlgolabConfig } from "../../../../engine/connector/algolab/config.ts";
import { algolabConnector } from "../../../../engine/connector/algolab/start.ts";
import type { CheckFault } from "../../../../engine/connector/host/program.ts";
import { loopTimers, steadyClock, systemClock } from "../../../../src/runtime/clock.ts";
import type { Timers } from "../../../../src/runtime/ports.ts";
import { RecordedLog, throwing } from "../fix/support/session-world.ts";
import { AlgolabWorld, configOf, VARIABLES } from "./support/algolab-world.ts";

/** A check waits for trades for 15 s: here a second passes in 20 ms, for its waits and for the clocks. */
const SPEED = 50;
const beganMs = systemClock.nowMs();
const fastClock = { nowMs: () => beganMs + (systemClock.nowMs() - beganMs) * SPEED };
const fastTimers: Timers = { ...loopTimers, after: (delayMs, task) => loopTimers.after(delayMs / SPEED, task) };

describe("a check of an AlgoLab connector", () => {
  let world: AlgolabWorld;
  let notes: string[];
  let stopTrades: () => void;
  beforeEach(async () => {
    world = await AlgolabWorld.make();
    world.server.dateMs = fastClock.nowMs;
    notes = [];
    stopTrades = () => undefined;
    await writeFile(world.sessionFile, world.server.hash);
  });
  afterEach(async () => {
    stopTrades();
    await world.end();
  });

  async function check(
    change: object = {},
    variables: Record<string, string> = VARIABLES,
  ): Promise<readonly CheckFault[]> {
    const file = configOf(world.server.url, { sessionFile: "session", ...change });
    const settings = { ...parseAlgolabConfig(file, world.folder, variables), requestIntervalMs: 1 };
    const ports = { clock: fastClock, steadyClock, timers: fastTimers, log: new RecordedLog(), fatal: throwing };
    await rm(settings.folder, { recursive: true, force: true });
    await algolabConnector.make(settings, ports);
    const note = (text: string): void => void notes.push(text);
    return algolabConnector.check({ settings, ...ports, lastPriceOf: () => undefined, note });
  }

  /** Trades of two symbols, again and again, `ageMs` old; a market that is closed repeats its last ones. */
  function sendTrades(ageMs: number, isClosed = false): void {
    const closedMs = fastClock.nowMs() - ageMs;
    const timer = setInterval(() => {
      const timeMs = isClosed ? closedMs : fastClock.nowMs() - ageMs;
      for (const symbol of ["THYAO", "GARAN"]) {
        const content = { Symbol: symbol, Market: "IMKBH", Price: 90, Date: new Date(timeMs).toISOString() };
        world.server.push({ Type: "T", Content: content });
      }
    }, 10);
    stopTrades = () => clearInterval(timer);
  }

  const reasonsOf = (faults: readonly CheckFault[]): string[] => faults.map(({ reason }) => reason);

  test("finds nothing wrong with live prices and a right clock, and places no order", async () => {
    sendTrades(0);
    assert.deepEqual(await check(), []);
    assert.deepEqual(notes, ["prices are live"]);
    const asked = new Set(world.server.asked.map(({ name }) => name));
    assert.deepEqual([...asked].sort(), ["GetSubAccounts", "TodaysTransaction"]);
  });

  test("names delayed prices with the seconds, and says what to do", async () => {
    sendTrades(900_000);
    const [fault, ...more] = await check();
    assert.deepEqual([fault?.reason, more], ["notAllowed", []]);
    assert.match(fault?.text ?? "", /prices are delayed by 90[0-2] s, .*sign AlgoLab's contract for live data/);
    assert.deepEqual(notes, []);
  });

  test("takes the last trades of a closed market, and none, for no proof of anything", async () => {
    sendTrades(900_000, true);
    assert.deepEqual(await check(), []);
    assert.deepEqual(notes, ["no current trade arrived: whether prices are live shows while the market is open"]);
  });

  for (const [aheadMs, words] of [
    [-300_000, /this machine's clock is \d+ s ahead of AlgoLab's: synchronise it with NTP/],
    [300_000, /this machine's clock is \d+ s behind AlgoLab's: synchronise it with NTP/],
  ] as const) {
    test(`names a clock that is ${-aheadMs / 1_000} s off, and judges prices by AlgoLab's`, async () => {
      world.server.dateMs = () => fastClock.nowMs() + aheadMs;
      sendTrades(-aheadMs);
      const [fault, ...more] = await check();
      assert.deepEqual([fault?.reason, more, notes], ["configuration", [], ["prices are live"]]);
      assert.match(fault?.text ?? "", words);
    });
  }

  test("takes a second more or less, as the header has whole ones, for a right clock", async () => {
    sendTrades(0);
    world.server.dateMs = () => fastClock.nowMs() - 1_500;
    assert.deepEqual(await check(), []);
  });

  test("without a login says so, and still tries address and clock", async () => {
    await writeFile(world.sessionFile, "");
    world.server.dateMs = () => fastClock.nowMs() - 60_000;
    const faults = await check();
    assert.deepEqual(reasonsOf(faults), ["notAllowed", "configuration"]);
    assert.match(faults[0]?.text ?? "", /no login\. Start the connector, then log in/);
  });

  test("tells a login that is over, another key, an unknown sub-account and too many requests by their codes", async () => {
    world.server.isLoggedIn = false;
    assert.deepEqual(reasonsOf(await check()), ["notAllowed"]);
    world.server.isLoggedIn = true;
    sendTrades(0);
    const accounts = [{ accountNumber: "A1", users: [1], subAccount: "200" }];
    const [unknown] = await check({ accounts });
    assert.deepEqual([unknown?.reason, /no sub-account 200/.test(unknown?.text ?? "")], ["configuration", true]);
    world.server.fail("GetSubAccounts", { status: 429, text: "" });
    assert.deepEqual(reasonsOf(await check()), ["temporary"]);
    const other = `API-${Buffer.alloc(32, 9).toString("base64")}`;
    assert.deepEqual(reasonsOf(await check({}, { ALGOLAB_KEY: other })), ["notAllowed"]);
  });

  test("tells an address that is not reached", async () => {
    assert.deepEqual(reasonsOf(await check({ url: "http://127.0.0.1:1" })), ["unavailable"]);
  });
});
