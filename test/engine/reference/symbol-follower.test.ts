import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { pageOfRecords } from "../../../engine/query/pages.ts";
import { SymbolDirectory } from "../../../engine/reference/symbol-directory.ts";
import { type CopyPlace, SymbolFollower } from "../../../engine/reference/symbol-follower.ts";
import { createMemoryBusServer } from "../../../src/bus/memory/bus.ts";
import type { Bus } from "../../../src/bus/port.ts";
import { envelopeSchema } from "../../../src/contract/command.ts";
import { FakeTime } from "../../support/machine/fake-time.ts";
import { FakeDisk, FakeJournal } from "../../support/store/fake-journal.ts";
import { scanOf } from "./harness.ts";

/** The shared partition, as far as it answers for symbols, and processes that follow it. */
class Installation {
  readonly #hub = createMemoryBusServer({ onError: () => undefined });
  readonly #shared: Bus = this.#hub.connect();
  readonly time = new FakeTime();
  readonly disk = new FakeDisk();
  readonly otherDisk = new FakeDisk();
  readonly directory = new SymbolDirectory([]);
  symbols: { symbol: string; name: string; exchange: string; isActive: boolean; renamedTo?: string }[] = [];
  /** The symbols of each logged line on symbols that are no longer named. */
  readonly told: unknown[] = [];
  /** Level and fields of each other logged line, on the reason why they could not be read. */
  readonly failed: [string, object][] = [];
  askedCount = 0;
  isAnswering = true;

  write(...symbols: readonly [string, boolean][]): void {
    this.symbols = symbols.map(([symbol, isActive]) => ({ symbol, name: symbol, exchange: "BIST", isActive }));
  }

