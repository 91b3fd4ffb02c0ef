import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseFixConfig } from "../../../../engine/connector/fix/config.ts";
import { newOrder } from "../../../../engine/connector/fix/order/message.ts";

const session = { senderCompId: "ME", targetCompId: "DESK", addresses: ["fix.example.com:9880"] };
const accounts = [{ accountNumber: "A1", number: "9001", users: [1] }];
const file = (change: object = {}) => ({ code: "ACME", folder: "acme", session, accounts, ...change });
const mistakesOf = (value: unknown, secret = "hunter2"): string[] => {
  try {
    parseFixConfig(value, "/tmp", { FIX_PASSWORD: secret });
    return [];
  } catch (error) {
    return error instanceof Error ? error.message.split("\n") : [];
  }
};

describe("the configuration file", () => {
  test("has defaults for all but names, addresses and accounts", () => {
    const config = parseFixConfig(file(), "/srv", {});
    assert.equal(config.folder, "/srv/acme");
    assert.equal(config.session.beginString, "FIX.4.4");
    assert.equal(config.session.onUnexpectedReset, "stop");
    assert.deepEqual(config.session.addresses, [{ host: "fix.example.com", port: 9880 }]);
    assert.equal(config.orders.lookUp, "H");
  });
  test("names all mistakes at once", () => {
    const mistakes = mistakesOf({
      code: "AC ME",
      folder: "x",
      session: {
        ...session,
        addresses: ["nowhere"],
        pasword: "x",
        schedule: { start: "9", end: "18:00", timeZone: "Mars" },
      },
      orders: { fields: { D: { "11": "x", "9000x": "1" } } },
      accounts: [],
    });
    for (const start of [
      "code:",
      "session.addresses[0]:",
      "session.pasword: unknown field",
      "session.schedule.start:",
      "session.schedule.timeZone:",
      "accounts:",
      "orders.fields.D: 11",
      "orders.fields.D: 9000x",
    ]) {
      assert.ok(
        mistakes.some((line) => line.startsWith(start)),
        `${start}\n${mistakes.join("\n")}`,
      );
    }
  });
  test("a secret stands elsewhere, and a place without one is a mistake", () => {
    const password = (place: unknown) => file({ session: { ...session, password: place } });
    assert.match(mistakesOf(password("hunter2")).join(), /session.password: must be \{"env"/);
    assert.match(mistakesOf(password({ env: "NOT_SET" })).join(), /NOT_SET is not set/);
    assert.match(mistakesOf(password({ file: "/none/such" })).join(), /cannot be read/);
    assert.deepEqual(mistakesOf(password({ env: "FIX_PASSWORD" })), []);
  });
  test("a field map that would make an illegal message is refused", () => {
    const map = (type: string, fields: object) => mistakesOf(file({ orders: { fields: { [type]: fields } } })).join();
    assert.equal(map("D", { "1": "$account", "207": "XIST", "59": "0", "21": null, "9001": "x" }), "");
    assert.match(map("D", { "38": "5" }), /38 may not be mapped/);
    assert.match(map("D", { "44": "5" }), /44 may not be mapped/);
    assert.match(map("D", { "35": "G" }), /35 may not be mapped/);
    assert.match(map("D", { "59": "day" }), /59: day is not a legal value/);
    assert.match(map("D", { "1": "$acount" }), /known are \$account/);
    assert.match(map("D", { "262": "x" }), /262 is not a field of 35=D/);
    assert.match(map("H", { "59": "0" }), /59 is not a field of 35=H/);
    assert.match(map("D", { "58": "a\u0001b" }), /printable/);
  });
  test("what the session owns may not be set in header or logon", () => {
    assert.match(
      mistakesOf(file({ session: { ...session, header: { "34": "1" } } })).join(),
      /34 belongs to the session/,
    );
    assert.match(mistakesOf(file({ session: { ...session, logon: { "554": "x" } } })).join(), /554 belongs/);
  });
  test("contradictions are mistakes", () => {
    const twice = [accounts[0], accounts[0]];
    assert.match(mistakesOf(file({ accounts: twice })).join(), /A1 is listed twice/);
    assert.match(
      mistakesOf(file({ session: { ...session, version: "FIX.4.2" }, orders: { positions: true } })).join(),
      /no AN/,
    );
  });
  test("no order may live on after its day: DoneForDay is its end", () => {
    for (const timeInForce of ["1", "6"]) {
      const mistakes = mistakesOf(file({ orders: { fields: { D: { "59": timeInForce } } } }));
      assert.match(mistakes.join(), /59/);
    }
  });
  test("a secret that cannot go out as it is stops the start", () => {
    const secretive = (field: string) =>
      file({ session: { ...session, username: "me", [field]: { env: "FIX_PASSWORD" } } });
    for (const field of ["password", "rawData"]) {
      assert.match(mistakesOf(secretive(field), "gizli\u015f1").join(), /a character that is not of ISO 8859-1/);
      assert.deepEqual(mistakesOf(secretive(field), "gizl\u00fc1"), []);
    }
  });
  test("a field map puts in, replaces and takes out", () => {
    const { orders } = parseFixConfig(
      file({ orders: { fields: { D: { "21": null, "59": "0", "109": "$user" } } } }),
      "/",
      {},
    );
    const account = orders.accounts[0];
    assert.ok(account !== undefined);
    const order = { quantity: 1, buySell: 2, orderType: 1 } as const;
    const fields = new Map(
      newOrder({ settings: orders, account, userId: 7, symbol: "THYAO" }, order, "x", undefined, false, 0),
    );
    assert.deepEqual([fields.get(21), fields.get(59), fields.get(109)], [undefined, "0", "7"]);
  });
});
