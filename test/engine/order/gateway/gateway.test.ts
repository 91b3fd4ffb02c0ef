/** How the gateway handles a connector's answers, silences and updates. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { connectGateway } from "../../../../engine/order/gateway/gateway.ts";
import type { Brokerage } from "../../../../engine/ports/brokerage.ts";
import { createMemoryBusServer, type MemoryBusServer } from "../../../../src/bus/memory/bus.ts";
import type { Bus } from "../../../../src/bus/port.ts";
import type { OrderRecord, PlaceRequest } from "../../../../src/contract/trading/order.ts";
import { loopTimers, steadyClock, systemClock } from "../../../../src/runtime/clock.ts";
import { orderOf, PaperWorld, refusalOf, USER } from "../../connector/paper/harness.ts";
import { gatewaySettings, servePaper, WarningLog } from "./harness.ts";

const SINCE = "2026-01-05T09:00:00.000Z";
const ACCOUNT = "ACCOUNT-7";
/** Long enough for any machine; only one test waits for it to pass, with a shorter one of its own. */
const AMPLE_MS = 30_000;
const SHORT_MS = 50;

const request: PlaceRequest = {
  ...{ userId: USER, accountNumber: ACCOUNT, clientOrderId: "name-1", symbol: "THYAO" },
  ...{ quantity: 1, buySell: 2, orderType: 1, price: 0 },
};

const record: OrderRecord = {
  ...{ orderNo: "17", clientOrderId: "name-1", accountNumber: ACCOUNT, symbol: "THYAO", buySell: 2, orderType: 1 },
  ...{ quantity: 1, price: 0, orderStatus: 2, filledQuantity: 1, averagePrice: 99.5 },
  ...{ createdDate: "2026-03-02T09:00:00.000Z", updatedDate: null },
};

let server: MemoryBusServer;
let engine: Bus;
let connector: Bus;
let log: WarningLog;
let brokerage: Brokerage;

/** Answers every request of an operation with this text. Returns the requests so far. */
function answer(operation: string, text: string | Uint8Array): unknown[] {
  const asked: unknown[] = [];
  connector.respond(`broker.PAPER.${operation}`, async ({ data }) => {
    asked.push(JSON.parse(Buffer.from(data).toString()));
    return Buffer.from(text);
  });
  return asked;
}

function open(): void {
  server = createMemoryBusServer({ onError: () => undefined });
  engine = server.connect();
  connector = server.connect();
  log = new WarningLog();
  answer("status", statusOf("idempotent"));
  brokerage = connect(AMPLE_MS);
}

function statusOf(
  resend: string,
  session = "up",
  named: { readonly instance?: string; readonly needsLogin?: boolean } = {},
): string {
  const supports = { orderStatus: true, positions: true };
  return JSON.stringify({ ok: true, data: { protocol: 2, session, since: SINCE, resend, supports, ...named } });
}

function connect(timeoutMs: number): Brokerage {
  return connectGateway({
    settings: gatewaySettings({ timeoutMs }),
    bus: engine,
    timers: loopTimers,
    clock: systemClock,
    steadyClock,
    log,
  });
}

async function close(): Promise<void> {
  await brokerage.close();
  await engine.drain();
  await connector.drain();
}

