/** When the connector may trade: what must be so at every connect, and what was missed. */
import assert from "node:assert/strict";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { parseAlpacaConfig } from "../../../../engine/connector/alpaca/config.ts";
import { alpacaConnector } from "../../../../engine/connector/alpaca/start.ts";
import { loopTimers, steadyClock, systemClock } from "../../../../src/runtime/clock.ts";
import { untilTrue } from "../../../support/machine/until-true.ts";
import { RecordedLog, throwing } from "../fix/support/session-world.ts";
import { AlpacaWorld, configOf, VARIABLES } from "./support/alpaca-world.ts";

describe("a session with Alpaca", () => {
  let world: AlpacaWorld;
  beforeEach(async () => {
    world = await AlpacaWorld.make();
  });
  afterEach(() => world.end());

  const options = (change: object = {}, variables: Record<string, string> = VARIABLES) => ({
    ...{ settings: parseAlpacaConfig(configOf(world.server.url, change), world.folder, variables), fatal: throwing },
    ...{ clock: systemClock, timers: loopTimers, log: new RecordedLog(), mayCreate: true },
    ...{ steadyClock, lastPriceOf: () => undefined, note: () => undefined },
  });

  test("is up only once the subscription is confirmed: no order leaves before", async () => {
    world.server.isConfirming = false;
    world.started = await alpacaConnector.open(options());
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(world.isUp, false);
    const reply = await world.place("o1");
    assert.equal(reply.ok ? "ok" : reply.code, "NOT_SENT");
    assert.equal(world.server.placed.length, 0);
  });

  test("that broke is made again, and what was filled meanwhile is told", async () => {
    world.server.price = null;
    await world.start();
    await world.place("o1", { orderType: 2, price: 500 });
    world.server.isMute = true;
    world.server.cut();
    await untilTrue(() => !world.isUp);
    world.server.fill(world.server.orderOf("o1"), 4, 500);
    world.server.isMute = false;
    await untilTrue(() => world.isUp);
    await untilTrue(() => world.updates.at(-1)?.filledQuantity === 4);
  });

  test("tells after a restart what was filled while the process was down, and settles what was in doubt", async () => {
    world.server.price = null;
    await world.start();
    await world.place("o1", { orderType: 2, price: 500 });
    world.server.isMute = true;
    world.server.fail("place", "answerLost");
    await world.place("o2", { orderType: 2, price: 500 });
    await world.started.stop();
    world.server.fill(world.server.orderOf("o1"), 10, 500);
    world.server.isMute = false;
    world.updates.length = 0;
    await world.start();
    const [first, second] = await Promise.all([world.find("o1"), world.find("o2")]);
    assert.deepEqual([first.ok && first.data.orderStatus, second.ok && second.data.orderStatus], [2, 1]);
    assert.equal(world.server.orders.length, 2);
  });

  test("reads on where Alpaca gives more orders than fit on a page", async () => {
    await world.start();
    await world.place("o1");
    const first = world.server.orderOf("o1");
    for (let index = 0; index < 1_200; index += 1) {
      const stamp = new Date(Date.now() + 60_000 + Math.floor(index / 3)).toISOString();
      const id = `elsewhere-${index}`;
      world.server.orders.push({ ...first, id, client_order_id: id, submitted_at: stamp });
    }
    const daily = await world.started.connector.dailyOrders({ userId: 1, accountNumber: "PAPER1" });
    assert.equal(daily.ok && new Set(daily.data.map(({ orderNo }) => orderNo)).size, 1_201);
  });

  test("stays down while the past cannot be read, and comes up once it can", async () => {
    world.server.fail("list", { status: 500, body: "" });
    await world.start();
    await untilTrue(() => world.isUp);
    assert.ok(world.log.lines.some(({ text }) => text.includes("orders: HTTP 500")));
  });

  test("is not begun with a clock that is minutes off", async () => {
    world.server.clockSkewMs = 180_000;
    await world.start();
    assert.equal(world.isUp, false);
    assert.match(world.started.sessions[0]?.reason ?? "", /clock and ours differ by 180 s/);
    assert.equal(world.server.placed.length, 0);
  });

  for (const [name, account] of Object.entries({
    "is SUBMITTED": { status: "SUBMITTED" },
    "is blocked": { trading_blocked: true },
    "trading is suspended by the owner": { trade_suspended_by_user: true },
  })) {
    test(`is not begun where the account may not trade: ${name}`, async () => {
      world.server.account = { ...world.server.account, ...account };
      const [fault] = await alpacaConnector.check(options());
      assert.match(fault?.text ?? "", new RegExp(`PAPER1 at http.*${name}`));
      assert.equal(fault?.reason, "notAllowed");
    });
  }

  test("a check with the right keys finds nothing, with wrong ones it says so, and with nobody there too", async () => {
    assert.deepEqual(await alpacaConnector.check(options()), []);
    const [refused] = await alpacaConnector.check(options({}, { ...VARIABLES, SECRET: "wrong" }));
    assert.match(refused?.text ?? "", /auth failed/);
    assert.equal(refused?.reason, "notAllowed");
  });

  test("one process has the folder; none is made by a start; another's is refused", async () => {
    await world.start();
    await assert.rejects(alpacaConnector.open(options()), /is in use by another process/);
    const elsewhere = options({ folder: "elsewhere" });
    await assert.rejects(alpacaConnector.open({ ...elsewhere, mayCreate: false }), /holds no journal/);
    await alpacaConnector.make(elsewhere.settings, elsewhere);
    await assert.rejects(alpacaConnector.make(elsewhere.settings, elsewhere), /continues with it/);
    await mkdir(join(world.folder, "foreign"));
    await writeFile(join(world.folder, "foreign", "journal"), "");
    for (const mayCreate of [false, true]) {
      const damaged = alpacaConnector.open({ ...options({ folder: "foreign" }), mayCreate });
      await assert.rejects(
        damaged,
        /the journal has lost its beginning, so what was sent is not known: put back a copy/,
      );
    }
    assert.equal((await readFile(join(world.folder, "foreign", "journal"))).length, 0);
    await appendFile(join(world.folder, "elsewhere", "journal"), 'deadbeef {"kind":"order"');
    const torn = await alpacaConnector.open(elsewhere);
    await torn.stop();
  });

  test("the secret reaches no log", async () => {
    await world.start();
    world.server.cut();
    await untilTrue(() => !world.isUp);
    await untilTrue(() => world.isUp);
    assert.ok(!world.log.lines.some(({ text, message }) => `${text}${message}`.includes("not so secret")));
  });
});
