/** Where an engine with REPLICATION=off and one with on find each other, on a bus whose far side is played here. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { connect, type NatsConnection } from "nats";
import { lookForCluster, lookForSingle } from "../../../engine/host/look-for-other-form.ts";
import { connectNatsBus, type NatsBus } from "../../../src/bus/nats/bus.ts";
import { brokerSubject, ownerSubject, PRESENCE_SUBJECT } from "../../../src/contract/subject.ts";
import { loopTimers } from "../../../src/runtime/clock.ts";
import { type NatsServer, natsSuite, startNatsServer } from "../../support/machine/nats-server.ts";

const NAMES = "$JS.API.STREAM.NAMES";
const WORD = {
  ...{ engine: "e", stage: "holding", sinceMs: 1, partition: 1, partitions: 2 },
  ...{ installation: null, life: null, host: "far", pid: 7 },
};

natsSuite("the search for engines of the other form", () => {
  let server: NatsServer;
  let bus: NatsBus;
  let far: NatsConnection;

  beforeEach(async () => {
    server = await startNatsServer();
    bus = await connectNatsBus({ servers: server.url, name: "near", onError: () => undefined });
    far = await connect({ servers: server.url });
  });
  afterEach(async () => {
    await far.close();
    await bus.drain();
    await server.stop();
  });

  /** Answers every request on the subject; undefined: stays silent. */
  const answer = async (subject: string, value: unknown): Promise<void> => {
    far.subscribe(subject, { callback: (_, message) => value !== undefined && message.respond(JSON.stringify(value)) });
    await far.flush();
  };
  const lookOff = (): ReturnType<ReturnType<typeof lookForCluster>> =>
    lookForCluster({
      ...{ bus, connection: bus.connection, timers: loopTimers, engine: "near" },
      ...{ codes: ["X"], ownPartitions: [0] },
    })();
  const lookOn = (): ReturnType<ReturnType<typeof lookForSingle>> => lookForSingle({ bus, engine: "near" }, 2)();

  test("a bus without the other form is free for both, also one without JetStream", async () => {
    assert.equal(await lookOff(), undefined);
    assert.equal(await lookOn(), undefined);
  });

  test("an engine with off is found by its answer on any partition, with its name", async () => {
    await answer(ownerSubject(1), WORD);
    const finding = await lookOn();
    assert.equal(finding?.reason, "unavailable");
    assert.match(finding?.message ?? "", /on at engine near and off at engine far, process 7/);
  });

  test("an engine with off that is connected and silent is found", async () => {
    await answer(ownerSubject(1), undefined);
    assert.equal((await lookOn())?.reason, "unavailable");
  });

  test("an engine with on that announces itself is found; one that ends is not", async () => {
    let word = { engine: "far.1", isEnding: true };
    const telling = setInterval(() => far.publish(PRESENCE_SUBJECT, JSON.stringify(word)), 100);
    try {
      assert.equal(await lookOff(), undefined);
      word = { engine: "far.1", isEnding: false };
      assert.match((await lookOff())?.message ?? "", /off at engine near and on at engine far\.1/);
    } finally {
      clearInterval(telling);
    }
  });

  test("servers that do not answer for their streams are no answer: not certain", async () => {
    await answer(NAMES, undefined);
    const finding = await lookOff();
    assert.ok(finding !== undefined);
    assert.equal(finding.reason, undefined);
  });

  test("a log of engines with on is found, and a connector that heard an epoch", async () => {
    await answer(brokerSubject("X", "fence"), { ok: false, code: "FENCED", message: "epoch 4" });
    const fenced = await lookOff();
    assert.equal(fenced?.reason, "configuration");
    assert.match(fenced?.message ?? "", /connector of X/);
    await answer(NAMES, {
      type: "io.nats.jetstream.api.v1.stream_names_response",
      total: 1,
      offset: 0,
      limit: 10,
      streams: ["TICKS", "JOURNAL_3_9"],
    });
    assert.match((await lookOff())?.message ?? "", /JOURNAL_3_9/);
  });

  test("a connector without an epoch does not refuse the start", async () => {
    await answer(brokerSubject("X", "fence"), { ok: true, data: { partition: 0, epoch: 0 } });
    assert.equal(await lookOff(), undefined);
  });

  test("a silent connector does not refuse the start", async () => {
    await answer(brokerSubject("X", "fence"), undefined);
    assert.equal(await lookOff(), undefined);
  });
});
