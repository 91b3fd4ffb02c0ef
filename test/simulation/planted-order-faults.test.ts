// tier: full
/** The simulation finds faults in what is made of a brokerage's reports: each is planted, and caught. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ActorHost } from "../../engine/actor/host.ts";
import { Followers } from "../../engine/partition/followers.ts";
import type { ClientOrder } from "../../src/domain/order/client-order.ts";
import { ORDER_CANCELLED } from "../../src/domain/order/order.ts";
import { delivering, findOut, replacing } from "./planting.ts";

const LATE_FILL_SEEDS = 250;

describe("the simulation finds out", () => {
  test("that an order's end is believed for ever: a buy that was filled after it makes no group", async () => {
    const believing = (tell: Followers["tell"]): Followers["tell"] => {
      const ended = new Set<string>();
      return function (this: Followers, brokerageCode, record, look) {
        const order = `${brokerageCode}/${record.orderNo}`;
        if (record.orderStatus === ORDER_CANCELLED) ended.add(order);
        else if (ended.has(order)) return;
        tell.call(this, brokerageCode, record, look);
      };
    };
    await replacing(Followers.prototype, "tell", believing, () => findOut(LATE_FILL_SEEDS));
  });

  test("that what a client's order filled beyond its quantity is clipped", async () => {
    const message = await delivering((give) => (host, id, event) => {
      const order = host.find("clientOrder", id)?.context as ClientOrder | undefined;
      if (order === undefined || event.type !== "orderUpdated") return give(host, id, event);
      const filledQuantity = Math.min(event.record.filledQuantity, order.execution.quantity);
      return give(host, id, { ...event, record: { ...event.record, filledQuantity } });
    });
    assert.match(message, /^\d+ lots of order simulation-c\d+ are filled, and \d+ are known$/);
  });

  test("that an order of a client is not followed", async () => {
    const leavingOut = (create: ActorHost["create"]): ActorHost["create"] =>
      function (this: ActorHost, kind, ...rest) {
        return kind === "clientOrder" ? false : create.call(this, kind, ...rest);
      };
    const message = await replacing(ActorHost.prototype, "create", leavingOut, () => findOut());
    assert.match(message, /^order simulation-c\d+ exists and is not followed$/);
  });
});
