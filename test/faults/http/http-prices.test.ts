/** The whole tick table through the create endpoint: every legal price, and any that is not (catalogue 9, 10). */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import fc from "../../support/property.ts";
import { FaultApp } from "../support/app.ts";
import { cancelGroup, GROUPS, groupOf } from "../support/group.ts";
import { assertNoFault, assertRefusal } from "../support/table.ts";

const app = await FaultApp.start();
after(() => app.stop());
const user = await app.newUser();

test("every legal price from 0.01 to 10,000 is taken, and comes back as it was sent", async () => {
  const { token, accountNumber } = user;
  const legal = legalPrices();
  assert.equal(legal.length, 12_500);
  for (let start = 0; start < legal.length; start += 50) {
    const prices = legal.slice(start, start + 50).filter((price) => price > 0.01);
    const takeProfitItems = prices.map((price) => ({ price, quantity: 1 }));
    const json = groupOf(user, { accountNumber, stopLossPrice: 0.01, stopLossQuantity: 50, takeProfitItems });
    const answer = await app.send("POST", GROUPS, { token, json });
    assert.equal(answer.status, 200, `${prices[0]} to ${prices.at(-1)}: ${answer.text}`);
    const { groupId } = answer.body.data as { groupId: number };
    assert.deepEqual(await shownPrices(groupId), prices);
    await cancelGroup(app, user, groupId);
  }
  assertNoFault(app);
});

async function shownPrices(groupId: number): Promise<number[]> {
  // The engine's context of the group: the list of all rows grows with every round.
  const found = app.partition.host.find("group", groupId)?.context;
  return (found?.rows ?? []).slice(1).map(({ price }) => price / 100);
}

/** By counting up in the increments of the specification's table. */
function legalPrices(): number[] {
  const bands = [
    [1, 2_000, 1],
    [2_000, 5_000, 2],
    [5_000, 10_000, 5],
    [10_000, 25_000, 10],
    [25_000, 50_000, 25],
    [50_000, 100_000, 50],
    [100_000, 250_000, 100],
    [250_000, 1_000_001, 250],
  ] as const;
  return bands.flatMap(([from, to, increment]) =>
    Array.from({ length: Math.ceil((to - from) / increment) }, (_, index) => (from + index * increment) / 100),
  );
}

test("a price in hundredths that is not on the table is refused, whichever it is", async () => {
  const legal = new Set(legalPrices());
  const illegal = fc
    .integer({ min: 2_001, max: 999_999 })
    .map((hundredths) => hundredths / 100)
    .filter((price) => !legal.has(price));
  const before = await app.fingerprint();
  await fc.assert(
    fc.asyncProperty(illegal, async (price) => {
      const json = groupOf(user, { stopLossPrice: price, takeProfitItems: [{ price: 9_999_997.5, quantity: 1 }] });
      const answer = await app.send("POST", GROUPS, { token: user.token, json });
      assertRefusal(answer);
      assert.match(answer.text, /is not a multiple of/);
    }),
    { numRuns: 150 },
  );
  assert.equal(await app.fingerprint(), before);
});
