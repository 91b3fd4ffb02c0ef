/** A connector behind the host: what reaches it, in which order, and what is answered for it. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { type Connector, failed } from "../../../../engine/connector/host/connector.ts";
import { serveConnector } from "../../../../engine/connector/host/serve.ts";
import { createMemoryBusServer } from "../../../../src/bus/memory/bus.ts";
import type { Bus } from "../../../../src/bus/port.ts";
import type { BrokerReply, OrderAnswer, PlaceRequest, ResendPromise } from "../../../../src/contract/trading/order.ts";

const ORDER = { userId: 1, accountNumber: "A1", symbol: "THYAO", quantity: 1, buySell: 2, orderType: 1, price: 0 };
const FIND = { userId: 1, accountNumber: "A1" };
const TAKEN: BrokerReply<OrderAnswer> = { ok: true, data: { orderNo: "N1", orderStatus: 1 } };
const fenceOf = (attempt: number, epoch = 0) => ({ partition: 0, epoch, attempt });

interface Reply {
  readonly ok: boolean;
  readonly code?: string;
  readonly message?: string;
  readonly data?: Record<string, unknown>;
}

let asking: Bus;
let answering: Bus;
let calls: string[];
let logged: string[];
let resend: ResendPromise;
let place: (request: PlaceRequest) => Promise<BrokerReply<OrderAnswer>>;
let isKnown: boolean;

const connector: Connector = {
  status: () => ({
    session: "up",
    since: "2026-01-01T00:00:00.000Z",
    resend,
    supports: { orderStatus: true, positions: false },
  }),
  accounts: async () => ({ ok: true, data: [] }),
  place: (request) => {
    calls.push(`place ${request.clientOrderId} ${request.fence?.attempt}`);
    return place(request);
  },
  cancel: async ({ orderNo }) => ({ ok: true, data: { orderNo, orderStatus: 3 } }),
  findOrder: async ({ clientOrderId }) => {
    calls.push(`find ${clientOrderId}`);
    return isKnown ? { ok: true, data: {} as never } : failed("NOT_FOUND", "no such order");
  },
  onUpdate: () => () => undefined,
};

async function ask(operation: string, request: unknown): Promise<Reply> {
  const payload = Buffer.from(typeof request === "string" ? request : JSON.stringify(request));
  return JSON.parse(Buffer.from(await asking.request(`broker.ACME.${operation}`, payload, 5_000)).toString()) as Reply;
}

const placing = (clientOrderId: string, attempt: number, epoch = 0): Promise<Reply> =>
  ask("place", { ...ORDER, clientOrderId, fence: fenceOf(attempt, epoch) });
const finding = (clientOrderId: string, attempt: number): Promise<Reply> =>
  ask("findOrder", { ...FIND, clientOrderId, fence: fenceOf(attempt) });

describe("the host of a connector", () => {
  beforeEach(async () => {
    const server = createMemoryBusServer();
    asking = server.connect();
    answering = server.connect();
    calls = [];
    logged = [];
    resend = "query";
    place = async () => TAKEN;
    isKnown = false;
    const note = (fields: object, message: string): void => void logged.push(JSON.stringify(fields) + message);
    const log = { debug: note, info: note, warn: note, error: note };
    serveConnector(connector, { code: "ACME", bus: answering, log, steadyClock: { nowMs: () => 0 } });
    await answering.flush();
  });
  afterEach(async () => {
    await asking.drain();
    await answering.drain();
  });

  test("an attempt that comes after a look-up said NOT_FOUND is FENCED, the next attempt is placed", async () => {
    assert.equal((await finding("c", 1)).code, "NOT_FOUND");
    assert.equal((await placing("c", 1)).code, "FENCED");
    assert.equal((await placing("c", 2)).ok, true);
    assert.deepEqual(calls, ["find c", "place c 2"]);
  });

  test("an accepted attempt is placed once however often it is delivered, unless repeats get the first answer", async () => {
    await placing("c", 1);
    assert.equal((await placing("c", 1)).code, "FENCED");
    assert.equal(calls.length, 1);
    resend = "idempotent";
    await placing("d", 1);
    assert.equal((await placing("d", 1)).ok, true);
  });

  test("an order that was found is not placed again by an earlier attempt", async () => {
    isKnown = true;
    await finding("c", 2);
    assert.equal((await placing("c", 2)).code, "FENCED");
  });

  test("requests of one order wait for each other: NOT_FOUND is not said while an attempt is on its way", async () => {
    let release = (): void => undefined;
    place = () =>
      new Promise((resolve) => {
        release = () => resolve(TAKEN);
      });
    const placed = placing("c", 1);
    const found = finding("c", 1);
    await finding("another", 1);
    assert.deepEqual(calls, ["place c 1", "find another"]);
    isKnown = true;
    release();
    assert.equal((await placed).ok, true);
    assert.equal((await found).ok, true);
  });

  test("a flood of questions about an order that hangs is turned away, and the order certainly not sent again", async () => {
    let release = (): void => undefined;
    place = () =>
      new Promise((resolve) => {
        release = () => resolve(TAKEN);
      });
    void placing("c", 1).catch(() => undefined);
    for (let index = 0; index < 40; index += 1) void finding("c", 1).catch(() => undefined);
    assert.equal((await finding("c", 1)).code, "UNAVAILABLE");
    assert.equal((await placing("c", 2)).code, "NOT_SENT");
    assert.deepEqual(calls, ["place c 1"]);
    release();
  });

  test("a connector that throws may have sent: UNAVAILABLE, and that attempt is not passed on again", async () => {
    place = async () => {
      throw new Error("socket broke");
    };
    assert.equal((await placing("c", 1)).code, "UNAVAILABLE");
    place = async () => TAKEN;
    assert.equal((await placing("c", 1)).code, "FENCED");
    assert.equal((await placing("c", 2)).ok, true);
  });

  test("an earlier leader's requests are FENCED once a later one was heard, by whatever it asked", async () => {
    assert.deepEqual((await ask("fence", { partition: 0, epoch: 8 })).data, { partition: 0, epoch: 8 });
    assert.equal((await ask("fence", { partition: 0, epoch: 7 })).code, "FENCED");
    assert.equal((await placing("c", 1, 7)).code, "FENCED");
    assert.equal((await finding("c", 1)).code, "FENCED");
    const cancel = { ...FIND, orderNo: "N1", symbol: "THYAO" };
    assert.equal((await ask("cancel", { ...cancel, fence: fenceOf(0, 7) })).code, "FENCED");
    assert.equal((await ask("cancel", { ...cancel, fence: fenceOf(0, 8) })).ok, true);
    assert.equal((await placing("c", 1, 8)).ok, true);
    assert.deepEqual(calls, ["place c 1"]);
  });

  test("status tells the edition, the session and the promise, and which process it is unless there may be several", async () => {
    const { instance, ...told } = (await ask("status", {})).data ?? {};
    assert.deepEqual(told, { protocol: 3, ...connector.status() });
    assert.equal(typeof instance, "string");
    resend = "idempotent";
    assert.deepEqual((await ask("status", {})).data, { protocol: 3, ...connector.status() });
  });

  test("what a connector does not have is refused, and so is what is no request, by the field alone", async () => {
    assert.equal((await ask("positions", { ...FIND, includeOrders: false })).code, "REJECTED");
    assert.equal((await ask("chain", { ...ORDER, clientOrderId: "c", referenceOrderNo: "N1" })).code, "REJECTED");
    assert.match((await ask("place", { ...ORDER, clientOrderId: "c", quantity: 1.5 })).message ?? "", /: quantity$/);
    for (const text of ["", "{", "null", "[]", '"x"']) {
      assert.match((await ask("place", text)).message ?? "", /it is not a JSON object$/);
    }
    assert.deepEqual(calls, []);
  });

  test("nothing of a request is logged", async () => {
    await ask("login", { ...FIND, username: "12345678901", password: "hunter2" });
    place = () => Promise.reject(new Error("broke"));
    await placing("c", 1);
    assert.ok(logged.length > 0);
    assert.ok(!logged.some((line) => /hunter2|12345678901|THYAO/.test(line)));
  });
});
