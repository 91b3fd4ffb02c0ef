/** Ticks that are lost for good, and a feed that has fallen silent, show in the operators' metrics. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { TICK_STREAM } from "../../../engine/feed/stream/jetstream.ts";
import { natsSuite } from "../../support/machine/nats-server.ts";
import { untilTrue } from "../../support/machine/until-true.ts";
import { Stack, type StackUser } from "../../support/world/stack.ts";

natsSuite("an operator's figures of the feed", () => {
  let stack: Stack;
  let operator: StackUser;

  before(async () => {
    stack = await Stack.start();
    operator = await stack.demoUser();
  });
  after(() => stack.stop());

  const metrics = async (): Promise<string> => {
    const headers = { authorization: `Bearer ${operator.token}` };
    return (await fetch(`${stack.url}/admin/v1/metrics`, { headers })).text();
  };
  /** Returns a figure by its name and labels; undefined if it is missing. */
  const figure = async (name: string): Promise<number | undefined> => {
    const line = (await metrics()).split("\n").find((one) => one.startsWith(`trading_engine_${name} `));
    return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(" ")));
  };

  test("say how long no tick has come, and start over with the next one", async () => {
    assert.equal(await figure('last_tick_age_seconds{partition="0"}'), undefined, "none came yet");
    await stack.tick("THYAO", 100);
    await untilTrue(async () => (await figure('last_tick_age_seconds{partition="0"}')) !== undefined);
    await untilTrue(async () => ((await figure('last_tick_age_seconds{partition="0"}')) ?? 0) >= 1);
    // One tick for each check: a busy machine can take a second between two checks.
    await untilTrue(async () => {
      await stack.tick("THYAO", 100);
      return ((await figure('last_tick_age_seconds{partition="0"}')) ?? 9) < 1;
    });
  });

  test("count a hole in the tick stream by its reason", async () => {
    assert.equal(await figure('tick_holes_total{partition="0",reason="missing"}'), 0);
    await untilTrue(async () => ((await figure('tick_position{partition="0"}')) ?? 0) > 0);
    await stack.engine(0).end("SIGTERM");
    for (const price of [101, 102, 103]) await stack.tick("THYAO", price);
    const manager = await stack.nats.jetstreamManager();
    await manager.streams.purge(TICK_STREAM);
    await stack.startEngine(0);
    await untilTrue(async () => (await figure('tick_holes_total{partition="0",reason="missing"}')) === 1);
    assert.match(stack.engine(0).output(), /ticks were missed and cannot be caught up/);
    await stack.tick("THYAO", 104);
    await untilTrue(async () => ((await figure('ticks_total{partition="0",result="accepted"}')) ?? 0) > 0);
  });
});