  serve(): void {
    this.#shared.respond("engine.0.query", async ({ data }) => {
      this.askedCount += 1;
      if (!this.isAnswering) return Buffer.from(JSON.stringify({ ok: false, code: "UNAVAILABLE", message: "no" }));
      const { type, body } = envelopeSchema.parse(JSON.parse(Buffer.from(data).toString()));
      assert.equal(type, "symbols.list");
      // One row a page.
      return pageOfRecords(this.symbols, (body as { from: string | null }).from, 1);
    });
  }

  tell(what: string): void {
    this.#shared.publish("reference.changed", Buffer.from(JSON.stringify({ what })));
  }

  placeOn(disk: FakeDisk): CopyPlace {
    const journal = new FakeJournal(disk, this.time);
    return {
      store: scanOf(disk),
      journal,
      decide: (work) =>
        new Promise((resolve) => {
          const given = work();
          journal.afterDurable(() => resolve(given));
        }),
    };
  }

  follow(
    t: TestContext,
    disks: readonly FakeDisk[] = [this.disk],
  ): { readonly started: Promise<SymbolFollower>; isStarted: boolean } {
    const bus = this.#hub.connect();
    const partitions = disks.map((disk) => this.placeOn(disk));
    const started = SymbolFollower.start({ ...this.#options(bus), partitions });
    const following = { started, isStarted: false };
    void started.then((follower) => {
      following.isStarted = true;
      this.#endAfter(t, follower, bus);
    });
    return following;
  }

  /** A process whose partitions come later. */
  begin(t: TestContext): SymbolFollower {
    const bus = this.#hub.connect();
    const follower = SymbolFollower.begin(this.#options(bus));
    this.#endAfter(t, follower, bus);
    return follower;
  }

  #options(bus: Bus) {
    const log = {
      debug: () => undefined,
      info: (fields: object) => "reason" in fields && this.failed.push(["info", fields]),
      warn: (fields: object) => this.failed.push(["warn", fields]),
      error: (fields: object) => this.told.push(Reflect.get(fields, "symbols")),
    };
    return { bus, directory: this.directory, timers: this.time, log };
  }

  #endAfter(t: TestContext, follower: SymbolFollower, bus: Bus): void {
    t.after(async () => {
      follower.stop();
      await Promise.all([bus.drain(), this.#shared.drain()]);
    });
  }

  /** Lets messages and their answers arrive. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await this.time.turns();
  }

  knows(): readonly (boolean | undefined)[] {
    return ["A", "B", "C"].map((symbol) =>
      this.directory.isKnown(symbol) ? this.directory.isActive(symbol) : undefined,
    );
  }
}

test("at first a process waits for the symbols and asks again until they come", async (t) => {
  const installation = new Installation();
  installation.write(["A", true], ["B", false]);
  installation.isAnswering = false;
  installation.serve();
  const following = installation.follow(t);
  await installation.settle();
  assert.equal(following.isStarted, false);
  installation.isAnswering = true;
  await installation.time.advance(1_000);
  await installation.settle();
  assert.equal(following.isStarted, true);
  assert.deepEqual(installation.knows(), [true, false, undefined]);
});

test("where nobody answers for a moment no line warns, and one that goes on is told in words, without a stack", async (t) => {
  const installation = new Installation();
  installation.write(["A", true]);
  installation.follow(t);
  for (let tries = 0; tries < 12; tries += 1) {
    await installation.settle();
    await installation.time.advance(1_000);
  }
  const levels = installation.failed.map(([level]) => level);
  assert.deepEqual(
    levels.slice(0, 10),
    Array.from({ length: 10 }, () => "info"),
  );
  assert.ok(levels.length > 10 && levels.slice(10).every((level) => level === "warn"));
  for (const [, fields] of installation.failed) {
    assert.deepEqual(fields, { event: "symbols.noAnswer", reason: "no responder on engine.0.query" });
  }
});

test("after that it starts from its copy, whoever is down", async (t) => {
  const installation = new Installation();
  installation.write(["A", true], ["B", false]);
  installation.serve();
  installation.follow(t);
  await installation.settle();
  installation.isAnswering = false;
  installation.directory.replaceAll([]);
  const restarted = installation.follow(t);
  await installation.settle();
  assert.equal(restarted.isStarted, true);
  assert.deepEqual(installation.knows(), [true, false, undefined]);
});

test("a change of symbols is heard of, other changes ask for nothing", async (t) => {
  const installation = new Installation();
  installation.write(["A", true]);
  installation.serve();
  installation.follow(t);
  await installation.settle();
  installation.write(["A", false], ["C", true]);
  const { askedCount } = installation;
  installation.tell("lists");
  installation.tell("restrictions");
  await installation.settle();
  assert.equal(installation.askedCount, askedCount);
  installation.tell("symbols");
  await installation.settle();
  assert.deepEqual(installation.knows(), [false, undefined, true]);
  assert.deepEqual(installation.disk.json("y/A"), { version: 1, symbol: "A", isActive: false, exchange: "BIST" });
});

test("a word that was missed is made good within a minute", async (t) => {
  const installation = new Installation();
  installation.write(["A", true]);
  installation.serve();
  installation.follow(t);
  await installation.settle();
  installation.write(["A", true], ["B", true]);
  await installation.time.advance(60_000);
  await installation.settle();
  assert.deepEqual(installation.knows(), [true, true, undefined]);
});

test("a symbol that the shared partition no longer names stays known, over a restart too, and this is told once", async (t) => {
  const installation = new Installation();
  installation.write(["A", true], ["B", false], ["C", true]);
  installation.serve();
  installation.follow(t);
  await installation.settle();
  installation.write(["A", false]);
  installation.tell("symbols");
  await installation.settle();
  assert.deepEqual(installation.knows(), [false, false, true]);
  assert.deepEqual(installation.told, [["B", "C"]]);
  installation.tell("symbols");
  await installation.settle();
  assert.equal(installation.told.length, 1);
  installation.directory.replaceAll([]);
  installation.follow(t);
  await installation.settle();
  assert.deepEqual(installation.knows(), [false, false, true]);
});

test("every partition of a process keeps a copy: run in another order or alone, each starts from its own", async (t) => {
  const installation = new Installation();
  installation.write(["A", true], ["B", false]);
  installation.serve();
  installation.follow(t, [installation.disk, installation.otherDisk]);
  await installation.settle();
  installation.isAnswering = false;
  for (const disks of [[installation.otherDisk, installation.disk], [installation.otherDisk], [installation.disk]]) {
    installation.directory.replaceAll([]);
    const restarted = installation.follow(t, disks);
    await installation.settle();
    assert.equal(restarted.isStarted, true);
    assert.deepEqual(installation.knows(), [true, false, undefined]);
  }
});

test("a partition that joins a process takes the symbols from the copy beside it, and gets one of its own", async (t) => {
  const installation = new Installation();
  installation.write(["A", true]);
  installation.serve();
  installation.follow(t, [installation.disk]);
  await installation.settle();
  installation.isAnswering = false;
  const joined = installation.follow(t, [installation.otherDisk, installation.disk]);
  await installation.settle();
  assert.equal(joined.isStarted, true);
  installation.isAnswering = true;
  await installation.time.advance(1_000);
  await installation.settle();
  assert.deepEqual(installation.otherDisk.json("y/A"), { version: 1, symbol: "A", isActive: true, exchange: "BIST" });
});

test("a partition that comes while nobody leads the shared one waits for nothing, and its copy is known at once", async (t) => {
  const installation = new Installation();
  installation.write(["A", true], ["B", false]);
  installation.serve();
  installation.follow(t);
  await installation.settle();
  installation.isAnswering = false;
  installation.directory.replaceAll([]);
  const follower = installation.begin(t);
  await follower.join(installation.placeOn(installation.otherDisk));
  await installation.settle();
  assert.equal(follower.isKnown, false, "it never had a copy");
  await follower.join(installation.placeOn(installation.disk));
  assert.equal(follower.isKnown, true);
  assert.deepEqual(installation.knows(), [true, false, undefined]);
});

test("who never had a copy knows the symbols once the shared partition has named them, and only those", async (t) => {
  const installation = new Installation();
  installation.write(["A", true]);
  installation.isAnswering = false;
  installation.serve();
  // The symbols that every installation begins with.
  installation.directory.replaceAll([{ symbol: "C", exchange: "BIST", isActive: true }]);
  const follower = installation.begin(t);
  await follower.join(installation.placeOn(installation.disk));
  await installation.settle();
  assert.equal(follower.isKnown, false);
  installation.isAnswering = true;
  await installation.time.advance(1_000);
  await installation.settle();
  assert.equal(follower.isKnown, true);
  assert.deepEqual(installation.knows(), [true, undefined, undefined]);
});

test("what came with a copy while the shared partition was asked stays known, though it is not named", async (t) => {
  const installation = new Installation();
  installation.write(["B", true]);
  installation.serve();
  installation.follow(t);
  await installation.settle();
  installation.write(["A", true]);
  installation.directory.replaceAll([]);
  const follower = installation.begin(t);
  await follower.join(installation.placeOn(installation.disk));
  await installation.settle();
  assert.deepEqual(installation.knows(), [true, true, undefined]);
});

test("a rename is known from the shared partition on, and from the copy after a restart", async (t) => {
  const installation = new Installation();
  installation.serve();
  const exchange = "BIST";
  installation.symbols = [
    { symbol: "ABC", name: "ABC", exchange, isActive: false, renamedTo: "NEW" },
    { symbol: "NEW", name: "ABC", exchange, isActive: true },
  ];
  installation.follow(t);
  await installation.settle();
  const renames = [{ from: "ABC", to: "NEW" }];
  assert.deepEqual(installation.directory.renames(), renames);
  installation.isAnswering = false;
  installation.directory.replaceAll([]);
  installation.follow(t);
  await installation.settle();
  assert.deepEqual(installation.directory.renames(), renames);
  assert.deepEqual(
    ["ABC", "NEW"].map((symbol) => installation.directory.isActive(symbol)),
    [false, true],
  );
});
