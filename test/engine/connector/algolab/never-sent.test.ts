/** The faults that prove that a request did not leave: faults of name, connection and handshake, and no others. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { codeOfNeverSent } from "../../../../engine/connector/algolab/never-sent.ts";
import { temporaryFolder } from "../../../support/machine/process.ts";
import { untilTrue } from "../../../support/machine/until-true.ts";
import { AlgolabWorld } from "./support/algolab-world.ts";

function fault(code: string, syscall?: string, message = code): Error {
  return Object.assign(new Error(message), { code, ...(syscall === undefined ? {} : { syscall }) });
}

const fetchFailed = (cause: unknown): Error => new TypeError("fetch failed", { cause });
const HANDSHAKE_ENDED = "Client network socket disconnected before secure TLS connection was established";

test("faults before the request is written are told from faults of a connection in use", () => {
  const refused = fault("ECONNREFUSED", "connect");
  const cases: readonly (readonly [Error, string | undefined])[] = [
    [refused, "ECONNREFUSED"],
    [fault("ENOTFOUND", "getaddrinfo"), "ENOTFOUND"],
    [fault("EAI_AGAIN", "getaddrinfo"), "EAI_AGAIN"],
    [fault("EHOSTUNREACH", "connect"), "EHOSTUNREACH"],
    [fault("EHOSTUNREACH", "read"), undefined],
    [fault("ETIMEDOUT", "connect"), "ETIMEDOUT"],
    [fault("ETIMEDOUT", "read"), undefined],
    [fault("UND_ERR_CONNECT_TIMEOUT"), "UND_ERR_CONNECT_TIMEOUT"],
    [fault("UND_ERR_HEADERS_TIMEOUT"), undefined],
    [fault("UND_ERR_SOCKET"), undefined],
    [fault("CERT_HAS_EXPIRED"), "CERT_HAS_EXPIRED"],
    [fault("ERR_TLS_CERT_ALTNAME_INVALID"), "ERR_TLS_CERT_ALTNAME_INVALID"],
    [fault("ECONNRESET", undefined, HANDSHAKE_ENDED), "ECONNRESET"],
    [fault("ECONNRESET", "read"), undefined],
    [fault("EPIPE", "write"), undefined],
    // A record that cannot be read can also come after the request.
    [fault("ERR_SSL_WRONG_VERSION_NUMBER"), undefined],
    [new AggregateError([refused, fault("ENETUNREACH", "connect")]), "ECONNREFUSED"],
    [new AggregateError([refused, fault("ECONNRESET", "read")]), undefined],
    [new DOMException("timed out", "TimeoutError"), undefined],
  ];
  for (const [cause, expected] of cases) assert.equal(codeOfNeverSent(fetchFailed(cause)), expected, String(cause));
});

async function codeAt(url: string): Promise<string | undefined> {
  const failure = await fetch(url, { method: "POST", body: "{}" }).then(
    () => assert.fail("the request was answered"),
    (error: unknown) => error,
  );
  return codeOfNeverSent(failure);
}

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

test("a closed port, an unknown name and a certificate that is not trusted are told by the real fetch", async () => {
  // Destroyed only after data arrived: fetch connects again forever to a server that closes before.
  const plain = createServer((socket) => socket.on("error", () => undefined).once("data", () => socket.destroy()));
  const port = await listen(plain);
  assert.equal(await codeAt(`https://127.0.0.1:${port}/`), "ECONNRESET");
  assert.equal(await codeAt(`http://127.0.0.1:${port}/`), undefined);
  plain.close();
  await once(plain, "close");
  assert.equal(await codeAt(`http://127.0.0.1:${port}/`), "ECONNREFUSED");
  assert.match((await codeAt("http://no-such-host.invalid/")) ?? "", /^(ENOTFOUND|EAI_AGAIN)$/);
  const { path, remove } = await temporaryFolder();
  const [keyFile, certFile] = [join(path, "key"), join(path, "cert")];
  const words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  execFileSync("openssl", [...words, "-keyout", keyFile, "-out", certFile, "-subj", "/CN=127.0.0.1"], {
    stdio: "pipe",
  });
  let requests = 0;
  const secure = createTlsServer({ key: readFileSync(keyFile), cert: readFileSync(certFile) }, (_, response) => {
    requests += 1;
    response.end();
  });
  try {
    assert.equal(await codeAt(`https://127.0.0.1:${await listen(secure)}/`), "DEPTH_ZERO_SELF_SIGNED_CERT");
    assert.equal(requests, 0);
  } finally {
    secure.closeAllConnections();
    secure.close();
    await remove();
  }
});

test("an order without a connection is NOT_SENT and known as never sent; one without an answer is in doubt", async () => {
  const world = await AlgolabWorld.make();
  try {
    await world.start({}, { settleMs: 60_000 });
    await world.server.stopListening();
    const lost = await world.place("s-r1");
    assert(!lost.ok);
    assert.deepEqual([lost.code, lost.message], ["NOT_SENT", "no connection to AlgoLab (ECONNREFUSED)"]);
    const found = await world.find("s-r1");
    assert(!found.ok && found.code === "NOT_FOUND");
    const cancelled = await world.started.connector.cancel({
      ...{ userId: 1, accountNumber: "A1", orderNo: "000001", symbol: "THYAO" },
    });
    assert(!cancelled.ok && cancelled.code === "NOT_SENT");
    await world.server.listenAgain();
    await untilTrue(async () => (await world.place("s-r1")).ok);
    assert.equal(world.server.orders.length, 1);
    world.server.fail("SendOrder", "lost");
    const inDoubt = await world.place("s-r2");
    assert(!inDoubt.ok && inDoubt.code === "UNAVAILABLE");
  } finally {
    await world.end();
  }
});

test("a server that closes while the request is on its way leaves the order in doubt", async () => {
  const world = await AlgolabWorld.make();
  const sockets: Socket[] = [];
  // It takes the connection, reads the head of the request, and closes.
  const rude = createServer((socket) => {
    sockets.push(socket);
    socket.once("data", () => socket.destroy());
  });
  try {
    await world.start();
    const port = Number(new URL(world.server.url).port);
    await world.server.stopListening();
    rude.listen(port, "127.0.0.1");
    await once(rude, "listening");
    const reply = await world.place("s-r1");
    assert(!reply.ok && reply.code === "UNAVAILABLE");
  } finally {
    for (const socket of sockets) socket.destroy();
    rude.close();
    await world.end();
  }
});
