/**
 * The report of a connector's host on an attempt that has no answer, and what never reaches the brokerage from then on.
 */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { AttemptLog } from "../../../../engine/connector/host/attempt-log.ts";
import { failed, type OrderCalls } from "../../../../engine/connector/host/connector.ts";
import { FenceKeeper } from "../../../../engine/connector/host/fence.ts";
import { GuardedOrders } from "../../../../engine/connector/host/order-gate.ts";
import type { BrokerReply, OrderAnswer } from "../../../../src/contract/trading/order.ts";
import { brokerageSettingsSchema } from "../../../../src/contract/trading/order.ts";
import { FakeTime } from "../../../support/machine/fake-time.ts";

const TAKEN: BrokerReply<OrderAnswer> = { ok: true, data: { orderNo: "N1", orderStatus: 1 } };
const RECALLED = { ok: true, data: { attempt: "recalled" } };
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const fenceOf = (attempt: number, epoch = 0) => ({ partition: 0, epoch, attempt });

let time: FakeTime;
let orders: GuardedOrders;
let placed: string[];
/** Whether epochs can be made durable. */
let keepsEpochs: boolean;
let place: () => Promise<BrokerReply<OrderAnswer>>;

function prepareEach(): void {
  beforeEach(() => {
    time = new FakeTime();
    placed = [];
    place = async () => TAKEN;
    const calls: OrderCalls = {
      place: ({ clientOrderId, fence }) => {
        placed.push(`${clientOrderId} ${fence?.attempt}`);
        return place();
      },
      cancel: async () => failed("REJECTED", "no"),
      findOrder: async () => failed("NOT_FOUND", "no such order"),
    };
    keepsEpochs = true;
    const keep = (): void => assert.ok(keepsEpochs, "no room");
    const fence = new FenceKeeper(time, { epochs: new Map(), keep });
    orders = new GuardedOrders(calls, {
      fence,
      resend: () => "query",
      log: silent,
      instance: "this",
      steadyClock: time,
    });
  });
}

const WHAT = { symbol: "THYAO", quantity: 1, buySell: 2, orderType: 1, price: 0 } as const;
const OTHER = { ...WHAT, userId: 1, accountNumber: "A1", clientOrderId: "other" };

function placing(attempt: number, instance = "this", epoch = 0): Promise<BrokerReply<OrderAnswer>> {
  return orders.place({ ...OTHER, clientOrderId: "c", fence: fenceOf(attempt, epoch), instance });
}

const recalling = (attempt: number, instance = "this", epoch = 0) =>
  orders.recall({ clientOrderId: "c", fence: fenceOf(attempt, epoch), instance });

const codeOf = (reply: BrokerReply<unknown>): string => (reply.ok ? "ok" : reply.code);

