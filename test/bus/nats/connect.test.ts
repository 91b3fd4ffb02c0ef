/** The first connection, and a connection that is lost: what is reported of a server, and when. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { connectNatsBus } from "../../../src/bus/nats/bus.ts";
import { BusClosedError } from "../../../src/bus/port.ts";
import { EXIT_CODES, exitCodeOf, tellFailure } from "../../../src/runtime/user-error.ts";
import { natsSuite, startNatsServer } from "../../support/machine/nats-server.ts";

natsSuite("a connection to NATS", () => {
  test("without a server it fails, unless told to wait", async () => {
    const server = await startNatsServer();
    await server.kill("SIGKILL");
    await assert.rejects(connectNatsBus({ servers: server.url, name: "test" }), /CONNECTION_REFUSED/);
    let waits = 0;
    let waiting: () => void = () => undefined;
    const isWaiting = new Promise<void>((resolve) => {
      waiting = resolve;
    });
    const connecting = connectNatsBus({
      servers: server.url,
      name: "test",
      waitOnFirstConnect: true,
      onError: () => {
        waits += 1;
        waiting();
      },
    });
    await isWaiting;
    await server.restart();
    const bus = await connecting;
    assert.equal(bus.status, "connected");
    assert.equal(waits, 1);
    await bus.drain();
    await server.stop();
  });

  test("a wait that lasts is reported again every minute, each time with the servers and without credentials", async () => {
    const server = await startNatsServer();
    await server.kill("SIGKILL");
    const ending = new AbortController();
    const reports: string[] = [];
    let nowMs = 0;
    const connecting = connectNatsBus({
      servers: `${server.url.replace("nats://", "nats://user:secret@")},nats://127.0.0.1:1`,
      name: "test",
      waitOnFirstConnect: true,
      signal: ending.signal,
      steadyClock: { nowMs: () => nowMs },
      schedule: (_delayMs, task) => {
        nowMs += 20_000;
        setImmediate(task);
        return () => undefined;
      },
      onError: (error) => {
        reports.push(`${nowMs}: ${error instanceof Error ? error.message : error}`);
        if (nowMs >= 120_000) ending.abort();
      },
    });
    await assert.rejects(connecting, BusClosedError);
    assert.deepEqual(
      reports.map((line) => line.split(":")[0]),
      ["0", "60000", "120000"],
    );
    for (const line of reports) {
      assert.match(line, new RegExp(`ECONNREFUSED.* at 127\\.0\\.0\\.1:${server.port}, 127\\.0\\.0\\.1:1$`));
      assert.doesNotMatch(line, /secret/);
    }
    await server.stop();
  });

  test("tls:// at a server without TLS is refused at once and names the server", async () => {
    const server = await startNatsServer();
    const servers = server.url.replace("nats://", "tls://");
    const refused = connectNatsBus({ servers, name: "test", waitOnFirstConnect: true, onError: () => undefined });
    await assert.rejects(refused, (error) => {
      assert.match(
        tellFailure(error),
        new RegExp(
          `^NATS: the server at 127\\.0\\.0\\.1:${server.port} offers no TLS, and its address begins with tls://`,
        ),
      );
      return exitCodeOf(error) === EXIT_CODES.configuration;
    });
    await server.stop();
  });

  test("a connection that is lost is reported with its server, again every minute, and no more once it is back", async () => {
    const server = await startNatsServer();
    const reports: string[] = [];
    const due: (() => void)[] = [];
    const bus = await connectNatsBus({
      servers: server.url,
      name: "test",
      reconnectWaitMs: 10,
      schedule: (delayMs, task) => {
        assert.equal(delayMs, 60_000);
        due.push(task);
        return () => void due.splice(due.indexOf(task), 1);
      },
      onError: (error) => void reports.push(error instanceof Error ? error.message : String(error)),
    });
    const isStatus = (wanted: string): Promise<void> =>
      new Promise((resolve) => {
        const end = bus.onStatus((status) => {
          if (status !== wanted) return;
          end();
          setImmediate(resolve);
        });
      });
    const lost = isStatus("disconnected");
    await server.kill("SIGKILL");
    await lost;
    due[0]?.();
    const line = `the connection to 127.0.0.1:${server.port} is lost`;
    assert.deepEqual(reports, [line, line]);
    const back = isStatus("connected");
    await server.restart();
    await back;
    assert.deepEqual(due, []);
    await bus.drain();
    await server.stop();
    assert.deepEqual(reports, [line, line], "an end that was asked for is no loss");
  });

  test("the wait ends when its signal is aborted", async () => {
    const server = await startNatsServer();
    await server.kill("SIGKILL");
    const ending = new AbortController();
    const connecting = connectNatsBus({
      servers: server.url,
      name: "test",
      waitOnFirstConnect: true,
      signal: ending.signal,
      schedule: () => () => undefined,
      onError: () => setImmediate(() => ending.abort()),
    });
    await assert.rejects(connecting, BusClosedError);
    await server.stop();
  });

  test("refused credentials end the wait with the reason", async () => {
    const server = await startNatsServer({ configuration: 'authorization { user: "a", password: "right" }' });
    const options = { name: "test", waitOnFirstConnect: true, onError: () => undefined };
    const at = (userInfo: string): string => server.url.replace("nats://", `nats://${userInfo}@`);
    await assert.rejects(connectNatsBus({ ...options, servers: at("a:wrong") }), /authorization violation/i);
    const bus = await connectNatsBus({ ...options, servers: at("a:right") });
    assert.equal(bus.status, "connected");
    await bus.drain();
    await server.stop();
  });
});
