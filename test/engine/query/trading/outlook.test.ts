/** What would happen to a group now, compared with what then happens (behaviour 25). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS, QUERIES } from "../../../../src/contract/command.ts";
import { BAND_COMMANDS } from "../../../../src/contract/operator/band.ts";
import { HOLD_COMMANDS } from "../../../../src/contract/operator/hold.ts";
import type { OcoRowView } from "../../../../src/contract/trading/oco.ts";
import { paperSettingsSchema } from "../../../../src/contract/trading/order.ts";
import { type OutlookView, outlookSchema } from "../../../../src/contract/trading/outlook.ts";
import { TRADING_STATE_COMMANDS } from "../../../../src/contract/trading/trading-state.ts";
import { planCalendar } from "../../../../src/domain/market/calendar.ts";
import { EFFECT_FLAGS, type Effects } from "../../../../src/domain/market/measure.ts";
import { isOpen, type OcoGroup } from "../../../../src/domain/oco/group.ts";
import { startWorld, type TradingWorld } from "../../../support/world/trading-world.ts";

const ACCOUNT = { brokerageCode: "PAPER", accountNumber: "PAPER-7" };
const GROUP = {
  ...{ ...ACCOUNT, symbol: "THYAO", stopLossPrice: 90, stopLossQuantity: 100 },
  takeProfitItems: [{ price: 110, quantity: 40 }],
};
const [STOP_LOSS, TAKE_PROFIT] = [0, 1];
const HOUR_MS = 3_600_000;

/** All that a way of a sell depends on. */
interface Given {
  readonly effects: Effects;
  readonly hasBand: boolean;
  readonly isHeld: boolean;
  readonly state: "active" | "halted" | "stopsHalted";
}

async function opened({ effects, hasBand, isHeld, state }: Given): Promise<TradingWorld> {
  const paper = paperSettingsSchema.parse({ startingPositions: { THYAO: 200 } });
  const world = await startWorld({ paper });
  await world.tick("THYAO", 100);
  await world.done(COMMANDS.createGroup, GROUP);
  const measures = [{ restrictionType: 99, effects }];
  void world.partition.decide(() => world.partition.measures.replaceInTurn([{ symbol: "THYAO", measures }]));
  await world.time.advance(1);
  if (hasBand) {
    const bands = [{ symbol: "THYAO", floorPrice: 81, ceilingPrice: 120 }];
    await world.done(BAND_COMMANDS.write, { source: "operator", bands });
  }
  if (isHeld) await world.done(HOLD_COMMANDS.hold, { symbol: "THYAO" });
  if (state !== "active") {
    const includingStops = state === "stopsHalted";
    const change = { scope: "user", state: "halted", reason: "enough", includingStops };
    await world.done(TRADING_STATE_COMMANDS.set, change);
  }
  return world;
}

async function outlookOf(world: TradingWorld): Promise<OutlookView> {
  const [row] = (await world.query(QUERIES.listGroups, ACCOUNT)) as OcoRowView[];
  return outlookSchema.parse(await world.query(QUERIES.readOutlook, { id: row?.id ?? 0 }));
}

const codesOf = ({ rows }: OutlookView, row: number): readonly string[] =>
  (rows[row]?.reasons ?? []).map(({ code }) => code);

const ALL: Given[] = [undefined, 5_000, null].flatMap((cap) =>
  [...EFFECT_FLAGS, undefined].flatMap((flag) =>
    [true, false].flatMap((hasBand) =>
      (["active", "halted", "stopsHalted"] as const).map((state) => ({
        effects: { ...(flag && { [flag]: true }), ...(cap !== undefined && { valueCap: cap }) },
        ...{ hasBand, state, isHeld: false },
      })),
    ),
  ),
);
const HELD: Given[] = (["active", "halted"] as const).map((state) => ({
  ...{ effects: {}, hasBand: true, isHeld: true, state },
}));

