/** Events followed at a terminal, over a restart of the edge, until Ctrl-C. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { natsSuite } from "../../support/machine/nats-server.ts";
import { Stack, type StackUser, until } from "../../support/world/stack.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

class Watcher {
  readonly #child: ChildProcess;
  /** Not its exit: what it printed last may still be on its way then. */
  readonly #closed: Promise<unknown>;
  out = "";
  err = "";

  constructor(words: readonly string[], url: string, apiKey: string) {
    const environment = { ...process.env, API_URL: url, API_KEY: apiKey };
    const given = ["--import", "tsx", "edge/cli/main.ts", "watch", ...words];
    this.#child = spawn(process.execPath, given, { cwd: ROOT, env: environment });
    this.#closed = once(this.#child, "close");
    this.#child.stdout?.on("data", (bytes: Buffer) => {
      this.out += bytes.toString();
    });
    this.#child.stderr?.on("data", (bytes: Buffer) => {
      this.err += bytes.toString();
    });
  }

  async untilSaid(pattern: RegExp): Promise<void> {
    const said = await until(
      async () => pattern.test(this.out + this.err) || this.#child.exitCode !== null,
      (isSaid) => isSaid,
    );
    assert.ok(said && pattern.test(this.out + this.err), `${pattern} in ${this.out}${this.err}`);
  }

  /** The exit code after Ctrl-C. */
  async interrupt(): Promise<number | null> {
    this.#child.kill("SIGINT");
    return this.exitCode();
  }

  async exitCode(): Promise<number | null> {
    await this.#closed;
    return this.#child.exitCode;
  }
}

natsSuite("events at a terminal", () => {
  let stack: Stack;
  let user: StackUser;
  before(async () => {
    stack = await Stack.start();
    user = await stack.demoUser();
  });
  after(() => stack.stop());

  async function createGroup(symbol: string, stop: number, profit: number): Promise<void> {
    const { status, body } = await stack.http("POST", "/api/v1/oco-orders", {
      token: user.token,
      json: {
        ...{ brokerageCode: "PAPER", accountNumber: "PAPER-1", symbol },
        ...{ stopLossPrice: stop, stopLossQuantity: 10, takeProfitItems: [{ price: profit, quantity: 10 }] },
      },
    });
    assert.equal(status, 200, JSON.stringify(body));
  }

  test("are told in words, each once, over a restart of the edge, until Ctrl-C", async () => {
    const watcher = new Watcher([], stack.url, user.apiKey);
    await watcher.untilSaid(/follows your events/);
    await createGroup("GARAN", 100, 150);
    await watcher.untilSaid(/GARAN group is under watch/);
    const port = new URL(stack.url).port;
    await stack.edge?.end("SIGKILL");
    await watcher.untilSaid(/interrupted .* continues by itself/);
    await stack.tick("GARAN", 151);
    await stack.startEdge({ PORT: port });
    await watcher.untilSaid(
      /GARAN take-profit at 150\.00 fired at 151\.00: market order \S+-r\d+ to sell 10 lots placed/,
    );
    assert.equal(watcher.out.split("is under watch").length, 2, "nothing is told twice");
    assert.equal(await watcher.interrupt(), 0);
    assert.match(watcher.err, /to continue from here: --after [a-z0-9]{10}-0-\d+/);
  });

  test("are given as JSON, those of the types and after the event that were asked for", async () => {
    const first = new Watcher([], stack.url, user.apiKey);
    await first.untilSaid(/follows your events/);
    assert.equal(await first.interrupt(), 0);
    const [, place = ""] = /--after (\S+)/.exec(first.err) ?? [];
    await createGroup("AKBNK", 50, 70);
    await stack.tick("AKBNK", 71);
    const watcher = new Watcher(["--json", "--types", "oco.triggered", "--after", place], stack.url, user.apiKey);
    await watcher.untilSaid(/oco\.triggered/);
    assert.equal(await watcher.interrupt(), 0);
    const events = watcher.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; row: { symbol: string } });
    assert.deepEqual(
      events.map(({ type, row }) => [type, row.symbol]),
      [["oco.triggered", "AKBNK"]],
    );
  });

  test("that do not exist, or a service that is not there, end it with a reason", async () => {
    const wrong = new Watcher(["--types", "oco.nonsense"], stack.url, user.apiKey);
    assert.equal(await wrong.exitCode(), 65);
    assert.match(wrong.err, /error: 400: types must be event types/);
    const nowhere = new Watcher([], "http://127.0.0.1:1", user.apiKey);
    assert.equal(await nowhere.exitCode(), 69);
    assert.match(nowhere.err, /error: the service cannot be reached/);
  });
});
