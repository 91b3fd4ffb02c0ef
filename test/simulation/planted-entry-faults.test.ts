// tier: full
/** The simulation finds faults in entries with exits: each is planted, and caught. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ActorHost } from "../../engine/actor/host.ts";
import { BrokerOutbox } from "../../engine/order/outbox/outbox.ts";
import type { OutboxOrder } from "../../engine/ports/order.ts";
import { ACTIVE, type OcoGroup } from "../../src/domain/oco/group.ts";
import { BUY, ORDER_CANCELLED } from "../../src/domain/order/order.ts";
import { priceToNumber } from "../../src/domain/price/price.ts";
import type { PendingSetup } from "../../src/domain/setup.ts";
import type { ActorEvent } from "../../src/machine/actor-event.ts";
import { delivering, findOut, type Give, replacing } from "./planting.ts";

const SEEDS = 200;

/** Whether an actor is the pending OCO of an entry. */
function isEntry(host: ActorHost, id: number): boolean {
  return (host.find("setup", id)?.context as PendingSetup | undefined)?.entry !== undefined;
}

/** Keeps events of a kind from the pending OCOs of entries. */
const losing = (isLost: (event: ActorEvent) => boolean) =>
  delivering((give) => (host, id, event) => (isLost(event) && isEntry(host, id) ? true : give(host, id, event)));

type Grow = Extract<ActorEvent, { readonly type: "grow" }>;

/** Replaces how groups receive the lots that their entries bought. */
const growing = (replace: (give: Give, host: ActorHost, id: number, event: Grow) => boolean, first?: number) =>
  delivering(
    (give) => (host, id, event) => (event.type === "grow" ? replace(give, host, id, event) : give(host, id, event)),
    first,
  );

/** The trigger of a stop entry is an actor's level, and its buy a triggered one. */
function isBuyOfTrigger({ origin, urgency, buySell }: OutboxOrder): boolean {
  return origin.kind === "actor" && /^e\d+$/.test(origin.name) && urgency === "triggered" && buySell === BUY;
}

describe("the simulation finds out of stop entries", () => {
  test("that one buys twice after a restart", async () => {
    const restarted = new WeakSet<BrokerOutbox>();
    const recovering = (recover: BrokerOutbox["recover"]): BrokerOutbox["recover"] =>
      function (this: BrokerOutbox, key, value) {
        restarted.add(this);
        recover.call(this, key, value);
      };
    const doubling = (submit: BrokerOutbox["submit"]): BrokerOutbox["submit"] =>
      function (this: BrokerOutbox, order) {
        submit.call(this, order);
        const isDoubled = restarted.has(this) && isBuyOfTrigger(order);
        if (isDoubled) submit.call(this, { ...order, clientOrderId: `${order.clientOrderId}x` });
      };
    await replacing(BrokerOutbox.prototype, "recover", recovering, () =>
      replacing(BrokerOutbox.prototype, "submit", doubling, () => findOut(SEEDS)),
    );
  });

  test("that a price that is read back does not reach its trigger", async () => {
    const losing = (deliverReached: ActorHost["deliverReached"]): ActorHost["deliverReached"] =>
      function (this: ActorHost, id, watches, reached) {
        if (!reached.isCaughtUp || !isEntry(this, id)) deliverReached.call(this, id, watches, reached);
      };
    const message = await replacing(ActorHost.prototype, "deliverReached", losing, () => findOut(SEEDS));
    assert.match(message, /^entry n\d+ was reached by tick \d+ and did not buy/);
  });

  test("that one buys before its trigger is reached", async () => {
    const early = (create: ActorHost["create"]): ActorHost["create"] =>
      function (this: ActorHost, kind, id, context, event) {
        const isReached = create.call(this, kind, id, context, event);
        const trigger = kind === "setup" ? (context as PendingSetup).entry?.trigger : undefined;
        if (trigger === undefined) return isReached;
        const price = priceToNumber(trigger.level);
        this.deliverReached(id, [0], { price, timeMs: (context as PendingSetup).createdAtMs, isCaughtUp: false });
        return isReached;
      };
    const message = await replacing(ActorHost.prototype, "create", early, () => findOut(SEEDS));
    assert.match(message, /^entry n\d+ bought, and no price had reached its trigger/);
  });
});

describe("the simulation finds out", () => {
  test("that the buy of an entry is sent twice", async () => {
    const doubling = (submit: BrokerOutbox["submit"]): BrokerOutbox["submit"] =>
      function (this: BrokerOutbox, order) {
        submit.call(this, order);
        const isBuy = order.origin.kind === "actor" && order.urgency === "client";
        if (isBuy) submit.call(this, { ...order, clientOrderId: `${order.clientOrderId}x` });
      };
    await replacing(BrokerOutbox.prototype, "submit", doubling, () => findOut(SEEDS));
  });

  test("that a buy leaves without its pending OCO", async () => {
    const leavingOut = (create: ActorHost["create"]): ActorHost["create"] =>
      function (this: ActorHost, kind, id, context, event) {
        const isOfEntry = kind === "setup" && (context as PendingSetup).entry !== undefined;
        return isOfEntry ? false : create.call(this, kind, id, context, event);
      };
    await replacing(ActorHost.prototype, "create", leavingOut, () => findOut(SEEDS));
  });

  test("that an entry does not learn that its buy was taken", async () => {
    assert.match(await losing(({ type }) => type === "orderPlaced"), /^entry n\d+ is open and its order has ended/);
  });

  test("that an entry does not learn that its buy was refused", async () => {
    assert.match(await losing(({ type }) => type === "orderRefused"), /^entry n\d+ is open and its order has ended/);
  });

  test("that a part that was bought before the end of its buy is forgotten", async () => {
    const message = await delivering((give) => (host, id, event) => {
      const isPart = event.type === "orderUpdated" && event.record.orderStatus === ORDER_CANCELLED;
      if (!isPart || !isEntry(host, id)) return give(host, id, event);
      return give(host, id, { ...event, record: { ...event.record, filledQuantity: 0 } });
    });
    assert.match(message, /^(entry n\d+ bought \d+|the group of entry n\d+)/);
  });

  test("that the group of an entry counts a fill twice", async () => {
    const message = await growing((give, host, id, event) => {
      const known = (host.find("group", id)?.context as OcoGroup | undefined)?.growth?.bought ?? 0;
      return give(host, id, { ...event, bought: event.bought + Math.max(0, event.bought - known) });
    }, 81);
    assert.match(message, /^the group of entry n\d+ (stops|sold|would sell) \d+ of \d+ lots/);
  });

  test("that a growth is lost in the first step after a start", async () => {
    const told = new WeakSet<ActorHost>();
    const message = await growing((give, host, id, event) => {
      if (told.has(host)) return give(host, id, event);
      told.add(host);
      return true;
    });
    assert.match(message, /^the group of entry n\d+ (stops|sold) \d+ of \d+ lots/);
  });

  test("that a growth is dropped once a row of its group is being sold", async () => {
    const message = await growing((give, host, id, event) => {
      const rows = (host.find("group", id)?.context as OcoGroup | undefined)?.rows ?? [];
      return rows.some(({ isInFlight, status }) => isInFlight || status !== ACTIVE) || give(host, id, event);
    }, 81);
    assert.match(message, /^the group of entry n\d+ (stops|sold) \d+ of \d+ lots/);
  });
});
