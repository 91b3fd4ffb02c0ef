/** Values that are no price, quantity, percent, text or time: refused with the field and the rule (catalogue 4 to 19). */
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import fc from "../../support/property.ts";
import { FaultApp } from "../support/app.ts";
import { cancelGroup, createGroup, GROUPS, groupOf, PENDING, pendingOf, rowsOf } from "../support/group.ts";
import { assertNoFault, assertRefusal, type FaultCase, faultTable } from "../support/table.ts";

const app = await FaultApp.start();
after(() => app.stop());
const user = await app.newUser();
const other = await app.newUser();

const OFF_TABLE = /multiple of|is not a price|must be at (least 0\.01|most 9999999)|more than two decimals/;
const WRONG_TYPES: readonly unknown[] = ["5", "10.00", "", true, [5], {}, null];
const tps = (...items: readonly (readonly [number, number])[]) =>
  items.map(([price, quantity]) => ({ price, quantity }));

function wrong(name: string, change: object, message: RegExp): FaultCase {
  return { name, json: groupOf(user, change), status: 400, message };
}

/** A body whose number is written as no serializer would. */
function written(name: string, place: RegExp, text: string, message: RegExp): FaultCase {
  return { name, body: JSON.stringify(groupOf(user)).replace(place, text), status: 400, message };
}

faultTable("a field of a wrong type", {
  app,
  user,
  path: GROUPS,
  cases: [
    ...WRONG_TYPES.flatMap((value) => {
      const text = JSON.stringify(value);
      const [first, second] = [
        { price: value, quantity: 4 },
        { price: 110, quantity: value },
      ];
      return [
        wrong(`stopLossPrice ${text}`, { stopLossPrice: value }, /^stopLossPrice must be a number$/),
        wrong(`stopLossQuantity ${text}`, { stopLossQuantity: value }, /^stopLossQuantity must be a number$/),
        wrong(`price ${text}`, { takeProfitItems: [first] }, /^takeProfitItems\[0\]\.price must be a number$/),
        wrong(`quantity ${text}`, { takeProfitItems: [second] }, /^takeProfitItems\[0\]\.quantity must be a number$/),
      ];
    }),
    ...[5, true, null, [], {}].flatMap((value) =>
      ["brokerageCode", "accountNumber", "symbol"].map((field) =>
        wrong(`${field} ${JSON.stringify(value)}`, { [field]: value }, new RegExp(`^${field} must be a string$`)),
      ),
    ),
    ...[5, true, [], {}].flatMap((value) =>
      ["dueDate", "notes"].map((field) =>
        wrong(`${field} ${JSON.stringify(value)}`, { [field]: value }, new RegExp(`^${field} must be a string$`)),
      ),
    ),
    ...["x", 5, null, {}, true].map((value) =>
      wrong(
        `takeProfitItems ${JSON.stringify(value)}`,
        { takeProfitItems: value },
        /^takeProfitItems must be an array$/,
      ),
    ),
    ...["x", 5, null, true, [[]]].map((value) =>
      wrong(
        `an item ${JSON.stringify(value)}`,
        { takeProfitItems: [value] },
        /^takeProfitItems\[0\] must be an object$/,
      ),
    ),
    ...["brokerageCode", "accountNumber", "symbol", "stopLossPrice", "stopLossQuantity", "takeProfitItems"].map(
      (field) => wrong(`no ${field}`, { [field]: undefined }, new RegExp(`^${field} is required$`)),
    ),
  ],
});

