/**
 * What the owner of a target is notified of on a failure, and what only the log contains; all failures are real ones.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createHttpServer, request } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { createTransport } from "nodemailer";
import { failureOf } from "../../../engine/notification/failure.ts";
import { Sender } from "../../../engine/notification/sender.ts";
import type { AlertSettings } from "../../../engine/ports/event.ts";
import type { StoredTarget, TargetBody } from "../../../src/contract/trading/notification.ts";
import { startHttpReceiver } from "../../support/client/receivers.ts";

const settings: AlertSettings = {
  ...{ smtpUrl: undefined, smtpFrom: "desk@example.com", telegramUrl: "http://127.0.0.1:1", arePrivateAllowed: true },
};
const event = { id: "abcdefghij-0-7", type: "test" };
const clock = { nowMs: () => Date.now() };
const shared = { name: "mine", events: ["*"], isActive: true };
const botToken = "123456:abcdefghijklmnopqrstuvwxyz";
const mailbox: TargetBody = { kind: "email", ...shared, address: "me@example.com" };
const chat: TargetBody = { kind: "telegram", ...shared, botToken, chatId: "42" };
const hook = (url: string): TargetBody => ({ kind: "webhook", ...shared, url });

function targetOf(body: TargetBody): StoredTarget {
  const stored = { version: 1, userId: 1, targetId: 5, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" } as const;
  return { ...stored, body, createdAtMs: 0, sentThrough: 0, failure: null, skipped: null, delivery: null };
}

/** Returns the report of a failure to send an event to the target. */
async function failureBy(body: TargetBody, change: Partial<AlertSettings> = {}) {
  const sent = await new Sender({ ...settings, ...change }, clock).send(targetOf(body), event);
  assert(!sent.ok, "nothing was handed over");
  return sent;
}

/** Listens on a free port until the test ends. */
async function portOf(t: TestContext, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket.on("error", () => undefined)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** A port where nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A mail server that sends `lines` in turn: a greeting, then an answer to each command. */
function mailServer(t: TestContext, ...lines: readonly string[]): Promise<number> {
  const server = createServer((socket) => {
    const left = lines.map((line) => `${line}\r\n`);
    socket.write(left.shift() ?? "");
    socket.on("data", () => void socket.write(left.shift() ?? ""));
  });
  return portOf(t, server);
}

/** A web server whose certificate signs itself. */
async function tlsServer(t: TestContext): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "alert-tls-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  const words = ["req", "-x509", "-nodes", "-days", "2", ...curve, "-subj", "/CN=localhost"];
  execFileSync("openssl", [...words, "-keyout", keyFile, "-out", certFile], { stdio: "pipe" });
  return portOf(
    t,
    createTlsServer({ key: readFileSync(keyFile), cert: readFileSync(certFile) }, () => undefined),
  );
}

describe("the owner of a webhook is told", () => {
  test("the status, and that a sign-in was refused where it says so", async (t) => {
    for (const [status, told] of [
      [500, "the server refused it (status 500)"],
      [403, "the server refused it (status 403)"],
      [401, "the server refused the sign-in (status 401)"],
    ] as const) {
      const receiver = await startHttpReceiver(status);
      t.after(() => receiver.stop());
      const { message, detail } = await failureBy(hook(receiver.url));
      assert.deepEqual([message, detail], [told, null]);
    }
  });

  test("that nothing listens there, without the address that was tried", async () => {
    const port = await closedPort();
    const { message, detail } = await failureBy(hook(`http://localhost:${port}/hook`));
    assert.equal(message, "the server is not reachable");
    assert.match(detail ?? "", new RegExp(`ECONNREFUSED.*127\\.0\\.0\\.1:${port}`));
  });

  test("the same of a name that nobody has and of one that stands for a private address", async (t) => {
    const receiver = await startHttpReceiver(200);
    t.after(() => receiver.stop());
    const { port } = new URL(receiver.url);
    const told = "the server is not reachable: its name does not resolve to a public address";
    const inside = await failureBy(hook(`https://localhost:${port}/hook`), { arePrivateAllowed: false });
    assert.equal(inside.message, told);
    assert.match(inside.detail ?? "", /localhost is not a public address \(loopback\)/);
    const absent = await failureBy(hook("https://nobody.invalid/hook"), { arePrivateAllowed: false });
    assert.equal(absent.message, told);
    assert.match(absent.detail ?? "", /nobody\.invalid/);
    assert.equal(receiver.heard.length, 0);
  });

  test("what is wrong with an address that he wrote himself", async () => {
    const { message } = await failureBy(hook("https://127.0.0.1/"), { arePrivateAllowed: false });
    assert.equal(message, "url is not a public address (loopback)");
  });

  test("that TLS failed, and what is wrong with the certificate", async (t) => {
    const untrusted = await failureBy(hook(`https://127.0.0.1:${await tlsServer(t)}/`));
    assert.equal(untrusted.message, "no TLS connection with the server: its certificate is not trusted");
    assert.match(untrusted.detail ?? "", /DEPTH_ZERO_SELF_SIGNED_CERT/);
    const plain = await startHttpReceiver(200);
    t.after(() => plain.stop());
    const { message, detail } = await failureBy(hook(plain.url.replace("http:", "https:")));
    assert.equal(message, "no TLS connection with the server");
    assert.match(detail ?? "", /SSL|EPROTO/);
  });

  test("that the server broke off", async (t) => {
    const port = await portOf(
      t,
      createServer((socket) => void socket.once("data", () => socket.destroy())),
    );
    const { message, detail } = await failureBy(hook(`http://127.0.0.1:${port}/`));
    assert.equal(message, "the server broke the connection off");
    assert.match(detail ?? "", /socket hang up/);
  });

  test("that the time was over", async (t) => {
    const port = await portOf(
      t,
      createHttpServer(() => undefined),
    );
    const cut = await new Promise((resolve) => {
      const options = { signal: AbortSignal.timeout(20), agent: false };
      request(`http://127.0.0.1:${port}/`, options).on("error", resolve).end();
    });
    const { message, detail } = failureOf(cut, hook("https://example.com/"));
    assert.equal(message, "time-out: the server did not answer");
    assert.match(detail ?? "", /ABORT_ERR/);
  });
});

