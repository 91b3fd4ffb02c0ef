/** When followed orders are looked up. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { OrderPoll } from "../../../engine/order/order-poll.ts";
import type { Brokerage, BrokerageSession } from "../../../engine/ports/brokerage.ts";
import type { BrokerReply, FindOrderRequest, OrderRecord } from "../../../src/contract/trading/order.ts";
import type { FollowedOrder } from "../../../src/machine/effect.ts";
import { recordOf, ScriptedBrokerage, settings } from "./outbox/harness.ts";

const ROUND_MS = 30_000;
const UNDER_WAY_MAX = 64;

function orderNamed(orderNo: string): FollowedOrder {
  return { userId: 7, brokerageCode: "TEST", accountNumber: "A1", orderNo };
}

/** A poll over `followed`, which a test may change, and a brokerage whose answers a test gives. */
function setUp(followed: Map<string, FollowedOrder>) {
  let nowMs = 0;
  const asked: string[] = [];
  const told: string[] = [];
  const looks: (number | null)[] = [];
  const waiting: ((reply: BrokerReply<OrderRecord>) => void)[] = [];
  const brokerage: Brokerage = Object.assign(new ScriptedBrokerage({ nowMs: () => nowMs }, settings()), {
    findOrder: ({ orderNo = "" }: FindOrderRequest) => {
      asked.push(orderNo);
      return new Promise<BrokerReply<OrderRecord>>((resolve) => waiting.push(resolve));
    },
  });
  const poll = new OrderPoll({
    asking: function* (code, withEnded) {
      for (const order of followed.values()) {
        if (order.brokerageCode === code && (withEnded || order.isQuiet !== true)) yield order;
      }
    },
    brokerages: { find: (code) => (code === "TEST" ? brokerage : undefined), all: () => [brokerage] },
    steadyClock: { nowMs: () => nowMs },
    log: { debug() {}, info() {}, warn() {}, error() {} },
    onAnswer: (_order, look, answer) => {
      looks.push(look);
      if (answer.type === "record") told.push(answer.record.orderNo);
    },
  });
  const failAll = async (): Promise<void> => {
    for (const resolve of waiting.splice(0)) resolve({ ok: false, code: "UNAVAILABLE", message: "away" });
    await new Promise((resolve) => setImmediate(resolve));
  };
  const answerAll = async (): Promise<void> => {
    const answered = asked.slice(-waiting.length);
    for (const [index, resolve] of waiting.splice(0).entries()) {
      const data = recordOf({ clientOrderId: "c", accountNumber: "A1" }, answered[index] ?? "");
      resolve({ ok: true, data });
    }
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    poll,
    asked,
    told,
    looks,
    answerAll,
    failAll,
    advance: (byMs: number): void => {
      nowMs += byMs;
    },
  };
}

function many(count: number): Map<string, FollowedOrder> {
  return new Map(Array.from({ length: count }, (_, index) => [`N${index}`, orderNamed(`N${index}`)]));
}

test("every followed order is asked for at the start, and again a round later", async () => {
  const { poll, asked, told, answerAll, advance } = setUp(many(3));
  poll.poll();
  await answerAll();
  assert.deepEqual(asked, ["N0", "N1", "N2"]);
  assert.deepEqual(told, asked);
  advance(ROUND_MS - 1);
  poll.poll();
  assert.equal(asked.length, 3);
  advance(1);
  poll.poll();
  assert.equal(asked.length, 6);
});

test("never more than 64 are under way, and a long round goes on from poll to poll", async () => {
  const { poll, asked, answerAll } = setUp(many(150));
  for (const expected of [UNDER_WAY_MAX, 2 * UNDER_WAY_MAX, 150]) {
    poll.poll();
    poll.poll();
    assert.equal(asked.length, expected);
    await answerAll();
  }
  assert.equal(new Set(asked).size, 150);
});

