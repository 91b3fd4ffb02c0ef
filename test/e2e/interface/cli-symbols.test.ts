// tier: real
/** Bands, held symbols and the trading state by the command line (behaviour 16 to 18). */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CommandLineWorld } from "./cli-world.ts";

describe("symbols by the command line", () => {
  let world: CommandLineWorld;
  before(async () => {
    world = await CommandLineWorld.start({ CALENDARS: "on" });
  });
  after(() => world.end());

  const run = (words: readonly string[]) => world.run(words);
  const json = (...words: readonly string[]) => world.json(...words);

  test("sets the band of a symbol, and imports one with its symbol", async () => {
    assert.equal(await json("symbols", "band", "THYAO", "270", "330", "--base", "300"), true);
    const wrong = await run(["symbols", "band", "THYAO", "330", "270"]);
    assert.equal(wrong.exitCode, 65);
    assert.match(wrong.err, /400: floorPrice must be lower than ceilingPrice/);
    assert.equal((await run(["symbols", "band", "THYAO", "270", "x"])).exitCode, 64);
    const path = await world.file(
      "bands.csv",
      "symbol;name;exchange;isActive;floorPrice;ceilingPrice\nBANDED;B;BIST;true;45;55.5",
    );
    const ended = await run(["symbols", "import", path]);
    assert.equal(ended.exitCode, 0, ended.err);
  });

  test("shows a symbol with its session and its band", async () => {
    const { symbol, session, band } = (await json("symbols", "show", "BANDED")) as {
      symbol: string;
      session: { mic: string } | null;
      band: { floorPrice: number } | null;
    };
    assert.deepEqual([symbol, session?.mic, band?.floorPrice], ["BANDED", "XIST", 45]);
    assert.equal((await run(["symbols", "show", "NOSUCH"])).exitCode, 65);
  });

  test("halts everybody's trading and lets it go on (behaviour 18)", async () => {
    assert.equal(await json("trading", "halt", "--reason", "an attack"), true);
    const reduced = await run(["trading", "reduce", "--reason", "it is over"]);
    assert.match(reduced.err, /confirm must be "RESUME" to leave halted/);
    assert.equal(await json("trading", "reduce", "--reason", "it is over", "--from-halted"), true);
    assert.equal(await json("trading", "resume", "--reason", "all is well"), true);
    assert.equal((await run(["trading", "halt"])).exitCode, 64);
  });

  test("holds a symbol, lists it and releases it", async () => {
    assert.deepEqual(await json("symbols", "hold", "THYAO", "--reason", "wrong venue"), {
      symbol: "THYAO",
      isChanged: true,
    });
    const [held] = (await json("symbols", "held")) as { symbol: string; reason: string }[];
    assert.deepEqual([held?.symbol, held?.reason], ["THYAO", "wrong venue"]);
    assert.deepEqual(await json("symbols", "release", "THYAO"), { symbol: "THYAO", isChanged: true });
    assert.match((await run(["symbols", "held"])).out, /^nothing\n$/);
    assert.equal((await run(["symbols", "hold", "NOSUCH"])).exitCode, 65);
  });
});
