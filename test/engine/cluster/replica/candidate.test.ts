/** For how long a copy lets others go first, over a log whose claims wait until they are answered here. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Candidate, UNREAD_DELAY_MS } from "../../../../engine/cluster/replica/candidate.ts";
import type { Leadership, LogFollower } from "../../../../engine/ports/replica.ts";
import { StoreRefused } from "../../../../engine/store/refused.ts";

const RANK_DELAY_MS = 250;
const log = { debug() {}, info() {}, warn() {}, error() {} };
const leadership = {} as Leadership;

/** Lets all settled promises continue. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

class World {
  readonly delaysMs: number[] = [];
  isWanted = true;
  delayMs = RANK_DELAY_MS;
  isFollowed = false;
  endReading: (error?: Error) => void = () => undefined;
  claim: () => void = () => undefined;
  readonly candidate: Candidate;

  constructor() {
    const ready = {
      isRead: false,
      follow: () => undefined,
      read: () =>
        new Promise<void>((resolve, reject) => {
          this.endReading = (error) => {
            ready.isRead = error === undefined;
            if (error === undefined) resolve();
            else reject(error);
          };
        }),
    };
    this.candidate = new Candidate({
      ...{ partition: 1, log, ready, copy: { owns: () => true, position: 7 } },
      replicated: {
        follow: async (_position, follower: LogFollower) => {
          this.isFollowed = true;
          follower.onCaughtUp?.();
          return () => {
            this.isFollowed = false;
          };
        },
        claim: (delayMs, signal) =>
          new Promise((resolve, reject) => {
            this.delaysMs.push(delayMs);
            this.claim = () => resolve(leadership);
            signal.addEventListener("abort", () => reject(signal.reason));
          }),
      },
      isWanted: () => this.isWanted,
      claimDelayMs: () => this.delayMs,
      onSilence: () => undefined,
    });
  }
}

test("a copy that is not read lets others go first who are ready, and claims like them once it is read", async () => {
  const world = new World();
  const claimed = world.candidate.claim();
  await settle();
  assert.deepEqual(world.delaysMs, [RANK_DELAY_MS + UNREAD_DELAY_MS]);
  world.endReading();
  await settle();
  assert.deepEqual(world.delaysMs, [RANK_DELAY_MS + UNREAD_DELAY_MS, RANK_DELAY_MS]);
  world.claim();
  assert.equal(await claimed, leadership);
});

test("where nobody else claims for long a copy does that is not read", async () => {
  const world = new World();
  const claimed = world.candidate.claim();
  await settle();
  world.claim();
  assert.equal(await claimed, leadership);
});

test("a claim that waits starts over where others should go first now, and else goes on", async () => {
  const world = new World();
  const claimed = world.candidate.claim();
  await settle();
  world.endReading();
  await settle();
  world.delaysMs.length = 0;
  world.candidate.reconsider();
  await settle();
  assert.deepEqual(world.delaysMs, [], "nothing has changed");
  world.delayMs = 0;
  world.candidate.reconsider();
  await settle();
  assert.deepEqual(world.delaysMs, [0]);
  world.claim();
  assert.equal(await claimed, leadership);
});

test("a copy that is not wanted any more claims nothing, and is followed no longer", async () => {
  const world = new World();
  const claimed = world.candidate.claim();
  await settle();
  world.isWanted = false;
  world.candidate.reconsider();
  await assert.rejects(claimed);
  assert.equal(world.isFollowed, false);
});

test("a copy that cannot be read ends the claim with the reason", async () => {
  const world = new World();
  const claimed = world.candidate.claim();
  await settle();
  world.endReading(new StoreRefused("the copy is not whole"));
  await assert.rejects(claimed, /the copy is not whole/);
  assert.equal(world.isFollowed, false);
});
