/**
 * Orders whose outcome the engine does not know, over real processes that are killed in between: shown to their owner
 * and the operator, settled by each possible decision, and never sold twice (behaviour 11.7 and 13.6).
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ScriptedConnector } from "../../borders/support/connector.ts";
import type { OcoRow } from "../../support/client/engine-client.ts";
import { natsSuite } from "../../support/machine/nats-server.ts";
import { type HttpAnswer, pause, Stack, type StackUser, until } from "../../support/world/stack.ts";

const settings = { adapter: "gateway", ordersPerMinute: 100_000, timeoutMs: 300, settleMs: 1_000 };
/** `FORGETS` takes orders and does not know their outcome; `MUTE` does not answer, and promises nothing. */
const brokerages = [
  { code: "FORGETS", name: "Forgets", resend: "query", ...settings },
  { code: "MUTE", name: "Mute", resend: "none", ...settings },
];
/** Long enough for an unwanted order to appear. */
const QUIET_MS = 2_500;
const WHY = /0 of 100 known as filled: the brokerage cannot report the outcome; an operator decides$/;

interface Followed {
  readonly orderNo: string;
  readonly symbol: string;
  readonly state: string;
  readonly since: string;
  readonly message: string | null;
  readonly filledQuantity: number;
  readonly owner: { readonly type: string; readonly id: number };
}

interface Quarantined {
  readonly id: string;
  readonly type: string;
  readonly symbol: string;
  readonly reason: string;
}

