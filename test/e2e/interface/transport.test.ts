/** Transport: HTTPS with a certificate, the refusal to serve openly without one, an orderly end. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request as plainRequest } from "node:http";
import { request } from "node:https";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { fileURLToPath } from "node:url";
import { EXIT_CODES } from "../../../src/runtime/user-error.ts";
import { type Program, startProgram, temporaryFolder } from "../../support/machine/process.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Record<string, unknown>;
}

/** Makes a self-signed certificate for 127.0.0.1. */
function makeCertificate(folder: string): { readonly certFile: string; readonly keyFile: string } {
  const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=127.0.0.1"];
  const names = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", keyFile, "-out", certFile];
  execFileSync("openssl", [...words, ...names], { stdio: "ignore" });
  return { certFile, keyFile };
}

/** Waits until the port refuses connections: its server has begun to end. */
async function untilRefused(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const isRefused = await once(socket, "connect").then(
      () => false,
      (error: NodeJS.ErrnoException) => error.code === "ECONNREFUSED",
    );
    socket.destroy();
    if (isRefused) return;
    await pause(10);
  }
}

describe("a service with a certificate", () => {
  let folder: { readonly path: string; remove(): Promise<void> };
  let program: Program;
  let url = "";
  let ca: Buffer;
  before(async () => {
    folder = await temporaryFolder();
    const { certFile, keyFile } = makeCertificate(folder.path);
    ca = readFileSync(certFile);
    const data = { DATA_DIR: join(folder.path, "data"), PORT: "0", FEED: "none" };
    const environment = { ...data, TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile };
    program = await startProgram("src/main.ts", environment, /Trading Developer API listens on/);
    url = /listens on (\S+)/.exec(program.output())?.[1] ?? "";
  });
  after(async () => {
    await program.end("SIGKILL");
    await folder.remove();
  });

  const send = (
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    json?: unknown,
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = request(url + path, {
        method,
        ca,
        agent: false,
        headers: { "Content-Type": "application/json", ...headers },
      });
      sent.on("error", reject).on("response", (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: JSON.parse(text) as Record<string, unknown>,
          }),
        );
      });
      sent.end(json === undefined ? undefined : JSON.stringify(json));
    });

  test("is reached by a client that checks it, and tells browsers to stay with HTTPS", async () => {
    assert.match(url, /^https:\/\/127\.0\.0\.1:\d+$/);
    const { status, headers } = await send("GET", "/health", {});
    assert.equal(status, 200);
    assert.match(String(headers["strict-transport-security"]), /^max-age=31536000/);
  });

  test("serves the whole way from key to bot, and gives out addresses that begin with https", async () => {
    const apiKey = readFileSync(join(folder.path, "data", "bootstrap-api-key"), "utf8").trim();
    const tokens = await send("POST", "/oauth/token", { "X-API-Key": apiKey }, { grant_type: "api_key" });
    assert.equal(tokens.status, 200);
    const headers = { Authorization: `Bearer ${tokens.body.access_token}` };
    const limits = { maxBuyPrice: 0, minBuyPrice: 0, maxSellPrice: 0, minSellPrice: 0 };
    const bot = await send("POST", "/api/v1/webhook-bots", headers, {
      brokerageCode: "PAPER",
      accountNumber: "PAPER-1",
      name: "trend",
      isActive: false,
      webhookBotDetails: [{ symbol: "THYAO", algoName: "trend", period: "1H", quantity: 1, ...limits }],
    });
    assert.equal(bot.status, 200, JSON.stringify(bot.body));
    assert.ok(String((bot.body.data as { webhookUrl: string }).webhookUrl).startsWith(`${url}/webhooks/`));
  });

  test("shows a renewed certificate after SIGHUP, to whoever connects from then on, and ends for none", async () => {
    const before = ca;
    ca = readFileSync(makeCertificate(folder.path).certFile);
    assert.notDeepEqual(ca, before);
    await assert.rejects(send("GET", "/health", {}), "the certificate of the start is still shown");
    process.kill(program.pid, "SIGHUP");
    while (!program.output().includes("the renewed certificate is in use")) await pause(20);
    assert.equal((await send("GET", "/health", {})).status, 200);
    assert.equal(program.hasEnded(), false);
  });

  test("speaks no plain HTTP and nothing older than TLS 1.2", async () => {
    const { port } = new URL(url);
    const plain = plainRequest({ host: "127.0.0.1", port, path: "/health", agent: false }).end();
    const [outcome] = (await Promise.race([once(plain, "error"), once(plain, "response")])) as [
      Error | { statusCode: number },
    ];
    assert.ok(outcome instanceof Error || outcome.statusCode === 400);
    const old = connectTls({ host: "127.0.0.1", port: Number(port), ca, maxVersion: "TLSv1.1", minVersion: "TLSv1" });
    await assert.rejects(once(old, "secureConnect"));
  });

  test("lets what is under way finish when it is told to end, and ends with 0", async () => {
    const apiKey = readFileSync(join(folder.path, "data", "bootstrap-api-key"), "utf8").trim();
    const { port } = new URL(url);
    const idle = connect(Number(port), "127.0.0.1");
    const socket = connectTls({ host: "127.0.0.1", port: Number(port), ca });
    await Promise.all([once(idle, "connect"), once(socket, "secureConnect")]);
    const body = JSON.stringify({ grant_type: "api_key" });
    const head = [
      "POST /oauth/token HTTP/1.1",
      "Host: 127.0.0.1",
      `X-API-Key: ${apiKey}`,
      "Content-Type: application/json",
      "Expect: 100-continue",
    ];
    let answer = "";
    socket.on("data", (chunk: Buffer) => {
      answer += chunk.toString();
    });
    socket.write(`${[...head, `Content-Length: ${body.length}`].join("\r\n")}\r\n\r\n`);
    // The request is under way once the server has asked for its body.
    while (!answer.endsWith("\r\n\r\n")) await once(socket, "data");
    assert.equal(answer, "HTTP/1.1 100 Continue\r\n\r\n");
    answer = "";
    socket.write(body.slice(0, 5));
    const ended = program.end("SIGTERM");
    await untilRefused(Number(port));
    socket.write(body.slice(5));
    await once(socket, "close");
    assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(answer, /"access_token"/);
    assert.equal(await ended, 0);
    idle.destroy();
    await assert.rejects(send("GET", "/health", {}), /ECONNREFUSED/);
  });
});