describe("the gateway: what the connector tells of itself", () => {
  beforeEach(() => {
    server = createMemoryBusServer({ onError: () => undefined });
    engine = server.connect();
    connector = server.connect();
    log = new WarningLog();
  });
  afterEach(close);

  const placing = (): unknown[] =>
    answer("place", JSON.stringify({ ok: true, data: { orderNo: "17", orderStatus: 2 } }));

  test("nothing is sent while it promises less than the settings rely on, and that is said", async () => {
    const asked = placing();
    answer("status", statusOf("none"));
    brokerage = connect(AMPLE_MS);
    refusalOf(await brokerage.place(request), "NOT_SENT");
    refusalOf(await brokerage.chain({ ...request, referenceOrderNo: "1" }), "NOT_SENT");
    assert.deepEqual(asked, []);
    assert.match(brokerage.session?.().refusal ?? "", /rely on resend query of PAPER, and its connector promises none/);
  });

  test("one that promises more is sent to, and its session is shown", async () => {
    placing();
    answer("status", statusOf("idempotent", "down"));
    brokerage = connect(AMPLE_MS);
    assert.equal((await brokerage.place(request)).ok, true);
    const { state, since, resend, refusal } = brokerage.session?.() ?? {};
    assert.deepEqual([state, since, resend, refusal], ["down", SINCE, "idempotent", null]);
  });

  test("one whose owner must log in is shown so, and its operator is told", async () => {
    placing();
    answer("status", statusOf("query", "down", { needsLogin: true }));
    brokerage = connect(AMPLE_MS);
    await brokerage.place(request);
    assert.deepEqual([brokerage.session?.().state, brokerage.session?.().needsLogin], ["down", true]);
    const [warning] = log.warnings;
    assert.match(JSON.stringify(warning), /"event":"brokerage.loginNeeded".*must log in/);
  });

  test("an order is addressed to the process that told its status, and to the next one once that says so", async () => {
    let instance = "old";
    connector.respond("broker.PAPER.status", async () => Buffer.from(statusOf("query", "up", { instance })));
    const meant: unknown[] = [];
    connector.respond("broker.PAPER.place", async ({ data }) => {
      const asked = JSON.parse(Buffer.from(data).toString());
      meant.push(asked.instance);
      const taken = { ok: true, data: { orderNo: "17", orderStatus: 2 } };
      const refused = { ok: false, code: "NOT_SENT", message: "meant for another" };
      return Buffer.from(JSON.stringify(asked.instance === instance ? taken : refused));
    });
    brokerage = connect(AMPLE_MS);
    const fenced = { ...request, fence: { partition: 0, epoch: 0, attempt: 1 } };
    assert.equal((await brokerage.place(fenced)).ok, true);
    instance = "new";
    refusalOf(await brokerage.place(fenced), "NOT_SENT");
    await engine.request("broker.PAPER.status", Buffer.from("{}"), AMPLE_MS);
    assert.equal((await brokerage.place(fenced)).ok, true);
    assert.deepEqual(meant, ["old", "old", "new"]);
  });

  test("one of the first edition is relied on as the settings say, and its operator is told once", async () => {
    placing();
    answer("status", JSON.stringify({ ok: false, code: "NOT_FOUND", message: "not here" }));
    brokerage = connect(AMPLE_MS);
    for (let count = 0; count < 3; count += 1) assert.equal((await brokerage.place(request)).ok, true);
    assert.equal(brokerage.session?.().state, "untold");
    assert.equal(log.warnings.filter(({ message }) => message.includes("first edition")).length, 1);
  });

  test("one that answers orders and nothing else is of the first edition; nobody at all is silent", async () => {
    brokerage = connect(AMPLE_MS);
    refusalOf(await brokerage.place(request), "NOT_SENT");
    assert.equal(brokerage.session?.().state, "silent");
    placing();
    assert.equal((await brokerage.place(request)).ok, true);
    assert.equal(brokerage.session?.().state, "untold");
  });
});

describe("the gateway: requests", () => {
  beforeEach(open);
  afterEach(close);

  test("without a responder the brokerage is NOT_SENT: no order can exist", async () => {
    refusalOf(await brokerage.place(request), "NOT_SENT");
    refusalOf(await brokerage.findOrder({ userId: USER, accountNumber: ACCOUNT, orderNo: "17" }), "NOT_SENT");
  });

  test("a request too large to be sent is NOT_SENT", async () => {
    answer("place", JSON.stringify({ ok: true, data: { orderNo: "17", orderStatus: 2 } }));
    refusalOf(await brokerage.place({ ...request, accountNumber: "7".repeat(2_000_000) }), "NOT_SENT");
  });

  test("no answer in time is UNAVAILABLE, and the late answer harms nobody", async () => {
    let release = (): void => undefined;
    connector.respond("broker.PAPER.place", async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return Buffer.from(JSON.stringify({ ok: true, data: { orderNo: "17", orderStatus: 2 } }));
    });
    const hasty = connect(SHORT_MS);
    refusalOf(await hasty.place(request), "UNAVAILABLE");
    release();
    refusalOf(await hasty.place(request).finally(() => release()), "UNAVAILABLE");
    await hasty.close();
  });

  test("a handler that fails is UNAVAILABLE: it may have failed after the order was placed", async () => {
    connector.respond("broker.PAPER.place", async () => {
      throw new Error("broken");
    });
    refusalOf(await brokerage.place(request), "UNAVAILABLE");
  });

  test("an answer above what the bus carries is UNAVAILABLE", async () => {
    answer("dailyOrders", `{"ok":true,"data":[${"0,".repeat(1_000_000)}0]}`);
    refusalOf(await brokerage.dailyOrders({ userId: USER, accountNumber: ACCOUNT }), "UNAVAILABLE");
  });

  test("an answer that would hold the loop up is not read: UNAVAILABLE", async () => {
    await close();
    server = createMemoryBusServer({ maxPayloadBytes: 64 * 1024 * 1024 });
    engine = server.connect();
    connector = server.connect();
    brokerage = connect(AMPLE_MS);
    answer("dailyOrders", "[".repeat(20_000_000));
    refusalOf(await brokerage.dailyOrders({ userId: USER, accountNumber: ACCOUNT }), "UNAVAILABLE");
  });

  test("every request says for whom it asks", async () => {
    const order = JSON.stringify({ ok: true, data: { orderNo: "17", orderStatus: 2 } });
    const asked = {
      accounts: answer("accounts", JSON.stringify({ ok: true, data: [] })),
      positions: answer("positions", JSON.stringify({ ok: true, data: [] })),
      dailyOrders: answer("dailyOrders", JSON.stringify({ ok: true, data: [] })),
      place: answer("place", order),
      chain: answer("chain", order),
      cancel: answer("cancel", order),
      findOrder: answer("findOrder", JSON.stringify({ ok: true, data: record })),
      login: answer("login", JSON.stringify({ ok: true, data: { otp: 0, isLoggedIn: true } })),
    };
    const own = { userId: USER, accountNumber: ACCOUNT };
    const answers = [
      await brokerage.accounts({ userId: USER }),
      await brokerage.positions({ ...own, includeOrders: true }),
      await brokerage.dailyOrders(own),
      await brokerage.place(request),
      await brokerage.chain({ ...request, referenceOrderNo: "16" }),
      await brokerage.cancel({ ...own, orderNo: "17", symbol: "THYAO" }),
      await brokerage.findOrder({ ...own, clientOrderId: "name-1" }),
      await brokerage.login({ ...own, username: "u", password: "p" }),
    ];
    assert.ok(answers.every((one) => one.ok));
    assert.deepEqual(asked.place, [request]);
    assert.deepEqual(asked.findOrder, [{ ...own, clientOrderId: "name-1" }]);
    for (const [only] of Object.values(asked)) assert.equal((only as { userId: number }).userId, USER);
    assert.deepEqual(log.warnings, []);
  });
});

