/** A stop-loss at limit-down waits at the floor, over the night and kill -9 of its engine (behaviour 14, 17.2 and 21.3). */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { QUERIES } from "../../src/contract/command.ts";
import { BAND_COMMANDS } from "../../src/contract/operator/band.ts";
import type { PlanView } from "../../src/contract/trading/plan.ts";
import type { OcoRow } from "../support/client/engine-client.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { temporaryFolder } from "../support/machine/process.ts";
import { until } from "../support/world/stack.ts";
import { WrongClock } from "./support/clock.ts";
import { ScriptedWorld } from "./support/scripted-world.ts";

const CODE = "NIGHT";
const CALENDAR = {
  ...{ mic: "XIST", zone: "Europe/Istanbul", holidays: [], halfDays: {} },
  phases: [{ name: "trading", from: "10:00", to: "18:00", takes: ["market", "limit"] }],
};
/** Weekdays in a row. */
const [MONDAY, TUESDAY, WEDNESDAY, THURSDAY] = ["2027-03-01", "2027-03-02", "2027-03-03", "2027-03-04"];
const FLOORS: Readonly<Record<string, number>> = { [MONDAY]: 81, [TUESDAY]: 73, [WEDNESDAY]: 66, [THURSDAY]: 60 };
const [MARKET, LIMIT] = [1, 2];
const CANCELLED = 3;

