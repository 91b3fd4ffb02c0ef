// tier: full
/**
 * The simulation finds faults of exits: each fault that is planted here is caught within a bounded number of worlds.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ActorHost } from "../../engine/actor/host.ts";
import type { ActorKind } from "../../engine/actor/kind.ts";
import type { Brokerage, Brokerages } from "../../engine/ports/brokerage.ts";
import type { OrderRecord } from "../../src/contract/trading/order.ts";
import type { OcoGroup } from "../../src/domain/oco/group.ts";
import { isUnderWay } from "../../src/domain/order/execution.ts";
import { findOut, groupKind, replacing } from "./planting.ts";
import type { Plant } from "./world/life.ts";

const WORLDS_MAX = 200;

/** Groups are read back as `change` leaves them. */
function readAs(change: (group: OcoGroup) => OcoGroup): Promise<string> {
  const make = (original: ActorKind["parse"]) => (stored: unknown) => change(original(stored) as OcoGroup);
  return replacing(groupKind() as { parse: ActorKind["parse"] }, "parse", make, () => findOut(WORLDS_MAX, {}, 1, 12));
}

function withRecords(change: (record: OrderRecord) => OrderRecord): Plant {
  const changed = (brokerage: Brokerage): Brokerage => ({
    ...brokerage,
    onUpdate: (listener) => brokerage.onUpdate((record) => listener(change(record))),
    findOrder: async (request) => {
      const found = await brokerage.findOrder(request);
      return found.ok ? { ...found, data: change(found.data) } : found;
    },
  });
  return {
    options: (options) => {
      const { brokerages } = options;
      const all: Brokerages = {
        find: (code) => {
          const found = brokerages.find(code);
          return found === undefined ? undefined : changed(found);
        },
        all: () => brokerages.all().map(changed),
      };
      return { ...options, brokerages: all };
    },
  };
}

describe("the simulation finds out", () => {
  test("an exit that is forgotten when its group is read back", async () => {
    await readAs((group) => {
      const { exit, ...rest } = group;
      return exit?.pursuit === undefined ? group : rest;
    });
  });

  test("an exit that sends an order while another is open", async () => {
    await readAs((group) => {
      if (group.exit?.pursuit === undefined) return group;
      return { ...group, followed: group.followed.filter(({ row, execution }) => row > 0 || !isUnderWay(execution)) };
    });
  });

  test("an exit that continues after its owner ended the order", async () => {
    const plant = withRecords(({ endedBy: _, ...record }) => record);
    assert.match(await findOut(WORLDS_MAX, plant, 1, 40), /continues after its owner ended it/);
  });

  test("a late fill of an exit that counts twice", async () => {
    const twice = (original: ActorHost["wake"]): ActorHost["wake"] =>
      function wake(this: ActorHost, id, ...events) {
        const group = this.find("group", id)?.context as OcoGroup | undefined;
        const counted = events.map((event) => {
          if (event.type !== "orderUpdated" || group?.exit?.pursuit === undefined) return event;
          const { record } = event;
          const followed = group.followed.find(
            ({ execution }) =>
              execution.phase === "ended" && execution.orders.some(({ orderNo }) => orderNo === record.orderNo),
          );
          const known = followed?.execution.orders[0]?.filledQuantity ?? record.filledQuantity;
          const filledQuantity = record.filledQuantity + Math.max(0, record.filledQuantity - known);
          return { ...event, record: { ...record, filledQuantity } };
        });
        return original.call(this, id, ...counted);
      };
    // Few worlds fill an order of an exit late in part, and then sell the rest.
    await replacing(ActorHost.prototype, "wake", twice, () => findOut(3 * WORLDS_MAX, {}, 1, 71));
  });

  test("a lot that an exit counts and that was not sold, at the step after the kill", async () => {
    const message = await readAs((group) => {
      const { exit, stopLossSoldQuantity: sold } = group;
      return exit?.pursuit === undefined || sold === 0 ? group : { ...group, stopLossSoldQuantity: sold + 1 };
    });
    assert.match(message, /the ledger counts \d+ sold lots of row \d+, and \d+ were sold/);
  });
});
