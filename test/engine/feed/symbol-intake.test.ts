/** The recent intake of a symbol's prices, as alarms receive it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { TickAcceptance } from "../../../engine/feed/acceptance.ts";
import { keptLog, knownSymbols, ManualTime } from "./support/ports.ts";

const NOW_MS = 1_732_152_000_000;
const NONE = Number.NaN;

function setUp(tickMovePercentMax?: number) {
  const time = new ManualTime(NOW_MS);
  const acceptance = new TickAcceptance({
    ...{ symbols: knownSymbols("A"), clock: time, log: keptLog() },
    ...{ tickMovePercentMax, tickAgeMsMax: 60_000, onTick: () => undefined },
  });
  const offer = (price: number, ownTimeMs: number, atMs = NOW_MS): void => {
    const state = acceptance.find("A");
    assert.ok(state !== undefined);
    acceptance.offer(state, price, ownTimeMs, atMs);
  };
  return { time, acceptance, offer };
}

test("what came of a symbol's prices lately is known: the last that counted, and what was refused since (behaviour 3.10)", async () => {
  const { time, acceptance, offer } = setUp();
  assert.deepEqual(acceptance.intakeOf("A"), { acceptedMs: null, refused: null });
  offer(100, NOW_MS - 1_000);
  assert.deepEqual(acceptance.intakeOf("A"), { acceptedMs: NOW_MS, refused: null });
  for (const [price, ownTimeMs] of [
    [0, NONE],
    [101, NOW_MS + 3_600_000],
  ] as const) {
    await time.advance(1_000);
    offer(price, ownTimeMs, time.nowMs());
  }
  await time.advance(1_000);
  acceptance.refuseMalformed("A", time.nowMs());
  const refused = { firstMs: NOW_MS + 1_000, lastMs: NOW_MS + 3_000 };
  assert.deepEqual(acceptance.intakeOf("A"), { acceptedMs: NOW_MS, refused });
  await time.advance(90_000);
  offer(100, NOW_MS - 1_000, time.nowMs());
  assert.deepEqual(acceptance.intakeOf("A").refused, refused, "the last trade of a market that is closed, again");
  offer(102, time.nowMs() - 61_000, time.nowMs());
  assert.deepEqual(acceptance.intakeOf("A").refused, { ...refused, lastMs: time.nowMs() });
  offer(103, NONE, time.nowMs());
  assert.deepEqual(acceptance.intakeOf("A"), { acceptedMs: time.nowMs(), refused: null });
});

test("a price that waits to be confirmed is known until the next one (behaviour 3.4)", () => {
  const { time, acceptance, offer } = setUp(20);
  offer(100, NONE, time.nowMs());
  assert.equal(acceptance.intakeOf("A").unconfirmedMs, undefined);
  offer(50, NONE, time.nowMs());
  assert.equal(acceptance.intakeOf("A").unconfirmedMs, NOW_MS);
  offer(50, NONE, time.nowMs());
  assert.equal(acceptance.intakeOf("A").unconfirmedMs, undefined);
});