faultTable("a number that is none of ours", {
  app,
  user,
  path: GROUPS,
  cases: [
    written("a price of 1e400", /90/, "1e400", /^stopLossPrice must be a number$/),
    written("a price of -1e400", /90/, "-1e400", /^stopLossPrice must be a number$/),
    written("a price of 1e-400", /90/, "1e-400", /^stopLossPrice must be at least 0\.01/),
    written("a price of -0", /90/, "-0", /^stopLossPrice must be at least 0\.01/),
    written("a price of -0.0", /90/, "-0.0", /^stopLossPrice must be at least 0\.01/),
    written("a price of 1e22", /120/, "1e22", /price must be at most 9999999/),
    written("a quantity of 1e400", /"stopLossQuantity":10/, '"stopLossQuantity":1e400', /must be a number/),
    written("a quantity of -0", /"quantity":4/, '"quantity":-0', /quantity must be at least 1/),
    written("a quantity of 1e-7", /"quantity":4/, '"quantity":1e-7', /quantity must be a whole number/),
    written("a quantity over 2^53", /"quantity":4/, '"quantity":9007199254740993', /quantity must be at most/),
    ...[0, -1, 0.5, 4.000001, 2 ** 31, 2 ** 53, 1_000_000_001].flatMap((quantity) => [
      wrong(
        `stopLossQuantity ${quantity}`,
        { stopLossQuantity: quantity },
        /^stopLossQuantity must be (a whole number|at least 1|at most)/,
      ),
      wrong(
        `quantity ${quantity}`,
        { takeProfitItems: tps([110, quantity]) },
        /\[0\]\.quantity must be (a whole number|at least 1|at most)/,
      ),
    ]),
    wrong("take-profits over the stop-loss by one", { takeProfitItems: tps([110, 5], [120, 6]) }, /together \(11\)/),
    wrong(
      "take-profits of the most lots each",
      { stopLossQuantity: 1e9, takeProfitItems: tps([110, 1e9], [120, 1e9]) },
      /together \(2000000000\) must not be above/,
    ),
    ...[0, 0.001, 0.005, -0.01, -90, 1e-7, 10_000_000, 9_999_999.01, 0.1 + 0.2, 10.004, 10.005, 0.011, 89.999].flatMap(
      (price) => [
        wrong(`stopLossPrice ${price}`, { stopLossPrice: price }, OFF_TABLE),
        wrong(`a take-profit at ${price}`, { takeProfitItems: tps([price, 1]) }, OFF_TABLE),
      ],
    ),
  ],
});

faultTable("a group that is none", {
  app,
  user,
  path: GROUPS,
  cases: [
    wrong("a take-profit at the stop-loss", { takeProfitItems: tps([90, 1]) }, /\[0\]\.price must be higher/),
    wrong(
      "a take-profit under the stop-loss",
      { takeProfitItems: tps([110, 1], [80, 1]) },
      /\[1\]\.price must be higher/,
    ),
    wrong("no take-profit", { takeProfitItems: [] }, /must not be empty/),
    wrong(
      "51 take-profits",
      { stopLossQuantity: 51, takeProfitItems: Array(51).fill({ price: 110, quantity: 1 }) },
      /50/,
    ),
    wrong(
      "10,000 take-profits",
      { stopLossQuantity: 1e5, takeProfitItems: Array(10_000).fill(tps([110, 1])[0]) },
      /50/,
    ),
    wrong(
      "10,001 take-profits",
      { stopLossQuantity: 1e5, takeProfitItems: Array(10_001).fill(tps([110, 1])[0]) },
      /at most/,
    ),
  ],
});

const SYMBOL_RULE = /^symbol must be 1 to 16 of A-Z, 0-9 and _$/;
const denied = (name: string, change: object): FaultCase => ({ name, json: groupOf(user, change), status: 403 });

