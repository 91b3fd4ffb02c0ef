/** The certificate that clients are shown follows its files. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { Registry } from "prom-client";
import { CurrentCertificate, END_FIGURE, readTls, type TlsPair } from "../../../edge/server/certificate.ts";
import { FakeTime } from "../../support/machine/fake-time.ts";

const DAY_MS = 86_400_000;

describe("a certificate", () => {
  let folder = "";
  const pairs = new Map<string, TlsPair>();
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "trading-certificate-"));
    for (const [name, days] of [
      ["first", 100],
      ["renewed", 200],
    ] as const) {
      const [certFile, keyFile] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
      const kind = ["-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
      const files = ["-keyout", keyFile, "-out", certFile, "-subj", "/CN=localhost", "-days", String(days)];
      execFileSync("openssl", ["req", ...kind, ...files], { stdio: "pipe" });
      pairs.set(name, readTls({ certFile, keyFile }));
    }
  });
  after(() => rmSync(folder, { recursive: true }));

  const pairOf = (name: string): TlsPair => {
    const pair = pairs.get(name);
    assert.ok(pair !== undefined);
    return pair;
  };

  class Server {
    readonly files = { certFile: join(folder, "cert.pem"), keyFile: join(folder, "key.pem") };
    readonly startedMs = Date.now();
    readonly time = new FakeTime(this.startedMs);
    readonly used: TlsPair[] = [];
    readonly lines: [string, string][] = [];
    readonly registry = new Registry();
    readonly certificate: CurrentCertificate;

    constructor() {
      this.write(pairOf("first"));
      const told = (level: string) => (_fields: object, message: string) => void this.lines.push([level, message]);
      this.certificate = new CurrentCertificate(readTls(this.files), {
        files: this.files,
        use: (pair) => this.used.push(pair),
        clock: this.time,
        schedule: (delayMs, task) => this.time.after(delayMs, task),
        log: { debug: told("debug"), info: told("info"), warn: told("warn"), error: told("error") },
        registry: this.registry,
      });
    }

    write({ cert, key }: Partial<TlsPair>): void {
      if (cert !== undefined) writeFileSync(this.files.certFile, cert);
      if (key !== undefined) writeFileSync(this.files.keyFile, key);
    }

    async daysLeft(): Promise<number> {
      const figure = await this.registry.getSingleMetric(END_FIGURE)?.get();
      return Math.round(((figure?.values[0]?.value ?? 0) * 1_000 - this.startedMs) / DAY_MS);
    }
  }

  let server: Server;
  beforeEach(() => {
    server = new Server();
  });

  test("that was renewed is in use within a minute, and its end is the figure", async () => {
    assert.equal(await server.daysLeft(), 100);
    server.write(pairOf("renewed"));
    await server.time.advance(60_000);
    assert.deepEqual(server.used, [pairOf("renewed")]);
    assert.deepEqual(server.lines, [["info", "the renewed certificate is in use"]]);
    assert.equal(await server.daysLeft(), 200);
    await server.time.advance(600_000);
    assert.equal(server.used.length, 1, "files that stay as they are change nothing");
  });

  test("whose key is not written yet waits for it, and the one before serves on", async () => {
    server.write({ cert: pairOf("renewed").cert });
    server.certificate.reread();
    assert.deepEqual(server.used, []);
    assert.deepEqual(server.lines, [["warn", "the certificate cannot be read again: the one before stays in use"]]);
    assert.equal(await server.daysLeft(), 100);
    server.write({ key: pairOf("renewed").key });
    await server.time.advance(60_000);
    assert.deepEqual(server.used, [pairOf("renewed")]);
  });

  test("that ends within 14 days is told once a day, and that it has expired", async () => {
    const pass = async (days: number): Promise<void> => {
      server.time.stepClock(days * DAY_MS);
      await server.time.advance(120_000);
    };
    await pass(85);
    assert.deepEqual(server.lines, []);
    await pass(1.5);
    await pass(0.1);
    await pass(1);
    assert.deepEqual(server.lines, [
      ["warn", "the certificate expires soon"],
      ["warn", "the certificate expires soon"],
    ]);
    await pass(13);
    assert.deepEqual(server.lines.at(-1), ["warn", "the certificate has expired: clients refuse it"]);
  });

  test("is no longer read once the server has stopped", async () => {
    server.certificate.stop();
    server.write(pairOf("renewed"));
    await server.time.advance(600_000);
    assert.deepEqual(server.used, []);
  });
});
