/**
 * A backup made under load through the administration interface, checked, and restored into a fresh folder: it starts
 * and has everything that was acknowledged before it. Also the findings of the check in a damaged folder.
 */
import assert from "node:assert/strict";
import { cp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Level } from "level";
import { EngineClient } from "../support/client/engine-client.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { runProgram } from "../support/machine/process.ts";
import { groupOf } from "../support/world/engine-world.ts";
import { pause, Stack, type StackUser, until } from "../support/world/stack.ts";

const SYMBOLS = ["THYAO", "GARAN", "AKBNK", "ASELS", "EREGL", "KCHOL", "SISE", "TUPRS", "BIMAS", "PGSUS"];
const USERS = 8;

interface Row {
  readonly groupId: number;
  readonly id: number;
  readonly status: number;
}

natsSuite("a backup made under load", () => {
  let stack: Stack;
  let operator: StackUser;
  const users: StackUser[] = [];
  /** Groups that were acknowledged, by the moment of the answer. */
  const acknowledged: { readonly user: StackUser; readonly groupId: number; readonly atMs: number }[] = [];
  let isLoaded = true;
  let load: Promise<void>[] = [];
  let backedUpMs = 0;
  let backup = "";

  before(async () => {
    stack = await Stack.start({ partitions: 2, environment: { LOG_LEVEL: "info" } });
    operator = await stack.demoUser();
    for (let count = 0; count < USERS; count += 1) users.push(await stack.userOn(count % 2));
    load = users.map((user) => createGroups(user));
    // Both partitions have groups and orders to copy, and the load continues.
    const hasSold = async (user: StackUser): Promise<boolean> =>
      (await rowsOf(user)).some(({ status }) => status === 2);
    const isUnderWay = async (): Promise<boolean> =>
      acknowledged.length >= 3 * USERS && (await Promise.all(users.map(hasSold))).every(Boolean);
    assert.ok(await until(isUnderWay, Boolean));
  });
  after(async () => {
    isLoaded = false;
    await Promise.all(load);
    await stack.stop();
  });

  async function createGroups(user: StackUser): Promise<void> {
    for (const symbol of SYMBOLS) {
      if (!isLoaded) return;
      const json = groupOf("PAPER", `PAPER-${user.userId}`, symbol);
      const made = await stack.http("POST", "/api/v1/oco-orders", { token: user.token, json });
      assert.equal(made.status, 200, JSON.stringify(made.body));
      acknowledged.push({ user, groupId: (made.body.data as Row).groupId, atMs: Date.now() });
      await stack.tick(symbol, symbol === "THYAO" ? 111 : 100);
      await pause(200);
    }
  }

  async function rowsOf(user: StackUser): Promise<Row[]> {
    const path = `/api/v1/oco-orders?brokerageCode=PAPER&accountNumber=PAPER-${user.userId}`;
    const answer = await stack.http("GET", path, { token: user.token });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.data as Row[];
  }

  const askBackup = (folder: string) =>
    stack.http("POST", "/admin/v1/backup", { token: operator.token, json: { folder } });

  test("is whole as soon as it is there, one partition after the other", async () => {
    // Each engine has its own data folder, and both must be allowed the same place.
    backup = join(stack.folder, "backups", "one");
    const before = acknowledged.length;
    backedUpMs = Date.now();
    const made = await askBackup(backup);
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const { isDone, partitions } = made.body.data as { isDone: boolean; partitions: { rowCount: number }[] };
    assert.equal(isDone, true);
    assert.equal(partitions.length, 2);
    assert.ok(before > 0 && partitions.every(({ rowCount }) => rowCount > 0));
    assert.deepEqual((await readdir(backup)).sort(), ["partition-0", "partition-1"]);
    assert.equal((await readdir(join(backup, "partition-0"))).includes("paper-PAPER"), true);
    const again = await askBackup(backup);
    assert.deepEqual(again.body.data, made.body.data);
  });

  test("refuses every folder but a new one in the allowed place", async () => {
    const refused: [string, number][] = [
      ["", 400],
      ["backups/two", 400],
      ["/tmp/elsewhere", 400],
      [join(stack.folder, "backups"), 400],
      [`${join(stack.folder, "backups")}/../data-0`, 400],
    ];
    for (const [folder, status] of refused) assert.equal((await askBackup(folder)).status, status, folder);
    const { status } = await stack.http("POST", "/admin/v1/backup", {
      token: users[0]?.token ?? "",
      json: { folder: join(stack.folder, "backups", "mine") },
    });
    assert.equal(status, 403);
  });

  test("is made by the command line, too", async () => {
    const folder = join(stack.folder, "backups", "by-hand");
    const environment = { API_URL: stack.url, API_KEY: operator.apiKey };
    const { code, output } = await runProgram("edge/cli/main.ts", environment, { arguments: ["backup", folder] });
    assert.equal(code, 0, output);
    assert.match(output, /done/);
    assert.deepEqual((await readdir(folder)).sort(), ["partition-0", "partition-1"]);
  });

  test("is found well by the check, which changes nothing, and so is a folder whose engine was killed", async () => {
    isLoaded = false;
    await Promise.all(load);
    const { code, output } = await checkData(backup);
    assert.equal(code, 0, output);
    assert.match(output, /all is well/);
    assert.match(output, /live actors/);
    assert.match(output, /paper-PAPER: ok/);
    assert.match((await checkData(join(stack.folder, "data-1"))).output, /in use by another engine process/);
    await stack.engine(1).end("SIGKILL");
    assert.match((await checkData(join(stack.folder, "data-1"))).output, /all is well/);
  });

  test("restored into a fresh folder it starts, and has all that was acknowledged before it", async () => {
    await stack.engine(0).end("SIGKILL");
    for (const partition of [0, 1]) {
      const data = join(stack.folder, `data-${partition}`);
      await rm(data, { recursive: true });
      await cp(join(backup, `partition-${partition}`), join(data, `partition-${partition}`), { recursive: true });
      await stack.startEngine(partition);
    }
    const before = acknowledged.filter(({ atMs }) => atMs < backedUpMs);
    assert.ok(before.length > 0);
    const highest = Math.max(...acknowledged.map(({ groupId }) => groupId));
    for (const user of users) {
      // The same token: the signing key was restored, too.
      const groupIds = new Set((await rowsOf(user)).map(({ groupId }) => groupId));
      for (const { groupId } of before.filter((one) => one.user === user))
        assert.ok(groupIds.has(groupId), `${groupId}`);
    }
    const [user] = users;
    assert.ok(user !== undefined);
    const client = new EngineClient(stack.nats, user.userId, 0);
    const made = await client.createGroup(groupOf("PAPER", `PAPER-${user.userId}`, "VAKBN"), "after");
    assert.ok("groupId" in made, JSON.stringify(made));
    assert.ok(made.groupId > highest, "an id that was given out after the backup is not given out again");
  });

  test("of which store and log are put back is refused: the witness knows better", async () => {
    const partition = join(stack.folder, "data-1", "partition-1");
    const old = join(stack.folder, "old-store");
    await stack.engine(1).end("SIGKILL");
    for (const name of ["store", "log"]) await cp(join(partition, name), join(old, name), { recursive: true });
    await stack.startEngine(1);
    const user = users[1];
    assert.ok(user !== undefined);
    const client = new EngineClient(stack.nats, user.userId, 1);
    const made = await client.createGroup(groupOf("PAPER", `PAPER-${user.userId}`, "VAKBN"), "later");
    assert.ok("groupId" in made, JSON.stringify(made));
    await pause(1_500);
    await stack.engine(1).end("SIGTERM");
    for (const name of ["store", "log"]) {
      await rm(join(partition, name), { recursive: true });
      await cp(join(old, name), join(partition, name), { recursive: true });
    }
    await assert.rejects(stack.startEngine(1), /old copy or has lost its newest rows/);
    assert.match((await checkData(join(stack.folder, "data-1"))).output, /FAULT.*old copy/);
    await rm(join(partition, "witness.json"));
    await assert.rejects(stack.startEngine(1), /no witness\.json, so an old copy could arm again what was sold since/);
    assert.match((await checkData(join(stack.folder, "data-1"))).output, /FAULT.*no witness\.json/);
  });

  test("that has lost its witness goes on as a backup: what was sold since is looked up before it is sent", async () => {
    const data = join(stack.folder, "data-1");
    const target = join(stack.folder, "backup-of-copy");
    const made = await runProgram("engine/entry/backup-stopped.ts", {}, { arguments: [data, target] });
    assert.equal(made.code, 0, made.output);
    assert.match(made.output, /partition-1: a backup of batch \d+ of \S+Z/);
    assert.equal((await checkData(target)).code, 0);
    const again = await runProgram("engine/entry/backup-stopped.ts", {}, { arguments: [data, target] });
    assert.equal(again.code, 73, again.output);
    await rm(join(data, "partition-1"), { recursive: true });
    await cp(join(target, "partition-1"), join(data, "partition-1"), { recursive: true });
    await stack.startEngine(1);
    assert.match(stack.engine(1).output(), /restored from a backup/);
    await stack.engine(1).end("SIGTERM");
  });

  test("that is damaged is found out by the check, whatever was damaged", async () => {
    const damages: Record<string, { readonly act: (folder: string) => Promise<void>; readonly found: RegExp }> = {
      "a snapshot that says other than what clients see": {
        act: (folder) => rewrite(folder, "v/", (text) => text.replace('"quantity":', '"quantity":1')),
        found: /differs from the snapshot[\s\S]*archive hash differs/,
      },
      "a snapshot that cannot be read": {
        act: (folder) => rewrite(folder, "a/", () => "{}"),
        found: /FAULT a\/\d+[\s\S]*live hash differs/,
      },
      "a snapshot that knows another row than what clients see": {
        act: (folder) => rewrite(folder, "a/", (text) => text.replace(/"viewHash":"\w+"/, '"viewHash":"1"')),
        found: /the snapshot's hash of what clients see[\s\S]*live hash differs/,
      },
      "a claim that is gone": {
        act: (folder) => rewrite(folder, "c/", () => undefined),
        found: /the claim .* is not this actor's/,
      },
      "a paper brokerage that lost an order": {
        act: (folder) => rewrite(folder, "order!", () => undefined, "paper-PAPER/store"),
        found: /paper-PAPER: DAMAGED/,
      },
    };
    for (const [name, { act, found }] of Object.entries(damages)) {
      const folder = join(stack.folder, "damaged");
      await cp(backup, folder, { recursive: true });
      await act(folder);
      const { code, output } = await checkData(folder);
      assert.equal(code, 65, name);
      assert.match(output, found, name);
      await rm(folder, { recursive: true });
    }
    assert.equal((await runProgram("engine/entry/check-data.ts", {})).code, 64);
  });

  test("that has no signing key is told so, and is whole: the key may be kept elsewhere", async () => {
    const folder = join(stack.folder, "without-key");
    await cp(backup, folder, { recursive: true });
    await rm(join(folder, "partition-0", "signing-key.json"));
    const { code, output } = await checkData(folder);
    assert.equal(code, 0, output);
    assert.match(output, /no signing-key\.json: .*SIGNING_KEY_FILE/);
  });
});

function checkData(folder: string) {
  return runProgram("engine/entry/check-data.ts", {}, { arguments: [folder] });
}

/** Changes the first row under a prefix that `change` changes, in whichever partition has one; undefined removes it. */
async function rewrite(
  folder: string,
  prefix: string,
  change: (text: string) => string | undefined,
  store = "store",
): Promise<void> {
  for (const partition of await readdir(folder)) {
    const level = new Level<string, string>(join(folder, partition, store), { createIfMissing: false });
    const rows = await level.iterator({ gte: prefix, lt: `${prefix}\uffff` }).all();
    const row = rows.find(([, text]) => change(text) !== text);
    if (row !== undefined) {
      const [key, text] = row;
      const changed = change(text);
      if (changed === undefined) await level.del(key);
      else await level.put(key, changed);
    }
    await level.close();
    if (row !== undefined) return;
  }
  assert.fail(`no row under ${prefix}`);
}
