/** The partitions that an engine leads, keeps and gives away, by the present engines and the state of their copies. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Balance, LASTING_MS } from "../../../../engine/cluster/placement/balance.ts";
import { rankEngines } from "../../../../engine/cluster/placement/rank.ts";
import { FakeTime } from "../../../support/machine/fake-time.ts";

const COPIES = 2;

/** Engines of a machine each; `lags` and `leading` are of partition 0. */
class Others {
  readonly steadyClock = new FakeTime();
  names: string[];
  lags: Record<string, number> = {};
  leading: string | undefined;
  /** Reports of the engines on their clocks. */
  clocks: Record<string, boolean> = {};

  constructor(...names: string[]) {
    this.names = names;
  }

  engines() {
    return this.names.map((engine) => ({ engine, machine: engine }));
  }

  lagOf(engine: string): number | undefined {
    return this.lags[engine];
  }

  isClockRight(engine: string): boolean | undefined {
    return this.clocks[engine];
  }

  leads(engine: string): boolean {
    return this.leading === engine;
  }

  /** In the order in which they should lead partition 0. */
  get ranked(): readonly string[] {
    return rankEngines(this.engines(), 1)[0] ?? [];
  }

  balanceAt(rank: number): Balance {
    const engine = this.ranked[rank] ?? assert.fail("no such rank");
    const { steadyClock } = this;
    return new Balance({ presence: this, engine, partitions: 1, copies: COPIES, steadyClock });
  }
}

test("the first engines of a rank keep the partition, whatever they have", () => {
  const others = new Others("a", "b", "c", "d");
  for (const rank of [0, 1]) {
    assert.equal(others.balanceAt(rank).claimRankOf(0), rank);
    for (const hasIt of [true, false]) assert.equal(others.balanceAt(rank).shouldKeep(0, hasIt), true);
  }
  assert.equal(others.balanceAt(2).shouldKeep(0, false), false, "who need not have one makes none");
});

test("who has a copy keeps it until all who should have one are close behind, or lead", () => {
  const others = new Others("a", "b", "c", "d");
  const [first = "", second = ""] = others.ranked;
  const balance = others.balanceAt(3);
  assert.equal(balance.shouldKeep(0, true), true, "nobody said that he has one");
  others.lags = { [first]: 0, [second]: 51 };
  assert.equal(balance.shouldKeep(0, true), true, "one is far behind");
  others.lags = { [first]: 0, [second]: 50 };
  assert.equal(balance.shouldKeep(0, true), false);
  others.lags = { [second]: 3 };
  assert.equal(balance.shouldKeep(0, true), true);
  others.leading = first;
  assert.equal(balance.shouldKeep(0, true), false, "a leader lacks nothing");
});

test("where an engine of the first is away for long, the next one is to have a copy; where it is back soon, it is not", async () => {
  const others = new Others("a", "b", "c");
  const balance = others.balanceAt(2);
  const [first = ""] = others.ranked;
  const rankIn = async (delayMs: number, ...names: string[]): Promise<boolean> => {
    await others.steadyClock.advance(delayMs);
    others.names = names;
    balance.rank();
    return balance.shouldKeep(0, false);
  };
  const all = others.names;
  const left = all.filter((name) => name !== first);
  assert.equal(await rankIn(0, ...left), false);
  assert.equal(balance.shouldKeep(0, true), true, "a copy that is there is not put aside");
  assert.equal(await rankIn(LASTING_MS - 1, ...all), false);
  assert.equal(await rankIn(1, ...left), false, "away for another time");
  assert.equal(await rankIn(LASTING_MS - 1, ...left), false);
  assert.equal(await rankIn(1, ...left), true);
});

test("a better leader is one that goes first and is close behind", () => {
  const others = new Others("a", "b");
  const [first = ""] = others.ranked;
  const balance = others.balanceAt(1);
  assert.equal(balance.betterLeader(0), undefined);
  others.lags = { [first]: 51 };
  assert.equal(balance.betterLeader(0), undefined);
  others.lags = { [first]: 50 };
  assert.equal(balance.betterLeader(0), first);
  assert.equal(others.balanceAt(0).betterLeader(0), undefined, "who is first gives nothing away");
});

test("others could lead where one is close behind, whatever its rank", () => {
  const others = new Others("a", "b", "c");
  const [own = "", , third = ""] = others.ranked;
  const balance = others.balanceAt(0);
  others.lags = { [own]: 0 };
  assert.equal(balance.canOthersLead(0), false, "its own copy is none of them");
  others.lags = { [own]: 0, [third]: 51 };
  assert.equal(balance.canOthersLead(0), false);
  others.lags = { [own]: 0, [third]: 50 };
  assert.equal(balance.canOthersLead(0), true);
});

test("the heir of an engine that ends is the first that is close behind; nobody where none is", () => {
  const others = new Others("a", "b", "c");
  const balance = others.balanceAt(0);
  const [own = "", second = "", third = ""] = others.ranked;
  others.names = others.names.filter((name) => name !== own);
  assert.equal(balance.heirOf(0), undefined);
  others.lags = { [third]: 0 };
  assert.equal(balance.heirOf(0), third);
  others.lags = { [third]: 0, [second]: 5 };
  assert.equal(balance.heirOf(0), second);
});

test("who has a copy lets those claim first that rank before it, unless they need none and have none", () => {
  const others = new Others("a", "b", "c", "d", "e");
  const [, , third = ""] = others.ranked;
  const balance = others.balanceAt(4);
  assert.equal(balance.claimRankOf(0), COPIES);
  others.lags = { [third]: 900 };
  assert.equal(balance.claimRankOf(0), COPIES + 1);
  others.lags = {};
  others.leading = third;
  assert.equal(balance.claimRankOf(0), COPIES + 1);
});

test("an engine whose clock is wrong gives its partition to one with a right clock that is close behind (behaviour 3.7a)", () => {
  const others = new Others("a", "b", "c");
  const [own = "", second = "", third = ""] = others.ranked;
  const balance = others.balanceAt(0);
  others.lags = { [second]: 0, [third]: 0 };
  others.clocks = { [own]: false, [second]: false };
  assert.equal(balance.betterLeader(0), undefined, "nobody is known to have a right clock");
  assert.equal(balance.claimRankOf(0), 1, "the one that is not known to be wrong goes first: it has a copy");
  others.clocks = { [own]: false, [second]: false, [third]: true };
  assert.equal(balance.betterLeader(0), third);
  assert.equal(balance.heirOf(0), third);
  others.lags = { [second]: 0, [third]: 51 };
  assert.equal(balance.betterLeader(0), undefined, "it is far behind");
  for (const rank of [0, 1])
    assert.equal(others.balanceAt(rank).shouldKeep(0, true), true, "copies stay where they are");
  others.lags = { [own]: 0 };
  assert.equal(
    others.balanceAt(2).betterLeader(0),
    undefined,
    "who leads with a right clock gives nothing to a wrong one",
  );
  others.clocks = { [own]: true };
  assert.equal(others.balanceAt(2).betterLeader(0), own, "it is right again");
});
