/** The price feed against a scripted venue. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { parseFixFeedConfig } from "../../../../engine/connector/fix/feed/config.ts";
import { startFixFeed } from "../../../../engine/connector/fix/feed/start.ts";
import { tradesOf } from "../../../../engine/connector/fix/feed/trade.ts";
import { renderUtc } from "../../../../engine/connector/fix/session/schedule.ts";
import { type Field, FixMessage } from "../../../../engine/connector/fix/wire/message.ts";
import { Tag } from "../../../../engine/connector/fix/wire/tag.ts";
import type { StartedFeed } from "../../../../engine/connector/host/price/trade-feed.ts";
import type { FeedStatus } from "../../../../src/contract/operator/feed-status.ts";
import { loopTimers, steadyClock, systemClock } from "../../../../src/runtime/clock.ts";
import { untilTrue } from "../../../support/machine/until-true.ts";
import { ScriptedPeer } from "./support/peer.ts";
import { RecordedLog } from "./support/session-world.ts";

const sentAt = Date.parse("2026-11-22T10:00:00.000Z");
const message = (type: string, fields: readonly Field[]) =>
  new FixMessage([[35, type], [Tag.SendingTime, renderUtc(sentAt)], ...fields]);
const entry = (price: string, more: readonly Field[] = [], action: readonly Field[] = [[279, "0"]]): Field[] => [
  ...action,
  [269, "2"],
  [270, price],
  ...more,
];

describe("trades", () => {
  test("have the venue's date and time, or its time on the day that is nearest", () => {
    const dated = tradesOf(
      message("X", [
        [268, "1"],
        ...entry("12.5", [
          [55, "A"],
          [272, "20261121"],
          [273, "09:59:00.5"],
        ]),
      ]),
    );
    assert.equal(dated[0]?.timeMs, Date.parse("2026-11-21T09:59:00.500Z"));
    const timed = tradesOf(
      message("X", [
        [268, "1"],
        ...entry("12.5", [
          [55, "A"],
          [273, "23:59:00"],
        ]),
      ]),
    );
    assert.equal(timed[0]?.timeMs, Date.parse("2026-11-21T23:59:00.000Z"));
    assert.equal(tradesOf(message("X", [[268, "1"], ...entry("12.5", [[55, "A"]])]))[0]?.timeMs, sentAt);
  });
  test("quotes, deletions, changes and prices that are none make no tick", () => {
    const bad = [
      [
        [279, "0"],
        [269, "0"],
        [55, "A"],
        [270, "1"],
      ],
      [
        [279, "2"],
        [269, "2"],
        [55, "A"],
        [270, "1"],
      ],
      [
        [279, "1"],
        [269, "2"],
        [55, "A"],
        [270, "1"],
      ],
      [
        [279, "0"],
        [269, "2"],
        [55, "A"],
        [270, "0"],
      ],
      [
        [279, "0"],
        [269, "2"],
        [55, "A"],
        [270, "x"],
      ],
    ] satisfies Field[][];
    for (const fields of bad) assert.deepEqual(tradesOf(message("X", [[268, "1"], ...fields])), []);
  });
  test("an entry without a symbol is about the one before", () => {
    const trades = tradesOf(
      message("X", [[268, "3"], ...entry("1", [[55, "A"]]), ...entry("2"), ...entry("3", [[55, "B"]])]),
    );
    assert.deepEqual(
      trades.map(({ symbol, price }) => [symbol, price]),
      [
        ["A", 1],
        ["A", 2],
        ["B", 3],
      ],
    );
  });
  test("those of a snapshot keep their own old time, and are left out without one", () => {
    const whole = (more: Field[]) => tradesOf(message("W", [[55, "A"], [268, "1"], ...entry("9", more, [])]));
    assert.deepEqual(
      whole([
        [272, "20261120"],
        [273, "15:00:00"],
      ])[0]?.timeMs,
      Date.parse("2026-11-20T15:00:00Z"),
    );
    assert.deepEqual(whole([]), []);
  });
});

describe("the feed", () => {
  let venue: ScriptedPeer;
  let log: RecordedLog;
  let running: StartedFeed;
  const published: { readonly subject: string; readonly body: Record<string, unknown> }[] = [];
  const ticks = () => published.filter(({ subject }) => subject.startsWith("ticks."));
  const start = (change: object = {}) => {
    const session = {
      senderCompId: "ME",
      targetCompId: "DESK",
      addresses: [`127.0.0.1:${venue.port}`],
      reconnectSeconds: 0.02,
      reconnectSecondsMax: 0.1,
    };
    const config = parseFixFeedConfig(
      { name: "VENUE", session, symbols: { THYAO: "THYAO.E", GARAN: "GARAN.E" }, ...change },
      "/",
      {},
    );
    running = startFixFeed(config, {
      ...{ clock: systemClock, steadyClock, timers: loopTimers, log },
      publish: (subject, data) => published.push({ subject, body: JSON.parse(Buffer.from(data).toString()) }),
    });
  };
  const trade = (symbol: string, price: string, timeMs: number, more: Field[] = []) => {
    const [date, time] = renderUtc(timeMs).split("-") as [string, string];
    venue.send("X", [[268, "1"], ...entry(price, [[55, symbol], [272, date], [273, time], ...more])]);
  };
  beforeEach(async () => {
    venue = await ScriptedPeer.start();
    log = new RecordedLog();
    published.length = 0;
  });
  afterEach(async () => {
    await running.stop();
    await venue.stop();
  });

  test("subscribes to trades at every logon and publishes them with the venue's time under our names", async () => {
    start();
    const request = await venue.until("V");
    assert.deepEqual(
      [263, 264, 267, 269, 146].map((tag) => request.get(tag)),
      ["1", "1", "1", "2", "2"],
    );
    const atMs = Date.now() - 5;
    trade("THYAO.E", "312.25", atMs);
    await untilTrue(() => ticks().length === 1);
    assert.deepEqual(ticks()[0], { subject: "ticks.THYAO", body: { price: 312.25, time: atMs } });
    venue.socket?.destroy();
    await venue.until("V", 2);
    assert.equal(venue.of("A")[1]?.get(Tag.ResetSeqNumFlag), "Y");
  });
  test("filters condition codes, unknown symbols and what comes too late, and tells it", async () => {
    start({ ignoredConditions: ["Z", "AV"], lagMsMax: 1_000 });
    await venue.until("V");
    trade("THYAO.E", "1", Date.now(), [[277, "R AV"]]);
    trade("OTHER", "2", Date.now());
    trade("THYAO.E", "3", Date.now() - 900_000);
    trade("THYAO.E", "4", Date.now(), [[277, "R"]]);
    await untilTrue(() => ticks().length === 1);
    assert.equal(ticks()[0]?.body.price, 4);
    assert.equal(running.status().delayed, 1);
    assert.ok(log.lines.some(({ message: text }) => text.includes("prices come too late")));
  });
  test("a snapshot goes out with its own old time", async () => {
    start();
    await venue.until("V");
    venue.send("W", [
      [55, "GARAN.E"],
      [268, "1"],
      ...entry(
        "9",
        [
          [272, "20261120"],
          [273, "15:00:00"],
        ],
        [],
      ),
    ]);
    await untilTrue(() => ticks().length === 1);
    assert.equal(ticks()[0]?.body.time, Date.parse("2026-11-20T15:00:00Z"));
  });
  test("silence while connected, a refused symbol and a lost connection are told", async () => {
    start({ silentSeconds: 1 });
    const request = await venue.until("V");
    venue.send("Y", [
      [Tag.MDReqID, request.get(Tag.MDReqID) ?? ""],
      [Tag.Text, "no permission"],
    ]);
    const statuses = () =>
      published
        .filter(({ subject }) => subject === "feed.VENUE.status")
        .map(({ body }) => body as unknown as FeedStatus);
    await untilTrue(() => statuses().some(({ refused }) => refused.length === 2));
    await untilTrue(() => running.status().silent);
    venue.script = () => undefined;
    venue.socket?.destroy();
    await untilTrue(() => statuses().at(-1)?.connected === false);
  });
  test("a file with several mistakes names them all", () => {
    start();
    const bad = { name: "a b", session: { senderCompId: "ME" }, symbols: { thyao: "x" }, lagMsMax: 1 };
    assert.throws(
      () => parseFixFeedConfig(bad, "/", {}),
      (error: Error) => {
        for (const field of ["name", "session.targetCompId", "session.addresses", "symbols", "lagMsMax"])
          assert.match(error.message, new RegExp(`^${field}`, "m"));
        return true;
      },
    );
  });
});