faultTable("text that names nothing", {
  app,
  user,
  path: GROUPS,
  cases: [
    ...["", "thyao", "Thyao", " THYAO", "THYAO ", "THYAO\n", "THYAO\u0000", "\u202ETHYAO", "TH\u200DYAO"].map(
      (symbol) => wrong(`symbol ${JSON.stringify(symbol)}`, { symbol }, SYMBOL_RULE),
    ),
    ...["ТHYAO", "ＴＨＹＡＯ", "THYAO.E", "THYAO/../GARAN", "*", ">", "__proto__", "A".repeat(17)].map((symbol) =>
      wrong(`symbol ${symbol}`, { symbol }, SYMBOL_RULE),
    ),
    ...["UNKNOWN", "__PROTO__", "CONSTRUCTOR", "A".repeat(16)].map((symbol) =>
      wrong(`symbol ${symbol}`, { symbol }, /^symbol [A-Z_]+ is not known$/),
    ),
    ...["paper", "Paper", "PAPER ", "PAPER\u0000", "__proto__", "constructor", "toString", "PAPER/../PAPER"].map(
      (code) => wrong(`brokerageCode ${JSON.stringify(code)}`, { brokerageCode: code }, /^brokerageCode is not known$/),
    ),
    wrong("brokerageCode empty", { brokerageCode: "" }, /^(brokerageCode|accountNumber) must not be empty$/),
    wrong("brokerageCode of 33 characters", { brokerageCode: "P".repeat(33) }, /at most 32 characters/),
    denied("another user's account", { accountNumber: other.accountNumber }),
    denied("another user's account, other case", { accountNumber: other.accountNumber.toLowerCase() }),
    ...[` ${user.accountNumber}`, `${user.accountNumber} `, user.accountNumber.toLowerCase()].map((accountNumber) =>
      denied(`accountNumber ${JSON.stringify(accountNumber)}`, { accountNumber }),
    ),
    ...["__proto__", "constructor", "\u0000", "*", "../1", "'; DROP TABLE accounts; --"].map((accountNumber) =>
      denied(`accountNumber ${JSON.stringify(accountNumber)}`, { accountNumber }),
    ),
    wrong("accountNumber empty", { accountNumber: "" }, /^(brokerageCode|accountNumber) must not be empty$/),
    wrong("accountNumber of 101 characters", { accountNumber: "P".repeat(101) }, /at most 100 characters/),
    wrong("notes of 501 letters", { notes: "x".repeat(501) }, /^notes must be at most 500 characters$/),
    wrong("notes of 501 emoji", { notes: "😀".repeat(501) }, /^notes must be at most 500 characters$/),
    wrong("notes of 501 combining marks", { notes: "\u0301".repeat(501) }, /at most 500/),
    wrong("notes of 10,001 letters", { notes: "x".repeat(10_001) }, /^notes must be at most/),
  ],
});

const UNREAL = ["2027-02-30", "2027-02-29", "2027-13-01", "2027-00-10", "2027-04-31T00:00:00Z", "2027-01-01T24:00:00Z"];
const MALFORMED_TIMES = [
  "",
  " ",
  "tomorrow",
  "1893456000000",
  "2027-01-01 00:00:00",
  "01/02/2027",
  "2027-1-1",
  "+275760-09-13",
];

faultTable("a due date that is none", {
  app,
  user,
  path: GROUPS,
  cases: [
    ...["1970-01-01T00:00:00Z", "2020-01-01", "2026-01-01T00:00:00+14:00", new Date().toISOString()].map((dueDate) =>
      wrong(`the past: ${dueDate}`, { dueDate }, /^dueDate must be in the future$/),
    ),
    ...[...UNREAL, "2027-01-01T00:60:00Z", "2016-12-31T23:59:60Z", "2027-01-01T00:00:00+24:00"].map((dueDate) =>
      wrong(`no such moment: ${dueDate}`, { dueDate }, /^dueDate .* does not exist$/),
    ),
    ...[...MALFORMED_TIMES, "2027-W01-1", "275761-01-01", "2027-01-01T00:00:00.Z", "2027-01-01T00:00:00ZZ"].map(
      (dueDate) => wrong(`no time: ${JSON.stringify(dueDate)}`, { dueDate }, /^dueDate is not an ISO 8601 time/),
    ),
    ...["0000-01-01", "1969-12-31T23:59:59Z", "9999-12-31T23:59:59-01:00"].map((dueDate) =>
      wrong(`out of range: ${dueDate}`, { dueDate }, /^dueDate .* is not in the years 1970 to 9999$/),
    ),
    wrong("65 characters", { dueDate: "2".repeat(65) }, /^dueDate must be at most 64 characters$/),
  ],
});