describe("the outlook of a row", () => {
  for (const [row, price] of [
    [STOP_LOSS, 90],
    [TAKE_PROFIT, 110],
  ] as const) {
    test(`says what the price ${price} then does, under each measure, band, state and hold`, async () => {
      for (const given of [...ALL, ...HELD]) {
        const world = await opened(given);
        const [said, before] = [(await outlookOf(world)).rows[row], world.sent.length];
        await world.tick("THYAO", price);
        const [stopLoss] = (await world.query(QUERIES.listGroups, ACCOUNT)) as OcoRowView[];
        const group = world.partition.host.find("group", stopLoss?.id ?? 0)?.context as OcoGroup;
        const [order] = await world.orders();
        const done = {
          hasFired: !isOpen(group.rows[row]),
          hasLeft: world.sent.length > before,
          order: order && [order.orderType, order.orderType === 1 ? null : order.price, order.quantity],
        };
        const told = {
          hasFired: said?.result === "sells" || said?.result === "waits",
          hasLeft: said?.result === "sells",
          order:
            said?.result === "sells" ? [said.order?.orderType, said.order?.price, said.order?.quantity] : undefined,
        };
        assert.deepEqual(told, done, JSON.stringify(given));
      }
    });
  }

  const PLAIN: Given = { effects: {}, hasBand: true, isHeld: false, state: "active" };

  test("is a market order without a reason where nothing is in its way", async () => {
    const outlook = await outlookOf(await opened(PLAIN));
    assert.deepEqual(
      outlook.rows.map(({ orderType, result, order, reasons }) => [orderType, result, order, reasons]),
      [
        [2, "sells", { orderType: 1, price: null, quantity: 100 }, []],
        [1, "sells", { orderType: 1, price: null, quantity: 40 }, []],
      ],
    );
    const { session, hold, tradingState, ledger } = outlook;
    assert.deepEqual([session, hold, tradingState], [null, null, null]);
    assert.deepEqual(ledger, { held: null, heldAsOf: null, committed: { groups: 100, bots: 0, entries: 0 } });
  });

  test("says what is not known: floor and cap", async () => {
    const given = { ...PLAIN, hasBand: false, effects: { noMarket: true, valueCap: null } } as const;
    assert.deepEqual(codesOf(await outlookOf(await opened(given)), STOP_LOSS), ["FLOOR_UNKNOWN", "VALUE_CAP_UNKNOWN"]);
  });

  test("has the lots of further orders under a cap, for the stop-loss alone", async () => {
    const outlook = await outlookOf(await opened({ ...PLAIN, effects: { valueCap: 4_000 } }));
    assert.deepEqual(
      outlook.rows.map(({ order, laterQuantity }) => [order?.quantity, laterQuantity]),
      [
        [44, 56],
        [40, 0],
      ],
    );
    assert.deepEqual(codesOf(outlook, STOP_LOSS), ["VALUE_CAP"]);
    assert.deepEqual(codesOf(outlook, TAKE_PROFIT), ["VALUE_CAP"], "40 lots at 110 are above it");
    assert.match(outlook.restrictions[0]?.consequence ?? "", /orders of at most 4000/);
  });

  test("tells when a closed market opens, and how long an auction keeps a sell back", async () => {
    const world = await opened({ ...PLAIN, effects: { noOpenClose: true } });
    const takes = ["market", "limit"] as const;
    const phases = [
      { name: "auction", from: "10:00", to: "11:00", takes },
      { name: "continuous", from: "11:00", to: "15:00", takes },
    ];
    const planned = planCalendar({ mic: "XTST", zone: "UTC", phases, holidays: [], halfDays: {} });
    assert.ok(planned.ok);
    world.calendar = planned.value;
    const closed = await outlookOf(world);
    assert.equal(closed.session?.phase, null);
    assert.deepEqual(codesOf(closed, STOP_LOSS), ["MARKET_CLOSED"]);
    const opensMs = Date.parse(closed.rows[STOP_LOSS]?.opensDate ?? "");
    assert.equal(opensMs % HOUR_MS, 0);
    await world.time.advance(opensMs - world.time.nowMs());
    const [stopLoss] = (await outlookOf(world)).rows;
    assert.deepEqual([stopLoss?.result, stopLoss?.opensDate], ["waits", null]);
    assert.equal(Date.parse(stopLoss?.waitsUntil ?? ""), opensMs + HOUR_MS);
  });

  test("warns of more lots than the account was last known to hold", async () => {
    const world = await opened(PLAIN);
    const { holdings } = world.partition.context;
    holdings.learn({ userId: 7, ...ACCOUNT }, [{ symbol: "THYAO", quantity: 60 }]);
    const outlook = await outlookOf(world);
    assert.equal(outlook.ledger.held, 60);
    assert.deepEqual(codesOf(outlook, STOP_LOSS), ["MORE_THAN_HELD"]);
    assert.deepEqual(codesOf(outlook, TAKE_PROFIT), []);
  });

  test("changes nothing, and leaves out rows that have fired", async () => {
    const world = await opened({ ...PLAIN, effects: { halted: true } });
    const [batches, events] = [world.partition.journal.head.sequence, world.events.length];
    await outlookOf(world);
    await world.time.advance(1_000);
    assert.deepEqual([world.partition.journal.head.sequence, world.events.length], [batches, events]);
    await world.tick("THYAO", 89);
    const { rows } = await outlookOf(world);
    assert.deepEqual(
      rows.map(({ orderType, result, reasons }) => [orderType, result, reasons.map(({ code }) => code)]),
      [[1, "doesNotFire", ["STOP_LOSS_SELLING"]]],
    );
  });

  test("is nobody else's", async () => {
    const world = await opened(PLAIN);
    const [row] = (await world.query(QUERIES.listGroups, ACCOUNT)) as OcoRowView[];
    const reply = await world.query(QUERIES.readOutlook, { id: row?.id ?? 0 }, { userId: 8 });
    assert.equal((reply as { code?: string }).code, "NOT_FOUND");
  });
});
