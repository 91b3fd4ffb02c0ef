/** The fills of ended groups are read a few at a time, and each group for itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EndedFills } from "../../../edge/web/dashboard/group/ended-fills.ts";
import type { OrdersPlan } from "../../../edge/web/dashboard/group/row-worth.ts";
import { askUntilAnswered } from "../../../edge/web/dashboard/state/ask-again.ts";
import type { DashboardState } from "../../../edge/web/dashboard/state/dashboard-state.ts";
import { RequestFailed } from "../../../edge/web/dashboard/state/session.ts";

const OVER: OrdersPlan = { orders: [], exit: { state: "sold" } };
const UNREADABLE = 1;

/** A service that answers once it is let, and never for one group. */
function startReading() {
  const asked: string[] = [];
  const open: (() => void)[] = [];
  const get = async (path: string): Promise<OrdersPlan> => {
    asked.push(path);
    if (path.includes(`/${UNREADABLE}/`)) throw new RequestFailed(503, "not now");
    await new Promise<void>((done) => open.push(done));
    return OVER;
  };
  const dashboard = { session: { get }, ask: askUntilAnswered } as unknown as DashboardState;
  return { ended: new EndedFills(dashboard), asked, open };
}

const turns = () => new Promise((done) => setImmediate(done));

test("a plan that cannot be read holds no other one up, and a group whose sales are over is read once", async () => {
  const { ended, asked, open } = startReading();
  let isWanted = true;
  const stuck = ended.read(UNREADABLE, [], () => isWanted);
  const plans = [2, 3, 4, 5, 6].map((id) => ended.read(id, [], () => true));
  await turns();
  assert.equal(asked.length, 4, "three are read, and one was refused");
  for (let count = 0; count < plans.length; count += 1) {
    open.shift()?.();
    await turns();
  }
  assert.deepEqual(await Promise.all(plans), plans.map(() => OVER));
  assert.equal(await ended.read(2, [], () => true), OVER);
  assert.equal(asked.filter((path) => path.includes("/2/")).length, 1);
  isWanted = false;
  assert.equal(await stuck, undefined);
});

test("a group that is scrolled away while it waits is not asked for", async () => {
  const { ended, asked, open } = startReading();
  const plans = [2, 3, 4].map((id) => ended.read(id, [], () => true));
  let isWanted = true;
  const left = ended.read(5, [], () => isWanted);
  await turns();
  isWanted = false;
  for (const done of open) done();
  await Promise.all(plans);
  assert.equal(await left, undefined);
  assert.equal(asked.length, 3);
});
