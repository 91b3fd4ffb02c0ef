/**
 * The path between the engine's server and the edge's server is cut, and neither process notices: events published
 * during the cut reach the streams late, and none of them is lost.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { connect } from "nats";
import { EventFollower, PublishedEvents } from "../../support/client/event-follower.ts";
import { clusterSuite, startNatsCluster } from "../../support/machine/nats-cluster.ts";
import { startProgram, temporaryFolder } from "../../support/machine/process.ts";
import { RouteLinks } from "../../support/machine/route-links.ts";
import { pause, until } from "../../support/world/stack.ts";

const SYMBOLS = ["THYAO", "GARAN", "ASELS"];
/** Longer than a message takes between two servers of one machine. */
const SILENT_MS = 200;

clusterSuite("events that were published while servers did not reach each other", () => {
  test("come late, once and in order, to a stream that stayed open", async () => {
    const routes = new RouteLinks();
    const cluster = await startNatsCluster({ routes });
    const folder = await temporaryFolder();
    const [near, far] = [cluster.server("n1"), cluster.server("n2")];
    const nats = await connect({ servers: near.url });
    const ends: (() => Promise<unknown>)[] = [
      () => folder.remove(),
      async () => routes.close(),
      () => cluster.stop(),
      () => nats.close(),
    ];
    try {
      const dataFolder = join(folder.path, "data");
      const engine = await startProgram(
        "engine/main.ts",
        { NATS_URL: near.url, DATA_DIR: dataFolder, FEED: "none" },
        /engine is ready/,
      );
      ends.push(() => engine.end("SIGKILL"));
      const edge = await startProgram("edge/main.ts", { NATS_URL: far.url, PORT: "0" }, /the edge listens/);
      ends.push(() => edge.end("SIGKILL"));
      const url = /"url":"(http:\/\/[^"]+)"/.exec(edge.output())?.[1] ?? assert.fail(edge.output());
      await until(
        async () => (await fetch(`${url}/ready`)).status,
        (status) => status === 200,
      );

      const apiKey = (await readFile(join(dataFolder, "bootstrap-api-key"), "utf8")).trim();
      const answer = await fetch(`${url}/oauth/token`, {
        method: "POST",
        headers: { "X-API-Key": apiKey, "Content-Type": "application/json" },
        body: JSON.stringify({ grant_type: "api_key" }),
      });
      const { access_token: token } = (await answer.json()) as { access_token: string };
      const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { sub: string };
      const userId = Number(claims.sub);

      const published = new PublishedEvents(nats, userId);
      const follower = new EventFollower({ url }, token);
      ends.push(async () => follower.stop());
      void follower.follow();
      await until(
        async () => follower.place,
        (place) => place !== "",
      );

      const create = async (symbol: string): Promise<void> => {
        const account = { brokerageCode: "PAPER", accountNumber: `PAPER-${userId}` };
        const levels = { stopLossPrice: 90, stopLossQuantity: 2, takeProfitItems: [{ price: 110, quantity: 1 }] };
        const body = { ...account, symbol, ...levels };
        const envelope = JSON.stringify({ type: "oco.create", userId, requestId: "test", body });
        const reply = await nats.request("engine.0.command", envelope, { timeout: 30_000 });
        assert.equal(reply.json<{ ok: boolean }>().ok, true, reply.string());
      };

      await create(SYMBOLS[0] ?? "");
      await until(
        async () => follower.ids.length,
        (count) => count === published.ids.length && count > 0,
      );
      const heardLive = follower.ids.length;

      const listener = await connect({ servers: far.url });
      ends.push(() => listener.close());
      let passed = 0;
      listener.subscribe("way", {
        callback: () => {
          passed += 1;
        },
      });
      await listener.flush();
      routes.cut(near.name, far.name);
      const isCut = async (): Promise<boolean> => {
        const before = passed;
        nats.publish("way");
        await nats.flush();
        await pause(SILENT_MS);
        return passed === before;
      };
      assert.ok(await until(isCut, Boolean), "nothing passes between the two servers");
      for (const symbol of SYMBOLS.slice(1)) await create(symbol);
      await until(
        async () => published.ids.length,
        (count) => count >= heardLive + SYMBOLS.length - 1,
      );
      assert.equal(follower.ids.length, heardLive, "the stream hears nothing of it");
      routes.mend(near.name, far.name);

      await until(
        async () => follower.ids.length,
        (count) => count >= published.ids.length,
      );
      assert.deepEqual(follower.ids, published.ids);
      assert.deepEqual([follower.connectCount, follower.odd], [1, []], "the stream stayed open");
    } finally {
      for (const end of ends.reverse()) await end();
    }
  });
});
