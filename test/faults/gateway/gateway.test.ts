/** A brokerage that answers late, with nonsense, not now, or with a refusal (catalogue 58 to 61, 65 to 67). */
import assert from "node:assert/strict";
import { after, afterEach, describe, test } from "node:test";
import type { PlaceRequest } from "../../../src/contract/trading/order.ts";
import { until } from "../support/app.ts";
import { GatewayWorld } from "../support/gateway-world.ts";
import { GROUPS, groupOf, PENDING, pendingOf } from "../support/group.ts";
import { assertLoggedEvent, assertNoFault } from "../support/table.ts";

const world = await GatewayWorld.start();
const { app, user } = world;
after(() => app.stop());
afterEach(async () => {
  await world.clear();
  assertNoFault(app);
});

const BREAKS = "a failure of its own";
/** Answers to `place` that leave open whether an order exists. */
const SENSELESS: readonly (readonly [string, (request: PlaceRequest) => unknown])[] = [
  ["nothing at all", () => ""],
  ["a page of HTML", () => "<html><body>502 Bad Gateway</body></html>"],
  ["JSON cut short", () => '{"ok":true,"data":{"orderNo":"N1"'],
  ["null", () => null],
  ["a number", () => 200],
  ["a list", () => [{ ok: true }]],
  ["ok as a text", () => ({ ok: "true", data: { orderNo: "N1", orderStatus: 2 } })],
  ["no data", () => ({ ok: true })],
  ["no order number", () => ({ ok: true, data: { orderStatus: 2 } })],
  ["an empty order number", () => ({ ok: true, data: { orderNo: "", orderStatus: 2 } })],
  ["a number for an order number", () => ({ ok: true, data: { orderNo: 5, orderStatus: 2 } })],
  ["an endless order number", () => ({ ok: true, data: { orderNo: "N".repeat(101), orderStatus: 2 } })],
  ["a status nobody knows", () => ({ ok: true, data: { orderNo: "N1", orderStatus: 9 } })],
  ["a refusal without a code", () => ({ ok: false, message: "no" })],
  ["a refusal with a code nobody knows", () => ({ ok: false, code: "BUSY", message: "no" })],
  ["a megabyte", () => Buffer.alloc(1_000_000, "[")],
  ["bytes that are no text", () => Buffer.from([0xff, 0xfe, 0x00, 0x7b])],
  ["silence", () => undefined],
  [
    BREAKS,
    () => {
      throw new Error("the connector broke");
    },
  ],
];

describe("an answer that makes no sense is no refusal: the order exists once, and the row is Triggered", () => {
  for (const [name, answer] of SENSELESS) {
    test(`asked after it: ${name}`, async () => {
      const one = world.gateway("ASKED");
      one.on("place", (request) => {
        one.accept(request);
        return answer(request);
      });
      const { groupId } = await world.arm("ASKED");
      await app.tick("THYAO", 111);
      await world.untilStatuses("ASKED", groupId, [1, 2]);
      assert.equal(one.sends.length, 1);
      if (name === BREAKS) app.log.forgive("the connector broke");
    });
  }

  for (const [name, answer] of SENSELESS.slice(0, 6)) {
    test(`sent again by its name: ${name}`, async () => {
      const one = world.gateway("NAMED");
      const before = one.orders.size;
      one.on("place", (request, attempt) => {
        const truth = one.accept(request);
        return attempt === 1 ? answer(request) : truth;
      });
      const { groupId } = await world.arm("NAMED");
      await app.tick("THYAO", 111);
      await world.untilStatuses("NAMED", groupId, [1, 2]);
      assert.equal(new Set(one.sends.map(({ clientOrderId }) => clientOrderId)).size, 1);
      assert.equal(one.orders.size, before + 1);
    });
  }

  test("looked up once it has expired", async () => {
    const one = world.gateway("TIMED");
    one.on("place", (request) => {
      one.accept(request);
      return "";
    });
    const { groupId } = await world.arm("TIMED");
    await app.tick("THYAO", 111);
    await world.untilStatuses("TIMED", groupId, [1, 2]);
    assert.equal(one.sends.length, 1);
  });

  test("never arrived, and the brokerage says so: it is sent again, once", async () => {
    const one = world.gateway("ASKED");
    one.on("place", (request, attempt) => (attempt === 1 ? "" : one.accept(request)));
    const { groupId } = await world.arm("ASKED");
    await app.tick("THYAO", 111);
    await world.untilStatuses("ASKED", groupId, [1, 2]);
    assert.equal(one.sends.length, 2);
  });

  test("where nothing can be found out a person must decide: the row stays Active, no second order leaves", async () => {
    const one = world.gateway("BLIND");
    one.on("place", () => "");
    const { groupId } = await world.arm("BLIND", { symbol: "YKBNK" });
    await app.tick("YKBNK", 111);
    await until(() => app.log.faults.some((line) => line.includes("at a brokerage that does not know its outcome")));
    await app.tick("YKBNK", 112);
    assert.deepEqual(await world.statuses("BLIND", groupId), [1, 1]);
    assert.equal(one.sends.length, 1);
    // Only this case is rightly logged as an error: a person must act.
    app.log.forgive("at a brokerage that does not know its outcome");
  });
});

