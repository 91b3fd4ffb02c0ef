/** Whether a refusal concerns one message or the target, from the answers of real servers. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, type TestContext, test } from "node:test";
import { Sender } from "../../../engine/notification/sender.ts";
import { type Concern, retryAfterMsOf } from "../../../engine/notification/verdict.ts";
import type { AlertSettings } from "../../../engine/ports/event.ts";
import type { StoredTarget, TargetBody } from "../../../src/contract/trading/notification.ts";
import { startHttpReceiver } from "../../support/client/receivers.ts";

const settings: AlertSettings = {
  ...{ smtpUrl: undefined, smtpFrom: "desk@example.com", telegramUrl: "http://127.0.0.1:1", arePrivateAllowed: true },
};
const event = { id: "abcdefghij-0-7", type: "test" };
const nowMs = Date.parse("2026-03-02T10:00:00Z");
const clock = { nowMs: () => nowMs };
const shared = { name: "mine", events: ["*"], isActive: true };
const chat: TargetBody = { kind: "telegram", ...shared, botToken: `1:${"t".repeat(30)}`, chatId: "-42" };
const mailbox: TargetBody = { kind: "email", ...shared, address: "me@example.com" };

function targetOf(body: TargetBody): StoredTarget {
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  return {
    ...{ version: 1, userId: 1, targetId: 5, secret, body, createdAtMs: 0, sentThrough: 0 },
    ...{ failure: null, skipped: null, delivery: null },
  };
}

async function send(body: TargetBody, change: Partial<AlertSettings> = {}) {
  return new Sender({ ...settings, ...change }, clock).send(targetOf(body), event);
}

describe("a refusal by a webhook's server", () => {
  test("is about the message where its status is final and says nothing of the target", async (t) => {
    const concerns: Readonly<Record<Concern, readonly number[]>> = {
      message: [400, 406, 409, 411, 413, 415, 422, 451, 499],
      target: [302, 401, 402, 403, 404, 405, 407, 408, 421, 425, 426, 429, 500, 503],
      gone: [410],
    };
    for (const [concern, statuses] of Object.entries(concerns)) {
      for (const status of statuses) {
        const receiver = await startHttpReceiver(status);
        t.after(() => receiver.stop());
        const sent = await send({ kind: "webhook", ...shared, url: receiver.url });
        assert.equal(sent.ok ? "taken" : sent.concern, concern, String(status));
      }
    }
  });

  test("may say in Retry-After for how long it wants to be left alone, as seconds or as a moment", async (t) => {
    for (const [header, waitMs] of [
      ["120", 120_000],
      ["Mon, 02 Mar 2026 10:05:00 GMT", 300_000],
      ["Mon, 02 Mar 2026 09:05:00 GMT", 0],
      ["soon", null],
    ] as const) {
      const receiver = await startHttpReceiver(429, { "retry-after": header });
      t.after(() => receiver.stop());
      const sent = await send({ kind: "webhook", ...shared, url: receiver.url });
      assert.equal(sent.ok ? "taken" : sent.retryAfterMs, waitMs, header);
    }
    assert.equal(retryAfterMsOf(undefined, nowMs), null);
    assert.equal(retryAfterMsOf("-5", nowMs), null);
  });
});

describe("a refusal by Telegram", () => {
  const answering = async (t: TestContext, status: number, answer: object | string) => {
    const receiver = await startHttpReceiver(status, {}, () =>
      typeof answer === "string" ? answer : JSON.stringify(answer),
    );
    t.after(() => receiver.stop());
    return send(chat, { telegramUrl: receiver.url });
  };

  test("is about the chat where it names it, and else about the text", async (t) => {
    for (const [status, description, concern] of [
      [400, "Bad Request: message is too long", "message"],
      [400, "Bad Request: strings must be encoded in UTF-8", "message"],
      [400, "Bad Request: chat not found", "target"],
      [400, "Bad Request: not enough rights to send text messages to the chat", "target"],
      [400, "Bad Request: TOPIC_CLOSED", "target"],
      [401, "Unauthorized", "target"],
      [403, "Forbidden: bot was blocked by the user", "target"],
      [404, "Not Found", "target"],
      [502, "Bad Gateway", "target"],
    ] as const) {
      const sent = await answering(t, status, { ok: false, error_code: status, description });
      assert.equal(sent.ok ? "taken" : sent.concern, concern, description);
    }
    for (const nonsense of ["<html>", "", "[]", '{"parameters":5}', '{"ok":false', `"${"x".repeat(200_000)}"`]) {
      const sent = await answering(t, 400, nonsense);
      assert.equal(sent.ok ? "taken" : sent.concern, "message", nonsense.slice(0, 20));
    }
  });

  test("says in retry_after for how long it wants to be left alone", async (t) => {
    const description = "Too Many Requests: retry after 37";
    const sent = await answering(t, 429, { ok: false, error_code: 429, description, parameters: { retry_after: 37 } });
    assert.deepEqual(sent.ok ? "taken" : [sent.concern, sent.retryAfterMs], ["target", 37_000]);
  });

  test("of a group that became a supergroup is followed, once", async (t) => {
    const upgraded = {
      ...{ ok: false, error_code: 400, description: "Bad Request: group chat was upgraded to a supergroup chat" },
      parameters: { migrate_to_chat_id: -10042 },
    };
    const isOld = (body: string): boolean => JSON.parse(body).chat_id === "-42";
    const receiver = await startHttpReceiver(
      (body) => (isOld(body) ? 400 : 200),
      {},
      (body) => JSON.stringify(isOld(body) ? upgraded : { ok: true }),
    );
    t.after(() => receiver.stop());
    assert.deepEqual(await send(chat, { telegramUrl: receiver.url }), { ok: true, movedToChatId: "-10042" });
    assert.equal(receiver.heard.length, 2);
    const round = await answering(t, 400, upgraded);
    assert.deepEqual([round.ok, round.movedToChatId], [false, "-10042"], "a chat that leads to itself is no loop");
  });
});

describe("a refusal by the mail server", () => {
  /** Sends `lines` in turn: a greeting, then an answer to each command and to the text. */
  const refusing = async (t: TestContext, ...lines: readonly string[]) => {
    const server = createServer((socket) => {
      const left = lines.map((line) => `${line}\r\n`);
      socket.on("error", () => undefined);
      socket.write(left.shift() ?? "");
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk.toString();
        if (!/^(EHLO|MAIL|RCPT|DATA|QUIT)/.test(text) && !text.endsWith("\r\n.\r\n")) return;
        text = "";
        socket.write(left.shift() ?? "221 bye\r\n");
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    t.after(() => void server.close());
    const { port } = server.address() as AddressInfo;
    return send(mailbox, { smtpUrl: `smtp://127.0.0.1:${port}` });
  };
  const upTo = (...more: readonly string[]) => ["220 mx ready", "250 mx", ...more];
  const toData = (end: string) => upTo("250 sender ok", "250 recipient ok", "354 go on", end);

  test("is about the message where the text is refused for good", async (t) => {
    for (const [lines, concern] of [
      [toData("554 5.6.0 message refused"), "message"],
      [toData("552 message too large"), "message"],
      [upTo("250 sender ok", "250 recipient ok", "554 no"), "message"],
      [toData("451 4.3.0 try later"), "target"],
      [toData("550 5.1.1 no such user"), "target"],
      [upTo("250 sender ok", "550 5.1.1 no such user"), "target"],
      [upTo("550 5.7.1 sender refused"), "target"],
      [["554 no service"], "target"],
    ] as const) {
      const sent = await refusing(t, ...lines);
      assert.equal(sent.ok ? "taken" : sent.concern, concern, lines.at(-1));
    }
  });
});

test("an event that cannot be put into words is left out, and not tried for a day", async () => {
  const cyclic: Record<string, unknown> = { ...event };
  cyclic.self = cyclic;
  const sender = new Sender(settings, clock);
  const sent = await sender.send(targetOf({ kind: "webhook", ...shared, url: "http://127.0.0.1:1/" }), cyclic as never);
  assert.equal(sent.ok ? "taken" : sent.concern, "message");
});
