/** How many lots an amount of cash or of risk buys (behaviour 24.10). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type SizeRequest, sizeEntry } from "../../src/domain/setup-sizing.ts";

interface Given {
  readonly price?: number | undefined;
  readonly stopLossPrice?: number;
  readonly stopLossPercent?: number;
}

/** The lots, or the message of the refusal. */
function sized(size: SizeRequest, { price, ...stop }: Given): number | string {
  const result = sizeEntry(size, { symbol: "THYAO", table: "BIST", price, ...stop });
  return result.ok ? result.value : result.message;
}

describe("the lots of an entry", () => {
  const cases: readonly (readonly [string, SizeRequest, Given, number])[] = [
    ["as given, without a price", { quantity: 7 }, {}, 7],
    ["cash for exactly ten", { cashAmount: 1000 }, { price: 100 }, 10],
    ["a cent less than ten", { cashAmount: 999.99 }, { price: 100 }, 9],
    // In doubles 0.3 / 0.1 is 2.9999999999999996, and 1.1 * 3 is over 3.3.
    ["three at 0.1", { cashAmount: 0.3 }, { price: 0.1 }, 3],
    ["three at 1.1", { cashAmount: 3.3 }, { price: 1.1 }, 3],
    ["a live price between two cents", { cashAmount: 100 }, { price: 33.333 }, 3],
    ["risk to a fixed stop-loss", { riskAmount: 30 }, { price: 100, stopLossPrice: 97 }, 10],
    ["a cent less than that risk", { riskAmount: 29.99 }, { price: 100, stopLossPrice: 97 }, 9],
    ["risk to a percent, at its level on the tick table", { riskAmount: 3 }, { price: 100, stopLossPercent: 3 }, 1],
    ["a distance that no double has", { riskAmount: 0.3 }, { price: 20.1, stopLossPrice: 20 }, 3],
  ];
  for (const [name, size, given, lots] of cases) test(name, () => assert.equal(sized(size, given), lots));

  const refusals: readonly (readonly [string, SizeRequest, Given, RegExp])[] = [
    ["none of the three", {}, { price: 100 }, /^exactly one of entry\.quantity/],
    [
      "two of them",
      { quantity: 1, riskAmount: 1 },
      { price: 100, stopLossPrice: 97 },
      /^exactly one of entry\.quantity/,
    ],
    ["no recent price", { cashAmount: 100 }, {}, /^entry\.cashAmount needs a price of THYAO that is at most 60 s old/],
    ["no lot for the cash", { cashAmount: 99.99 }, { price: 100 }, /^entry\.cashAmount 99\.99 .* buys no lot$/],
    [
      "no lot for the risk",
      { riskAmount: 2 },
      { price: 100, stopLossPrice: 97 },
      /^entry\.riskAmount 2 .* from 100 to 97/,
    ],
    ["more lots than there are", { cashAmount: 1e15 }, { price: 1 }, /^entry\.cashAmount .* more than 1000000000 lots/],
    [
      "a stop-loss at the price",
      { riskAmount: 1 },
      { price: 100, stopLossPrice: 100 },
      /^entry\.riskAmount needs a stop/,
    ],
    ["an amount of nothing", { cashAmount: 0 }, { price: 100 }, /not an amount greater than 0/],
    [
      "risk without a stop-loss",
      { riskAmount: 1 },
      { price: 100 },
      /^exactly one of stopLossPercent and stopLossPrice/,
    ],
  ];
  for (const [name, size, given, message] of refusals) {
    test(`refused: ${name}`, () => assert.match(String(sized(size, given)), message));
  }

  test("are the most that the cash pays for, in whole cents", () => {
    const cents = fc.integer({ min: 1, max: 10_000_000 });
    fc.assert(
      fc.property(cents, cents, (cash, price) => {
        const lots = sized({ cashAmount: cash / 100 }, { price: price / 100 });
        assert.equal(typeof lots === "number" ? lots : 0, (cash - (cash % price)) / price);
      }),
    );
  });
});
