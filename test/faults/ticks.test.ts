/**
 * Ticks that are malformed, in the future, too old, of unknown symbols, or far too many: none of them sells (catalogue
 * 43 to 52). Published over the bus in the process, and by a plain NATS client that knows nothing of the engine.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { connect, type NatsConnection } from "nats";
import { type NatsServer, natsSuite, startNatsServer } from "../support/machine/nats-server.ts";
import fc from "../support/property.ts";
import { type AppUser, FaultApp, type OcoRow, until } from "./support/app.ts";
import { cancelGroup, createGroup, rowsOf } from "./support/group.ts";
import { assertNoFault } from "./support/table.ts";

/** Publishes a message; resolves once the engine has handled it. */
type Publish = (subject: string, data: string | Uint8Array) => Promise<void>;

interface Place {
  readonly app: FaultApp;
  readonly user: AppUser;
  readonly publish: Publish;
  /** Publishes many messages together, in order. */
  readonly publishAll: (messages: readonly (readonly [string, string])[]) => Promise<void>;
}

type Reason = "malformed" | "invalidPrice" | "unknownSymbol" | "tooOld" | "future" | "none";

/** At 80 it would sell the stop-loss at 90. */
const LOW = '{"price":80}';
const bytes = (text: string, encoding: BufferEncoding): Buffer => Buffer.from(text, encoding);
const padded = (length: number): string => `{"price":80,"x":"${"x".repeat(length)}"}`;

const HOSTILE: readonly (readonly [string, string, string | Uint8Array, Reason])[] = [
  ...[
    "",
    " ",
    "{",
    "[",
    '"',
    "nonsense",
    "80",
    "null",
    "true",
    '"80"',
    "<tick/>",
    "price=80",
    `${LOW}${LOW}`,
    `${LOW},`,
  ].map((text) => [`the text ${JSON.stringify(text)}`, "ticks.THYAO", text, "malformed"] as const),
  ["UTF-16", "ticks.THYAO", bytes(LOW, "utf16le"), "malformed"],
  ["bytes that are no text", "ticks.THYAO", Buffer.from([0xff, 0xfe, 0x80]), "malformed"],
  ["a megabyte of brackets", "ticks.THYAO", "[".repeat(1_000_000), "malformed"],
  ["a megabyte of padding", "ticks.THYAO", padded(1_000_000), "malformed"],
  ["a megabyte in a batch", "ticks", `[${padded(1_000_000)}]`, "malformed"],
  ["256 KB of brackets", "ticks.THYAO", "[".repeat(250_000), "malformed"],
  ...[
    '{"price":0}',
    '{"price":-0}',
    '{"price":-80}',
    '{"price":"80"}',
    '{"price":"Infinity"}',
    '{"price":null}',
    '{"price":true}',
    '{"price":[80]}',
    '{"price":{"value":80}}',
    '{"price":1e308}',
    '{"price":1732152000000000}',
    '{"price":1e400}',
    '{"price":1e-400}',
    '{"Price":80}',
    '{"last":80}',
    "{}",
    '{"__proto__":{"price":80}}',
  ].map((text) => [text, "ticks.THYAO", text, "invalidPrice"] as const),
  ...['{"price":NaN}', '{"price":Infinity}', '{"price":0x50}', '{"price":80,}', "{'price':80}", '{"price":080}'].map(
    (text) => [text, "ticks.THYAO", text, "malformed"] as const,
  ),
  ...[
    '{"price":80,"time":"now"}',
    '{"price":80,"time":1e400}',
    '{"price":80,"time":{}}',
    '{"price":80,"time":true}',
  ].map((text) => [text, "ticks.THYAO", text, "malformed"] as const),
  ["a time of yesterday", "ticks.THYAO", '{"price":80,"time":1700000000000}', "tooOld"],
  ["a time of 1970", "ticks.THYAO", '{"price":80,"time":0}', "tooOld"],
  ["a time before 1970", "ticks.THYAO", '{"price":80,"time":-1}', "tooOld"],
  ["a time in seconds", "ticks.THYAO", '{"price":80,"time":1700000000}', "tooOld"],
  ["a time in microseconds", "ticks.THYAO", '{"price":80,"time":1900000000000000}', "future"],
  ["a time in an hour", "ticks.THYAO", `{"price":80,"time":${Date.now() + 3_600_000}}`, "future"],
  ["a time beyond all clocks", "ticks.THYAO", '{"price":80,"time":1e300}', "future"],
  ["an unknown symbol", "ticks.NOSUCH", LOW, "unknownSymbol"],
  ["small letters", "ticks.thyao", LOW, "unknownSymbol"],
  ["a prototype's name", "ticks.__proto__", LOW, "unknownSymbol"],
  ["a name of a hundred letters", `ticks.${"A".repeat(100)}`, LOW, "unknownSymbol"],
  ["an unknown symbol in a batch", "ticks", '[{"symbol":"NOSUCH","price":80}]', "unknownSymbol"],
  ["small letters in a batch", "ticks", '[{"symbol":"thyao","price":80}]', "unknownSymbol"],
  ["a space in a batch's symbol", "ticks", '[{"symbol":"THYAO ","price":80}]', "unknownSymbol"],
  ["no symbol in a batch", "ticks", `[${LOW}]`, "malformed"],
  ["a number for a symbol", "ticks", '[{"symbol":5,"price":80}]', "malformed"],
  ["a batch of batches", "ticks", '[[{"symbol":"THYAO","price":80}]]', "malformed"],
  ["an empty batch", "ticks", "[]", "none"],
  ["a subject below a symbol's", "ticks.THYAO.now", LOW, "unknownSymbol"],
  ["another subject", "tick.THYAO", LOW, "none"],
  ["a brokerage's subject", "broker.PAPER.updates", LOW, "none"],
];

