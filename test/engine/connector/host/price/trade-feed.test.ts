/** What a feed reports of trades that come too late: delayed data by name, an old trade alone not (behaviour 3.11). */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { TradeFeed } from "../../../../../engine/connector/host/price/trade-feed.ts";
import type { FeedStatus } from "../../../../../src/contract/operator/feed-status.ts";
import { RecordedLog } from "../../fix/support/session-world.ts";

const DELAY_MS = 900_000;

describe("a feed of trades that come too late", () => {
  let nowMs: number;
  let ticks: number;
  let told: FeedStatus[];
  let log: RecordedLog;
  let feed: TradeFeed;
  beforeEach(() => {
    nowMs = Date.parse("2026-03-10T12:00:00Z");
    ticks = 0;
    told = [];
    log = new RecordedLog();
    const settings = {
      ...{ name: "BIST", symbols: { THYAO: "THYAO", GARAN: "GARAN" }, ignoredConditions: [] },
      ...{ lagMsMax: 10_000, silentMs: 60_000 },
    };
    feed = new TradeFeed(settings, {
      publish: (subject, data) => {
        if (subject.startsWith("ticks.")) ticks += 1;
        else told.push(JSON.parse(Buffer.from(data).toString()) as FeedStatus);
      },
      clock: { nowMs: () => nowMs },
      timers: { after: () => () => undefined, soon: () => undefined },
      log,
    });
    feed.turn(true);
  });

  function take(ageMs: number, change: { symbol?: string; isSnapshot?: boolean } = {}): void {
    feed.take({ symbol: "THYAO", price: 90, timeMs: nowMs - ageMs, conditions: [], isSnapshot: false, ...change });
  }
  /** A trade each second, `ageMs` old. */
  function passSeconds(count: number, ageMs: number): void {
    for (let second = 0; second < count; second += 1) {
      nowMs += 1_000;
      take(ageMs);
    }
  }
  const eventsOf = (): unknown[] =>
    log.lines
      .map(({ text }) => (JSON.parse(text) as { event: string }).event)
      .filter((event) => event === "feed.delayed" || event === "feed.current");

  test("is delayed once late trades go on with later times, and reports by how much, at once", () => {
    passSeconds(6, DELAY_MS);
    assert.equal(feed.status().behindMs, undefined, "they can be a repetition still");
    passSeconds(1, DELAY_MS);
    assert.equal(feed.status().behindMs, DELAY_MS);
    assert.equal(told.at(-1)?.behindMs, DELAY_MS);
    assert.deepEqual([eventsOf(), ticks], [["feed.delayed"], 0]);
    assert.match(log.lines.at(-1)?.message ?? "", /delayed by 900 s and refused: no level fires by them/);
  });

  test("is current again with the first trade in time, and with a new connection", () => {
    passSeconds(10, DELAY_MS);
    take(0);
    assert.deepEqual([feed.status().behindMs, told.at(-1)?.behindMs, ticks], [undefined, undefined, 1]);
    assert.deepEqual(eventsOf(), ["feed.delayed", "feed.current"]);
    passSeconds(10, DELAY_MS);
    feed.turn(false);
    assert.equal(feed.status().behindMs, undefined);
  });

  test("stays delayed over the trades of a subscription, which keep their old times, and over silence", () => {
    passSeconds(10, DELAY_MS);
    take(DELAY_MS * 2, { isSnapshot: true });
    nowMs += 600_000;
    assert.equal(feed.status().behindMs, DELAY_MS);
  });

  test("is not delayed by the last trades of a closed market, however often they are repeated", () => {
    const closedMs = nowMs - DELAY_MS;
    for (let round = 0; round < 20; round += 1) {
      nowMs += 5_000;
      for (const symbol of ["THYAO", "GARAN"]) take(nowMs - closedMs - (symbol === "GARAN" ? 2_000 : 0), { symbol });
    }
    assert.equal(feed.status().delayed, 40);
    assert.deepEqual([feed.status().behindMs, eventsOf()], [undefined, []]);
  });

  test("is not delayed while some of its trades are current", () => {
    for (let second = 0; second < 20; second += 1) {
      passSeconds(1, DELAY_MS);
      take(0, { symbol: "GARAN" });
    }
    assert.equal(feed.status().behindMs, undefined);
  });
});
