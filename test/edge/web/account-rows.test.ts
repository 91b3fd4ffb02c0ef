/** Which rows of events the dashboard takes for rows of another account. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { AccountRows } from "../../../edge/web/dashboard/state/account-rows.ts";
import { RequestFailed } from "../../../edge/web/dashboard/state/session.ts";

const ACCOUNT = { brokerageCode: "PAPER", accountNumber: "P-1" };

function rowsThatAnswer(answers: readonly (() => Promise<unknown>)[]) {
  let asked = 0;
  const rows = new AccountRows({
    account: ACCOUNT as never,
    get: <T>(): Promise<T> => {
      asked += 1;
      return (answers[asked - 1]?.() ?? Promise.resolve([])) as Promise<T>;
    },
    onGroups: () => undefined,
    onRead: () => undefined,
    onFault: () => undefined,
    onNextFrame: (act) => act(),
  });
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { rows, settle, askedCount: () => asked };
}

test("a row that a reading did not find is not asked for again", async () => {
  const { rows, settle, askedCount } = rowsThatAnswer([() => Promise.resolve([])]);
  rows.readFor(7);
  await settle();
  rows.readFor(7);
  await settle();
  assert.equal(askedCount(), 1);
});

test("a reading that was refused says nothing of a row: it is asked for again", async () => {
  const { rows, settle, askedCount } = rowsThatAnswer([() => Promise.reject(new RequestFailed(403, "no right"))]);
  rows.readFor(7);
  await settle();
  rows.readFor(7);
  await settle();
  assert.equal(askedCount(), 2);
});