const statusesOf = async ({ app, user }: Pick<Place, "app" | "user">, groupId: number): Promise<number[]> =>
  (await rowsOf(app, user, groupId)).map(({ status }) => status);

/** Waits until the group's rows have these statuses. */
async function untilStatuses(
  place: Pick<Place, "app" | "user">,
  groupId: number,
  expected: readonly number[],
): Promise<OcoRow[]> {
  await until(async () => String(await statusesOf(place, groupId)) === String(expected));
  return rowsOf(place.app, place.user, groupId);
}

/** The same tests for every publisher. */
function tickTests(place: () => Place): void {
  let standing: OcoRow;
  let fingerprint = "";

  before(async () => {
    const { app, user, publish } = place();
    await publish("ticks.THYAO", `{"price":100,"time":${Date.now()}}`);
    standing = await createGroup(app, user);
    fingerprint = await app.fingerprint();
  });

  for (const [name, subject, data, reason] of HOSTILE) {
    test(`sells nothing: ${name}`, async () => {
      const { app, publish } = place();
      const counters = { ...app.engine.feed?.stats()?.ticks };
      await publish(subject, data);
      const now = { ...app.engine.feed?.stats()?.ticks };
      const changed = Object.entries(now).filter(([key, value]) => value !== counters[key as keyof typeof counters]);
      assert.deepEqual(
        changed.map(([key]) => key),
        reason === "none" ? [] : [reason],
      );
      assert.deepEqual(await statusesOf(place(), standing.groupId), [1, 1, 1]);
    });
  }

  test("sells nothing: whatever bytes come on whatever subject", async () => {
    const { app, publish } = place();
    const subject = fc.constantFrom("ticks", "ticks.THYAO", "ticks.GARAN", "ticks.NOSUCH");
    const text = fc.oneof(
      fc.json({ maxDepth: 3 }),
      fc.string(),
      fc.string().map((price) => JSON.stringify({ price })),
    );
    await fc.assert(fc.asyncProperty(subject, text, publish), { numRuns: 300 });
    await fc.assert(fc.asyncProperty(subject, fc.uint8Array({ maxLength: 64 }), publish), { numRuns: 150 });
    await publish("ticks.THYAO", '{"price":100}');
    assert.equal(await app.fingerprint(), fingerprint);
    assertNoFault(app);
  });

  test("after all of it a tick still counts", async () => {
    const { app, user, publish } = place();
    await publish("ticks.THYAO", '\uFEFF{"price":109.99999}');
    assert.deepEqual(await statusesOf(place(), standing.groupId), [1, 1, 1]);
    await publish("ticks.THYAO", ' { "volume": 5, "price": 1.1000001e2, "time": null, "venue": "x" } ');
    const rows = await untilStatuses(place(), standing.groupId, [1, 2, 1]);
    assert.equal(rows[1]?.triggeredPrice, 110.00001);
    await cancelGroup(app, user, standing.id);
  });

  test("one wrong entry of a batch harms no other, and a batch counts in its order", async () => {
    const { app, user, publish } = place();
    const both =
      '{"symbol":"GARAN","price":111},{"symbol":"GARAN"},5,{"symbol":"NOSUCH","price":1},{"symbol":"GARAN","price":89}';
    await publish("ticks", '[{"symbol":"GARAN","price":100}]');
    const first = await createGroup(app, user, { symbol: "GARAN" });
    await publish("ticks", `[${both}]`);
    const rows = await untilStatuses(place(), first.groupId, [2, 2, 4]);
    assert.deepEqual(
      rows.map(({ status, triggeredPrice }) => [status, triggeredPrice]),
      [
        [2, 89],
        [2, 111],
        [4, null],
      ],
    );
    await publish("ticks", '[{"symbol":"GARAN","price":100}]');
    const second = await createGroup(app, user, { symbol: "GARAN" });
    await publish("ticks", '[{"symbol":"GARAN","price":89},{"symbol":"GARAN","price":130}]');
    const stopped = await untilStatuses(place(), second.groupId, [2, 4, 4]);
    assert.deepEqual(
      stopped.map(({ status, triggeredPrice }) => [status, triggeredPrice]),
      [
        [2, 89],
        [4, null],
        [4, null],
      ],
    );
  });

  test("every tick twice sells once, and an older one that comes late sells nothing", async () => {
    const { app, user, publish } = place();
    const nowMs = Date.now();
    const tick = (price: number, timeMs: number): string => JSON.stringify({ price, time: timeMs });
    await publish("ticks.AKBNK", tick(100, nowMs));
    const { groupId } = await createGroup(app, user, { symbol: "AKBNK" });
    await publish("ticks.AKBNK", tick(80, nowMs - 1));
    assert.deepEqual(await statusesOf(place(), groupId), [1, 1, 1]);
    for (const price of [111, 111, 100, 111, 130, 130]) await publish("ticks.AKBNK", tick(price, nowMs + 1));
    await untilStatuses(place(), groupId, [1, 2, 2]);
    const sells = (await app.orders(user)).filter(({ symbol }) => symbol === "AKBNK");
    assert.deepEqual(
      sells.map(({ quantity, buySell, orderType }) => [quantity, buySell, orderType]),
      [
        [4, 2, 1],
        [6, 2, 1],
      ],
    );
    await cancelGroup(app, user, groupId);
  });

  test("a flood loses neither its lowest nor its highest price", async () => {
    const { app, user, publish, publishAll } = place();
    await publish("ticks.ASELS", '{"price":100}');
    await publish("ticks.ISCTR", '{"price":100}');
    const low = await createGroup(app, user, { symbol: "ASELS" });
    const high = await createGroup(app, user, { symbol: "ISCTR" });
    const flood = Array.from({ length: 20_000 }, (_, index) => {
      const isExtreme = index === 9_999;
      const symbol = index % 2 === 1 ? "ASELS" : "ISCTR";
      return [`ticks.${symbol}`, `{"price":${isExtreme ? 90 : 100 + (index % 9)}}`] as const;
    });
    await publishAll([...flood, ["ticks.ISCTR", '{"price":120}'], ...flood.filter((_, index) => index % 2 === 0)]);
    await untilStatuses(place(), low.groupId, [2, 4, 4]);
    await untilStatuses(place(), high.groupId, [1, 2, 2]);
    await cancelGroup(app, user, high.groupId);
    assertNoFault(app);
  });
}

