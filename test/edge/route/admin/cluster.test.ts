/** The view and the figures of partitions that engines share. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { clusterView } from "../../support/cluster-view.ts";
import { partitionStats } from "../../support/partition-stats.ts";
import { runEdge } from "../../support/running-edge.ts";

describe("the view of the cluster", () => {
  test("is what an engine tells, also where it shares nothing", async (t) => {
    const edge = await runEdge(t);
    assert.equal(((await (await edge.send("GET", "/admin/v1/cluster")).json()) as { data: unknown }).data, null);
    edge.engine.on("operator.cluster", () => ({ ok: true, data: clusterView }));
    const answer = await edge.send("GET", "/admin/v1/cluster");
    assert.deepEqual(((await answer.json()) as { data: unknown }).data, clusterView);
  });

  test("is an operator's", async (t) => {
    const edge = await runEdge(t);
    const headers = await edge.bearer({ claims: { scope: "read trade" } });
    assert.equal((await edge.fetch("/admin/v1/cluster", { headers })).status, 403);
  });
});

describe("the figures", () => {
  test("tell of leaders, copies, takeovers and servers", async (t) => {
    const edge = await runEdge(t);
    edge.engine.on("operator.stats", () => ({ ok: true, data: partitionStats(0) }));
    edge.engine.on("operator.cluster", () => ({ ok: true, data: clusterView }));
    const lines = (await (await edge.send("GET", "/admin/v1/metrics")).text()).split("\n");
    for (const line of [
      'trading_engine_led{partition="0"} 1',
      'trading_engine_led{partition="1"} 0',
      'trading_engine_leading{partition="0",engine="a"} 1',
      'trading_engine_leading{partition="0",engine="b"} 0',
      'trading_engine_leading{partition="1",engine="a"} 0',
      'trading_engine_epoch{partition="0"} 40',
      'trading_engine_copies{partition="0"} 1',
      'trading_engine_copies{partition="1"} 0',
      'trading_engine_follower_lag_records{partition="0",engine="b"} 12',
      'trading_engine_takeovers_total{partition="0",engine="a"} 2',
      'trading_engine_log_server_synced{url="http://10.0.0.1:8222"} 1',
      'trading_engine_log_server_synced{url="http://10.0.0.2:8222"} 0',
      'trading_engine_stream_current_replicas{stream="JOURNAL_0"} 2',
      'trading_engine_stream_current_replicas{stream="TICKS"} 3',
      "trading_engine_log_servers_trusted 0",
      'trading_engine_log_append_seconds_count{partition="0"} 3',
    ]) {
      assert.ok(lines.includes(line), line);
    }
    const named = 'trading_engine_follower_lag_records{partition="1"';
    assert.ok(!lines.some((line) => line.startsWith(named)), "a copy that does not read along has no lag");
  });

  test("say nothing of it where engines share nothing", async (t) => {
    const edge = await runEdge(t);
    edge.engine.on("operator.stats", () => ({ ok: true, data: partitionStats(0) }));
    const text = await (await edge.send("GET", "/admin/v1/metrics")).text();
    assert.doesNotMatch(text, /trading_engine_(led|epoch|copies)/);
  });
});
