import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { readLines } from "../../../../engine/feed/source/lines.ts";
import { startReplay } from "../../../../engine/feed/source/replay.ts";
import { type RecordedTick, TickLineReader } from "../../../../engine/feed/source/tick-lines.ts";
import { createMemoryBus } from "../../../../src/bus/memory/bus.ts";
import { BusDisconnectedError, type BusStatus } from "../../../../src/bus/port.ts";
import fc from "../../../support/property.ts";
import { keptLog, ManualTime, realClock, realTimers } from "../support/ports.ts";

const folder = mkdtempSync(join(tmpdir(), "replay-"));

let files = 0;
function fileOf(content: string | Uint8Array): string {
  files += 1;
  const path = join(folder, `${files}.txt`);
  writeFileSync(path, content);
  return path;
}

function readAll(text: string): readonly (RecordedTick | "malformed")[] {
  const reader = new TickLineReader();
  return text
    .split("\n")
    .map((line) => reader.read(line))
    .filter((tick) => tick !== "nothing");
}

const TIME_MS = 1_732_152_000_000;

describe("a file of ticks, replayed", () => {
  after(() => rmSync(folder, { recursive: true, force: true }));

  test("NDJSON lines are read", () => {
    assert.deepEqual(
      readAll(`\uFEFF{"symbol":"A","price":101.5,"time":${TIME_MS}}\n\n {"price":"2","symbol":"B","x":1}\r`),
      [
        { symbol: "A", price: 101.5, timeMs: TIME_MS },
        { symbol: "B", price: 2, timeMs: undefined },
      ],
    );
  });

  test("CSV is read with a header in any order, or without one", () => {
    const expected = [
      { symbol: "A", price: 101.5, timeMs: TIME_MS },
      { symbol: "B", price: 2, timeMs: undefined },
    ];
    assert.deepEqual(readAll(`Time,"Price",volume,SYMBOL\n${TIME_MS},101.5,7,A\n,2,,"B"`), expected);
    assert.deepEqual(readAll(`A,101.5,${TIME_MS}\nB,2`), expected);
    assert.deepEqual(readAll("A,101.5,2024-11-21T01:20:00Z\nA,101.5,2024-11-21 01:20:00"), [expected[0], expected[0]]);
  });

  test("CSV separated by semicolons is read, with a header or without one", () => {
    const expected = [{ symbol: "A", price: 101.5, timeMs: TIME_MS }];
    assert.deepEqual(readAll(`symbol;price;time\nA;101.5;${TIME_MS}`), expected);
    assert.deepEqual(readAll(`A;101.5;${TIME_MS}`), expected);
  });

  test("a recording in another encoding stops the start, and a later line in one is skipped", async () => {
    const start = (content: Uint8Array) =>
      startReplay({
        ...{ bus: createMemoryBus(), clock: realClock, timers: realTimers, log: keptLog(), speed: 0 },
        path: fileOf(content),
      });
    await assert.rejects(start(Buffer.from("\uFEFFA,101.5", "utf16le")), /^UserError: FEED: replay: \S+ is UTF-16/);
    const latin = Buffer.from([0x41, 0xde, 0x2c, 0x31, 0x0a]);
    await assert.rejects(start(Buffer.concat([Buffer.from("A,1\n"), latin])), /line 2: byte 2 is not UTF-8/);
    const long = Buffer.concat([Buffer.from("A,1\n".repeat(20_000)), latin, Buffer.from("B,2\n")]);
    assert.deepEqual(await (await start(long)).done, { ticks: 20_001, skippedLines: 1 });
  });

  test("a line that is no tick is malformed and harms no other", () => {
    const bad = [
      "x",
      "{",
      "[]",
      '{"symbol":"A"}',
      "A,0",
      "A,-1",
      "A,1e15",
      "A,abc",
      "a,1",
      "A,1,soon",
      "symbol,price",
      ",1",
    ];
    assert.deepEqual(readAll(`A,1\n${bad.join("\n")}\nA,2`), [
      { symbol: "A", price: 1, timeMs: undefined },
      ...bad.map(() => "malformed"),
      { symbol: "A", price: 2, timeMs: undefined },
    ]);
  });

  test("lines are what a split of the whole file gives, with overlong ones left out", async () => {
    const line = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.constant("ü".repeat(40_000)),
      fc.constant("x".repeat(70_000)),
    );
    const content = fc.array(
      line.map((text) => text.replaceAll(/[\r\n]/g, "")),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(content, fc.constantFrom("\n", "\r\n"), fc.boolean(), async (lines, lineEnd, isEnded) => {
        const text = lines.join(lineEnd) + (isEnded && lines.length > 0 ? lineEnd : "");
        const file = await open(fileOf(text), "r");
        const found: (string | undefined)[] = [];
        for await (const each of readLines(file, 65_536)) found.push(each);
        await file.close();
        const expected = text.split(lineEnd).map((each) => (Buffer.byteLength(each) > 65_000 ? undefined : each));
        if (expected.at(-1) === "") expected.pop();
        assert.deepEqual(found, expected);
      }),
      { numRuns: 50 },
    );
  });

  interface Published {
    readonly subject: string;
    readonly text: string;
    readonly atMs: number;
  }

  async function play(content: string, speed: number, time?: ManualTime) {
    const published: Published[] = [];
    const bus = createMemoryBus();
    const clock = time ?? realClock;
    const log = keptLog();
    bus.subscribe("ticks.*", ({ subject, data }) => {
      published.push({ subject, text: Buffer.from(data).toString(), atMs: clock.nowMs() });
    });
    const replay = await startReplay({ path: fileOf(content), speed, bus, clock, timers: time ?? realTimers, log });
    return { replay, published, log, bus };
  }

  test("at speed 0 everything goes out in the file's order with the present time, and the end is told", async () => {
    const count = 12_345;
    const lines = Array.from({ length: count }, (_, index) => `A,${index + 1},${TIME_MS - index * 1_000}`);
    lines.splice(5, 0, "x", "y", "z");
    const { replay, published, log } = await play(lines.join("\n"), 0);
    assert.deepEqual(await replay.done, { ticks: count, skippedLines: 3 });
    assert.equal(published.length, count);
    published.forEach(({ subject, text, atMs }, index) => {
      const [, price, timeMs] = /^\{"price":(\d+),"time":(\d+)\}$/.exec(text) ?? [];
      assert.equal(subject, "ticks.A");
      assert.equal(Number(price), index + 1);
      assert.ok(Math.abs(Number(timeMs) - atMs) < 60_000);
    });
    assert.equal(log.messages("info").at(-1), "replayed 12,345 ticks, 3 lines skipped");
  });

  test("the file's own times set the pace, times the speed", async () => {
    const time = new ManualTime(5_000);
    const lines = ["A,1,1000", "A,2,1000", "A,3,3000", "B,4", "A,5,2000", "A,6,200003000"];
    const { replay, published } = await play(lines.join("\n"), 2, time);
    const waitFor = async (count: number): Promise<void> => {
      while (published.length < count) await time.advance(0);
    };
    await waitFor(2);
    await time.advance(999);
    assert.equal(published.length, 2);
    await time.advance(1);
    await waitFor(5);
    await time.advance(99_999_999);
    assert.equal(published.length, 5);
    await time.advance(1);
    assert.deepEqual(await replay.done, { ticks: 6, skippedLines: 0 });
    assert.deepEqual(
      published.map(({ atMs }) => atMs - 5_000),
      [0, 0, 1_000, 1_000, 1_000, 100_001_000],
    );
  });

  test("progress is told every few seconds", async () => {
    const time = new ManualTime(0);
    const lines = Array.from({ length: 30 }, (_, index) => `A,1,${index * 1_000}`);
    const { replay, log } = await play(lines.join("\n"), 1, time);
    let isDone = false;
    void replay.done.then(() => {
      isDone = true;
    });
    while (!isDone) await time.advance(500);
    assert.ok(log.messages("info").length >= 4);
    assert.match(log.messages("info")[0] ?? "", /^replay: \d+ ticks, 0 lines skipped$/);
  });

  test("a stopped replay publishes nothing more, even in the middle of a wait", async () => {
    const time = new ManualTime(0);
    const { replay, published } = await play("A,1,0\nA,2,1000000", 1, time);
    while (published.length < 1) await time.advance(0);
    replay.stop();
    assert.deepEqual(await replay.done, { ticks: 1, skippedLines: 0 });
    assert.equal(time.waitingCount, 0);
  });

  test("while the bus is disconnected the replay waits, and loses no tick", async () => {
    const time = new ManualTime(0);
    const sent: string[] = [];
    const bus = {
      status: "disconnected" as BusStatus,
      publish: (subject: string) => void sent.push(subject),
      async flush(): Promise<void> {
        if (bus.status === "disconnected") throw new BusDisconnectedError();
      },
    };
    const replay = await startReplay({
      path: fileOf("A,1\nB,2"),
      speed: 0,
      bus,
      clock: time,
      timers: time,
      log: keptLog(),
    });
    while (time.waitingCount === 0) await time.advance(0);
    await time.advance(10_000);
    assert.deepEqual(sent, []);
    bus.status = "connected";
    await time.advance(1_000);
    assert.deepEqual(await replay.done, { ticks: 2, skippedLines: 0 });
    assert.deepEqual(sent, ["ticks.A", "ticks.B"]);
  });

  test("a bus that was closed ends the replay", async () => {
    const { replay, bus } = await play(`${"A,1\n".repeat(100_000)}`, 0);
    await bus.drain();
    const { ticks } = await replay.done;
    assert.ok(ticks < 100_000);
  });

  test("a file that cannot be read stops the start with a clear line", async () => {
    const ports = { bus: createMemoryBus(), clock: realClock, timers: realTimers, log: keptLog() };
    const missing = join(folder, "missing.csv");
    await assert.rejects(
      startReplay({ ...ports, path: missing, speed: 1 }),
      /^UserError: FEED: replay cannot read .*missing\.csv/,
    );
    await assert.rejects(
      startReplay({ ...ports, path: folder, speed: 1 }),
      /^UserError: FEED: replay .* is not a file$/,
    );
  });

  test("an empty recording ends at once", async () => {
    const { replay, log } = await play("\n\n", 1);
    assert.deepEqual(await replay.done, { ticks: 0, skippedLines: 0 });
    assert.equal(log.messages("info").at(-1), "replayed 0 ticks, 0 lines skipped");
  });
});
