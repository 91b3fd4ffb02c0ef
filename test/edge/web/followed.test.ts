/** Which symbols the dashboard follows if more are looked at than one stream gives prices of. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Followed } from "../../../edge/web/dashboard/state/followed.ts";

/** Room for three symbols, of which `A`, `B` and `C` were looked at in this order. */
function fullOf({ shown }: { readonly shown: readonly string[] }) {
  const dropped: string[] = [];
  const followed = new Followed(
    3,
    (symbol) => shown.includes(symbol),
    (symbol) => dropped.push(symbol),
  );
  for (const symbol of ["A", "B", "C"]) assert.equal(followed.look(symbol), true);
  assert.deepEqual(dropped, []);
  return { followed, dropped };
}

describe("a symbol beyond the number of one stream", () => {
  test("is followed in place of the oldest", () => {
    const { followed, dropped } = fullOf({ shown: [] });
    assert.equal(followed.look("D"), true);
    assert.deepEqual([followed.symbols, dropped], [["B", "C", "D"], ["A"]]);
    assert.deepEqual([followed.has("A"), followed.has("D")], [false, true]);
  });

  test("takes the place of one that is not shown, also if one that is shown is older", () => {
    const { followed, dropped } = fullOf({ shown: ["A", "C"] });
    followed.look("D");
    assert.deepEqual([followed.symbols, dropped], [["A", "C", "D"], ["B"]]);
  });

  test("takes the place of the oldest if all are shown", () => {
    const { followed, dropped } = fullOf({ shown: ["A", "B", "C", "D"] });
    followed.look("D");
    assert.deepEqual([followed.symbols, dropped], [["B", "C", "D"], ["A"]]);
  });

  test("leaves a symbol that was looked at again since then", () => {
    const { followed, dropped } = fullOf({ shown: [] });
    assert.equal(followed.look("A"), false);
    followed.look("D");
    assert.deepEqual([followed.symbols, dropped], [["C", "A", "D"], ["B"]]);
  });

  test("is followed again as a new one after it was dropped", () => {
    const { followed, dropped } = fullOf({ shown: [] });
    followed.look("D");
    assert.equal(followed.look("A"), true);
    assert.deepEqual(
      [followed.symbols, dropped],
      [
        ["C", "D", "A"],
        ["A", "B"],
      ],
    );
  });
});
