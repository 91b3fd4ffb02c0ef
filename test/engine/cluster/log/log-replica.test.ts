/** Following and leading, case by case, over a model of the stream and a clock that moves on demand. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { StreamLog } from "../../../../engine/cluster/log/replicated-log.ts";
import { encodeFrame } from "../../../../engine/cluster/log/stream/frame.ts";
import type { FollowedRecord, Leadership } from "../../../../engine/ports/replica.ts";
import { FakeTime } from "../../../support/machine/fake-time.ts";
import { type AppendFate, ModelStream } from "./model/model-stream.ts";

const LEASE_MS = 2_000;
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

let time: FakeTime;
let stream: ModelStream;
let fate: AppendFate;
/** The position of the copies at other engines. */
let held: number | undefined;
/** How long the machine slept: the steady clock did not move. */
let sleptMs: number;

function prepareEach(): void {
  beforeEach(() => {
    sleptMs = 0;
    time = new FakeTime();
    fate = "stored";
    held = Number.MAX_SAFE_INTEGER;
    stream = new ModelStream(() => fate);
  });
}

interface Engine {
  readonly records: string[];
  readonly owners: string[];
  /** Whether a claim may be due soon, by each notification. */
  readonly silences: boolean[];
  readonly log: StreamLog;
  hole: string | undefined;
  /** How many records it had received when it came to the end of the log; undefined before. */
  caughtUpAfter: number | undefined;
  damage: string | undefined;
  leadership: Leadership | undefined;
  lost: string | undefined;
}

/** Follows from `position` on, and claims. */
async function start(
  name: string,
  position?: number,
  owns = (_record: FollowedRecord): boolean => true,
): Promise<Engine> {
  let ids = 0;
  const newId = (): string => {
    ids += 1;
    return `${name}-${ids}`;
  };
  const clock = { nowMs: () => time.nowMs() + sleptMs };
  const own = { stream, clock, owner: name, leaseMs: LEASE_MS, keepBytes: 0, heldByOthers: () => held, newId };
  const log = new StreamLog({ ...own, steadyClock: time, timers: time, log: silent });
  const engine: Engine = {
    records: [],
    owners: [],
    silences: [],
    log,
    hole: undefined,
    caughtUpAfter: undefined,
    damage: undefined,
    leadership: undefined,
    lost: undefined,
  };
  await log.follow(position, {
    owns,
    onRecord: ({ bytes }) => void engine.records.push(Buffer.from(bytes).toString()),
    onCaughtUp: () => {
      assert.equal(engine.caughtUpAfter, undefined, "it is told once");
      engine.caughtUpAfter = engine.records.length;
    },
    onClaim: ({ owner }) => engine.owners.push(owner),
    onSilence: (isSilent) => engine.silences.push(isSilent),
    onHole: (reason) => {
      engine.hole = reason;
    },
    onDamage: (reason) => {
      engine.damage = reason;
    },
  });
  log.claim(0, new AbortController().signal).then(
    (leadership) => {
      engine.leadership = leadership;
      leadership.onLost((reason) => {
        engine.lost = reason;
      });
    },
    () => undefined,
  );
  await time.turns();
  return engine;
}

function leadershipOf({ leadership }: Engine): Leadership {
  assert.ok(leadership !== undefined, "it leads");
  return leadership;
}

async function append(engine: Engine, from: number, ...texts: string[]): Promise<void> {
  await leadershipOf(engine).log.append(
    from,
    texts.map((text) => Buffer.from(text)),
  );
}