describe("a refusal is final", () => {
  const refusals: readonly (readonly [string, object, RegExp])[] = [
    [
      "position sold by hand",
      { ok: false, code: "REJECTED", message: "insufficient position" },
      /^insufficient position$/,
    ],
    ["halted", { ok: false, code: "REJECTED", message: "IslemSirasiKapatma" }, /^IslemSirasiKapatma$/],
    ["no reason", { ok: false, code: "REJECTED" }, /./],
    ["a word that is none", { ok: false, code: "REJECTED", message: { toString: 1 } }, /./],
    ["ten thousand letters", { ok: false, code: "REJECTED", message: "x".repeat(10_000) }, /^x{1,2000}$/],
    ["placed, and rejected", { ok: true, data: { orderNo: "R1", orderStatus: 4 } }, /rejected/],
  ];
  for (const [name, reply, message] of refusals) {
    test(`${name}: TriggerFailed once, and no later tick fires it`, async () => {
      const one = world.gateway("ASKED");
      one.on("place", () => reply);
      const { groupId } = await world.arm("ASKED");
      await app.tick("THYAO", 111);
      await world.untilStatuses("ASKED", groupId, [1, 3]);
      for (const price of [100, 111, 120]) await app.tick("THYAO", price);
      assert.equal(one.sends.length, 1);
      const failed = (await world.group("ASKED", groupId))[1];
      assert.match(failed?.triggerErrorMessage ?? "", message);
      assert.equal(failed?.triggeredPrice, 111);
      const reason = `"reason":${JSON.stringify(failed?.triggerErrorMessage)}`;
      await assertLoggedEvent(app, "oco.triggerFailed", `"rowId":${failed?.id},`, reason);
    });
  }

  test("of a stop-loss: TriggerFailed, and the take-profits go back under watch", async () => {
    const one = world.gateway("ASKED");
    one.on("place", ({ quantity }) => (quantity === 10 ? { ok: false, code: "REJECTED", message: "no" } : undefined));
    const { groupId } = await world.arm("ASKED");
    await app.tick("THYAO", 89);
    await world.untilStatuses("ASKED", groupId, [3, 1]);
    await assertLoggedEvent(app, "oco.triggerFailed", `"rowId":${groupId},`, '"reason":"no"');
    one.on("place", undefined);
    await app.tick("THYAO", 111);
    await world.untilStatuses("ASKED", groupId, [3, 2]);
  });
});

describe("a brokerage that cannot take it now", () => {
  for (const code of ["NOT_SENT", "UNAUTHORIZED"]) {
    test(`${code}, three times: the same order is sent again until it is taken`, async () => {
      const one = world.gateway("ASKED");
      one.on("place", (request, attempt) =>
        attempt <= 3 ? { ok: false, code, message: "later" } : one.accept(request),
      );
      const { groupId } = await world.arm("ASKED");
      await app.tick("THYAO", 111);
      await world.untilStatuses("ASKED", groupId, [1, 2]);
      assert.equal(one.sends.length, 4);
      assert.equal(new Set(one.sends.map(({ clientOrderId }) => clientOrderId)).size, 1);
    });
  }

  test("nobody answers for the brokerage: requests are 503 and change nothing", async () => {
    const body = { brokerageCode: "NOBODY", accountNumber: "NOBODY-1" };
    const before = await app.fingerprint();
    for (const [path, json] of [
      [GROUPS, groupOf(user, body)],
      [PENDING, pendingOf(user, "1", body)],
      ["/api/v1/accounts/positions", body],
      ["/api/v1/orders/cancel", { ...body, orderNo: "1", symbol: "THYAO" }],
    ] as const) {
      const answer = await app.send("POST", path, { token: user.token, json });
      assert.equal(answer.status, 503, answer.text);
      assert.equal((answer.body.error as { code: string }).code, "UNAVAILABLE");
    }
    const { body: accounts } = await app.send("GET", "/api/v1/accounts", { token: user.token });
    const codes = (accounts.data as { brokerageCode: string }[]).map(({ brokerageCode }) => brokerageCode);
    assert.deepEqual(codes, ["PAPER", "NAMED", "ASKED", "TIMED", "BLIND"], "the others' accounts are there");
    assert.equal(await app.fingerprint(), before);
  });
});
