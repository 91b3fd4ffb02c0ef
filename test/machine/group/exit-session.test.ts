/** How an exit meets a closed market, and a calendar that may be wrong (behaviour 21). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { packGroup, parseGroup } from "../../../src/contract/stored/snapshot.ts";
import { type Market, planCalendar } from "../../../src/domain/market/calendar.ts";
import { viewExit } from "../../../src/domain/oco/exit.ts";
import { type Actor, ended, events, lookOf, placed, sells, stopped } from "./group-steps.ts";

describe("an exit at a market with a calendar (behaviour 21)", () => {
  const MINUTE_MS = 60_000;
  const HOUR_MS = 60 * MINUTE_MS;
  const both = ["market", "limit"] as const;

  /** 1970-01-01 was a Thursday. The market is open for ten minutes, and from ten to six. */
  function marketOf(order: Market["order"] = "market"): Market {
    const phases = [
      { name: "night", from: "00:00", to: "00:10", takes: both },
      { name: "auction", from: "09:00", to: "09:30", takes: ["limit"] as const },
      { name: "day", from: "10:00", to: "18:00", takes: both },
    ];
    const planned = planCalendar({ mic: "XTST", zone: "UTC", phases, holidays: [], halfDays: {} });
    assert.ok(planned.ok);
    return { zone: "UTC", calendar: planned.value, order };
  }

  /** As {@link ended}, with the market known. */
  function endedAt(
    actor: Actor,
    name: string,
    filledQuantity: number,
    timeMs: number,
    market = marketOf(),
    orderStatus: 3 | 4 = 3,
  ) {
    const record = { orderNo: `B-${name}`, symbol: "ACME", buySell: 2, orderStatus, filledQuantity } as const;
    const update = { type: "orderUpdated", record: { ...record, averagePrice: 90 }, timeMs, market } as const;
    const reported = actor.send(update);
    return [...reported, ...actor.send({ ...update, look: lookOf(reported) ?? null })];
  }

  test("goes on at once while the market is open", () => {
    const actor = stopped();
    const effects = endedAt(actor, "r10", 3, 5 * MINUTE_MS);
    assert.deepEqual(sells(effects), ["r10-n2 7 stopLoss"]);
    assert.deepEqual(events(effects), ["oco.exitContinues 0"]);
  });

  test("waits after the close for the phase that takes the order, says so once, and sends one order then", () => {
    for (const [order, openMs] of [
      ["market", 10 * HOUR_MS],
      ["limit", 9 * HOUR_MS],
    ] as const) {
      const actor = stopped();
      const market = marketOf(order);
      const effects = endedAt(actor, "r10", 3, 20 * MINUTE_MS, market);
      assert.deepEqual(sells(effects), []);
      assert.deepEqual(events(effects), ["oco.exitContinues 0", "oco.waitsForSession 0"]);
      const { state, nextAtMs, waitsForSession } = viewExit(parseGroup(packGroup(actor.context)));
      assert.deepEqual(
        { state, nextAtMs, waitsForSession },
        { state: "waiting", nextAtMs: openMs, waitsForSession: true },
      );
      const early = actor.send({ type: "deadline", timeMs: 34 * MINUTE_MS, market });
      assert.deepEqual([sells(early), events(early)], [[], []]);
      const opened = actor.send({ type: "deadline", timeMs: openMs, market });
      assert.deepEqual([sells(opened), events(opened)], [["r10-n2 7 stopLoss"], []]);
      assert.equal(viewExit(actor.context).waitsForSession, false);
    }
  });

  test("tries an order each quarter of an hour all the same, and no end of it but its owner's ends the exit", () => {
    const actor = stopped();
    const market = marketOf();
    endedAt(actor, "r10", 3, 20 * MINUTE_MS);
    let timeMs = 20 * MINUTE_MS;
    const trials = ["unreached", "refused", "rejected", "unsold"] as const;
    for (const [index, trial] of [...trials, ...trials].entries()) {
      timeMs += 15 * MINUTE_MS;
      const name = `r10-n${index + 2}`;
      assert.deepEqual(sells(actor.send({ type: "deadline", timeMs, market })), [`${name} 7 stopLoss`], trial);
      const isUnreached = trial === "unreached";
      const refusal = { type: "orderRefused", name, message: "closed", mayReclaim: true, isUnreached } as const;
      if (isUnreached || trial === "refused") assert.deepEqual(events(actor.send({ ...refusal, timeMs, market })), []);
      else {
        placed(actor, name, 7);
        const orderStatus = trial === "rejected" ? 4 : 3;
        assert.deepEqual(events(endedAt(actor, name, 0, timeMs, market, orderStatus)), []);
      }
      const { nextAtMs, waitsForSession } = viewExit(parseGroup(packGroup(actor.context)));
      assert.deepEqual({ nextAtMs, waitsForSession }, { nextAtMs: 10 * HOUR_MS, waitsForSession: true });
    }
    assert.equal(actor.context.exit?.pursuit?.ordersToday, 1, "what is tried does not count");
    const refusal = { type: "orderRefused", name: "r10-n10", message: "no such position", mayReclaim: true } as const;
    actor.send({ type: "deadline", timeMs: 10 * HOUR_MS, market });
    const refused = actor.send({ ...refusal, timeMs: 10 * HOUR_MS, market });
    assert.deepEqual(events(refused), ["alarm.exitStopped 0"]);
  });

  test("what is tried before the opening is no order at the floor, which is of another day", () => {
    const isAtFloor = (effects: ReturnType<Actor["send"]>): (boolean | undefined)[] =>
      effects.flatMap((effect) => (effect.type === "submit" ? [effect.isAtFloor] : []));
    const actor = stopped();
    endedAt(actor, "r10", 3, 20 * MINUTE_MS);
    const tried = actor.send({ type: "deadline", timeMs: 35 * MINUTE_MS, market: marketOf() });
    actor.send({ type: "orderRefused", name: "r10-n2", message: "closed", timeMs: 35 * MINUTE_MS, mayReclaim: true });
    const opened = actor.send({ type: "deadline", timeMs: 10 * HOUR_MS, market: marketOf() });
    assert.deepEqual([...isAtFloor(tried), ...isAtFloor(opened)].map(Boolean), [false, true]);
  });

  test("an order that is due after the close, as no engine ran, tells its owner of the wait", () => {
    const actor = stopped();
    endedAt(actor, "r10", 3, 5 * MINUTE_MS);
    placed(actor, "r10-n2", 7);
    endedAt(actor, "r10-n2", 0, 6 * MINUTE_MS);
    const late = actor.send({ type: "deadline", timeMs: HOUR_MS, market: marketOf() });
    assert.deepEqual([sells(late), events(late)], [["r10-n3 7 stopLoss"], ["oco.waitsForSession 0"]]);
    assert.equal(viewExit(actor.context).waitsForSession, false, "an order is under way");
  });

  test("an exit that is halted shows its rest, so that nothing else sells it", () => {
    const actor = stopped();
    const record = { orderNo: "B-r10", symbol: "ACME", buySell: 2, orderStatus: 3, filledQuantity: 3 } as const;
    const update = { type: "orderUpdated", record: { ...record, averagePrice: 90 }, timeMs: 5_000 } as const;
    const look = lookOf(actor.send({ ...update, isHalted: true })) ?? null;
    const effects = actor.send({ ...update, look, isHalted: true });
    assert.deepEqual(sells(effects), []);
    assert.match(actor.context.rows[0]?.triggerErrorMessage ?? "", /^3 of 10 sold/);
  });

  test("ends where its owner cancels what is tried", () => {
    const actor = stopped();
    endedAt(actor, "r10", 3, 20 * MINUTE_MS);
    actor.send({ type: "deadline", timeMs: 35 * MINUTE_MS, market: marketOf() });
    placed(actor, "r10-n2", 7);
    const effects = ended(actor, "r10-n2", 0, { endedBy: "owner", timeMs: 36 * MINUTE_MS });
    assert.deepEqual(events(effects), ["alarm.exitStopped 0"]);
  });

  test("waits for the opening where the pause would end after the close, or after the opening", () => {
    const closing = stopped();
    endedAt(closing, "r10", 0, 8 * MINUTE_MS);
    for (const [number, timeMs] of [
      [2, 8 * MINUTE_MS],
      [3, 9 * MINUTE_MS],
      [4, 9.9 * MINUTE_MS],
    ] as const) {
      placed(closing, `r10-n${number}`, 10);
      endedAt(closing, `r10-n${number}`, 0, timeMs);
      if (number < 4) closing.send({ type: "deadline", timeMs: timeMs + 5_000, market: marketOf() });
    }
    assert.equal(viewExit(closing.context).nextAtMs, 10 * HOUR_MS, "after 30 s the market is closed");
  });

  test("a market that has no calendar is asked for after the pause, as ever", () => {
    const actor = stopped();
    const effects = endedAt(actor, "r10", 3, 20 * MINUTE_MS, { ...marketOf(), calendar: undefined });
    assert.deepEqual(sells(effects), ["r10-n2 7 stopLoss"]);
  });

  test("counts its orders by the day of the exchange", () => {
    const actor = stopped();
    // In Istanbul, then two hours ahead, the second day begins after half an hour.
    const market = { zone: "Europe/Istanbul", calendar: undefined, order: "market" } as const;
    let timeMs = 21.5 * HOUR_MS;
    for (let number = 1; number <= 60; number += 1) {
      const name = number === 1 ? "r10" : `r10-n${number}`;
      if (number > 1) placed(actor, name, 10);
      endedAt(actor, name, 0, timeMs, market);
      timeMs = actor.context.exit?.pursuit?.nextAtMs ?? timeMs;
      actor.send({ type: "deadline", timeMs, market });
    }
    const ordersToday = actor.context.exit?.pursuit?.ordersToday ?? 0;
    assert.ok(ordersToday > 0 && ordersToday < 60, `${ordersToday} orders after the exchange's midnight`);
    assert.equal(actor.context.exit?.pursuit?.day, 1);
  });
});
