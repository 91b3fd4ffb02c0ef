/** `orders`: lines of a table as text, and an order that several accounts have. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { type FollowedOrder, followedRow, type Order, orderFields } from "../../../edge/cli/order-words.ts";
import { runCommandLine } from "../../../edge/cli/program.ts";

const ACCOUNT = { brokerageCode: "ACME", accountNumber: "A1" };
const FOLLOWED: FollowedOrder = {
  ...{ orderNo: "R-2", orderNumbers: ["R-1", "R-2"], clientOrderId: "abc-r8", symbol: "THYAO", buySell: 2 },
  ...{ quantity: 100, filledQuantity: 60, averagePrice: 89.9, state: "inDoubt", since: "2026-01-05T09:00:00.000Z" },
  ...{ message: "order R-2 is in doubt", owner: { type: "group", id: 17 } },
};
const ORDER: Order = {
  ...{ orderNo: "R-2", accountNumber: "A1", symbol: "THYAO", quantity: 100, filledQuantity: 0, buySell: 2 },
  ...{ orderStatus: 1, orderType: 1, price: 0, averagePrice: 0, clientOrderId: "abc-r8", followed: null },
  ...{ createdDate: "2026-01-05T09:00:00.000Z", updatedDate: null },
};

/** A service of two accounts that both have the order `R-2`; the second one is away for `R-3`. */
const server = createServer((request, response) => {
  const url = new URL(request.url ?? "", "http://localhost");
  const isFirst = url.searchParams.get("accountNumber") === "A1";
  const answers: Readonly<Record<string, object>> = {
    "/oauth/token": { access_token: "token" },
    "/api/v1/accounts": { data: ["A1", "A2"].map((accountNumber) => ({ ...ACCOUNT, accountNumber, number: "1" })) },
    "/api/v1/orders/R-2": { data: ORDER },
    ...(isFirst ? { "/api/v1/orders/R-4": { data: ORDER } } : {}),
  };
  const answer = answers[url.pathname];
  if (answer === undefined) response.statusCode = isFirst ? 404 : 503;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(answer ?? { success: false, message: isFirst ? "not found" : "the brokerage is away" }));
});
let url = "";

before(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  url = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : "";
});
after(() => server.close());

async function run(...words: readonly string[]) {
  let [out, err] = ["", ""];
  const exitCode = await runCommandLine(
    words,
    { API_URL: url, API_KEY: "key" },
    {
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
    },
  );
  return { exitCode, out, err };
}

test("a followed order is one line, with states, sides and owners as text", () => {
  assert.deepEqual(Object.values(followedRow(ACCOUNT, FOLLOWED)), [
    ...["R-2", "ACME A1", "THYAO", "sell", "60 of 100", 89.9, "in doubt", "2026-01-05T09:00:00.000Z"],
    ...["OCO group 17", "order R-2 is in doubt"],
  ]);
  assert.equal(followedRow(ACCOUNT, { ...FOLLOWED, quantity: 0 }).filled, "60", "the quantity is not known");
});

test("one order shows what its brokerage reports, and whether the service follows it", () => {
  const strange = orderFields(ACCOUNT, ORDER);
  assert.deepEqual([strange.type, strange.status, strange.average], ["market", "open", null]);
  assert.match(strange.followed, /^no: /);
  const ours = orderFields(ACCOUNT, { ...ORDER, followed: FOLLOWED });
  assert.deepEqual([ours.followed, "numbers" in ours && ours.numbers], ["in doubt", "R-1, R-2"]);
});

test("an order that several accounts have is a question of usage, and the accounts are named", async () => {
  const { exitCode, out, err } = await run("orders", "show", "R-2");
  assert.deepEqual([exitCode, out], [64, ""]);
  assert.equal(err, "error: several accounts have an order R-2 (ACME A1, ACME A2): add --brokerage and --account\n");
  assert.equal((await run("orders", "show", "R-2", "--brokerage", "ACME", "--account", "A2")).exitCode, 0);
});

test("an account that cannot be asked hides no order of another, and is the reason if none has it", async () => {
  assert.equal((await run("orders", "show", "R-4")).exitCode, 0);
  const { exitCode, err } = await run("orders", "show", "R-3");
  assert.deepEqual([exitCode, err], [69, "error: 503: the brokerage is away\n"]);
});