describe("who follows the log", () => {
  prepareEach();

  test("is handed every record after the place of its copy, and told who leads", async () => {
    const a = await start("a");
    await append(a, 0, "one", "two", "three");
    const b = await start("b", 1);
    assert.deepEqual(b.records, ["two", "three"]);
    await append(a, 3, "four");
    await time.turns();
    assert.deepEqual(b.records, ["two", "three", "four"]);
    assert.deepEqual([a.caughtUpAfter, b.caughtUpAfter], [0, 2], "it is told when all was handed on that was there");
    assert.deepEqual(b.log.standing, { epoch: 1, leader: "a", position: 4, lagMessages: 0, trouble: undefined });
    await (await start("c")).log.close();
  });

  test("never leads while the leader's beats come", async () => {
    const a = await start("a");
    const b = await start("b");
    await time.advance(20 * LEASE_MS);
    assert.ok(leadershipOf(a).mayAct());
    assert.equal(b.leadership, undefined);
  });

  test("leads after the silence of a whole lease, counted from zero when it was started again", async () => {
    const a = await start("a");
    await append(a, 0, "one");
    await leadershipOf(a).log.close();
    await time.advance(LEASE_MS - 1);
    const b = await start("b");
    await time.advance(LEASE_MS - 200);
    assert.equal(b.leadership, undefined);
    await time.advance(400);
    assert.equal(leadershipOf(b).epoch, 3);
    assert.equal(leadershipOf(b).log.lastSequence, 1);
  });

  test("is told before a claim is due, and that it is not when somebody was heard or the log went away", async () => {
    const a = await start("a");
    await append(a, 0, "one");
    const b = await start("b");
    await leadershipOf(a).log.close();
    await time.advance(LEASE_MS - 350);
    assert.deepEqual(b.silences, []);
    await time.advance(200);
    assert.deepEqual([b.silences, b.leadership], [[true], undefined]);
    const foreign = { kind: "beat", epoch: 1, leaseMs: LEASE_MS, number: 1 } as const;
    await stream.append({ expectedSequence: 2, id: "late", data: encodeFrame(foreign) });
    await time.turns();
    assert.deepEqual(b.silences, [true, false], "the leader may have armed something meanwhile");
    await time.advance(LEASE_MS - 150);
    assert.deepEqual([b.silences, b.leadership], [[true, false, true], undefined]);
    stream.isAway = true;
    await time.advance(LEASE_MS);
    assert.deepEqual(b.silences, [true, false, true, false]);
    stream.isAway = false;
    await time.advance(LEASE_MS);
    assert.deepEqual(b.silences, [true, false, true, false, true], "its own claim takes nothing back");
    assert.ok(leadershipOf(b).mayAct());
  });

  test("leads at once after a release, but not for one that it reads from long ago", async () => {
    const a = await start("a");
    await append(a, 0, "one");
    const b = await start("b");
    await leadershipOf(a).release();
    await time.advance(150);
    await append(b, 1, "two");
    const c = await start("c");
    await time.advance(5 * LEASE_MS);
    assert.equal(c.leadership, undefined);
    assert.deepEqual(c.owners, ["a", "b"]);
    assert.ok(leadershipOf(b).mayAct());
  });

  test("leads after a release only where that names it; others wait for the lease", async () => {
    const a = await start("a");
    const b = await start("b");
    const c = await start("c");
    await leadershipOf(a).release("c");
    await time.advance(150);
    assert.equal(b.leadership, undefined);
    assert.ok(leadershipOf(c).mayAct());
  });

  test("waits while the log itself is away, and lets its leader go first when it is back", async () => {
    const a = await start("a");
    const b = await start("b");
    await time.advance(LEASE_MS);
    stream.isAway = true;
    await time.advance(5 * LEASE_MS);
    assert.equal(leadershipOf(a).mayAct(), false);
    const allowed = leadershipOf(a).whenMayAct();
    stream.isAway = false;
    await time.advance(LEASE_MS);
    await allowed;
    assert.equal(b.leadership, undefined);
    assert.equal(a.lost, undefined);
  });

  test("is told of a damaged message, and handed nothing after it", async () => {
    const a = await start("a");
    await append(a, 0, "one", "two", "three");
    stream.damage(3);
    const b = await start("b");
    assert.deepEqual(b.records, ["one"]);
    assert.match(b.damage ?? "", /message 3 of the log cannot be used/);
  });

  test("is told where its copy is not of this log, or stands where the log holds nothing any more", async () => {
    const a = await start("a");
    await append(a, 0, "one", "two", "three");
    const b = await start("b", 2, () => false);
    assert.match(b.damage ?? "", /record 2 of the log differs from the record of this copy/);
    await leadershipOf(a).log.trim(2);
    const c = await start("c", 1);
    assert.match(c.hole ?? "", /does not hold record 2 any more/);
    await assert.rejects(start("d", 9), /holds record 9, and the log ends at 3/);
  });

  test("is told when the log was cut before what it reads next", async () => {
    const a = await start("a");
    await append(a, 0, "one", "two");
    const b = await start("b");
    stream.isAway = true;
    await time.advance(10);
    stream.isAway = false;
    await append(a, 2, "three", "four", "five");
    await leadershipOf(a).log.trim(4);
    await time.turns();
    stream.wake();
    await time.turns();
    assert.deepEqual(b.records, ["one", "two", "three", "four", "five"], "it was quicker");
    await b.log.close();
    const c = await start("c", 2);
    assert.match(c.hole ?? "", /does not hold record 3 any more/);
    assert.equal(c.damage, undefined);
  });

  test("keeps all that it may need where no other engine holds it", async () => {
    const a = await start("a");
    await append(a, 0, "one", "two", "three");
    held = undefined;
    await leadershipOf(a).log.trim(2);
    assert.equal(leadershipOf(a).log.firstSequence, 1);
    held = 1;
    await leadershipOf(a).log.trim(2);
    assert.equal(leadershipOf(a).log.firstSequence, 2);
  });

  test("is trimmed by a leader that found it begun, behind what every copy holds", async () => {
    const a = await start("a");
    await append(a, 0, "one", "two", "three");
    await leadershipOf(a).release();
    const b = await start("b");
    await time.advance(150);
    await append(b, 3, "four");
    held = undefined;
    await leadershipOf(b).log.trim(3);
    assert.equal((await start("c")).records.length, 4);
    held = 2;
    await leadershipOf(b).log.trim(3);
    assert.equal(leadershipOf(b).log.firstSequence, 3);
    assert.deepEqual((await start("d", 2)).records, ["three", "four"]);
  });

  test("gets nothing of a record that its leader left unfinished", async () => {
    const a = await start("a");
    await append(a, 0, "one");
    const b = await start("b");
    const large = Buffer.alloc(1_300_000, 1);
    let sent = 0;
    const parts = stream.append.bind(stream);
    stream.append = async (one) => {
      sent += 1;
      if (sent > 1) throw new Error("no answer");
      return parts(one);
    };
    void leadershipOf(a)
      .log.append(1, [large])
      .catch(() => undefined);
    await time.advance(300);
    await leadershipOf(a).log.close();
    stream.append = parts;
    await time.advance(2 * LEASE_MS);
    await append(b, 1, "two");
    const c = await start("c");
    assert.deepEqual(c.records, ["one", "two"]);
  });
});

