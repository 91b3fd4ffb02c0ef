/** FIX over TLS: the counterparty's certificate is checked, and ours is shown. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { createServer, type Server } from "node:tls";
import { fixConnector } from "../../../../../engine/connector/fix/start.ts";
import { loopTimers, steadyClock, systemClock } from "../../../../../src/runtime/clock.ts";
import { temporaryFolder } from "../../../../support/machine/process.ts";
import { untilTrue } from "../../../../support/machine/until-true.ts";
import { configFor } from "../support/fix-world.ts";
import { ScriptedPeer } from "../support/peer.ts";
import { RecordedLog, throwing } from "../support/session-world.ts";

/** A key and a certificate for `name` that signs itself. */
function makeCertificate(folder: string, name: string): void {
  const files = ["-keyout", join(folder, `${name}.key`), "-out", join(folder, `${name}.pem`)];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  execFileSync("openssl", ["req", "-x509", "-nodes", "-days", "2", ...curve, ...files, ...subject], { stdio: "pipe" });
}

describe("TLS", () => {
  let peer: ScriptedPeer;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: Server;
  let port = 0;
  let failures = 0;

  beforeEach(async () => {
    peer = await ScriptedPeer.start();
    folder = await temporaryFolder();
    for (const name of ["server", "client", "stranger"]) makeCertificate(folder.path, name);
    const read = (file: string) => readFileSync(join(folder.path, file), "utf8");
    server = createServer(
      { key: read("server.key"), cert: read("server.pem"), ca: read("client.pem"), requestCert: true },
      (socket) => {
        const inner = connect({ host: "127.0.0.1", port: peer.port });
        socket.on("error", () => inner.destroy());
        inner.on("error", () => socket.destroy());
        socket.pipe(inner).pipe(socket);
      },
    );
    failures = 0;
    server.on("tlsClientError", () => {
      failures += 1;
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    port = (server.address() as AddressInfo).port;
  });
  afterEach(async () => {
    server.close();
    await peer.stop();
    await folder.remove();
  });

  const options = (tls: object) => ({
    settings: configFor(port, folder.path, { session: { tls, logonTimeoutSeconds: 5 } }),
    ...{ clock: systemClock, steadyClock, timers: loopTimers, log: new RecordedLog(), fatal: throwing },
    ...{ lastPriceOf: () => undefined, note: () => undefined, mayCreate: true },
  });
  const own = { certFile: "client.pem", keyFile: "client.key", serverName: "localhost" };

  test("logs on with a certificate of ours to one that is trusted", async () => {
    const { session, stop } = await fixConnector.open(options({ ...own, caFile: "server.pem" }));
    await untilTrue(() => session.isLive);
    await stop();
  });
  test("shows a certificate that was renewed after the start at the next connection", async () => {
    for (const [from, to] of [
      ["client", "good"],
      ["stranger", "client"],
    ] as const) {
      for (const end of ["pem", "key"])
        copyFileSync(join(folder.path, `${from}.${end}`), join(folder.path, `${to}.${end}`));
    }
    const { session, stop } = await fixConnector.open(options({ ...own, caFile: "server.pem" }));
    await untilTrue(() => failures > 0);
    assert.equal(session.isLive, false);
    for (const end of ["pem", "key"])
      copyFileSync(join(folder.path, `good.${end}`), join(folder.path, `client.${end}`));
    await untilTrue(() => session.isLive);
    await stop();
  });
  test("a counterparty that is not trusted, and one that does not trust us, are told by the check", async () => {
    const [untrusted] = await fixConnector.check(options({ ...own, caFile: "stranger.pem" }));
    assert.match(untrusted?.text ?? "", /self-signed certificate|unable to verify/);
    const strange = { certFile: "stranger.pem", keyFile: "stranger.key" };
    const faults = await fixConnector.check(options({ ...own, ...strange, caFile: "server.pem" }));
    assert.deepEqual(
      [untrusted, ...faults].map((fault) => fault?.reason),
      ["unavailable", "unavailable"],
    );
    assert.equal(peer.of("A").length, 0);
  });
});