describe("an attempt that is asked back", () => {
  prepareEach();

  test("is never passed on where it was not heard, and the next one is", async () => {
    assert.deepEqual(recalling(1), RECALLED);
    assert.equal(codeOf(await placing(1)), "FENCED");
    assert.equal(codeOf(await placing(2)), "ok");
    assert.deepEqual(placed, ["c 2"]);
  });

  test("is told to have been recalled however often it is asked about, also while an earlier one hangs", async () => {
    place = () => new Promise(() => undefined);
    void placing(1);
    await time.turns();
    assert.deepEqual([recalling(2), recalling(2)], [RECALLED, RECALLED]);
    assert.deepEqual(placed, ["c 1"]);
  });

  test("is not under way where it could not be passed on as the disk is full: its outcome is unknown", async () => {
    keepsEpochs = false;
    await assert.rejects(placing(1, "this", 3), /no room/);
    keepsEpochs = true;
    const reply = recalling(1, "this", 3);
    assert.ok(reply.ok && reply.data.attempt === "answered");
    assert.equal(codeOf(reply.data.answer), "UNAVAILABLE");
    assert.deepEqual(placed, []);
  });

  test("is under way until the brokerage answered, and has that answer from then on", async () => {
    let answer = (_reply: BrokerReply<OrderAnswer>): void => undefined;
    place = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const reply = placing(1);
    assert.deepEqual(recalling(1), { ok: true, data: { attempt: "underWay" } });
    await time.turns();
    answer(TAKEN);
    await reply;
    assert.deepEqual(recalling(1), { ok: true, data: { attempt: "answered", answer: TAKEN } });
  });

  test("is under way although an earlier one comes late, and a repeat of its own", async () => {
    recalling(1);
    let answer = (_reply: BrokerReply<OrderAnswer>): void => undefined;
    place = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const second = placing(2);
    await time.turns();
    const late = [placing(1), placing(2)];
    assert.deepEqual(recalling(2), { ok: true, data: { attempt: "underWay" } });
    answer(TAKEN);
    await second;
    assert.deepEqual((await Promise.all(late)).map(codeOf), ["FENCED", "FENCED"]);
    assert.deepEqual(recalling(2), { ok: true, data: { attempt: "answered", answer: TAKEN } });
    assert.deepEqual(placed, ["c 2"]);
  });

  test("is told to be recalled however often that is asked, also once it came", async () => {
    assert.deepEqual(recalling(1), RECALLED);
    assert.equal(codeOf(await placing(1)), "FENCED");
    assert.deepEqual(recalling(1), RECALLED);
  });

  test("was or may have been taken so long ago that its answer is forgotten: it is not told to be recalled", async () => {
    const answers = [TAKEN, failed("UNAVAILABLE", "no answer"), failed("REJECTED", "no")];
    for (const [index, answer] of answers.entries()) {
      place = async () => answer;
      await placing(index + 1);
      time.standStill(600_000);
      await orders.place({ ...OTHER, fence: fenceOf(index + 1), instance: "this" });
      assert.equal(codeOf(recalling(index + 1)), "FENCED");
    }
  });

  test("has its refusal told, too, and what may have been taken stays so", async () => {
    for (const [attempt, code] of [[1, "REJECTED"] as const, [2, "UNAVAILABLE"] as const]) {
      place = async () => failed(code, "no");
      await placing(attempt);
      assert.deepEqual(recalling(attempt), { ok: true, data: { attempt: "answered", answer: failed(code, "no") } });
    }
  });

  test("was certainly not passed on by its answer: its number may have been used again, so that answer is not told", async () => {
    for (const code of ["NOT_SENT", "UNAUTHORIZED"] as const) {
      place = async () => failed(code, "no session");
      await placing(1);
    }
    assert.deepEqual(recalling(1), RECALLED);
    assert.equal(codeOf(await placing(1)), "FENCED");
  });

  test("is no earlier leader's to ask back", async () => {
    await placing(1, "this", 8);
    assert.equal(codeOf(recalling(1, "this", 7)), "FENCED");
  });

  test("is not judged by another process, which passes nothing on that is not meant for it", async () => {
    assert.equal(codeOf(recalling(1, "another")), "UNAVAILABLE");
    assert.equal(codeOf(await placing(1, "another")), "NOT_SENT");
    assert.deepEqual(placed, []);
    assert.equal(codeOf(await placing(1)), "ok");
  });
});

describe("the attempts that a connector's process heard", () => {
  prepareEach();

  const longestMs = brokerageSettingsSchema.shape.timeoutMs.unwrap().maxValue ?? Number.POSITIVE_INFINITY;

  test("are remembered for longer than any engine waits for an answer", () => {
    const heard = new AttemptLog(time);
    heard.note("c", fenceOf(1))(TAKEN);
    time.standStill(longestMs);
    heard.note("d", fenceOf(1))(TAKEN);
    assert.ok(heard.find("c", fenceOf(1)) !== undefined);
    assert.equal(heard.find("c", fenceOf(2)), undefined);
  });

  test("are remembered for as long as they are under way", () => {
    const heard = new AttemptLog(time);
    heard.note("c", fenceOf(1));
    time.standStill(10 * longestMs);
    heard.note("d", fenceOf(1))(TAKEN);
    assert.deepEqual(heard.find("c", fenceOf(1)), { attempt: "underWay" });
  });

  test("are forgotten some time after that", () => {
    const heard = new AttemptLog(time);
    for (let count = 0; count < 10; count += 1) {
      heard.note(`c${count}`, fenceOf(1))(TAKEN);
      time.standStill(longestMs);
    }
    assert.ok(heard.size <= 3, `${heard.size} are remembered`);
  });
});
