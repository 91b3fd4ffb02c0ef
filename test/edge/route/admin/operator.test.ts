/** Outbox, quarantine, releases and figures over several partitions. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Envelope } from "../../../../src/contract/command.ts";
import { pageOf } from "../../support/fake-engine.ts";
import { partitionStats as stats } from "../../support/partition-stats.ts";
import { type RunningEdge, runEdge } from "../../support/running-edge.ts";

const PARTITIONS = 3;

const partitionOf = (envelope: Envelope & { readonly subject?: string }): number =>
  Number(envelope.subject?.split(".")[1]);

/** Which partition was asked last of this type. */
function askedPartitions(edge: RunningEdge, type: string): number[] {
  return edge.engine.asked.filter((asked) => asked.type === type).map(partitionOf);
}

/** An edge over partitions that answer lists with what `answer` makes of partition and cursor. */
async function setUp(t: Parameters<typeof runEdge>[0], answer: (partition: number, from: string | null) => Uint8Array) {
  const edge = await runEdge(t, { partitions: PARTITIONS });
  for (const type of ["operator.outbox", "operator.quarantine"]) {
    edge.engine.on(type, (envelope) => {
      const asked = edge.engine.asked.at(-1);
      assert.ok(asked !== undefined);
      return answer(partitionOf(asked), (envelope.body as { from?: string }).from ?? null);
    });
  }
  return edge;
}

describe("a list over all partitions", () => {
  test("holds every row of every page of each", async (t) => {
    const edge = await setUp(t, (partition, from) => {
      if (partition === 1) return pageOf(null);
      return from === null ? pageOf("2", { id: `${partition}-1` }) : pageOf(null, { id: `${partition}-${from}` });
    });
    for (const path of ["outbox", "quarantine"]) {
      const answer = await edge.send("GET", `/admin/v1/${path}`);
      const { data } = (await answer.json()) as { data: { id: string }[] };
      assert.deepEqual(data.map(({ id }) => id).sort(), ["0-1", "0-2", "2-1", "2-2"]);
    }
  });

  test("is empty where all are", async (t) => {
    const edge = await setUp(t, () => pageOf(null));
    assert.deepEqual(((await (await edge.send("GET", "/admin/v1/outbox")).json()) as { data: unknown }).data, []);
  });

  test("is of one partition where one is asked for", async (t) => {
    const edge = await setUp(t, (partition) => pageOf(null, { id: String(partition) }));
    const answer = await edge.send("GET", "/admin/v1/outbox?partition=2");
    assert.deepEqual(((await answer.json()) as { data: unknown }).data, [{ id: "2" }]);
    assert.deepEqual(askedPartitions(edge, "operator.outbox"), [2]);
    assert.equal((await edge.send("GET", "/admin/v1/outbox?partition=3")).status, 400);
  });

  test("is refused whole, with the partition's number, where one cannot be asked", async (t) => {
    const edge = await runEdge(t, { partitions: PARTITIONS });
    edge.engine.on("operator.quarantine", () => {
      const asked = edge.engine.asked.at(-1);
      if (asked !== undefined && partitionOf(asked) === 1) return { ok: false, code: "UNAVAILABLE", message: "away" };
      return pageOf(null, { id: "x" });
    });
    const answer = await edge.send("GET", "/admin/v1/quarantine");
    assert.equal(answer.status, 503);
    assert.equal(((await answer.json()) as { message: string }).message, "partition 1: away");
  });
});

describe("a release", () => {
  test("goes to the partition that the id names, with the decision or none", async (t) => {
    const edge = await runEdge(t, { partitions: PARTITIONS });
    edge.engine.on("operator.release", () => ({ ok: true, data: {} }));
    await edge.send("POST", "/admin/v1/quarantine/order-2-17/release", { action: "resend" });
    await edge.send("POST", "/admin/v1/quarantine/actor-1-5/release");
    await edge.send("POST", "/admin/v1/quarantine/actor-1-5/release", { action: "retry" });
    const filled = { action: "filled", orderNo: "R-1", quantity: 60, price: 89.9 };
    await edge.send("POST", "/admin/v1/quarantine/doubt-0-42/release", filled);
    const asked = edge.engine.asked.filter(({ type }) => type === "operator.release");
    assert.deepEqual(asked.map(partitionOf), [2, 1, 1, 0]);
    assert.deepEqual(
      asked.map(({ body }) => body),
      [
        { id: "order-2-17", decision: { action: "resend" } },
        { id: "actor-1-5", decision: null },
        { id: "actor-1-5", decision: { action: "retry" } },
        { id: "doubt-0-42", decision: filled },
      ],
    );
  });

  test("of no partition there is is 404, a body that is no decision is 400", async (t) => {
    const edge = await runEdge(t, { partitions: PARTITIONS });
    for (const id of ["order-3-1", "order-01-1", "thing-0-1", "order-0-99999999999999999"]) {
      assert.equal((await edge.send("POST", `/admin/v1/quarantine/${id}/release`)).status, 404, id);
    }
    for (const body of ["null", "{}", '{"action":"resend"', '"resend"']) {
      assert.equal((await edge.send("POST", "/admin/v1/quarantine/order-0-1/release", body)).status, 400, body);
    }
    const answer = await edge.send("POST", "/admin/v1/quarantine/order-0-1/release", { action: "sell" });
    assert.equal(
      ((await answer.json()) as { message: string }).message,
      'action must be "resend" or "placed" or "refused" or "retry" or "filled" or "notFilled"',
    );
  });
});

