/**
 * The conformance checks of the contract's third edition, tried on a connector that keeps all of it, and on a connector
 * that breaks one rule each time. Every check can fail, and every check that cannot be tried gives its reason.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Asker } from "../../../../engine/connector/conformance/asker.ts";
import { tryConnector } from "../../../../engine/connector/conformance/checks.ts";
import { type Provocation, provocations } from "../../../../engine/connector/conformance/provocation.ts";
import type { Verdict } from "../../../../engine/connector/conformance/report.ts";
import { serveConnector } from "../../../../engine/connector/host/serve.ts";
import { createMemoryBus } from "../../../../src/bus/memory/bus.ts";
import { steadyClock } from "../../../../src/runtime/clock.ts";
import { RecordedLog } from "../fix/support/session-world.ts";
import { ModelConnector, type ModelFault } from "./support/model-connector.ts";

interface Trial {
  readonly fault?: ModelFault;
  readonly price?: number;
  readonly quantity?: number;
  /** The events that can be provoked; default: all. */
  readonly possible?: readonly Provocation[] | null;
}

async function conform({ fault, price = 90, quantity = 2, possible = provocations }: Trial = {}): Promise<Verdict> {
  const bus = createMemoryBus();
  const connector = new ModelConnector(fault);
  const stop = serveConnector(connector, { code: "MODEL", bus, log: new RecordedLog(), steadyClock });
  const verdict = await tryConnector({
    ...{ asker: new Asker(bus, "MODEL", 2_000), userId: 1, accountNumber: undefined, epoch: 1 },
    ...{ trial: { symbol: "THYAO", quantity, price }, namePrefix: "conformance", restart: undefined },
    provoke:
      possible === null
        ? undefined
        : async (what, order) => possible.includes(what) && (await connector.provoke(what, order)),
    wait: () => new Promise((resolve) => setImmediate(resolve)),
  });
  stop();
  return verdict;
}

const textsOf = ({ findings }: Verdict, type: string): string[] =>
  findings.flatMap((finding) => (finding.type === type ? [finding.text] : []));

/** Each fault, and the sentence by which its check finds it. */
const FOUND: Readonly<Record<Exclude<ModelFault, "secondEdition">, RegExp>> = {
  instrumentRefused: /status\.supports states instrument, and it answers REJECTED/,
  instrumentWithoutBand: /its floor 120 is not under its ceiling 120/,
  instrumentOfOtherLots: /2 lots were taken, and its lotSize is 50/,
  instrumentHalted: /it is halted, and an order was filled/,
  instrumentBaseOutside: /its base price 70 lies outside of its band/,
  instrumentPriceOutside: /an order at 90 was taken outside of its band/,
  instrumentFillOutside: /an order was filled outside of its band/,
  instrumentOfFewLots: /2 lots were taken above its maxQuantity/,
  balanceIsLacking: /status\.supports states balance, and it answers REJECTED/,
  cancelEndedByExchange: /ended by a cancel request has endedBy exchange in place of owner/,
  cancelIsOpen: /ended by a cancel request is not reported as cancelled or rejected/,
  unknownEndedBy: /contains endedBy "broker", which the contract lacks/,
  endedByWhileOpen: /a record is open and contains endedBy/,
  exchangeEndByOwner: /ended by exchangeEnd has endedBy owner in place of exchange/,
  dayEndByBrokerage: /ended by dayEnd has endedBy brokerage in place of exchange/,
  brokerageEndByExchange: /ended by brokerageEnd has endedBy exchange in place of brokerage/,
  replacedIsForgotten: /a replaced order is reported as ended under its old number, and no new number is known/,
  replacesNothing: /a replaced order has replaces nothing in place of N/,
  replacedNumberUnknown: /findOrder by the new number of a replaced order: NOT_FOUND/,
  replacementIsSilent: /no update of the new number of a replaced order was published/,
  replacementCountsAll: /count more fills than were ordered: each counts its own alone/,
  cutDownIsOpen: /1 of 2 lots was filled and the rest taken away, and it is reported as .*"orderStatus":1/,
  cutDownIsFull: /1 of 2 lots was filled and the rest taken away, and it is reported as .*"filledQuantity":2/,
  correctionIsHidden: /a fill was taken back, and findOrder still returns/,
  correctionIsSilent: /no update with the lower filledQuantity was published/,
  closedIsRejected: /the closed market does not take gets REJECTED .* in place of NOT_NOW/,
  closedLeavesAnOrder: /an order that was answered NOT_NOW: findOrder .*, and an update was published/,
  closedForEver: /after NOT_NOW the same clientOrderId gets NOT_NOW/,
  completedWithNothing: /is completed \(2\) with a filledQuantity of 0/,
  filledWhileWaiting: /waits \(0\) with a filledQuantity above 0/,
  priceAboveLimit: /has an averagePrice that its limit does not allow/,
  priceWithoutFill: /has an averagePrice with a filledQuantity of 0/,
  overfilled: /has a filledQuantity above its quantity/,
  replacesItself: /a record replaces its own number/,
  fillIsForgotten: /the filledQuantity of a look-up fell/,
  otherSymbol: /names another symbol or side than was ordered/,
  endTakenBack: /an order that was over \(2, 3, 4\) was open again/,
  malformedUpdates: /updates are no order records of the contract/,
};

