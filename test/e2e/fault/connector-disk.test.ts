/** A FIX connector whose disk is full: it ends at the first write that fails, and no order leaves that is not on disk. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { connect } from "nats";
import type { BrokerReply, OrderRecord } from "../../../src/contract/trading/order.ts";
import { EXIT_CODES } from "../../../src/runtime/user-error.ts";
import { BookingBroker } from "../../engine/connector/fix/support/booking-broker.ts";
import { ScriptedPeer } from "../../engine/connector/fix/support/peer.ts";
import { natsSuite, startNatsServer } from "../../support/machine/nats-server.ts";
import { runProgram, startProgram } from "../../support/machine/process.ts";
import { mountSmallDisk } from "../../support/store/small-disk.ts";
import { until } from "../../support/world/stack.ts";

const ENTRY = "engine/entry/connector.ts";
const DISK_BYTES = 4 * 1024 * 1024;
const FREE_BYTES = 16 * 1024;

natsSuite("a connector on a disk of its own", () => {
  test("that is full ends, and after it has room again it knows every order that reached the broker", async (context) => {
    const disk = mountSmallDisk(DISK_BYTES);
    if (disk === undefined) return context.skip("mounting is not allowed");
    const server = await startNatsServer();
    const nats = await connect({ servers: server.url });
    const peer = await ScriptedPeer.start();
    const broker = new BookingBroker(peer, 1);
    const config = join(disk.path, "acme.json");
    const session = { senderCompId: "ME", targetCompId: "DESK", addresses: [`127.0.0.1:${peer.port}`] };
    const accounts = [{ accountNumber: "ACC1", number: "9001", users: [1] }];
    await writeFile(config, JSON.stringify({ code: "ACME", folder: "acme", session, accounts }));
    const environment = { NATS_URL: server.url };
    assert.equal((await runProgram(ENTRY, {}, { arguments: ["new", config] })).code, 0);
    const start = () => startProgram(ENTRY, environment, /the session is up/, ["fix", config]);
    const ask = async <Data>(operation: string, request: object): Promise<BrokerReply<Data> | undefined> => {
      const body = JSON.stringify({ userId: 1, accountNumber: "ACC1", ...request });
      const reply = await nats.request(`broker.ACME.${operation}`, body, { timeout: 10_000 }).catch(() => undefined);
      return reply?.json<BrokerReply<Data>>();
    };
    let connector = await start();
    await disk.fill(FREE_BYTES);
    for (let number = 0; !connector.hasEnded() && number < 2_000; number += 1) {
      const order = { symbol: "THYAO", quantity: 10, buySell: 2, orderType: 1, price: 0 };
      await Promise.race([
        ask("place", { clientOrderId: `o${number}`, ...order }),
        until(
          async () => connector.hasEnded(),
          (hasEnded) => hasEnded,
        ),
      ]);
    }
    assert.equal(connector.hasEnded(), true);
    assert.equal(await connector.end("SIGTERM"), EXIT_CODES.cannotCreate);
    assert.match(connector.output(), /"during":"the connector's journal could not be written","msg":"the disk is full/);
    await disk.empty();
    connector = await start();
    assert.ok(broker.bookings.length > 0);
    assert.deepEqual(broker.doubled, []);
    for (const { clientOrderId } of broker.bookings) {
      const found = await ask<OrderRecord>("findOrder", { clientOrderId });
      assert.equal(found?.ok, true, clientOrderId);
    }
    await connector.end("SIGTERM");
    await peer.stop();
    await nats.close();
    await server.stop();
    disk.unmount();
  });
});
