/**
 * Cases for which the connector may not vouch: a journal that lost something, a line that ends too early, a late
 * answer.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { checkConnectorFolder } from "../../../../engine/connector/check-folder.ts";
import { fixConnector } from "../../../../engine/connector/fix/start.ts";
import type { FixMessage } from "../../../../engine/connector/fix/wire/message.ts";
import { Tag } from "../../../../engine/connector/fix/wire/tag.ts";
import { readRecords, renderRecord } from "../../../../engine/connector/host/state/journal.ts";
import { loopTimers, steadyClock, systemClock } from "../../../../src/runtime/clock.ts";
import { untilTrue } from "../../../support/machine/until-true.ts";
import { codeOf, configFor, FixWorld } from "./support/fix-world.ts";
import { throwing } from "./support/session-world.ts";

const DAY_MS = 86_400_000;

let world: FixWorld;
beforeEach(async () => {
  world = await FixWorld.make();
});
afterEach(async () => {
  await world.end();
});

const filled = (message: FixMessage) => void world.report(message, "2", 100, [[Tag.ExecType, "I"]]);
const state = () => join(world.folder, "state");
const journal = () => join(state(), "journal");

/** Starts as an operator does: no folder is made, and the start does not wait for the logon. */
async function startPlainly(session: object = {}): Promise<void> {
  const settings = configFor(world.peer.port, world.folder, { session, orders: { answerTimeoutSeconds: 0.5 } });
  const ports = { clock: systemClock, steadyClock, timers: loopTimers, log: world.log, fatal: throwing };
  world.started = await fixConnector.open({ settings, ...ports, lastPriceOf: () => 1 });
}

test("a journal without its owner's record: the start is refused, and the evidence stays", async () => {
  await world.start();
  await world.started.stop();
  const whole = readFileSync(journal());
  const rest = whole.subarray(whole.indexOf(0x0a) + 1);
  writeFileSync(journal(), rest);
  await assert.rejects(startPlainly(), /the journal has lost its beginning, so what was sent is not known: put/);
  await assert.rejects(world.start(), /the journal has lost its beginning/);
  assert.deepEqual(readFileSync(journal()), rest);
  writeFileSync(journal(), whole);
  await world.start();
});

describe("a name that is not kept", () => {
  test("is UNAVAILABLE while the session is down: nobody has shown that the folder is the last one", async () => {
    await world.start();
    assert.equal(codeOf(await world.find("never")), "NOT_FOUND");
    world.peer.script = () => undefined;
    world.peer.socket?.destroy();
    await untilTrue(() => !world.started.session.isLive);
    assert.equal(codeOf(await world.find("never")), "UNAVAILABLE");
  });
  test("is UNKNOWN after an older copy was put back, for as long as orders are kept", async () => {
    world.brokerDoes({ D: (message) => world.report(message, "2", 100) });
    await world.putBackFolderWithout("a1");

    await startPlainly();
    await untilTrue(() => world.started.session.phase === "halted");
    assert.equal(codeOf(await world.find("a1")), "UNAVAILABLE");
    await world.started.stop();
    assert.match(checkConnectorFolder(state()).notes.join("\n"), /it is older than what was sent/);

    // The halted start learned enough: the broker need not repeat it.
    world.peer.expected = 1;
    await startPlainly({ resetOn: "logon", onUnexpectedReset: "reconcile" });
    await untilTrue(() => world.started.session.isLive);
    assert.equal(codeOf(await world.find("a1")), "UNKNOWN");
    assert.equal(codeOf(await world.cancel("a1")), "UNKNOWN");
    assert.equal(codeOf(await world.place("a2")), "ok");
    assert.equal(codeOf(await world.find("a2")), "ok");
    await world.started.stop();

    const aged = readRecords(readFileSync(journal())).records.map((record) => {
      const behind = record as { behindMs?: number | null };
      return typeof behind.behindMs === "number" ? { ...behind, behindMs: Date.now() - 8 * DAY_MS } : behind;
    });
    writeFileSync(journal(), aged.map(renderRecord).join(""));
    await world.start();
    assert.equal(codeOf(await world.find("a1")), "NOT_FOUND");
  });
  test("is UNKNOWN after a start that took the broker's higher number itself", async () => {
    await world.start();
    await world.started.stop();
    world.peer.expected += 3;
    await world.start({ session: { onUnexpectedReset: "reconcile" } });
    assert.equal(codeOf(await world.find("a1")), "UNKNOWN");
    await world.restart();
    assert.equal(codeOf(await world.find("a1")), "UNKNOWN");
  });
  test("is NOT_FOUND where it is the broker that has lost count", async () => {
    await world.start();
    await world.started.stop();
    world.peer.nextOutgoing = 1;
    await world.start({ session: { onUnexpectedReset: "reconcile" } });
    assert.equal(codeOf(await world.find("a1")), "NOT_FOUND");
  });
});