describe("the figures", () => {
  test("tell of each partition what it says, and which do not answer", async (t) => {
    const edge = await runEdge(t, { partitions: PARTITIONS });
    edge.engine.on("operator.stats", () => {
      const partition = partitionOf(edge.engine.asked.at(-1) ?? assert.fail());
      if (partition === 1) return { ok: false, code: "UNAVAILABLE", message: "away" };
      return { ok: true, data: partition === 2 ? { ...stats(2), armedCount: -1 } : stats(0) };
    });
    const answer = await edge.send("GET", "/admin/v1/metrics");
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
    const text = await answer.text();
    for (const line of [
      'trading_engine_up{partition="0"} 1',
      'trading_engine_up{partition="1"} 0',
      'trading_engine_up{partition="2"} 0',
      'trading_engine_ticks_total{partition="0",result="stale"} 3',
      'trading_engine_brokerage_login_needed{partition="0",brokerage="ACME"} 1',
      'trading_engine_feed_state{partition="0",state="live"} 1',
      'trading_engine_feed_publisher_state{partition="0",feed="US",state="silent"} 1',
      'trading_engine_feed_publisher_state{partition="0",feed="US",state="connected"} 0',
      'trading_engine_feed_publisher_state{partition="0",feed="BIST",state="delayed"} 1',
      'trading_engine_feed_publisher_state{partition="0",feed="BIST",state="connected"} 0',
      'trading_engine_feed_publisher_state{partition="0",feed="US",state="delayed"} 0',
      'trading_engine_feed_publisher_delayed_total{partition="0",feed="US"} 3',
      'trading_engine_feed_state{partition="0",state="disconnected"} 0',
      'trading_engine_last_tick_timestamp_seconds{partition="0"} 1.5',
      'trading_engine_last_tick_age_seconds{partition="0"} 61.5',
      'trading_engine_tick_holes_total{partition="0",reason="missing"} 2',
      'trading_engine_tick_holes_total{partition="0",reason="tooOld"} 0',
      'trading_engine_tick_holes_total{partition="0",reason="recreated"} 1',
      'trading_engine_ticks_unheard_total{partition="0"} 7',
      'trading_engine_tick_stream_clock_ahead_seconds{partition="0"} 0.003',
      'trading_engine_tick_stream_refusing{partition="0"} 0',
      'trading_engine_outbox_orders{partition="0",state="quarantined"} 2',
      'trading_engine_outbox_events_total{partition="0",event="placed"} 4',
      'trading_engine_order_reports_refused_total{partition="0",code="completedInPart"} 2',
      'trading_engine_armed_levels{partition="0"} 9',
      'trading_engine_memory_bytes{partition="0",kind="resident"} 9000',
      'trading_engine_batches_total{partition="0"} 44',
      'trading_engine_outbox_oldest_timestamp_seconds{partition="0"} 2.5',
      "# TYPE trading_engine_tick_to_durable_seconds histogram",
      'trading_engine_tick_to_durable_seconds_bucket{partition="0",le="0.00025"} 1',
      'trading_engine_tick_to_durable_seconds_bucket{partition="0",le="0.001"} 3',
      'trading_engine_tick_to_durable_seconds_bucket{partition="0",le="+Inf"} 4',
      'trading_engine_tick_to_durable_seconds_sum{partition="0"} 0.007',
      'trading_engine_durable_to_sent_seconds_count{partition="0"} 3',
      "# TYPE trading_engine_batch_rows histogram",
      'trading_engine_batch_rows_bucket{partition="0",le="1"} 1',
      'trading_engine_batch_rows_bucket{partition="0",le="2"} 4',
      'trading_engine_batch_rows_sum{partition="0"} 7',
      "trading_edge_event_streams 0",
    ]) {
      assert.ok(text.split("\n").includes(line), line);
    }
  });

  test("count requests by route, never by what a client wrote", async (t) => {
    const edge = await runEdge(t);
    edge.engine.on("operator.stats", () => ({ ok: true, data: stats(0) }));
    await edge.send("GET", "/api/v1/list-types/2");
    await edge.send("GET", "/api/v1/list-types/1");
    await edge.fetch("/no/such/path-4711");
    const text = await (await edge.send("GET", "/admin/v1/metrics")).text();
    const name = "trading_edge_request_duration_seconds_count";
    assert.ok(text.includes(`${name}{method="GET",route="/api/v1/list-types/:id",status="200"} 2`));
    assert.match(text, new RegExp(`${name}\\{method="GET",route="/\\*",status="404"\\} 1`));
    assert.doesNotMatch(text, /4711/);
  });
});
