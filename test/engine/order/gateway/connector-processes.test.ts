/** Which processes of a connector are rivals, and that nothing is sent while there are some. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ConnectorProcesses } from "../../../../engine/order/gateway/connector-processes.ts";
import { GatewaySession } from "../../../../engine/order/gateway/session.ts";
import { brokerageSettingsSchema } from "../../../../src/contract/trading/order.ts";
import { keptLog, ManualTime } from "../../feed/support/ports.ts";

test("a process that was replaced and is silent is no rival", () => {
  const processes = new ConnectorProcesses();
  processes.hear("first", 3_000, 0);
  processes.hear("first", 3_000, 1_000);
  processes.hear("second", 3_000, 1_100);
  assert.equal(processes.areSeveral(1_200), false);
  processes.hear("second", 3_000, 2_100);
  assert.equal(processes.areSeveral(2_200), false);
});

test("a process that is heard after the next one began is a rival, until it is silent", () => {
  const processes = new ConnectorProcesses();
  processes.hear("first", 3_000, 0);
  processes.hear("second", 3_000, 10_000);
  processes.hear("first", 3_000, 20_000);
  assert.equal(processes.areSeveral(20_100), true);
  processes.hear("second", 3_000, 23_500);
  assert.equal(processes.areSeveral(23_500), false);
});

test("a process that wakes after it was forgotten is a rival once the other one is heard again", () => {
  const processes = new ConnectorProcesses();
  processes.hear("first", 3_000, 0);
  processes.hear("second", 3_000, 1_000);
  processes.hear("second", 3_000, 99_500);
  assert.equal(processes.areSeveral(99_500), false);
  processes.hear("first", 3_000, 100_000);
  processes.hear("second", 3_000, 100_500);
  assert.equal(processes.areSeveral(100_500), true);
});

test("nothing is sent while two processes answer, which is logged once, and sending continues when one is silent", async () => {
  const time = new ManualTime(1_000_000);
  const log = keptLog();
  const status = { protocol: 2, session: "up", since: "", resend: "query", instance: "first" };
  const session = new GatewaySession({
    settings: brokerageSettingsSchema.parse({ code: "ACME", name: "Acme", adapter: "gateway", resend: "query" }),
    ask: async () => ({ type: "data", data: { ...status, supports: { orderStatus: true, positions: true } } }),
    ...{ timers: time, steadyClock: time, log },
  });
  assert.equal(await session.refusal(), undefined);
  await time.advance(100);
  session.noteProcess("second", 3_000);
  assert.equal(await session.refusal(), undefined);
  await time.advance(100);
  session.noteProcess("first", 3_000);
  assert.match((await session.refusal()) ?? "", /two processes of the connector answer/);
  assert.match(session.view().refusal ?? "", /two processes/);
  await time.advance(3_100);
  session.noteProcess("second", 3_000);
  assert.equal(await session.refusal(), undefined);
  assert.equal(log.messages("error").length, 1);
});
