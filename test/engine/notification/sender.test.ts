/** What a target receives, from real servers' side; and where nothing is sent to. */
import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { postGuarded, refuseUnlessPublic, refuseUnlessTarget } from "../../../engine/notification/guarded-request.ts";
import { Sender } from "../../../engine/notification/sender.ts";
import type { AlertSettings } from "../../../engine/ports/event.ts";
import type { StoredTarget, TargetBody } from "../../../src/contract/trading/notification.ts";
import { startHttpReceiver, startMailReceiver } from "../../support/client/receivers.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const event = {
  ...{ id: "abcdefghij-0-7", sequence: 7, type: "order.refused", message: "no cash" },
  order: { clientOrderId: "abc-1", symbol: "GARAN", quantity: 3, buySell: 1 },
};
const settings: AlertSettings = {
  ...{ smtpUrl: undefined, smtpFrom: "desk@example.com", telegramUrl: "http://127.0.0.1:1", arePrivateAllowed: true },
};

function target(body: TargetBody): StoredTarget {
  return {
    version: 1,
    userId: 1,
    targetId: 5,
    body,
    secret: SECRET,
    createdAtMs: 0,
    sentThrough: 0,
    failure: null,
    skipped: null,
    delivery: null,
  };
}
const clock = { nowMs: () => Date.now() };
const shared = { name: "mine", events: ["*"], isActive: true };

async function listen(context: TestContext, status: number, headers: Record<string, string> = {}) {
  const receiver = await startHttpReceiver(status, headers);
  context.after(() => receiver.stop());
  return receiver;
}

describe("a notification", () => {
  test("to a webhook is the event, under its id and signed as Standard Webhooks says", async (t) => {
    const { heard, url } = await listen(t, 204);
    const sent = await new Sender(settings, clock).send(
      target({ kind: "webhook", ...shared, url: `${url}/hook?a=1` }),
      event,
    );
    assert.deepEqual(sent, { ok: true });
    const [first] = heard;
    assert(first !== undefined);
    assert.equal(first.path, "/hook?a=1");
    assert.equal(first.headers["webhook-id"], event.id);
    assert.deepEqual(new Webhook(SECRET).verify(first.body, first.headers as Record<string, string>), event);
    assert.throws(() =>
      new Webhook(`whsec_${"A".repeat(32)}`).verify(first.body, first.headers as Record<string, string>),
    );
  });

  test("that is redirected, refused or gone has failed, and no redirect is followed", async (t) => {
    const elsewhere = await listen(t, 200);
    for (const [status, concern] of [
      [302, "target"],
      [500, "target"],
      [410, "gone"],
    ] as const) {
      const { url } = await listen(t, status, { location: elsewhere.url });
      const sent = await new Sender(settings, clock).send(target({ kind: "webhook", ...shared, url }), event);
      const message = `the server refused it (status ${status})`;
      assert.deepEqual(sent, { ok: false, message, detail: null, concern, retryAfterMs: null });
    }
    assert.equal(elsewhere.heard.length, 0);
  });

  test("to a Telegram chat is one line of words; a failure does not tell the bot's token", async (t) => {
    const { heard, url } = await listen(t, 200);
    const botToken = "123456:abcdefghijklmnopqrstuvwxyz";
    const chat = target({ kind: "telegram", ...shared, botToken, chatId: "42" });
    assert.deepEqual(await new Sender({ ...settings, telegramUrl: url }, clock).send(chat, event), { ok: true });
    assert.equal(heard[0]?.path, `/bot${botToken}/sendMessage`);
    const text = "order refused: buy 3 GARAN, abc-1: no cash";
    assert.deepEqual(JSON.parse(heard[0]?.body ?? ""), { chat_id: "42", text });
    const away = await new Sender(settings, clock).send(chat, event);
    assert.equal(away.ok, false);
    assert.ok(!JSON.stringify(away).includes(botToken));
  });

  test("by e-mail is words and event, handed in over SMTP", async (t) => {
    const { mails, url: smtpUrl, stop } = await startMailReceiver();
    t.after(stop);
    const mailbox = target({ kind: "email", ...shared, address: "me@example.com" });
    assert.deepEqual(await new Sender({ ...settings, smtpUrl }, clock).send(mailbox, event), { ok: true });
    assert.match(mails[0] ?? "", /To: me@example.com/);
    assert.match(mails[0] ?? "", /^Auto-Submitted: auto-generated\r?$/m);
    assert.match(mails[0] ?? "", /Subject: order refused: buy 3 GARAN, abc-1: no cash/);
    assert.match(new Sender(settings, clock).whyNot(mailbox) ?? "", /SMTP_URL is not set/);
  });

  test("reaches no address that is not public, however it is written or named", async (t) => {
    const { heard, url } = await listen(t, 200);
    const { port } = new URL(url);
    for (const address of [
      ...["127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"],
      ...["::1", "::ffff:127.0.0.1", "fc00::1", "fe80::1", "::", "224.0.0.1", "255.255.255.255"],
    ]) {
      assert.ok(refuseUnlessPublic(address) !== undefined, address);
    }
    assert.equal(refuseUnlessPublic("93.184.215.14"), undefined);
    for (const wrong of [
      ...["http://example.com", "ftp://example.com", "nonsense", "https://me:secret@example.com"],
      ...["https://127.0.0.1/", "https://2130706433/", "https://0x7f.1/", "https://[::1]/", "https://[::ffff:7f00:1]/"],
    ]) {
      assert.match(refuseUnlessTarget(wrong, false) ?? "", /^url /, wrong);
    }
    // The name is looked up when it is connected to, and all its addresses must be public.
    const byName = postGuarded(`https://localhost:${port}/`, {}, "{}", { arePrivateAllowed: false });
    await assert.rejects(byName, /localhost is not a public address \(loopback\)/);
    assert.equal(heard.length, 0);
  });
});