describe("what the peer filled over is asked for", () => {
  const openAndFillOver = async () => {
    world.brokerDoes({ D: (message) => world.report(message, "0", 0) });
    await world.start({ session: { reconnectSeconds: 1.2, reconnectSecondsMax: 1.2 } });
    await world.place("a1");
    world.brokerDoes({ H: filled });
    const from = world.peer.nextOutgoing;
    world.peer.nextOutgoing += 3;
    world.peer.fillGap(from, from + 3);
    await untilTrue(() => world.started.session.numbers.incoming.expected === from + 3);
  };
  const isFilled = () => world.updates.at(-1)?.filledQuantity === 100;

  test("though the process ends before it could ask", async () => {
    await openAndFillOver();
    await world.restart();
    await untilTrue(isFilled);
  });
  test("though the line ends before it could ask", async () => {
    await openAndFillOver();
    world.peer.socket?.destroy();
    await untilTrue(isFilled);
  });
  test("again at the next logon where no answer came, and never again once it did", async () => {
    world.answerTimeoutSeconds = 0.3;
    await openAndFillOver();
    world.brokerDoes({});
    await world.peer.until("H");
    await new Promise((resolve) => setTimeout(resolve, 500));
    world.brokerDoes({ H: (message) => world.report(message, "0", 0, [[Tag.ExecType, "I"]]) });
    world.peer.socket?.destroy();
    await world.peer.until("H", 2);
    await untilTrue(() => world.started.session.isLive);
    await new Promise((resolve) => setTimeout(resolve, 100));
    world.peer.socket?.destroy();
    await untilTrue(() => !world.started.session.isLive);
    await untilTrue(() => world.started.session.isLive);
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(world.peer.of("H").length, 2);
  });
  test("with pauses that grow to a minute while a live broker does not answer, and from 5 s at the next gap", async () => {
    const pauses: number[] = [];
    world.timers = {
      ...loopTimers,
      after: (delayMs, task) => {
        const isPause = delayMs >= 5_000 && delayMs <= 60_000 && delayMs % 5_000 === 0;
        if (isPause) pauses.push(delayMs);
        // The eighth pause is a whole one: messages that are left out during it must not wait for its end.
        return loopTimers.after(isPause && pauses.length !== 8 ? 5 : delayMs, task);
      },
    };
    world.answerTimeoutSeconds = 0.05;
    await openAndFillOver();
    world.brokerDoes({});
    await untilTrue(() => pauses.length === 8);
    assert.deepEqual(pauses.slice(0, 7), [5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
    const from = world.peer.nextOutgoing;
    world.peer.nextOutgoing += 3;
    world.peer.fillGap(from, from + 3);
    await untilTrue(() => pauses.length > 8);
    assert.equal(pauses[8], 5_000);
  });
  test("but a broker that takes no question loses no order by it: its reports come all the same", async () => {
    world.brokerDoes({ D: (message) => world.report(message, "0", 0) });
    await world.start();
    await world.place("a1");
    await world.restart({ orders: { lookUp: "none" } });
    assert.equal(codeOf(await world.find("a1")), "ok");
    world.report("a1", "2", 100);
    await untilTrue(isFilled);
  });
});

describe("a question that is not answered", () => {
  const reset = { session: { resetOn: "logon" } };
  const notNow = (message: FixMessage, reason: string) =>
    world.peer.send("j", [
      [Tag.RefSeqNum, message.get(Tag.MsgSeqNum) ?? ""],
      [Tag.RefMsgType, "H"],
      [Tag.BusinessRejectReason, reason],
    ]);
  const placeAndReset = async (onQuestion: (message: FixMessage) => void) => {
    world.answerTimeoutSeconds = 0.5;
    world.brokerDoes({ D: (message) => world.report(message, "0", 0) });
    await world.start(reset);
    await world.place("a1");
    world.brokerDoes({ H: onQuestion });
    await world.restart(reset);
    await world.peer.until("H");
  };

  test("after a reset is asked again by the next look-up, which does not tell what was before", async () => {
    await placeAndReset(() => undefined);
    assert.equal(codeOf(await world.find("a1")), "UNAVAILABLE");
    world.brokerDoes({ H: filled });
    const found = await world.find("a1");
    assert.equal(found.ok && found.data.filledQuantity, 100);
  });
  test("after a reset, with 'unknown' to the second, leaves the order to a person", async () => {
    await placeAndReset(() => undefined);
    assert.equal(codeOf(await world.find("a1")), "UNAVAILABLE");
    world.brokerDoes({ H: (message) => world.unknown(message) });
    assert.equal(codeOf(await world.find("a1")), "UNKNOWN");
  });
  test("because the broker cannot now may be asked again; one that never may be is UNKNOWN", async () => {
    world.answerTimeoutSeconds = 0.5;
    await world.start();
    await world.place("a1");
    for (const reason of ["4", "0"]) {
      world.brokerDoes({ H: (message) => notNow(message, reason) });
      assert.equal(codeOf(await world.find("a1")), "UNAVAILABLE");
    }
    for (const reason of ["3", "6"]) {
      world.brokerDoes({ H: (message) => notNow(message, reason) });
      assert.equal(codeOf(await world.find("a1")), "UNKNOWN");
    }
    world.brokerDoes({ H: filled });
    assert.equal(codeOf(await world.find("a1")), "ok");
  });
  test("because the broker cannot now, after a reset, loses no open order", async () => {
    await placeAndReset((message) => notNow(message, "4"));
    world.brokerDoes({ H: filled });
    const found = await world.find("a1");
    assert.equal(found.ok && found.data.filledQuantity, 100);
  });
});

test("a name that the broker calls a duplicate is never proven absent: it had it from another attempt", async () => {
  world.brokerDoes({
    D: (message) => world.report(message, "8", 0, [[Tag.OrdRejReason, "6"]]),
    H: (message) => world.unknown(message),
  });
  await world.start();
  assert.equal(codeOf(await world.place("a1")), "UNAVAILABLE");
  assert.equal(codeOf(await world.find("a1")), "UNKNOWN");
  assert.equal(codeOf(await world.place("a1")), "UNKNOWN");
  assert.equal(world.peer.of("D").length, 1);
});

test("a price below zero is no price, and the next start reads what was kept", async () => {
  world.brokerDoes({
    D: (message) =>
      world.report(message, "1", 40, [
        [Tag.AvgPx, "0"],
        [Tag.LastQty, "40"],
        [Tag.LastPx, "-5"],
      ]),
  });
  await world.start();
  assert.equal(codeOf(await world.place("a1")), "ok");
  await world.restart();
  const found = await world.find("a1");
  assert.deepEqual(found.ok && [found.data.filledQuantity, found.data.averagePrice], [40, 0]);
});

test("why the broker ended an order is told with it (behaviour 4.5a)", async () => {
  world.brokerDoes({
    D: (message) => {
      world.report(message, "0", 0);
      world.report(message, "8", 0, [[Tag.Text, "position blocked"]]);
    },
  });
  await world.start();
  await world.place("a1");
  await untilTrue(() => world.updates.at(-1)?.orderStatus === 4);
  assert.equal(world.updates.at(-1)?.message, "position blocked");
  assert.equal(world.updates.find(({ orderStatus }) => orderStatus === 1)?.message, undefined);
});
