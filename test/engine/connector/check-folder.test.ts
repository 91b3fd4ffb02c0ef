/** `npm run check-data` on the folder of a connector: open orders, unknown orders, damage. */
import assert from "node:assert/strict";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { checkConnectorFolder, isConnectorFolder } from "../../../engine/connector/check-folder.ts";
import { runProgram } from "../../support/machine/process.ts";
import { AlpacaWorld } from "./alpaca/support/alpaca-world.ts";
import { FixWorld } from "./fix/support/fix-world.ts";

/** A folder with an order whose answer never came, and with an order that never existed. */
async function fixFolder(): Promise<FixWorld> {
  const world = await FixWorld.make();
  world.answerTimeoutSeconds = 0.1;
  await world.start();
  await world.place("o1");
  await world.started.stop();
  return world;
}

test("a FIX session's folder tells its numbers, and the orders whose outcome nobody knows", async () => {
  const world = await fixFolder();
  const folder = join(world.folder, "state");
  assert.equal(isConnectorFolder(folder), true);
  const { notes, faults } = checkConnectorFolder(folder);
  assert.deepEqual(faults, []);
  assert.match(notes[0] ?? "", /^session FIX.4.4:ME->DESK.*: life 1, the next number is \d+ out and \d+ in$/);
  assert.deepEqual(notes.slice(1), ["orders: 1, 1 of them not over", "order o1 of THYAO: its outcome is not known"]);
  await world.end();
});

test("an Alpaca connector's folder tells the same", async () => {
  const world = await AlpacaWorld.make();
  await world.start();
  world.server.fail("place", "lost");
  await world.place("o1");
  await world.started.stop();
  assert.deepEqual(checkConnectorFolder(join(world.folder, "orders")).notes, [
    "orders at Alpaca: 1, 1 of them not over",
    "order o1 of AAPL: its outcome is not known",
  ]);
  await world.end();
});

test("a cut-off end is a note, damage before it a fault, and the command's exit code says which", async () => {
  const world = await fixFolder();
  const folder = join(world.folder, "state");
  const journal = join(folder, "journal");
  const check = () => runProgram("engine/entry/check-data.ts", {}, { arguments: [folder] });
  appendFileSync(journal, 'deadbeef {"kind":"sen');
  assert.match(checkConnectorFolder(folder).notes[0] ?? "", /a last record is cut off: 21 bytes/);
  assert.equal((await check()).code, 0);
  const text = readFileSync(journal, "utf8");
  writeFileSync(journal, `${text.slice(0, 12)}X${text.slice(13)}`);
  const damaged = await check();
  assert.equal(damaged.code, 65);
  assert.match(damaged.output, /FAULT journal: the journal is damaged at byte 0/);
  await world.end();
});
