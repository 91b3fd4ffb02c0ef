/** Lists of today's orders: which answer is the newest, and which list is whole. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApiAnswer, OrderRow } from "../../../../engine/connector/algolab/api.ts";
import { OrderLists } from "../../../../engine/connector/algolab/order-lists.ts";
import { FakeTime } from "../../../support/machine/fake-time.ts";

const ACCOUNT = { accountNumber: "A1", name: "A1", users: [1], subAccount: "100" };

function rowOf(atpref: string): OrderRow {
  return {
    ...{ atpref, ticker: "THYAO", buysell: "Satış", ordersize: 10, remainingsize: 10, price: 0, fillunit: 0 },
    ...{ timetransaction: undefined, waitingprice: 95, description: "", equitystatusdescription: "WAITING" },
  };
}

function makeLists(takeMs = 0) {
  const time = new FakeTime();
  const answers: ((rows: readonly string[]) => void)[] = [];
  const taken: string[] = [];
  const lists = new OrderLists({
    api: {
      todaysOrders: (_subAccount, _urgency, { onLeaving }) => {
        onLeaving?.();
        return new Promise<ApiAnswer<readonly OrderRow[]>>((resolve) => {
          answers.push((numbers) => resolve({ kind: "ok", value: numbers.map(rowOf) }));
        });
      },
    },
    ...{ clock: time, steadyClock: time },
    ask: (asked) => asked,
    take: async (_account, { atpref }) => {
      await new Promise<void>((resolve) => time.after(takeMs, resolve));
      taken.push(atpref);
    },
  });
  return { time, lists, answers, taken };
}

test("rows of an older list are not taken once a newer one has arrived", async () => {
  const { time, lists, answers, taken } = makeLists(1_000);
  const elder = lists.read(ACCOUNT);
  await time.advance(5_100);
  const younger = lists.read(ACCOUNT);
  answers[0]?.(["1", "2", "3"]);
  await time.advance(1_500);
  answers[1]?.(["4"]);
  await time.advance(10_000);
  assert.deepEqual(taken, ["1", "2", "4"]);
  const [first, second] = [await elder, await younger];
  assert(first.kind === "ok" && second.kind === "ok");
  assert.equal(first.value, second.value);
});

test("an older list whose answer arrives last replaces nothing", async () => {
  const { time, lists, answers, taken } = makeLists();
  const elder = lists.read(ACCOUNT);
  await time.advance(5_100);
  const younger = lists.read(ACCOUNT);
  answers[1]?.(["4"]);
  await time.advance(10);
  answers[0]?.(["1"]);
  await time.advance(10);
  assert.deepEqual(taken, ["4"]);
  assert.deepEqual(
    [await elder, await younger].map(({ kind }) => kind),
    ["ok", "ok"],
  );
  assert.deepEqual(
    lists.last("A1")?.rows.map(({ atpref }) => atpref),
    ["4"],
  );
});

test("a list is whole if it has every number of its day, those of earlier lists and those that are given", async () => {
  const { time, lists, answers } = makeLists();
  const read = async (...numbers: readonly string[]) => {
    const asked = lists.read(ACCOUNT);
    answers.at(-1)?.(numbers);
    await time.advance(10);
    const answer = await asked;
    assert(answer.kind === "ok");
    return answer.value;
  };
  assert.equal(lists.isCutShort("A1", await read("1", "2"), []), false);
  const shorter = await read("2", "3");
  assert.equal(lists.isCutShort("A1", shorter, []), true);
  assert.equal(lists.isCutShort("A1", await read("1", "2", "3"), ["4"]), true);
  await time.advance(86_400_000);
  assert.equal(lists.isCutShort("A1", await read("7"), []), false, "another day");
});