/** Faults that show only where the first orders are filled. */
const MARKET: readonly ModelFault[] = [
  ...(["instrumentHalted", "instrumentFillOutside", "completedWithNothing", "overfilled", "fillIsForgotten"] as const),
];

describe("conformance of the third edition", () => {
  test("a connector that keeps the contract is conforming, and every check of it was held", async () => {
    const verdict = await conform();
    assert.deepEqual(textsOf(verdict, "breach"), []);
    assert.equal(verdict.isConforming, true);
    const held = textsOf(verdict, "held");
    for (const begin of ["instrument", "endedBy", "replaces", "cut down", "correction", "NOT_NOW", "records"]) {
      assert.ok(
        held.some((text) => text.startsWith(`${begin}: `)),
        `${begin}\n${held.join("\n")}`,
      );
    }
    assert.equal(held.filter((text) => text.startsWith("endedBy: ")).length, 4);
    assert.equal(held.filter((text) => text.startsWith("NOT_NOW: ")).length, 3);
  });

  for (const [fault, text] of Object.entries(FOUND) as [ModelFault, RegExp][]) {
    test(`a connector with the fault ${fault} breaks the contract, in these words`, async () => {
      const verdict = await conform({ fault, price: MARKET.includes(fault) ? 0 : 90 });
      assert.match(textsOf(verdict, "breach").join("\n"), text);
      assert.equal(verdict.isConforming, false);
    });
  }

  test("a second number under one name that is not linked is found among the records, too", async () => {
    const breaches = textsOf(await conform({ fault: "replacesNothing" }), "breach");
    assert.match(
      breaches.join("\n"),
      /two numbers were reported under one clientOrderId, and neither replaces the other/,
    );
  });

  test("a connector of the second edition is asked for none of it, and conforms", async () => {
    const verdict = await conform({ fault: "secondEdition" });
    assert.deepEqual(textsOf(verdict, "breach"), []);
    const notes = textsOf(verdict, "note").join("\n");
    assert.match(notes, /endedBy after a cancel request was not tried: it reports protocol 2/);
    assert.match(notes, /NOT_NOW was not tried: it reports protocol 2/);
  });

  test("each check that cannot be tried gives its reason", async () => {
    const alone = textsOf(await conform({ possible: null }), "note").join("\n");
    for (const what of ["endedBy after exchangeEnd", "replaces", "an order cut down", "a fill that is taken back"]) {
      assert.match(alone, new RegExp(`${what} was not tried: give --provoke`));
    }
    assert.match(alone, /NOT_NOW was not tried: give --provoke/);
    const market = textsOf(await conform({ price: 0 }), "note").join("\n");
    assert.match(market, /endedBy owner was not tried: no order rests: give --price/);
    const one = textsOf(await conform({ quantity: 1 }), "note").join("\n");
    assert.match(one, /an order cut down was not tried: it needs --quantity of at least 2/);
    const none = textsOf(await conform({ possible: ["fill"] }), "note").join("\n");
    assert.match(none, /replaces was not tried: replace cannot be made to happen there/);
    assert.match(none, /NOT_NOW was not tried: close cannot be made to happen there/);
    assert.match(none, /balance was not tried: status\.supports lacks it/);
  });
});