natsSuite("a stop-loss at limit-down", () => {
  let world: ScriptedWorld;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let clock: WrongClock;
  /** Answers an order of the engine: by default it rests in the book. */
  let answer: (ask: Ask) => ReturnType<ScriptedWorld["connector"]["accept"]> | undefined;
  let aheadMs = 0;

  type Ask = Parameters<ScriptedWorld["connector"]["accept"]>[0];
  type Order = ReturnType<ScriptedWorld["ordersOf"]>[number];
  const rests = (ask: Ask) => world.connector.accept(ask, 1, 0);
  const fills = (ask: Ask) => world.connector.accept(ask, 2, ask.quantity);
  const isClosed = () => ({ ok: false, code: "NOT_NOW", message: "the market is closed" });

  before(async () => {
    folder = await temporaryFolder();
    const calendars = join(folder.path, "calendars");
    mkdirSync(calendars);
    writeFileSync(join(calendars, "XIST.json"), JSON.stringify(CALENDAR));
    clock = new WrongClock(join(folder.path, "ahead"));
    setNow(MONDAY, "11:00");
    const environment = { CALENDARS: "on", CALENDARS_DIR: calendars, MAX_TICK_AGE_SECONDS: "0", ...clock.environment };
    const settings = { timeoutMs: 300, settleMs: 1_000 };
    // With a tick stream, the clock of its server would count.
    const server = { jetStream: false };
    world = await ScriptedWorld.start(CODE, settings, (ask) => answer(ask), environment, server);
  });
  after(async () => {
    await world.close();
    await folder.remove();
  });

  /** Sets the clock of engines to a time in Istanbul. */
  function setNow(day: string, time: string): void {
    aheadMs = Date.parse(`${day}T${time}:00+03:00`) - Date.now();
    clock.setAhead(aheadMs);
  }

  /** Kills the engine; the next one starts at another time. */
  async function restartAt(day: string, time: string): Promise<void> {
    await world.engines.engine.end("SIGKILL");
    setNow(day, time);
    await world.engines.startEngine();
  }

  async function price(symbol: string, value: number): Promise<void> {
    world.engines.nats.publish(`ticks.${symbol}`, JSON.stringify({ price: value, time: Date.now() + aheadMs }));
    await world.engines.nats.flush();
  }

  async function setBand(symbol: string, bandDate: string): Promise<void> {
    const bands = [{ symbol, floorPrice: FLOORS[bandDate], ceilingPrice: 130, bandDate }];
    const written = await world.engines.client.command(BAND_COMMANDS.write, { source: "operator", bands });
    assert.ok(written.ok, JSON.stringify(written));
  }

  const sellsOf = (symbol: string) =>
    world.ordersOf(symbol).map(({ quantity, orderType, price: limit }) => [quantity, orderType, limit]);

  async function untilSells(symbol: string, expected: readonly (readonly number[])[]): Promise<void> {
    await until(
      async () => sellsOf(symbol).length,
      (count) => count >= expected.length,
    );
    assert.deepEqual(sellsOf(symbol), expected);
  }

  const lastOf = (symbol: string): Order => world.ordersOf(symbol).at(-1) ?? assert.fail(`no order of ${symbol}`);

  /** The exchange ends the last order; a lost report is found by the look-up alone. */
  function end(symbol: string, filledQuantity: number, isLost = false): void {
    const change = { orderStatus: CANCELLED, filledQuantity, endedBy: "exchange" };
    if (isLost) Object.assign(lastOf(symbol), change);
    else world.tell(lastOf(symbol), change);
  }

  async function planOf(id: number): Promise<PlanView> {
    const plan = await world.engines.client.query(QUERIES.readPlan, { id });
    assert.ok(plan.ok, JSON.stringify(plan));
    return plan.data as PlanView;
  }

  async function untilState(id: number, state: PlanView["exit"]["state"]): Promise<PlanView["exit"]> {
    const { exit } = await until(
      () => planOf(id),
      (plan) => plan.exit.state === state,
    );
    assert.equal(exit.state, state);
    return exit;
  }

  /** The stop-loss fires on a day; its market order meets no bid, and the order for all lots waits at the floor. */
  async function atFloor(symbol: string, day: string): Promise<number> {
    answer = rests;
    await price(symbol, 100);
    const id = await world.createGroup(symbol);
    await setBand(symbol, day);
    await price(symbol, FLOORS[day] ?? 0);
    await untilSells(symbol, [[100, MARKET, 0]]);
    end(symbol, 0);
    await untilSells(symbol, [
      [100, MARKET, 0],
      [100, LIMIT, FLOORS[day] ?? 0],
    ]);
    return id;
  }

  /** The stop-loss alone is Triggered, all of its lots are sold, and one more kill sells nothing else. */
  async function isSoldOnce(symbol: string, id: number, day: string): Promise<void> {
    await untilState(id, "sold");
    const sells = sellsOf(symbol);
    await restartAt(day, "12:00");
    await price(symbol, FLOORS[day] ?? 0);
    const { exit } = await planOf(id);
    assert.deepEqual([exit.state, exit.soldQuantity, exit.leftQuantity], ["sold", 100, 0]);
    assert.deepEqual(sellsOf(symbol), sells);
    const sold = world.ordersOf(symbol).reduce((lots, { filledQuantity }) => lots + filledQuantity, 0);
    assert.equal(sold, 100);
    const names = world.ordersOf(symbol).map(({ clientOrderId }) => clientOrderId);
    assert.equal(new Set(names).size, names.length, "each order has a name of its own");
    const rows: OcoRow[] = (await world.engines.client.rows(CODE, "A1")).filter((row) => row.symbol === symbol);
    assert.deepEqual(
      rows.map(({ status, triggerErrorMessage }) => [status, triggerErrorMessage]),
      [
        [2, null],
        [4, null],
        [4, null],
      ],
    );
  }

  test("whose order ended at the close continues the next day with one order at the new floor", async () => {
    const id = await atFloor("THYAO", MONDAY);
    await restartAt(MONDAY, "18:30");
    end("THYAO", 0);
    const exit = await untilState(id, "waiting");
    assert.deepEqual([exit.waitsForSession, exit.nextOrderDate], [true, `${TUESDAY}T07:00:00.000Z`]);
    assert.equal(sellsOf("THYAO").length, 2, "no order leaves after the close");
    // The operator knows the next band in the evening.
    await setBand("THYAO", TUESDAY);
    answer = fills;
    await restartAt(TUESDAY, "10:05");
    await untilSells("THYAO", [
      [100, MARKET, 0],
      [100, LIMIT, 81],
      [100, LIMIT, 73],
    ]);
    await isSoldOnce("THYAO", id, TUESDAY);
  });

  test("whose order ended while no engine ran sells the rest once, although its answer is lost in a kill", async () => {
    const id = await atFloor("GARAN", TUESDAY);
    await setBand("GARAN", WEDNESDAY);
    await world.engines.engine.end("SIGKILL");
    end("GARAN", 30, true);
    // The order is in the book, and the engine that sent it never learns that.
    answer = (ask) => {
      fills(ask);
      return undefined;
    };
    await restartAt(WEDNESDAY, "10:05");
    const expected = [
      [100, MARKET, 0],
      [100, LIMIT, 73],
      [70, LIMIT, 66],
    ];
    await untilSells("GARAN", expected);
    answer = fills;
    await restartAt(WEDNESDAY, "10:10");
    await isSoldOnce("GARAN", id, WEDNESDAY);
    assert.deepEqual(sellsOf("GARAN"), expected);
  });

  test("whose next order is tried in vain in the night sends one order after the opening", async () => {
    const id = await atFloor("AKBNK", WEDNESDAY);
    await restartAt(WEDNESDAY, "18:30");
    end("AKBNK", 0);
    await untilState(id, "waiting");
    answer = isClosed;
    const placed = world.connector.places.length;
    // A quarter of an hour later the order is tried, as the calendar can be wrong.
    await restartAt(WEDNESDAY, "19:00");
    await until(
      async () => world.connector.places.length,
      (count) => count > placed,
    );
    assert.ok(world.connector.places.length > placed, "it is tried");
    assert.equal(sellsOf("AKBNK").length, 2);
    answer = fills;
    await restartAt(THURSDAY, "10:05");
    await untilState(id, "sold");
    // The floor of that day is not known.
    assert.deepEqual(sellsOf("AKBNK"), [
      [100, MARKET, 0],
      [100, LIMIT, 66],
      [100, MARKET, 0],
    ]);
    await isSoldOnce("AKBNK", id, THURSDAY);
  });
});
