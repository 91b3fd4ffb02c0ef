/** Lists as they are answered. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { pageOf } from "../support/fake-engine.ts";
import { runEdge } from "../support/running-edge.ts";

const ofAccount = "?brokerageCode=PAPER&accountNumber=1001";

test("a page that comes again is answered as before, and under another operation in that one's words", async (t) => {
  const edge = await runEdge(t);
  let page = pageOf(null, { id: 1, notes: "ş" });
  edge.engine.on("oco.list", () => page);
  edge.engine.on("levelBots.list", () => page);
  const textOf = async (path: string): Promise<string> => {
    const response = await edge.send("GET", `/api/v1/${path}${ofAccount}`);
    const text = await response.text();
    assert.equal(response.headers.get("content-length"), String(Buffer.byteLength(text)));
    return text;
  };
  const answerOf = (message: string, rows: string): string =>
    `{"success":true,"message":"${message}","data":[${rows}]}`;
  const row = '{"id":1,"notes":"ş"}';
  for (let time = 0; time < 2; time += 1) {
    assert.equal(await textOf("oco-orders"), answerOf("The OCO rows of the account", row));
    assert.equal(await textOf("level-bots"), answerOf("The level bots of the account", row));
  }
  page = pageOf(null, { id: 1, notes: null });
  assert.equal(await textOf("oco-orders"), answerOf("The OCO rows of the account", '{"id":1,"notes":null}'));
});

test("what an address stands for is checked again where it is another, and each caller is asked for", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("oco.list", () => pageOf(null));
  const path = "/api/v1/oco-orders";
  for (let time = 0; time < 2; time += 1) {
    for (const [query, status] of [
      [ofAccount, 200],
      [`${ofAccount}&accountNumber=1002`, 400],
      ["?brokerageCode=PAPER", 400],
      ["?brokerageCode=PAPER&accountNumber=1002", 200],
    ] as const) {
      assert.equal((await edge.send("GET", path + query)).status, status, query);
    }
  }
  const lists = edge.engine.asked.filter(({ type }) => type === "oco.list");
  const numbers = lists.map(({ body }) => (body as { accountNumber: string }).accountNumber);
  assert.deepEqual(numbers, ["1001", "1002", "1001", "1002"]);
  assert.equal((await edge.fetch(path + ofAccount)).status, 401);
});
