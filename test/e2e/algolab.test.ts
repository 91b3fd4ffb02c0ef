// tier: real
/**
 * AlgoLab from end to end, as processes: an engine and an edge over NATS, the connector, the feed, and a server that
 * plays AlgoLab behind both.
 */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { ConditionsView } from "../../src/contract/trading/conditions.ts";
import type { PlanView } from "../../src/contract/trading/plan.ts";
import type { ReceiptView } from "../../src/contract/trading/receipt.ts";
import { configOf, VARIABLES } from "../engine/connector/algolab/support/algolab-world.ts";
import { AlgolabServer, LOGIN } from "../engine/connector/algolab/support/server.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { type Program, runProgram, startProgram } from "../support/machine/process.ts";
import { Stack, type StackUser, until } from "../support/world/stack.ts";

const ACCOUNT = { brokerageCode: "ALGOLAB", accountNumber: "A1" };
/** Shorter than in service, where they follow from 5.1 s between two requests. */
const brokerages = [
  { code: "ALGOLAB", name: "AlgoLab", adapter: "gateway", resend: "query", timeoutMs: 10_000, settleMs: 500 },
];

natsSuite("AlgoLab from end to end", () => {
  let stack: Stack;
  let server: AlgolabServer;
  let user: StackUser;
  const programs: Program[] = [];

  before(async () => {
    stack = await Stack.start({ brokerages });
    server = await AlgolabServer.start();
    server.isLoggedIn = false;
    user = await stack.demoUser();
  });
  after(async () => {
    for (const program of programs) await program.end("SIGTERM");
    await server.stop();
    await stack.stop();
  });

  const post = async (path: string, json: object): Promise<unknown> => {
    const answer = await stack.http("POST", path, { token: user.token, json });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.data;
  };
  const get = async (path: string): Promise<unknown> =>
    (await stack.http("GET", path, { token: user.token })).body.data;

  async function startPrograms(): Promise<void> {
    const accounts = [{ accountNumber: "A1", users: [user.userId], subAccount: "100" }];
    const connector = join(stack.folder, "connector.json");
    const fast = { accounts, requestIntervalSeconds: 1 };
    await writeFile(connector, JSON.stringify(configOf(server.url, fast)));
    const feed = join(stack.folder, "feed.json");
    const apiKey = { env: "ALGOLAB_KEY" };
    const source = { name: "BIST", url: server.url, apiKey, sessionFile: "orders/session" };
    await writeFile(feed, JSON.stringify({ ...source, symbols: { THYAO: "THYAO" } }));
    const made = await runProgram("engine/entry/connector.ts", VARIABLES, { arguments: ["new", connector] });
    assert.equal(made.code, 0, made.output);
    const checked = await runProgram("engine/entry/connector.ts", VARIABLES, { arguments: ["check", connector] });
    assert.equal(checked.code, 77, "without a login");
    assert.match(checked.output, /no login\. Start the connector, then log in/);
    const environment = { NATS_URL: stack.server.url, ...VARIABLES };
    programs.push(
      ...(await Promise.all([
        startProgram("engine/entry/connector.ts", environment, /the connector is ready/, ["algolab", connector]),
        startProgram("engine/entry/feed.ts", environment, /the feed is ready/, ["algolab", feed]),
      ])),
    );
  }

  const trade = (price: number): void => {
    const moment = new Date(Math.floor(Date.now() / 1_000) * 1_000).toISOString();
    server.push({ Type: "T", Content: { Symbol: "THYAO", Market: "IMKBH", Price: price, Date: moment } });
  };

  test("login by SMS, a stop-loss by a price of the feed, a lost answer, and the rest at the day's floor", async () => {
    await startPrograms();
    const conditions = async () => (await get("/api/v1/conditions")) as ConditionsView;
    await until(conditions, ({ brokerages }) => brokerages.some(({ needsLogin }) => needsLogin === true));
    const login = { ...ACCOUNT, username: LOGIN.username, password: LOGIN.password };
    const first = (await post("/api/v1/accounts/login", login)) as { otp: number; sessionId: string };
    assert.equal(first.otp, 1);
    const second = await post("/api/v1/accounts/login", { ...login, sessionId: first.sessionId, sms: LOGIN.sms });
    assert.deepEqual(second, { otp: 0, isLoggedIn: true });
    const isUp = ({ state, needsLogin }: ConditionsView["brokerages"][number]): boolean =>
      state === "up" && !needsLogin;
    await until(conditions, ({ brokerages }) => brokerages.some(isUp));
    await until(
      () => get("/api/v1/prices?symbols=THYAO"),
      (prices) => {
        trade(95);
        return JSON.stringify(prices).includes("95");
      },
    );

    const levels = { stopLossPrice: 90, stopLossQuantity: 10, takeProfitItems: [{ price: 98, quantity: 10 }] };
    const { groupId } = (await post("/api/v1/oco-orders", { ...ACCOUNT, symbol: "THYAO", ...levels })) as {
      groupId: number;
    };
    const planOf = async () => (await get(`/api/v1/oco-orders/${groupId}/plan`)) as PlanView;

    await until(
      async () =>
        (await get(`/api/v1/symbols/THYAO/band?brokerageCode=${ACCOUNT.brokerageCode}`)) as {
          readonly floorPrice: number;
        } | null,
      (band) => band?.floorPrice === 81,
    );

    server.depth = 4;
    server.price = 89.9;
    server.fail("SendOrder", "answerLost");
    trade(89.9);
    await until(planOf, ({ exit }) => exit.soldQuantity === 4 && server.orders.length === 2);
    assert.equal(server.faults.length, 0, "the answer to the first order was lost");
    const asked = server.asked.map(({ name, body }) => (name === "SendOrder" ? `${name} ${body.pricetype}` : name));
    const [sent, pursued] = ["SendOrder piyasa", "SendOrder limit"].map((name) => asked.indexOf(name));
    assert(asked.slice(sent, pursued).includes("TodaysTransaction"), "today's orders settle it before the rest leaves");
    const [market, rest] = server.orders;
    assert(market !== undefined && rest !== undefined);
    assert.deepEqual([market.isMarket, market.quantity, market.filled, market.status], [true, 10, 4, "DELETED"]);
    assert.deepEqual([rest.isMarket, rest.quantity, rest.price, rest.side], [false, 6, 81, "SELL"]);

    server.fill(rest, 6, 88);
    const sold = await until(planOf, ({ exit }) => exit.state === "sold");
    assert.deepEqual([sold.exit.state, sold.exit.soldQuantity, sold.exit.orderCount], ["sold", 10, 2]);
    const stopLoss = sold.rows.find(({ orderType }) => orderType === 2);
    // The plan is the group's own and may be a batch ahead of what is stored.
    const receipt = await until(
      async () => (await get(`/api/v1/oco-orders/${stopLoss?.id}/receipt`)) as ReceiptView,
      ({ orders }) => orders[1]?.orderStatus === 2,
    );
    assert.deepEqual(
      receipt.orders.map(({ orderNo, quantity, filledQuantity, averagePrice, orderStatus }) => [
        ...[orderNo, quantity, filledQuantity, averagePrice, orderStatus],
      ]),
      [
        [market.number, 10, 4, 89.9, 3],
        [rest.number, 6, 6, 88, 2],
      ],
    );
    assert.equal(server.asked.filter(({ name }) => name === "SendOrder").length, 2);
    assert.equal(server.soldQuantity, 10);
  });
});
