// tier: full
/** The simulation finds faults in what is made of a brokerage's reports: each is planted, and caught. */
import { describe, test } from "node:test";
import { Followers } from "../../engine/partition/followers.ts";
import { ORDER_CANCELLED } from "../../src/domain/order/order.ts";
import { findOut, replacing } from "./planting.ts";

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
});
