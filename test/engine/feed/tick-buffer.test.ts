/**
 * A partition that comes to a running feed is given what it missed, in order, while the feed is live for the others.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { TickAcceptance } from "../../../engine/feed/acceptance.ts";
import { LiveFeed } from "../../../engine/feed/live.ts";
import { StreamCatchUp } from "../../../engine/feed/stream/catch-up.ts";
import type { HoleRange, TickHole } from "../../../engine/feed/stream/missed-ticks.ts";
import { openTickBuffer } from "../../../engine/feed/tick-buffer.ts";
import type { AcceptedTick } from "../../../engine/ports/price.ts";
import { FakeServer } from "./support/fake-server.ts";
import { copyTick, keptLog, knownSymbols, ManualTime, NO_LIMITS, tickText } from "./support/ports.ts";

const NOW_MS = 1_732_152_000_000;

/** Starts a feed that is live for others, on a server that stores published ticks. */
async function startFeed() {
  const time = new ManualTime(NOW_MS);
  const server = new FakeServer(time);
  const log = keptLog();
  const takers = new Set<(tick: AcceptedTick, ownTimeMs: number) => void>();
  const others: string[] = [];
  const holes: HoleRange[] = [];
  const shared = { symbols: knownSymbols("A", "B"), clock: time, steadyClock: time, timers: time, ...NO_LIMITS, log };
  const acceptance = new TickAcceptance({
    ...shared,
    onTick: (tick, ownTimeMs) => {
      others.push(tickText(tick));
      for (const take of takers) take(tick, ownTimeMs);
    },
  });
  const onHole = ({ fromMs: _fromMs, untilMs: _untilMs, ...hole }: TickHole): void => void holes.push(hole);
  const stream = { bus: server, stream: server, catchUpSeconds: 300, onHole };
  const live = new LiveFeed({ bus: server, clock: time, acceptance, bufferCapacity: 100 });
  const catchUp = new StreamCatchUp({ ...shared, ...stream, live });
  void catchUp.start(null);
  await time.advance(500);
  others.length = 0;
  /** Adds a partition with this position; returns the ticks that it is given. */
  const come = (position: number | null) => {
    const ticks: AcceptedTick[] = [];
    const told = { isCaughtUp: false };
    const gate = openTickBuffer({
      ...shared,
      ...stream,
      ...{ prices: acceptance, isLive: () => live.state === "live", bufferCapacity: 100 },
      onTick: (tick) => ticks.push(copyTick(tick)),
      mayAct: () => true,
      onCaughtUp: () => {
        told.isCaughtUp = true;
      },
    });
    takers.add((tick, ownTimeMs) => gate.take(tick, ownTimeMs));
    const memory = { tickStream: "first", ticksRefusedSinceMs: null };
    const storedAtMs = time.nowMs();
    const catchUp = (lacksTick = false): Promise<void> => gate.catchUp({ position, storedAtMs, memory, lacksTick });
    return { gate, catchUp, told, texts: () => ticks.map(tickText), ticks };
  };
  return { time, server, others, holes, come };
}

test("what a partition missed comes first, then what came meanwhile, then live ticks; others wait for none of it", async () => {
  const { time, server, others, come } = await startFeed();
  const position = server.last;
  server.publish("A", 10);
  server.publish("B", 20);
  const { gate, catchUp, texts, told } = come(position);
  server.publish("A", 11);
  const caughtUp = catchUp();
  server.publish("A", 12);
  assert.deepEqual(texts(), [], "all of it waits");
  assert.ok(gate.isCatchingUp);
  assert.deepEqual(others, ["A 10", "B 20", "A 11", "A 12"], "the feed is live for the others");
  await time.advance(500);
  await caughtUp;
  server.publish("A", 13);
  assert.ok(told.isCaughtUp && !gate.isCatchingUp);
  const [first, second, ...rest] = texts();
  assert.deepEqual([first, second], ["A 10 caught up", "B 20 caught up"]);
  // Ticks that came while it waited come both ways.
  assert.deepEqual([...new Set(rest)], ["A 11 caught up", "A 12 caught up", "A 13"]);
});

test("the end is asked for once every tick before it was surely held: what was opened long before waits no more", async () => {
  const { time, server, come } = await startFeed();
  const early = come(server.last);
  server.publish("A", 10);
  await time.advance(90);
  const late = come(server.last);
  await time.advance(20);
  void early.catchUp();
  void late.catchUp();
  await time.advance(20);
  assert.ok(!early.gate.isCatchingUp && late.gate.isCatchingUp);
  await time.advance(100);
  assert.ok(!late.gate.isCatchingUp);
  assert.deepEqual([...new Set(early.texts())], ["A 10 caught up"]);
});

test("where a tick was not taken since, the gate counts as made now: that tick may not be stored yet", async () => {
  const { time, server, come } = await startFeed();
  const [whole, lacking] = [come(server.last), come(server.last)];
  await time.advance(200);
  void whole.catchUp();
  void lacking.catchUp(true);
  await time.advance(20);
  assert.ok(!whole.gate.isCatchingUp && lacking.gate.isCatchingUp);
  await time.advance(100);
  assert.ok(!lacking.gate.isCatchingUp);
});

test("a tick that is read back is judged by the ticks before it, not by those that came since", async () => {
  const { time, server, come } = await startFeed();
  const position = server.last;
  server.publish("A", 50);
  await time.advance(2_000);
  server.publish("A", 100);
  const { catchUp, texts, ticks } = come(position);
  void catchUp();
  await time.advance(500);
  assert.deepEqual(texts(), ["A 50 caught up", "A 100 caught up"]);
  assert.ok((ticks[1]?.timeMs ?? 0) - (ticks[0]?.timeMs ?? 0) >= 2_000, "each counts when the stream stored it");
});

test("the connection lost in the middle: all of it is read once the server is back", async () => {
  const { time, server, come } = await startFeed();
  const position = server.last;
  for (let price = 1; price <= 5; price += 1) server.publish("A", price);
  const { gate, catchUp, texts } = come(position);
  server.onRead = (sequence) => {
    if (sequence === position + 3) server.change("disconnected");
  };
  void catchUp();
  await time.advance(500);
  assert.ok(gate.isCatchingUp);
  server.onRead = () => undefined;
  server.publish("A", 6);
  server.change("connected");
  await time.advance(1_000);
  assert.ok(!gate.isCatchingUp);
  assert.deepEqual(
    [...new Set(texts())].sort(),
    [1, 2, 3, 4, 5, 6].map((price) => `A ${price} caught up`),
  );
});

test("ticks that the stream no longer holds are told as a hole, and the partition goes live", async () => {
  const { time, server, holes, come } = await startFeed();
  const position = server.last;
  server.publish("A", 1);
  server.publish("A", 2);
  server.purge(position + 1);
  const { catchUp, texts } = come(position);
  void catchUp();
  await time.advance(500);
  assert.deepEqual(holes, [{ from: position + 1, to: position + 1, reason: "missing" }]);
  assert.deepEqual(texts(), ["A 2 caught up"]);
});

test("a partition that is dropped in the middle gets nothing of what waited", async () => {
  const { time, server, come } = await startFeed();
  const position = server.last;
  server.publish("A", 1);
  const { gate, catchUp, texts } = come(position);
  void catchUp();
  server.publish("A", 2);
  gate.stop();
  await time.advance(500);
  assert.deepEqual(texts(), []);
});