function pending(name: string, change: object, message: RegExp): FaultCase {
  return { name, json: pendingOf(user, "nowhere", change), status: 400, message };
}
const item = (change: object) => ({ takeProfitItems: [{ quantity: 5, ...change }] });

faultTable("a registration that is none", {
  app,
  user,
  path: PENDING,
  invalidData: 0,
  cases: [
    pending("percent and price for the stop-loss", { stopLossPrice: 90 }, /stopLossPercent.*stopLossPrice/),
    pending("neither for the stop-loss", { stopLossPercent: undefined }, /stopLossPercent.*stopLossPrice/),
    pending("percent and price for an item", item({ percent: 5, price: 110 }), /percent.*price/),
    pending("neither for an item", item({}), /percent.*price/),
    ...[0, -3, 100, 1e9, -0].map((percent) =>
      pending(`stopLossPercent ${percent}`, { stopLossPercent: percent }, /^stopLossPercent /),
    ),
    ...[0, -5, 10_001, 1e9, -1e-9].map((percent) =>
      pending(`percent ${percent}`, item({ percent }), /\[0\]\.percent /),
    ),
    pending("stopLossPrice off the table", { stopLossPercent: undefined, stopLossPrice: 20.01 }, /multiple of 0.02/),
    pending("a price off the table", item({ price: 249.95 }), /\[0\]\.price 249.95 is not a multiple of 0.1/),
    ...[0, -1, 1.5, 1_000_000_001].map((quantity) =>
      pending(`quantity ${quantity}`, { takeProfitItems: [{ quantity, percent: 5 }] }, /\[0\]\.quantity/),
    ),
    pending("items over the stop-loss", item({ quantity: 11, percent: 5 }), /together/),
    pending("no item", { takeProfitItems: [] }, /must not be empty/),
    pending("no order number", { brokerOrderNo: "" }, /^brokerOrderNo must/),
    pending("an unknown order", {}, /^brokerOrderNo is not an order of the account$/),
    pending("an unknown brokerage", { brokerageCode: "paper" }, /^brokerageCode is not known$/),
    pending("a due date gone by", { dueDate: "2020-01-01" }, /^dueDate must be in the future$/),
    pending("notes of 501", { notes: "x".repeat(501) }, /^notes must be at most 500/),
    { name: "no JSON", body: "{", status: 400, message: /valid JSON/ },
    { name: "another kind of body", body: "{}", headers: { "content-type": "text/plain" }, status: 400 },
  ],
});