const NONSENSE: Readonly<Record<string, string | Uint8Array>> = {
  "nothing at all": "",
  "a page of HTML": "<html><body><h1>502 Bad Gateway</h1></body></html>",
  "JSON that ends in the middle": '{"ok":true,"data":{"orderNo":"17","orderSta',
  "bytes that are no text": Uint8Array.from([0xff, 0xfe, 0x00, 0x7b]),
  "a bare value": "true",
  null: "null",
  "an array": "[]",
  "no ok": '{"data":{"orderNo":"17","orderStatus":2}}',
  "ok that is no boolean": '{"ok":"true","data":{"orderNo":"17","orderStatus":2}}',
  "no data": '{"ok":true}',
  "no orderNo": '{"ok":true,"data":{"orderStatus":2}}',
  "an empty orderNo": '{"ok":true,"data":{"orderNo":"","orderStatus":2}}',
  "an orderNo that is a number": '{"ok":true,"data":{"orderNo":17,"orderStatus":2}}',
  "an endless orderNo": JSON.stringify({ ok: true, data: { orderNo: "1".repeat(1_000), orderStatus: 2 } }),
  "a status nobody knows": '{"ok":true,"data":{"orderNo":"17","orderStatus":9}}',
  "a refusal with a code nobody knows": '{"ok":false,"code":"TEAPOT","message":"no"}',
  "a refusal in a word that is none of the contract": '{"ok":false,"code":"UNREACHABLE","message":"no"}',
  "a refusal without a code": '{"ok":false,"message":"no"}',
  "half a megabyte of brackets": "[".repeat(500_000),
  "a prototype": '{"__proto__":{"ok":true,"data":{"orderNo":"17","orderStatus":2}}}',
};