natsSuite("an order whose outcome is not known", () => {
  let stack: Stack;
  let user: StackUser;
  let forgets: ScriptedConnector;
  let mute: ScriptedConnector;
  const events: { readonly type: string; readonly [field: string]: unknown }[] = [];
  /** Symbols of `MUTE` whose first order reaches the brokerage. */
  const taken = new Set<string>();
  const seen = new Set<string>();

  before(async () => {
    stack = await Stack.start({ brokerages });
    user = await stack.demoUser();
    const { nats } = stack;
    nats.subscribe("events.*.>", { callback: (_, message) => void events.push(message.json()) });
    forgets = new ScriptedConnector(nats, {
      ...{ code: "FORGETS", resend: "query" },
      // Further orders of an exit are reported truthfully.
      place: (ask) => (isFurther(ask) ? forgets.accept(ask, 2, ask.quantity) : forgets.accept(ask, 1, 0)),
    });
    forgets.cannotTell = (order) => !isFurther(order);
    mute = new ScriptedConnector(nats, {
      ...{ code: "MUTE", resend: "none" },
      place: (ask) => {
        const symbol = String(ask.symbol);
        const isFirst = !seen.has(symbol);
        seen.add(symbol);
        if (!isFirst || taken.has(symbol)) mute.accept(ask, isFirst ? 1 : 2, isFirst ? 0 : ask.quantity);
        return isFirst ? undefined : { ok: true, data: { orderNo: mute.orders.at(-1)?.orderNo, orderStatus: 2 } };
      },
    });
    await nats.flush();
  });
  after(async () => {
    forgets?.stop();
    mute?.stop();
    await stack?.stop();
  });

  const isFurther = ({ clientOrderId }: { readonly clientOrderId: string }): boolean => /-n\d+$/.test(clientOrderId);

  function ask(method: string, path: string, json?: object): Promise<HttpAnswer> {
    return stack.http(method, path, { token: user.token, ...(json !== undefined && { json }) });
  }

  async function listOf<T>(path: string): Promise<readonly T[]> {
    // Right after a kill no engine answers yet.
    const { body } = await until(
      () => ask("GET", path),
      ({ status }) => status === 200,
    );
    return body.data as readonly T[];
  }

  const placeOf = (code: string): string => `brokerageCode=${code}&accountNumber=A1`;

  async function rowsOf(code: string, symbol: string): Promise<readonly OcoRow[]> {
    return (await listOf<OcoRow>(`/api/v1/oco-orders?${placeOf(code)}`)).filter((row) => row.symbol === symbol);
  }

  async function statusesOf(code: string, symbol: string): Promise<string> {
    return (await rowsOf(code, symbol)).map(({ status }) => status).join();
  }

  const followedOf = async (symbol: string): Promise<readonly Followed[]> =>
    (await listOf<Followed>(`/api/v1/orders?${placeOf("FORGETS")}`)).filter((order) => order.symbol === symbol);

  const quarantineOf = async (symbol: string): Promise<Quarantined> => {
    const listed = await until(
      () => listOf<Quarantined>("/admin/v1/quarantine"),
      (orders) => orders.some((order) => order.symbol === symbol),
    );
    return listed.find((order) => order.symbol === symbol) ?? assert.fail(`${symbol} is not in quarantine`);
  };

  const release = (id: string, json: object): Promise<HttpAnswer> =>
    ask("POST", `/admin/v1/quarantine/${id}/release`, json);

  async function kill(): Promise<void> {
    await stack.engine(0).end("SIGKILL");
    await stack.startEngine(0);
  }

  /** A stop-loss of 100 lots at 90 that a price reaches, and take-profits of 40 at 110 and 60 at 120. */
  async function stop(code: string, symbol: string): Promise<void> {
    await stack.tick(symbol, 100);
    const made = await ask("POST", "/api/v1/oco-orders", {
      ...{ brokerageCode: code, accountNumber: "A1", symbol, stopLossPrice: 90, stopLossQuantity: 100 },
      takeProfitItems: [
        { price: 110, quantity: 40 },
        { price: 120, quantity: 60 },
      ],
    });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    await stack.tick(symbol, 89);
  }

  /** Fires a stop-loss and returns its order, as its owner sees it, once it is in doubt. */
  async function doubtOf(symbol: string): Promise<Followed> {
    await stop("FORGETS", symbol);
    return untilInDoubt(symbol);
  }

  async function untilInDoubt(symbol: string): Promise<Followed> {
    const [order] = await until(
      () => followedOf(symbol),
      ([first]) => first?.state === "inDoubt",
    );
    return order ?? assert.fail(`no order of ${symbol} is followed`);
  }

  const typesOf = (symbol: string): string[] =>
    events.filter((event) => JSON.stringify(event).includes(`"${symbol}"`)).map(({ type }) => type);

  const untilTold = (symbol: string, type: string): Promise<string[]> =>
    until(
      async () => typesOf(symbol),
      (types) => types.includes(type),
    );

  const placesOf = (connector: ScriptedConnector, symbol: string): number[] =>
    connector.places.filter((asked) => asked.symbol === symbol).map(({ quantity }) => quantity);

  /** A while with prices on both sides of every level and a kill: no order may leave by it. */
  async function tempt(symbol: string): Promise<void> {
    for (const price of [121, 88]) await stack.tick(symbol, price);
    await kill();
    for (const price of [122, 87]) await stack.tick(symbol, price);
    await pause(QUIET_MS);
  }

  test("is shown with its reason, by the list of orders, the operator's list and an event, also after a kill -9", async () => {
    const order = await doubtOf("THYAO");
    assert.match(order.message ?? "", WHY);
    assert.equal(order.owner.type, "group");
    assert.ok((await untilTold("THYAO", "order.inDoubt")).includes("order.inDoubt"));
    const { type, reason } = await quarantineOf("THYAO");
    assert.deepEqual([type, reason], ["doubt", order.message]);
    assert.equal(await statusesOf("FORGETS", "THYAO"), "2,4,4");
    await tempt("THYAO");
    assert.deepEqual(await untilInDoubt("THYAO"), order, "as it was before the kill");
    assert.deepEqual(placesOf(forgets, "THYAO"), [100]);
  });

  test("refuses a settlement beyond its quantity, of another number, or of another kind: a 400 that names the field", async () => {
    const { id } = await quarantineOf("THYAO");
    const { orderNo } = await untilInDoubt("THYAO");
    for (const [json, status, message] of [
      [{ action: "filled", orderNo, quantity: 101, price: 90 }, 400, /^quantity must be at most 100/],
      [{ action: "filled", orderNo, quantity: 0, price: 90 }, 400, /^quantity/],
      [{ action: "filled", orderNo, quantity: 10, price: 0 }, 400, /^price/],
      [{ action: "notFilled" }, 400, /^orderNo is required/],
      [{ action: "resend" }, 400, /^action of an order in doubt must be filled or notFilled/],
      [{ action: "notFilled", orderNo: "other" }, 404, /other.*not in doubt/],
    ] as const) {
      const { status: answered, body } = await release(id, json);
      assert.equal(answered, status, JSON.stringify(body));
      assert.match(String(body.message), message);
    }
    assert.equal((await untilInDoubt("THYAO")).orderNo, orderNo, "nothing was settled");
  });

  test("settled as filled with 60 of 100: the other 40 are sold, once, over a kill -9 right after the answer", async () => {
    const { id } = await quarantineOf("THYAO");
    const { orderNo } = await untilInDoubt("THYAO");
    const settled = await release(id, { action: "filled", orderNo, quantity: 60, price: 89.9 });
    assert.equal(settled.status, 200, JSON.stringify(settled.body));
    await kill();
    await until(
      async () => placesOf(forgets, "THYAO").length,
      (count) => count >= 2,
    );
    const types = await untilTold("THYAO", "oco.exitCompleted");
    assert.ok(types.includes("order.settled") && types.includes("oco.exitCompleted"), String(types));
    const again = await release(id, { action: "filled", orderNo, quantity: 60, price: 89.9 });
    assert.equal(again.status, 404, "it is settled once");
    await tempt("THYAO");
    assert.deepEqual(placesOf(forgets, "THYAO"), [100, 40]);
    assert.equal(await statusesOf("FORGETS", "THYAO"), "2,4,4");
  });

  test("settled as filled whole: nothing more is sold", async () => {
    const { orderNo } = await doubtOf("GARAN");
    const { id } = await quarantineOf("GARAN");
    await kill();
    const settled = await release(id, { action: "filled", orderNo, quantity: 100, price: 89.9 });
    assert.equal(settled.status, 200, JSON.stringify(settled.body));
    await tempt("GARAN");
    assert.deepEqual(placesOf(forgets, "GARAN"), [100]);
    assert.equal(await statusesOf("FORGETS", "GARAN"), "2,4,4");
    assert.deepEqual(
      (await listOf<Quarantined>("/admin/v1/quarantine")).filter(({ symbol }) => symbol === "GARAN"),
      [],
    );
  });

  test("settled as not filled: its 100 lots are sold by one further order", async () => {
    const { orderNo } = await doubtOf("AKBNK");
    const { id } = await quarantineOf("AKBNK");
    const settled = await release(id, { action: "notFilled", orderNo });
    assert.equal(settled.status, 200, JSON.stringify(settled.body));
    assert.ok((await untilTold("AKBNK", "oco.exitCompleted")).includes("oco.exitCompleted"), String(typesOf("AKBNK")));
    await tempt("AKBNK");
    assert.deepEqual(placesOf(forgets, "AKBNK"), [100, 100]);
    assert.equal(await statusesOf("FORGETS", "AKBNK"), "2,4,4");
  });

  test("of a client is listed and settled like that of a group", async () => {
    const terms = { symbol: "SISE", quantity: 10, buySell: 2, orderType: 1, price: 0 };
    const placed = await ask("POST", "/api/v1/orders", { brokerageCode: "FORGETS", accountNumber: "A1", ...terms });
    assert.equal(placed.status, 200, JSON.stringify(placed.body));
    const { orderNo, owner } = await untilInDoubt("SISE");
    assert.equal(owner.type, "client");
    const { id } = await quarantineOf("SISE");
    const tooMuch = await release(id, { action: "filled", orderNo, quantity: 11, price: 50 });
    assert.deepEqual([tooMuch.status, /^quantity/.test(String(tooMuch.body.message))], [400, true]);
    await kill();
    assert.equal((await release(id, { action: "filled", orderNo, quantity: 10, price: 50 })).status, 200);
    const [order] = await until(
      () => followedOf("SISE"),
      ([first]) => first !== undefined && first.state !== "inDoubt",
    );
    assert.deepEqual([order?.state, order?.filledQuantity, order?.message], ["settled", 10, null]);
    assert.deepEqual(placesOf(forgets, "SISE"), [10]);
  });

  test("without an answer, released as placed: the order is followed under its number and not sent again", async () => {
    taken.add("ASELS");
    await stop("MUTE", "ASELS");
    const { id, type } = await quarantineOf("ASELS");
    assert.equal(type, "order");
    assert.ok((await untilTold("ASELS", "order.quarantined")).includes("order.quarantined"));
    await tempt("ASELS");
    assert.equal(await statusesOf("MUTE", "ASELS"), "1,1,1", "a level that may have been sold fires no more");
    const order = mute.orders.find(({ symbol }) => symbol === "ASELS") ?? assert.fail();
    assert.equal((await release(id, { action: "placed", orderNo: order.orderNo })).status, 200);
    await kill();
    mute.end(order, 2, 100, true);
    await until(
      () => statusesOf("MUTE", "ASELS"),
      (statuses) => statuses === "2,4,4",
    );
    await tempt("ASELS");
    assert.deepEqual(placesOf(mute, "ASELS"), [100]);
    assert.equal(await statusesOf("MUTE", "ASELS"), "2,4,4");
  });

  test("without an answer, released as refused: its row failed with the message, and its take-profits are watched again", async () => {
    await stop("MUTE", "KCHOL");
    const { id } = await quarantineOf("KCHOL");
    await kill();
    assert.equal((await release(id, { action: "refused", message: "the desk found none" })).status, 200);
    await until(
      () => statusesOf("MUTE", "KCHOL"),
      (statuses) => statuses === "3,1,1",
    );
    const [stopLoss] = await rowsOf("MUTE", "KCHOL");
    assert.equal(stopLoss?.triggerErrorMessage, "the desk found none");
    await kill();
    assert.equal(await statusesOf("MUTE", "KCHOL"), "3,1,1");
    assert.deepEqual(placesOf(mute, "KCHOL"), [100]);
  });

  test("without an answer, released to be sent again: one second request, under the same name", async () => {
    await stop("MUTE", "EREGL");
    const { id } = await quarantineOf("EREGL");
    await kill();
    assert.equal((await release(id, { action: "resend" })).status, 200);
    await until(
      () => statusesOf("MUTE", "EREGL"),
      (statuses) => statuses === "2,4,4",
    );
    await tempt("EREGL");
    const asked = mute.places.filter(({ symbol }) => symbol === "EREGL");
    assert.equal(asked.length, 2);
    assert.equal(asked[0]?.clientOrderId, asked[1]?.clientOrderId);
    assert.equal(mute.orders.filter(({ symbol }) => symbol === "EREGL").length, 1);
  });
});
