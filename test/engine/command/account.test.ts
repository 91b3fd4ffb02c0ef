import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brokerageOf, no, orderBody, refusalOf, startLife } from "./harness.ts";

const SECRETS = { username: "12345678901", password: "hunter2hunter2", sms: "424242" };
const stage1 = {
  brokerageCode: "PAPER",
  username: SECRETS.username,
  password: SECRETS.password,
  accountNumber: "A-7",
};
const stage2 = { ...stage1, sessionId: "session", sms: SECRETS.sms };

describe("account.login", () => {
  test("stage 1 answers that a code was sent, stage 2 that the user is logged in", async () => {
    const life = await startLife();
    assert.deepEqual(await life.command("account.login", stage1), { ok: true, data: { otp: 1, sessionId: "session" } });
    brokerageOf(life).answers.set("login", () => ({ ok: true, data: { otp: 0, isLoggedIn: true } }));
    assert.deepEqual(await life.command("account.login", stage2), { ok: true, data: { otp: 0, isLoggedIn: true } });
    const { brokerageCode: _, ...sent } = stage2;
    const { sessionId: __, sms: ___, ...first } = sent;
    assert.deepEqual(brokerageOf(life).callsOf("login"), [
      { userId: 7, ...first },
      { userId: 7, ...sent },
    ]);
  });

  test("empty or null sessionId and sms are stage 1; one without the other is refused", async () => {
    const life = await startLife();
    await life.command("account.login", { ...stage1, sessionId: "", sms: null });
    assert.equal("sms" in (brokerageOf(life).callsOf("login")[0] ?? {}), false);
    refusalOf(await life.command("account.login", { ...stage1, sessionId: "session" }), "INVALID");
    refusalOf(await life.command("account.login", { ...stage1, sms: "1" }), "INVALID");
    assert.equal(brokerageOf(life).callsOf("login").length, 1);
  });

  test("after a login the accounts are asked for again", async () => {
    const life = await startLife();
    await life.command("order.place", orderBody());
    await life.command("order.place", orderBody());
    assert.equal(brokerageOf(life).callsOf("accounts").length, 1);
    brokerageOf(life).answers.set("login", () => ({ ok: true, data: { otp: 0, isLoggedIn: true } }));
    await life.command("account.login", stage2);
    await life.command("order.place", orderBody());
    assert.equal(brokerageOf(life).callsOf("accounts").length, 2);
  });

  test("a wrong code is INVALID with the brokerage's words", async () => {
    const life = await startLife();
    brokerageOf(life).answers.set("login", () => no("REJECTED", "sms is not the code that was sent"));
    assert.match(refusalOf(await life.command("account.login", stage2), "INVALID"), /not the code that was sent/);
  });

  test("an account that is not the caller's is FORBIDDEN, an unknown brokerage INVALID", async () => {
    const life = await startLife();
    brokerageOf(life).answers.set("login", () => no("REJECTED", "no such account"));
    refusalOf(await life.command("account.login", { ...stage1, accountNumber: "A-8" }), "FORBIDDEN");
    refusalOf(await life.command("account.login", { ...stage1, brokerageCode: "X" }), "INVALID");
  });

  test("a brokerage that cannot be reached is UNAVAILABLE", async () => {
    const life = await startLife();
    brokerageOf(life).answers.set("login", () => no("NOT_SENT"));
    refusalOf(await life.command("account.login", stage1), "UNAVAILABLE");
  });

  test("user name, password and code reach neither store nor log nor an answer, also when the brokerage repeats them", async () => {
    const life = await startLife();
    const answers = [await life.command("account.login", stage1), await life.command("account.login", stage2)];
    for (const secret of Object.values(SECRETS)) {
      brokerageOf(life).answers.set("login", () => no("REJECTED", `wrong: ${secret}`));
      answers.push(await life.command("account.login", stage2));
      brokerageOf(life).answers.set("login", () => no("UNKNOWN", `wrong: ${secret}`));
      answers.push(await life.command("account.login", stage2));
    }
    answers.push(await life.command("account.login", { ...stage2, accountNumber: 1 }));
    const stored = [...life.disk.entries].map(([key, value]) => key + Buffer.from(value).toString());
    const seen = JSON.stringify([answers, stored, life.log]);
    for (const secret of Object.values(SECRETS)) assert.ok(!seen.includes(secret), secret);
  });
});
