/** Work that is done a few at a time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FewAtOnce } from "../../../edge/web/dashboard/part/few-at-once.ts";
import { askUntilAnswered } from "../../../edge/web/dashboard/state/ask-again.ts";
import { RequestFailed } from "../../../edge/web/dashboard/state/session.ts";

const turns = () => new Promise((done) => setImmediate(done));

/** Work that ends once it is let. */
function startWork(places: FewAtOnce, names: readonly string[]) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work = names.map((name) =>
    places.run(async () => {
      begun.push(name);
      await new Promise<void>((done) => ends.push(done));
      return name;
    }),
  );
  return { begun, ends, work };
}

test("work waits for a place, in the order in which it came", async () => {
  const names = ["a", "b", "c", "d"];
  const { begun, ends, work } = startWork(new FewAtOnce(2), names);
  await turns();
  assert.deepEqual(begun, ["a", "b"]);
  for (let count = 0; count < names.length; count += 1) {
    ends.shift()?.();
    await turns();
  }
  assert.deepEqual([begun, await Promise.all(work)], [names, names]);
});

test("what is asked for again and again holds no place between its attempts", async () => {
  const places = new FewAtOnce(1);
  let attempts = 0;
  const refuse = (): Promise<never> => {
    attempts += 1;
    return Promise.reject(new RequestFailed(503, "not now"));
  };
  let isWanted = true;
  const waiting = { isWanted: () => isWanted, onFault: () => undefined };
  const stuck = askUntilAnswered(() => places.run(refuse), waiting);
  const { ends, work } = startWork(places, ["a"]);
  await turns();
  assert.deepEqual([attempts, ends.length], [1, 1]);
  ends[0]?.();
  assert.deepEqual(await Promise.all(work), ["a"]);
  isWanted = false;
  assert.equal(await stuck, undefined);
});