describe("who leads the log", () => {
  prepareEach();

  test("appends what got no answer again until it is known, and once", async () => {
    const a = await start("a");
    for (const [from, next] of [
      [0, "lost"],
      [1, "unanswered"],
    ] as const) {
      fate = next;
      const appended = append(a, from, next);
      await time.advance(120);
      assert.equal(leadershipOf(a).log.lastSequence, from === 0 ? undefined : from);
      fate = "stored";
      await time.advance(120);
      await appended;
    }
    assert.deepEqual((await start("b")).records, ["lost", "unanswered"]);
  });

  test("may not act once its lease ran out, whatever it believes, and loses it to the next claim", async () => {
    const a = await start("a");
    await append(a, 0, "one");
    const b = await start("b");
    fate = "lost";
    await time.advance(0.8 * LEASE_MS);
    assert.equal(leadershipOf(a).mayAct(), false);
    await leadershipOf(a).log.close();
    fate = "stored";
    await time.advance(2 * LEASE_MS);
    assert.ok(leadershipOf(b).mayAct());
    await assert.rejects(append(a, 1, "two"));
  });

  test("may not act after its machine slept for a lease, though the steady clock stood still, before it is heard", async () => {
    const a = await start("a");
    await append(a, 0, "one");
    assert.equal(leadershipOf(a).mayAct(), true);
    sleptMs = LEASE_MS;
    assert.equal(leadershipOf(a).mayAct(), false);
    await append(a, 1, "two");
    assert.equal(leadershipOf(a).mayAct(), true);
  });

  test("is told that another engine leads, and appends nothing any more", async () => {
    const a = await start("a");
    await append(a, 0, "one");
    await stream.append({ expectedSequence: 2, id: "foreign", data: Buffer.from("foreign") });
    await assert.rejects(append(a, 1, "two"), /message 3 of the log is another engine's/);
    assert.match(a.lost ?? "", /another engine's/);
    assert.equal(leadershipOf(a).mayAct(), false);
    await assert.rejects(append(a, 1, "two"));
  });

  test("ends where the log lost what it had acknowledged", async () => {
    const a = await start("a");
    await append(a, 0, "one", "two");
    stream.lose(3);
    await assert.rejects(append(a, 2, "three"), /has lost records/);
    assert.match(a.lost ?? "", /has lost records/);
  });

  test("is released where its claim was stored after its follower had ended", async () => {
    const a = await start("a");
    await leadershipOf(a).release();
    let answer: () => void = () => undefined;
    // The claim is on its way while the follower ends.
    const late = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const append = stream.append.bind(stream);
    stream.append = async (message) => {
      const answered = await append(message);
      if (message.id === "claim-b-1") await late;
      return answered;
    };
    const b = await start("b");
    await b.log.close();
    answer();
    await time.turns();
    assert.equal(b.leadership, undefined);
    const c = await start("c");
    await time.advance(2 * LEASE_MS);
    assert.equal(leadershipOf(c).mayAct(), true);
  });

  test("claims under a new id each time, and takes no answer to an old one for a claim", async () => {
    const a = await start("a");
    await leadershipOf(a).release();
    // It counts its ids from the same number: the first was used before.
    const again = await start("a");
    await time.advance(2 * LEASE_MS);
    assert.equal(leadershipOf(again).epoch, 3);
    assert.deepEqual([a.owners, again.owners], [["a"], ["a", "a"]]);
  });
});
