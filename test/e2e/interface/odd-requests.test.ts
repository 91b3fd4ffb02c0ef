/** Requests that are easily wrong, over real processes: a malformed signal, and a due date without a time. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { natsSuite } from "../../support/machine/nats-server.ts";
import { Stack, type StackUser, until } from "../../support/world/stack.ts";

const PLACE = { brokerageCode: "PAPER", accountNumber: "PAPER-1" };

natsSuite("a request that is easily got wrong", () => {
  let stack: Stack;
  let user: StackUser;
  const events: { readonly type: string; readonly [field: string]: unknown }[] = [];

  before(async () => {
    stack = await Stack.start();
    user = await stack.demoUser();
    stack.nats.subscribe("events.*.>", { callback: (_, message) => void events.push(message.json()) });
    await stack.nats.flush();
  });
  after(() => stack?.stop());

  async function post(path: string, json: object): Promise<Record<string, unknown>> {
    const { status, body } = await stack.http("POST", path, { token: user.token, json: { ...PLACE, ...json } });
    assert.equal(status, 200, JSON.stringify(body));
    return body.data as Record<string, unknown>;
  }

  test("an exit signal with a bad body is a 400, orders nothing, and its owner is notified (behaviour 9.1)", async () => {
    const details = [{ symbol: "THYAO", quantity: 10, algoName: "cross", period: "1H" }];
    const bot = await post("/api/v1/webhook-bots", { name: "Exits", isActive: true, webhookBotDetails: details });
    const path = new URL(String(bot.webhookUrl)).pathname;
    const signal = { algoName: "cross", period: "1H", symbol: "THYAO", side: "sell" };
    const send = async (body: string): Promise<number> =>
      (await fetch(stack.url + path, { method: "POST", headers: { "content-type": "text/plain" }, body })).status;
    assert.equal(await send(JSON.stringify({ ...signal, side: "exit" })), 400);
    assert.equal(await send(`${JSON.stringify(signal)},`), 400);
    const rejected = await until(
      async () => events.filter(({ type }) => type === "signal.rejected"),
      (found) => found.length >= 2,
    );
    assert.deepEqual(
      rejected.map(({ systemId, userId }) => [systemId, userId]),
      [
        [bot.id, user.userId],
        [bot.id, user.userId],
      ],
    );
    assert.match(String(rejected[0]?.message), /^side/);
    assert.match(String(rejected[1]?.message), /JSON/);
    assert.ok(!events.some(({ type }) => type.startsWith("order.") || type.startsWith("pair.")));
  });

  test("a due date without a time is the end of that day at the exchange, also after a kill -9 (behaviour 1.5)", async () => {
    await stack.tick("GARAN", 130);
    const levels = { stopLossPrice: 120, stopLossQuantity: 10, takeProfitItems: [{ price: 140, quantity: 10 }] };
    const made = await post("/api/v1/oco-orders", { symbol: "GARAN", ...levels, dueDate: "2040-03-01" });
    assert.equal(made.dueDate, "2040-03-01T20:59:59.999Z", "midnight in Istanbul");
    await stack.engine(0).end("SIGKILL");
    await stack.startEngine(0);
    const { body } = await until(
      () => stack.http("GET", `/api/v1/oco-orders?${new URLSearchParams(PLACE)}`, { token: user.token }),
      ({ status }) => status === 200,
    );
    const rows = body.data as { readonly symbol: string; readonly dueDate: string }[];
    assert.deepEqual([...new Set(rows.map(({ dueDate }) => dueDate))], ["2040-03-01T20:59:59.999Z"]);
  });
});
