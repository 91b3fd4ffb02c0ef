/** Requests to servers that come and go, over a connection that reports its loss and its return. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Events, type NatsConnection } from "nats";
import { Asking, askAgain, ConnectionLost } from "../../../src/bus/nats/reliable-request.ts";
import { loopTimers } from "../../../src/runtime/clock.ts";

const NEVER_MS = 60_000;
const turn = (): Promise<void> => new Promise((go) => setImmediate(go));
const never = (): Promise<never> => new Promise(() => undefined);

/** Makes a connection of which only the status is used, and the function that emits a status. */
function connectionTold() {
  let tell: (event: { type: string }) => void = () => undefined;
  const status = async function* () {
    for (;;) {
      yield await new Promise<{ type: string }>((go) => {
        tell = go;
      });
    }
  };
  const connection = { status } as unknown as NatsConnection;
  const say = async (type: string): Promise<void> => {
    await turn();
    tell({ type });
    await turn();
  };
  return { asking: Asking.over(connection), connection, say };
}

test("what waits for an answer is told at once that its connection is lost", async () => {
  const { asking, say } = connectionTold();
  const answer = asking.ask(never, loopTimers, NEVER_MS);
  const lost = assert.rejects(answer, ConnectionLost);
  await say(Events.Disconnect);
  await lost;
});

test("nothing is asked before there is a connection again", async () => {
  const { asking, say } = connectionTold();
  await say(Events.Disconnect);
  let asked = 0;
  const answer = asking.ask(async () => (asked += 1), loopTimers, NEVER_MS);
  await turn();
  assert.equal(asked, 0);
  await say(Events.Reconnect);
  assert.equal(await answer, 1);
});

test("whoever waits for a connection waits for a while only, and asks nothing afterwards", async () => {
  const { asking, say } = connectionTold();
  await say(Events.Disconnect);
  let asked = 0;
  const ask = async (): Promise<number> => (asked += 1);
  await assert.rejects(asking.ask(ask, loopTimers, 1), ConnectionLost);
  await say(Events.Reconnect);
  assert.equal(asked, 0);
});

test("an answer and a refusal come through, and other news of the connection change nothing", async () => {
  const { asking, connection, say } = connectionTold();
  assert.equal(Asking.over(connection), asking);
  assert.equal(await asking.ask(async () => "yes", loopTimers, NEVER_MS), "yes");
  await assert.rejects(
    asking.ask(() => Promise.reject(new Error("no")), loopTimers, NEVER_MS),
    /^Error: no$/,
  );
  await say(Events.LDM);
  assert.equal(await asking.ask(async () => "yes", loopTimers, NEVER_MS), "yes");
});

test("asked again, the first answer of any counts, and nothing is asked after it", async () => {
  let asked = 0;
  const ask = async (): Promise<string> => {
    asked += 1;
    if (asked < 3) await never();
    return `answer ${asked}`;
  };
  assert.equal(await askAgain(ask, loopTimers, 1), "answer 3");
  await new Promise((go) => setTimeout(go, 20));
  assert.equal(asked, 3);
  await assert.rejects(
    askAgain(() => Promise.reject(new Error("no")), loopTimers, NEVER_MS),
    /^Error: no$/,
  );
});