describe("the gateway: answers that make no sense", () => {
  beforeEach(open);
  afterEach(close);

  for (const [name, text] of Object.entries(NONSENSE)) {
    test(`${name}: the outcome is UNAVAILABLE, and the log says so without its content`, async () => {
      answer("place", text);
      refusalOf(await brokerage.place(request), "UNAVAILABLE");
      assert.deepEqual(
        log.warnings.map(({ fields }) => Object.keys(fields)),
        [["event", "brokerageCode", "operation", "byteCount"]],
      );
    });
  }

  test("a refusal counts by its code, whatever its message is", async () => {
    for (const message of ["no", "", undefined, null, 17, { why: "no" }, "n".repeat(100_000)]) {
      const stop = connector.respond("broker.PAPER.place", async () =>
        Buffer.from(JSON.stringify({ ok: false, code: "REJECTED", message })),
      );
      assert.ok(refusalOf(await brokerage.place(request), "REJECTED").length <= 2_000);
      stop();
    }
  });

  test("an answer about another order than was asked for is UNAVAILABLE", async () => {
    answer("findOrder", JSON.stringify({ ok: true, data: record }));
    answer("cancel", JSON.stringify({ ok: true, data: { orderNo: "17", orderStatus: 3 } }));
    const own = { userId: USER, accountNumber: ACCOUNT };
    refusalOf(await brokerage.findOrder({ ...own, orderNo: "18" }), "UNAVAILABLE");
    refusalOf(await brokerage.findOrder({ ...own, clientOrderId: "name-2" }), "UNAVAILABLE");
    refusalOf(await brokerage.cancel({ ...own, orderNo: "18", symbol: "THYAO" }), "UNAVAILABLE");
    assert.ok((await brokerage.findOrder({ ...own, orderNo: "17", clientOrderId: "name-1" })).ok);
  });

  test("of a rejected order the record is asked for: a part may have been filled before (behaviour 4.5a)", async () => {
    const rejected = { ...record, orderStatus: 4, filledQuantity: 1, message: "margin" };
    answer("place", '{"ok":true,"data":{"orderNo":"17","orderStatus":4}}');
    const asked = answer("findOrder", JSON.stringify({ ok: true, data: rejected }));
    assert.deepEqual(await brokerage.place(request), { ok: true, data: rejected });
    assert.deepEqual(asked, [{ userId: USER, accountNumber: ACCOUNT, clientOrderId: "name-1" }]);
  });

  test("where the record of a rejected order cannot be had, or is another one's, the answer stands", async () => {
    const rejected = { ok: true, data: { orderNo: "17", orderStatus: 4 } };
    answer("place", JSON.stringify(rejected));
    assert.deepEqual(await brokerage.place(request), rejected);
    answer("findOrder", JSON.stringify({ ok: true, data: { ...record, orderNo: "18" } }));
    assert.deepEqual(await brokerage.place(request), rejected);
  });

  test("fields that nobody knows are left out", async () => {
    answer("findOrder", JSON.stringify({ ok: true, data: { ...record, secret: "x" }, debug: "y" }));
    const found = await brokerage.findOrder({ userId: USER, accountNumber: ACCOUNT, orderNo: "17" });
    assert.deepEqual(found, { ok: true, data: record });
  });
});

describe("the gateway: updates", () => {
  beforeEach(open);
  afterEach(close);

  test("what is no order record is dropped and counted, and the next one is heard", async () => {
    const heard: OrderRecord[] = [];
    brokerage.onUpdate((one) => heard.push(one));
    const bad = [
      "",
      "<html>",
      "null",
      "[]",
      JSON.stringify({ ...record, orderStatus: 7 }),
      JSON.stringify({ ...record, orderNo: undefined }),
      JSON.stringify({ ...record, averagePrice: -1 }),
      JSON.stringify({ ...record, averagePrice: "99.5" }),
      JSON.stringify({ ...record, createdDate: "x".repeat(100_000) }),
    ];
    for (const text of bad) connector.publish("broker.PAPER.updates", Buffer.from(text));
    connector.publish("broker.PAPER.updates", Buffer.from(JSON.stringify(record)));
    await connector.flush();
    assert.deepEqual(heard, [record]);
    assert.deepEqual(
      log.warnings.map(({ fields }) => (fields as { droppedCount: number }).droppedCount),
      bad.map((_, index) => index + 1),
    );
  });

  test("a listener that throws keeps no later update from being heard, and a closed gateway hears none", async () => {
    let heardCount = 0;
    brokerage.onUpdate(() => {
      heardCount += 1;
      throw new Error("broken");
    });
    for (let count = 0; count < 2; count += 1) {
      connector.publish("broker.PAPER.updates", Buffer.from(JSON.stringify(record)));
    }
    await connector.flush();
    assert.equal(heardCount, 2);
    await brokerage.close();
    connector.publish("broker.PAPER.updates", Buffer.from(JSON.stringify(record)));
    await connector.flush();
    assert.equal(heardCount, 2);
  });
});

describe("the reference side of the gateway protocol", () => {
  test("refuses what is no request, and places an order once though two processes answer", async () => {
    const buses = createMemoryBusServer();
    const [asking, ...answering] = [buses.connect(), buses.connect(), buses.connect()];
    const worlds = [await PaperWorld.open(), await PaperWorld.open()];
    for (const [index, world] of worlds.entries()) {
      world.setPrice("THYAO", 100);
      const bus = answering[index];
      assert.ok(bus !== undefined);
      servePaper(bus, world);
    }
    const ask = async (text: string): Promise<unknown> =>
      JSON.parse(Buffer.from(await asking.request("broker.PAPER.place", Buffer.from(text), 5_000)).toString());
    for (const text of ["", "{", "null", "{}", JSON.stringify({ ...orderOf(), quantity: 1.5 })]) {
      const refusal = (await ask(text)) as { ok: boolean; code: string };
      assert.deepEqual([refusal.ok, refusal.code], [false, "REJECTED"]);
    }
    assert.equal(((await ask(JSON.stringify(orderOf()))) as { ok: boolean }).ok, true);
    for (const world of worlds) await world.settled();
    assert.equal(new Set(worlds.flatMap(({ updates }) => updates.map(({ orderNo }) => orderNo))).size, 1);
  });
});
