/** Orders whose answer does not come: when the connector is asked back about them, and when its answer counts. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { Recalls } from "../../../../engine/order/gateway/recalls.ts";
import type { RecallAnswer, RecallRequest } from "../../../../src/contract/gateway/gateway.ts";
import type { BrokerReply, OrderAnswer } from "../../../../src/contract/trading/order.ts";
import { FakeTime } from "../../../support/machine/fake-time.ts";

const WITHIN_MS = 10_000;
const TAKEN: BrokerReply<OrderAnswer> = { ok: true, data: { orderNo: "N1", orderStatus: 1 } };
const UNHEARD = { ok: false, code: "NOT_SENT", message: "nobody listens" } as const;
const told = (attempt: "recalled" | "underWay"): BrokerReply<RecallAnswer> => ({ ok: true, data: { attempt } });

let time: FakeTime;
let startMs: number;
/** How much further the wall clock moved than the steady one. */
let suspendedMs: number;
let recalls: Recalls;
/** When each question was asked. */
let asked: number[];
let answer: (request: RecallRequest) => Promise<BrokerReply<RecallAnswer>>;

/** Sends an order; its outcome is under `reply`, and `settle` gives its own answer. */
function sent(clientOrderId = "c") {
  const order: { reply?: BrokerReply<OrderAnswer>; settle: (reply: BrokerReply<OrderAnswer>) => void } = {
    settle: () => undefined,
  };
  const request = { clientOrderId, instance: "that", fence: { partition: 0, epoch: 3, attempt: 1 } };
  const send = () =>
    new Promise<BrokerReply<OrderAnswer>>((resolve) => {
      order.settle = resolve;
    });
  void recalls.watch(request, send).then((reply) => {
    order.reply = reply;
  });
  return order;
}

describe("an order whose answer does not come", () => {
  beforeEach(() => {
    time = new FakeTime();
    startMs = time.nowMs();
    suspendedMs = 0;
    const wall = { nowMs: () => time.nowMs() + suspendedMs };
    asked = [];
    answer = async () => told("underWay");
    const ask = (request: RecallRequest): Promise<BrokerReply<RecallAnswer>> => {
      asked.push(time.nowMs() - startMs);
      return answer(request);
    };
    recalls = new Recalls({ ask, withinMs: WITHIN_MS, timers: time, clock: wall, steadyClock: time });
  });

  test("is certainly not sent by the connector's word, and its attempt is used up", async () => {
    answer = async () => told("recalled");
    const order = sent();
    await time.advance(300);
    assert.ok(order.reply !== undefined && !order.reply.ok);
    assert.deepEqual([order.reply.code, order.reply.isAttemptSpent], ["NOT_SENT", true]);
  });

  test("is not settled by it once the machine was suspended for longer than the time limit: it may have been forgotten", async () => {
    answer = async () => told("recalled");
    const order = sent();
    suspendedMs = WITHIN_MS;
    await time.advance(1_000);
    assert.equal(order.reply, undefined);
  });

  test("is not sent by its own answer, which crossed with the question: the question may bar its attempt", async () => {
    for (const code of ["NOT_SENT", "UNAUTHORIZED"] as const) {
      answer = () => new Promise(() => undefined);
      const order = sent();
      await time.advance(200);
      order.settle({ ok: false, code, message: "no session" });
      await time.turns();
      assert.deepEqual(order.reply, { ok: false, code, message: "no session", isAttemptSpent: true });
    }
    const unasked = sent();
    unasked.settle(UNHEARD);
    await time.turns();
    assert.equal(unasked.reply, UNHEARD, "nobody asked about it: its number may be used again");
  });

  test("has the answer that the connector gave, where only that was lost", async () => {
    answer = async () => ({ ok: true, data: { attempt: "answered", answer: TAKEN } });
    const order = sent();
    await time.advance(300);
    assert.equal(order.reply, TAKEN);
  });

  test("is not asked about while it is fresh, nor once it has its answer", async () => {
    const order = sent();
    await time.advance(100);
    order.settle(TAKEN);
    await time.advance(WITHIN_MS);
    assert.equal(order.reply, TAKEN);
    assert.deepEqual(asked, []);
  });

  test("is asked about the less often the longer it is under way", async () => {
    sent();
    await time.advance(WITHIN_MS);
    assert.ok(asked.length >= 4 && asked.length <= 8, `asked ${asked}`);
  });

  test("is asked about again soon where nobody heard the question", async () => {
    answer = async () => (asked.length < 4 ? UNHEARD : told("recalled"));
    const order = sent();
    await time.advance(500);
    assert.equal(asked.length, 4);
    assert.equal(order.reply?.ok, false);
  });

  test("stays in doubt where the word comes after its time: by then the connector may have forgotten", async () => {
    let tell = (_reply: BrokerReply<RecallAnswer>): void => undefined;
    answer = () =>
      new Promise((resolve) => {
        tell = resolve;
      });
    const order = sent();
    await time.advance(WITHIN_MS);
    tell(told("recalled"));
    await time.turns();
    assert.equal(order.reply, undefined);
  });

  test("is one of a few that are asked about at a time, and each has its turn", async () => {
    const pending: (() => void)[] = [];
    answer = () => new Promise((resolve) => pending.push(() => resolve(told("recalled"))));
    const orders = Array.from({ length: 100 }, (_, index) => sent(`c${index}`));
    await time.advance(200);
    assert.ok(asked.length > 0 && asked.length < 50, `${asked.length} were asked about`);
    while (orders.some(({ reply }) => reply === undefined)) {
      for (const tell of pending.splice(0)) tell();
      await time.advance(50);
    }
    assert.equal(asked.length, orders.length);
  });
});
