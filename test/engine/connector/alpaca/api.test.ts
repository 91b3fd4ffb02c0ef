/** Which answers count as Alpaca's own judgement: against the mock that Alpaca's library ships. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type MockRoute, mockFetch } from "@alpacahq/alpaca-trade-api/testing";
import { AlpacaApi } from "../../../../engine/connector/alpaca/api.ts";

const order = { clientOrderId: "o1", symbol: "AAPL", quantity: 1, side: "sell", limitPrice: null } as const;

const placeAt = (route: Omit<MockRoute, "path" | "method">) =>
  new AlpacaApi({
    ...{ keyId: () => "k", secret: () => "s", url: "https://alpaca.test", timeoutMs: 200 },
    fetchApi: mockFetch([{ method: "POST", path: "/v2/orders", ...route }]),
  }).place(order);

const REFUSAL = { code: 40_310_000, message: "insufficient qty" };

test("a 4xx with Alpaca's number is a refusal, with its words", async () => {
  const answer = await placeAt({ status: 403, body: REFUSAL });
  assert.deepEqual(answer, { kind: "refused", status: 403, code: 40_310_000, text: "insufficient qty" });
});

for (const [name, route] of Object.entries({
  "a request time-out (408)": { status: 408, body: REFUSAL },
  "a server's failure (500)": { status: 500, body: REFUSAL },
  "a bad gateway (502)": { status: 502, body: "<html>" },
  "a gateway's time-out (504)": { status: 504, body: "" },
  "somebody else's error page (403)": { status: 403, body: "<html>forbidden</html>" },
  "a success without an order": { status: 200, body: { nothing: true } },
  "a success that is no JSON": { status: 200, body: "ok" },
})) {
  test(`${name} says nothing of the order`, async () => {
    assert.equal((await placeAt(route)).kind, "unknown");
  });
}

test("an answer that does not come says nothing of the order, and nothing is repeated", async () => {
  let count = 0;
  const answer = await placeAt({
    respond: () => {
      count += 1;
      return new Promise(() => undefined);
    },
  });
  assert.deepEqual([answer.kind, count], ["unknown", 1]);
});

test("each request has the key as it is then", async () => {
  const sent: string[] = [];
  let key = "old";
  const api = new AlpacaApi({
    ...{ keyId: () => `${key}-id`, secret: () => `${key}-secret`, url: "https://alpaca.test", timeoutMs: 200 },
    fetchApi: mockFetch([
      {
        path: "/v2/orders",
        respond: ({ init }) => {
          const headers = new Headers(init?.headers);
          sent.push(`${headers.get("APCA-API-KEY-ID")} ${headers.get("APCA-API-SECRET-KEY")}`);
          return {};
        },
      },
    ]),
  });
  await api.place(order);
  key = "renewed";
  await api.place(order);
  assert.deepEqual(sent, ["old-id old-secret", "renewed-id renewed-secret"]);
});

test("whole shares, day orders, our own name", async () => {
  let sent: unknown;
  const api = new AlpacaApi({
    ...{ keyId: () => "k", secret: () => "s", url: "https://alpaca.test", timeoutMs: 200 },
    fetchApi: mockFetch([
      {
        path: "/v2/orders",
        respond: ({ init }) => {
          sent = JSON.parse(String(init?.body));
          return {};
        },
      },
    ]),
  });
  await api.place({ ...order, side: "buy", limitPrice: 227.31 });
  assert.deepEqual(sent, {
    ...{ client_order_id: "o1", symbol: "AAPL", side: "buy", qty: "1", type: "limit", limit_price: "227.31" },
    time_in_force: "day",
  });
});