describe("the owner of a mailbox is told", () => {
  const failureAt = (port: number, user = "") => failureBy(mailbox, { smtpUrl: `smtp://${user}127.0.0.1:${port}` });

  test("that the mail server refused the sign-in, and not in its words", async (t) => {
    const port = await mailServer(
      t,
      "220 mx7.inside ready",
      "250-mx7.inside\r\n250 AUTH PLAIN",
      "535 5.7.8 by mx7.inside",
    );
    const { message, detail } = await failureAt(port, "desk:hunter2@");
    assert.equal(message, "the mail server refused the sign-in (status 535)");
    assert.match(detail ?? "", /EAUTH.*by mx7\.inside/);
    assert.ok(!detail?.includes("hunter2"));
  });

  test("that the mail server refused the address, and not in its words", async (t) => {
    const refused = "550 5.1.1 no such user at mx7.inside";
    const { message, detail } = await failureAt(
      await mailServer(t, "220 mx7.inside ready", "250 mx7.inside", "250 sender ok", refused),
    );
    assert.equal(message, "the mail server refused it (status 550)");
    assert.match(detail ?? "", /EENVELOPE.*no such user at mx7\.inside/);
  });

  test("that the mail server is not reachable, and not where it is", async () => {
    const port = await closedPort();
    const { message, detail } = await failureAt(port);
    assert.equal(message, "the mail server is not reachable");
    assert.match(detail ?? "", new RegExp(`ECONNREFUSED.*${port}`));
    const { message: unknown } = await failureBy(mailbox, { smtpUrl: "smtp://nobody.invalid:25" });
    assert.equal(unknown, "the mail server is not reachable");
  });

  test("that TLS failed", async (t) => {
    const smtpUrl = `smtps://127.0.0.1:${await tlsServer(t)}`;
    const { message } = await failureBy(mailbox, { smtpUrl });
    assert.equal(message, "no TLS connection with the mail server: its certificate is not trusted");
  });

  test("that the time was over, though the server still has steps of its own to go", async (t) => {
    const mute = await mailServer(t);
    const smtpUrl = `smtp://127.0.0.1:${mute}`;
    const sender = new Sender({ ...settings, smtpUrl }, clock, 20);
    const sent = await sender.send(targetOf(mailbox), event);
    assert(!sent.ok, "nothing was handed over");
    assert.equal(sent.message, "time-out: the mail server did not answer");
    assert.match(sent.detail ?? "", /TimeoutError/, "by the limit for all steps");
  });

  test("that the time of one step was over", async (t) => {
    const mute = await mailServer(t);
    const mail = createTransport({ host: "127.0.0.1", port: mute, greetingTimeout: 20 });
    const cut: unknown = await mail.sendMail({ to: "me@example.com", text: "x" }).catch((error: unknown) => error);
    const { message } = failureOf(cut, mailbox);
    assert.equal(message, "time-out: the mail server did not answer");
  });
});

describe("what is told", () => {
  test("of a Telegram bot's token that is not known is the sign-in", async (t) => {
    for (const status of [401, 404]) {
      const receiver = await startHttpReceiver(status);
      t.after(() => receiver.stop());
      const { message } = await failureBy(chat, { telegramUrl: receiver.url });
      assert.equal(message, `Telegram refused the sign-in (status ${status})`);
    }
  });

  test("holds no secret of a target, in the log either", () => {
    const url = "https://example.com/services/T0/secret-key?token=also";
    for (const [body, secrets] of [
      [chat, [botToken]],
      [hook(url), ["secret-key", "token=also"]],
    ] as const) {
      const path = body.kind === "webhook" ? "/services/T0/secret-key?token=also" : `/bot${botToken}/sendMessage`;
      const { message, detail } = failureOf(
        new Error(`no way to ${path}, of ${url}`, { cause: new Error(path) }),
        body,
      );
      for (const secret of secrets) assert.ok(!`${message} ${detail}`.includes(secret), `${body.kind}: ${detail}`);
      assert.match(detail ?? "", /no way to .*\[redacted\]/);
    }
  });

  test("of what no word is known for is that it could not be handed over", () => {
    const { message, detail } = failureOf(new Error("Cannot read properties of undefined"), chat);
    assert.equal(message, "it could not be handed to Telegram");
    assert.match(detail ?? "", /Cannot read properties/);
  });
});