describe("a service without a certificate", () => {
  const start = (entry: string, environment: Readonly<Record<string, string>>) =>
    spawnSync(process.execPath, ["--import", "tsx", entry], {
      cwd: ROOT,
      env: { PATH: process.env.PATH ?? "", PORT: "0", FEED: "none", ...environment },
      encoding: "utf8",
      timeout: 120_000,
    });

  for (const [entry, host] of [
    ["src/main.ts", "0.0.0.0"],
    ["edge/main.ts", "::"],
  ] as const) {
    test(`is not started by ${entry} on an address that others reach`, async (t) => {
      const folder = await temporaryFolder();
      t.after(() => folder.remove());
      const environment = { DATA_DIR: folder.path, NATS_URL: "nats://127.0.0.1:9", HOST: host };
      const { status, stdout, stderr } = start(entry, environment);
      assert.deepEqual([status, stdout], [EXIT_CODES.configuration, ""], stderr);
      assert.match(stderr, /HOST: .* is not a loopback address and transport is HTTPS only/);
      assert.doesNotMatch(stderr, /\n +at /, "one line for the operator, no stack");
    });
  }

  test("is not started with half a certificate, or files that are not there", async (t) => {
    const folder = await temporaryFolder();
    t.after(() => folder.remove());
    const half = start("src/main.ts", { DATA_DIR: folder.path, TLS_CERT_FILE: "/nowhere/cert.pem" });
    assert.equal(half.status, EXIT_CODES.configuration);
    assert.match(half.stderr, /set both or neither/);
    const files = { TLS_CERT_FILE: "/nowhere/cert.pem", TLS_KEY_FILE: "/nowhere/key.pem" };
    const absent = start("src/main.ts", { DATA_DIR: folder.path, ...files });
    assert.equal(absent.status, EXIT_CODES.noInput);
    assert.match(absent.stderr, /TLS_CERT_FILE: \/nowhere\/cert.pem cannot be read/);
  });
});