test("what is followed during a round is asked for in it, what no longer is, is not", async () => {
  const followed = many(UNDER_WAY_MAX + 2);
  const { poll, asked, answerAll } = setUp(followed);
  poll.poll();
  followed.delete(`N${UNDER_WAY_MAX}`);
  followed.set("new", orderNamed("new"));
  await answerAll();
  poll.poll();
  assert.deepEqual(asked.slice(UNDER_WAY_MAX), [`N${UNDER_WAY_MAX + 1}`, "new"]);
});

test("a newly followed order is asked for at once, or as soon as there is room", async () => {
  const { poll, asked, answerAll } = setUp(many(UNDER_WAY_MAX - 1));
  poll.poll();
  poll.askNow(orderNamed("first"));
  poll.askNow(orderNamed("second"));
  assert.equal(asked.at(-1), "first");
  await answerAll();
  assert.equal(asked.at(-1), "second");
});

test("where the brokerage cannot be reached, it is asked for at every poll, a few at once, until the next round", async () => {
  const { poll, asked, told, answerAll, failAll, advance } = setUp(new Map());
  poll.poll();
  const names = ["a", "b", "c", "d", "e"];
  for (const name of names) poll.askNow(orderNamed(name));
  await failAll();
  poll.poll();
  assert.deepEqual(asked, [...names, "a", "b", "c", "d"]);
  await answerAll();
  poll.poll();
  assert.deepEqual(asked.slice(9), ["e"]);
  await failAll();
  advance(ROUND_MS);
  poll.poll();
  poll.poll();
  assert.equal(asked.length, 10);
  assert.deepEqual(told, ["a", "b", "c", "d"]);
});

test("a numbered look-up that waits keeps its number if the order is reported as changed (behaviour 13.6)", async () => {
  const { poll, asked, looks, answerAll } = setUp(many(UNDER_WAY_MAX));
  poll.poll();
  poll.askNow(orderNamed("ended"), 3);
  poll.askNow(orderNamed("ended"));
  await answerAll();
  await answerAll();
  assert.deepEqual(asked.slice(UNDER_WAY_MAX), ["ended"]);
  assert.equal(looks.at(-1), 3);
});