describe("over the bus in the process", () => {
  let place: Place;
  before(async () => {
    const app = await FaultApp.start();
    place = {
      app,
      user: await app.newUser(),
      publish: (subject, data) => app.publish(subject, data),
      publishAll: async (messages) => {
        for (const [subject, data] of messages) app.bus.publish(subject, Buffer.from(data));
        await app.bus.flush();
        await app.arrived();
      },
    };
  });
  after(() => place.app.stop());
  tickTests(() => place);
});

natsSuite("by a plain NATS client", () => {
  let place: Place;
  let server: NatsServer;
  let nats: NatsConnection;
  before(async () => {
    server = await startNatsServer();
    nats = await connect({ servers: server.url });
    const app = await FaultApp.start({ natsUrl: server.url });
    const publishAll: Place["publishAll"] = async (messages) => {
      for (const [subject, data] of messages) nats.publish(subject, data);
      await nats.flush();
      await app.arrived();
    };
    const publish: Publish = async (subject, data) => {
      nats.publish(subject, data);
      await nats.flush();
      await app.arrived();
    };
    place = { app, user: await app.newUser(), publish, publishAll };
  });
  after(async () => {
    await place.app.stop();
    await nats.close();
    await server.stop();
  });
  tickTests(() => place);
});

describe("with MAX_TICK_MOVE_PERCENT", () => {
  let app: FaultApp;
  let user: AppUser;
  before(async () => {
    app = await FaultApp.start({ environment: { MAX_TICK_MOVE_PERCENT: "10" } });
    user = await app.newUser();
  });
  after(() => app.stop());

  for (const [symbol, jump] of [
    ["THYAO", 10_000],
    ["GARAN", 1],
    ["AKBNK", 115],
    ["ASELS", 85.00001],
  ] as const) {
    test(`a jump from 100 to ${jump} alone sells nothing, and the next tick makes it void`, async () => {
      await app.tick(symbol, 100);
      const { groupId } = await createGroup(app, user, { symbol });
      const statuses = () => statusesOf({ app, user }, groupId);
      for (let time = 0; time < 3; time += 1) {
        await app.tick(symbol, jump);
        assert.deepEqual(await statuses(), [1, 1, 1]);
        await app.tick(symbol, 100);
        assert.deepEqual(await statuses(), [1, 1, 1]);
      }
      await app.tick(symbol, jump);
      await app.tick(symbol, jump);
      // A second tick confirms the jump.
      await untilStatuses({ app, user }, groupId, jump > 119 ? [1, 2, 2] : jump > 100 ? [1, 2, 1] : [2, 4, 4]);
    });
  }
});
