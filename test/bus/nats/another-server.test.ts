/** One of several servers goes without a word, as a machine does that loses its power. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { connectNatsBus, type NatsBus } from "../../../src/bus/nats/bus.ts";
import { type NatsServer, natsSuite, startNatsServer } from "../../support/machine/nats-server.ts";
import { until } from "../../support/world/stack.ts";

natsSuite("a bus over several servers", () => {
  let servers: readonly NatsServer[] = [];
  let bus: NatsBus;

  before(async () => {
    servers = [await startNatsServer(), await startNatsServer()];
    bus = await connectNatsBus({
      servers: servers.map(({ url }) => url).join(","),
      name: "test",
      onError: () => undefined,
    });
  });
  after(async () => {
    await bus.drain();
    for (const server of servers) await server.stop();
  });

  test("goes on with another one when its own is silent", async () => {
    const used = (): string => bus.connection.getServer();
    const first = used();
    const own = servers.find(({ port }) => first.endsWith(`:${port}`));
    assert.ok(own !== undefined, first);
    process.kill(own.pid, "SIGSTOP");
    await until(
      async () => bus.status === "connected" && used() !== first,
      (isElsewhere) => isElsewhere,
    );
    await bus.flush();
    assert.notEqual(used(), first);
  });
});