test("an adapter that throws is logged, and the order is asked for again", async () => {
  const logged: unknown[] = [];
  let asked = 0;
  const brokerage = Object.assign(new ScriptedBrokerage({ nowMs: () => 0 }, settings()), {
    findOrder: () => {
      asked += 1;
      throw new Error("no");
    },
  });
  const poll = new OrderPoll({
    asking: () => [].values(),
    brokerages: { find: () => brokerage, all: () => [brokerage] },
    steadyClock: { nowMs: () => 0 },
    log: { debug() {}, info() {}, warn() {}, error: (fields) => void logged.push(fields) },
    onAnswer: () => assert.fail("nothing was answered"),
  });
  poll.poll();
  // More than are pending at a time: a failed look-up must give its place back.
  for (let index = 0; index <= UNDER_WAY_MAX; index += 1) {
    poll.askNow(orderNamed(`N${index}`));
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(asked, UNDER_WAY_MAX + 1);
  poll.poll();
  assert.ok(asked > UNDER_WAY_MAX + 1);
  assert.deepEqual(logged[0], { event: "brokerage.adapterFailed", brokerageCode: "TEST", error: "Error: no" });
});

test("an order of a brokerage that is no longer configured is passed over", () => {
  const followed = new Map([["N1", { ...orderNamed("N1"), brokerageCode: "GONE" }]]);
  const { poll, asked } = setUp(followed);
  poll.poll();
  assert.deepEqual(asked, []);
});

test("a brokerage that hangs holds up no other's orders, and each asks for its own", async () => {
  const asked: string[] = [];
  const brokerageNamed = (code: string, reply: () => Promise<BrokerReply<OrderRecord>>): Brokerage =>
    Object.assign(new ScriptedBrokerage({ nowMs: () => 0 }, settings({ code })), {
      findOrder: ({ orderNo = "" }: FindOrderRequest) => {
        asked.push(`${code} ${orderNo}`);
        return reply();
      },
    });
  const brokerages = [
    brokerageNamed("HANGS", () => new Promise(() => {})),
    brokerageNamed("WELL", () => Promise.resolve({ ok: false, code: "UNAVAILABLE", message: "" })),
  ];
  const poll = new OrderPoll({
    asking: (brokerageCode) =>
      Array.from({ length: 2 * UNDER_WAY_MAX }, (_, index) => ({ ...orderNamed(`N${index}`), brokerageCode })).values(),
    brokerages: { find: (code) => brokerages.find(({ settings }) => settings.code === code), all: () => brokerages },
    steadyClock: { nowMs: () => 0 },
    log: { debug() {}, info() {}, warn() {}, error() {} },
    onAnswer: () => assert.fail("nothing was found"),
  });
  for (let index = 0; index < UNDER_WAY_MAX; index += 1)
    poll.askNow({ ...orderNamed(`X${index}`), brokerageCode: "HANGS" });
  poll.poll();
  await new Promise((resolve) => setImmediate(resolve));
  poll.poll();
  assert.equal(asked.filter((line) => line.startsWith("WELL")).length, 2 * UNDER_WAY_MAX);
  assert.equal(asked.filter((line) => line.startsWith("HANGS")).length, UNDER_WAY_MAX);
});

/** A poll over two orders whose look-ups are answered alike, and what it gave on. */
async function answersTo(reply: BrokerReply<OrderRecord>, canLookUp = true) {
  const asked: FindOrderRequest[] = [];
  const given: unknown[] = [];
  const brokerage = Object.assign(new ScriptedBrokerage({ nowMs: () => 0 }, settings()), {
    findOrder: (request: FindOrderRequest) => {
      asked.push(request);
      return Promise.resolve(reply);
    },
    session: () => ({ ...({} as BrokerageSession), canLookUp }),
  });
  const poll = new OrderPoll({
    asking: () => [{ ...orderNamed("N1"), clientOrderId: "c" }, orderNamed("N2")].values(),
    brokerages: { find: () => brokerage, all: () => [brokerage] },
    steadyClock: { nowMs: () => 0 },
    log: { debug() {}, info() {}, warn() {}, error() {} },
    onAnswer: ({ orderNo }, look, answer) => {
      given.push([orderNo, look, answer.type, answer.type === "record" ? answer.record.accountNumber : ""]);
    },
  });
  poll.poll();
  await new Promise((resolve) => setImmediate(resolve));
  return { poll, asked, given };
}

test("an order is asked for by its name, else by its number, and its record comes back under the known account", async () => {
  const data = recordOf({ clientOrderId: "c", accountNumber: "0007" }, "N1");
  const { asked, given } = await answersTo({ ok: true, data });
  assert.deepEqual(asked, [
    { userId: 7, accountNumber: "A1", clientOrderId: "c" },
    { userId: 7, accountNumber: "A1", orderNo: "N2" },
  ]);
  assert.deepEqual(given[0], ["N1", null, "record", "A1"]);
});

test("a look-up's no is given on; an answer that is missing is not (behaviour 13.6)", async () => {
  const codes = [
    ["NOT_FOUND", "notFound"],
    ["UNKNOWN", "unknown"],
  ] as const;
  for (const [code, type] of codes) {
    const { given } = await answersTo({ ok: false, code, message: "" });
    assert.deepEqual(given[0], ["N1", null, type, ""]);
  }
  assert.deepEqual((await answersTo({ ok: false, code: "UNAVAILABLE", message: "" })).given, []);
  const { given } = await answersTo({ ok: false, code: "UNKNOWN", message: "" }, false);
  assert.deepEqual(given[0], ["N1", null, "cannotLookUp", ""]);
});

test("an order whose end is known is asked for in the first round only (behaviour 13.5)", async () => {
  const { poll, asked, answerAll, advance } = setUp(new Map([["N1", { ...orderNamed("N1"), isQuiet: true }]]));
  poll.poll();
  assert.deepEqual(asked, ["N1"]);
  await answerAll();
  advance(ROUND_MS);
  poll.poll();
  poll.poll();
  assert.deepEqual(asked, ["N1"]);
});