describe("values at the very edge of what is allowed", () => {
  const allowed: readonly (readonly [string, object])[] = [
    ["500 emoji", { notes: "😀".repeat(500) }],
    ["notes of any script, direction and width", { notes: "\u202Eabc\u200D e\u0301 \u00e9 ｆ <script>\r\n\u001b[31m" }],
    ["notes with NUL", { notes: "a\u0000b" }],
    ["half an emoji", { notes: "x\ud83d" }],
    ["no notes", { notes: null, dueDate: null }],
    ["the most lots", { stopLossQuantity: 1e9, takeProfitItems: tps([110, 1e9]) }],
    ["one lot", { stopLossQuantity: 1, takeProfitItems: tps([110, 1]) }],
    ["the lowest and the highest price", { stopLossPrice: 0.01, takeProfitItems: tps([9_999_997.5, 1]) }],
    ["equal take-profits", { takeProfitItems: tps([110, 1], [110, 1]) }],
    ["50 take-profits", { stopLossQuantity: 50, takeProfitItems: Array(50).fill({ price: 110, quantity: 1 }) }],
    ["a due date after 2038", { dueDate: "2040-01-01T00:00:00Z" }],
    ["the last due date", { dueDate: "9999-12-31T23:59:59.999Z" }],
  ];
  for (const [name, change] of allowed) {
    test(`${name}: taken and shown as it was sent`, async () => {
      const row = await createGroup(app, user, change);
      const rows = await rowsOf(app, user, row.groupId);
      const sent = groupOf(user, change) as ReturnType<typeof JSON.parse>;
      assert.equal(row.id, row.groupId);
      assert.equal(row.userId, user.userId);
      for (const shown of rows) {
        assert.equal(shown.notes, sent.notes ?? null);
        assert.equal(
          shown.dueDate,
          sent.dueDate === undefined || sent.dueDate === null ? null : new Date(sent.dueDate).toISOString(),
        );
      }
      assert.equal(row.price, sent.stopLossPrice);
      assert.equal(row.quantity, sent.stopLossQuantity);
      assert.deepEqual(
        rows.slice(1).map(({ price, quantity }) => ({ price, quantity })),
        sent.takeProfitItems,
      );
      await cancelGroup(app, user, row.id);
    });
  }

  const zones: readonly (readonly [string, string])[] = [
    ["2040-03-01T10:00:00", "2040-03-01T10:00:00.000Z"],
    // The end of the day at the exchange, in Istanbul.
    ["2040-03-01", "2040-03-01T20:59:59.999Z"],
    ["2040-03-25T02:30:00+03:00", "2040-03-24T23:30:00.000Z"],
    ["2040-03-01T10:00:00.123456789-05:30", "2040-03-01T15:30:00.123Z"],
  ];
  for (const [given, shown] of zones) {
    test(`the due date ${given} is ${shown}`, async () => {
      const row = await createGroup(app, user, { dueDate: given });
      assert.equal(row.dueDate, shown);
      await cancelGroup(app, user, row.id);
    });
  }

  test("the account's number at the brokerage names it too, and rows show the accountNumber", async () => {
    const { body } = await app.send("GET", "/api/v1/accounts", { token: user.token });
    const [account] = body.data as { number: string; accountNumber: string }[];
    const row = await createGroup(app, user, { accountNumber: account?.number });
    assert.equal(row.accountNumber, account?.accountNumber);
    const again = await app.send("POST", GROUPS, { token: user.token, json: groupOf(user) });
    assert.equal(again.status, 400, "it is the same account");
    await cancelGroup(app, user, row.id);
  });

  test("fields of the service's own are not the client's to set", async () => {
    const own = { id: 1, groupId: 1, userId: other.userId, status: 2, triggeredPrice: 5, createdDate: "2020-01-01" };
    for (const [field, value] of Object.entries(own)) {
      const answer = await app.send("POST", GROUPS, { token: user.token, json: { ...groupOf(user), [field]: value } });
      assert.equal(answer.status, 400, field);
      assert.match(String(answer.body.message), new RegExp(`^${field} is not a field`));
    }
    assert.deepEqual((await app.rows(other)).length, 0);
  });

  test("no note reaches a log", () => {
    assert.ok(app.log.lines.every((line) => !line.includes("<script>") && !line.includes("\u001b")));
    assertNoFault(app);
  });
});

test("a body with any one value exchanged is taken or refused, never more", async () => {
  const fresh = await app.newUser();
  const paths = ["symbol", "stopLossPrice", "stopLossQuantity", "takeProfitItems", "dueDate", "notes", "accountNumber"];
  const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.double(), fc.integer(), fc.string({ unit: "binary" }));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), value, async (field, given) => {
      const answer = await app.send("POST", GROUPS, { token: fresh.token, json: groupOf(fresh, { [field]: given }) });
      if (answer.status === 200) await cancelGroup(app, fresh, (answer.body.data as { id: number }).id);
      else assertRefusal(answer);
    }),
    { numRuns: 300 },
  );
  assertNoFault(app);
});
