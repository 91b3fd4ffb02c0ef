/**
 * The combined work of one, two and three engines on this machine: one tick that reaches thousands of groups on the
 * same six partitions, until the last order was durable, was sent, and reached the brokerage.
 *
 * Each engine has a log in a file: three servers that hold it would share these cores. The forms run together, each
 * with a server of its own, and take turns. Server, publisher and brokerage need the cores, too: the brokerage, in this
 * process, answers each order. `processors` is how many the engines themselves kept busy during the measurement.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectNatsBus } from "../../src/bus/nats/bus.ts";
import type { Bus } from "../../src/bus/port.ts";
import { brokerSubject, commandSubject, tickSubject } from "../../src/contract/subject.ts";
import { partitionOf } from "../../src/domain/partition.ts";
import type { NatsServer } from "../../test/support/machine/nats-server.ts";
import { processorMs } from "../harness/figure/processor.ts";
import { barsOf } from "../harness/figure/report.ts";
import type { Figure, Scenario } from "../harness/figure/result.ts";
import { sleep } from "../harness/figure/timing.ts";
import { groupOn } from "../harness/load/burst.ts";
import { eachInFlight } from "../harness/load/in-flight.ts";
import { BROKERAGE, creationOf } from "../harness/load/owned-group.ts";
import { type BenchProgram, startBenchProgram } from "../harness/program.ts";
import { startServer } from "../harness/world.ts";

const PARTITIONS = 6;
const ENGINE_COUNTS = [1, 2, 3];
const IN_FLIGHT = 64;
const TIMEOUT_MS = 60_000;
/** Sent orders are settled, and their rows are written behind the log. */
const SETTLED_AFTER_MS = 1_500;
const PRICE = 80;
const SYMBOLS: readonly string[] = JSON.parse(readFileSync("fixtures/symbols.json", "utf8")).map(
  ({ symbol }: { readonly symbol: string }) => symbol,
);

interface Burst {
  readonly perSecond: number;
  /** That the engines kept busy. */
  readonly processors: number;
}

export const scenario: Scenario = async ({ isQuick, say }) => {
  const [groups, rounds] = isQuick ? [600, 1] : [6_000, 4];
  const forms: Engines[] = [];
  try {
    for (const count of ENGINE_COUNTS) forms.push(await Engines.start(count));
    const bursts = new Map<Engines, Burst[]>(forms.map((form) => [form, []]));
    // The first round warms everything up and is left out.
    for (let round = 0; round <= rounds; round += 1) {
      for (const form of forms) {
        const burst = await form.burst(SYMBOLS[round] ?? "", groups);
        if (round > 0) bursts.get(form)?.push(burst);
        say(
          `${form.name}, round ${round}: ${burst.perSecond.toFixed(0)} triggers/s, ${burst.processors.toFixed(2)} processors`,
        );
      }
    }
    const figures = [...bursts].map(([{ name }, all]) =>
      figureOf(`${name}, triggers a second`, "/s", all, "perSecond"),
    );
    const busy = [...bursts].map(([{ name }, all]) => figureOf(`${name}, processors`, "", all, "processors"));
    const alone = figures[0]?.rounds ?? [];
    const gains = figures.slice(1).map(({ name, rounds: measured }) => ({
      ...{ name: `${name}, against one engine`, unit: "x" },
      rounds: measured.map((perSecond, round) => perSecond / (alone[round] ?? perSecond)),
    }));
    return {
      title: `Several engines on one machine: ${groups} triggers on one tick, over ${PARTITIONS} partitions`,
      figures: [...figures, ...gains, ...busy],
      targets: [],
      charts: [barsOf("Triggers a second, sent", figures)],
      notes: ["server, publisher and brokerage share the cores with the engines; every order arrived, none twice"],
    };
  } finally {
    for (const form of forms) await form.end();
  }
};

function figureOf(name: string, unit: string, bursts: readonly Burst[], which: keyof Burst): Figure {
  return { name, unit, rounds: bursts.map((burst) => burst[which]) };
}

/** Engines that share the partitions of an installation evenly, over a server of their own. */
class Engines {
  readonly #server: NatsServer;
  readonly #bus: Bus;
  readonly #folder = mkdtempSync(join(tmpdir(), "trading-bench-"));
  readonly #programs: BenchProgram[] = [];
  readonly #sent = new Set<string>();
  #wanted = Number.POSITIVE_INFINITY;
  #onAllSent: () => void = () => undefined;

  private constructor(server: NatsServer, bus: Bus) {
    this.#server = server;
    this.#bus = bus;
  }

  static async start(count: number): Promise<Engines> {
    const server = await startServer();
    const engines = new Engines(server, await connectNatsBus({ servers: server.url, name: "bench" }));
    engines.#serveBrokerage();
    const starts = Array.from({ length: count }, (_, index) => engines.#startOne(index, count));
    engines.#programs.push(...(await Promise.all(starts)));
    return engines;
  }

  get name(): string {
    return this.#programs.length === 1 ? "one engine" : `${this.#programs.length} engines`;
  }

  /** A group of each user on the symbol, and the tick that reaches them all. */
  async burst(symbol: string, groups: number): Promise<Burst> {
    const groupAt = groupOn(symbol);
    await eachInFlight(groups, IN_FLIGHT, async (index) => {
      const creation = creationOf(groupAt(index));
      const subject = commandSubject(partitionOf(creation.userId ?? 0, PARTITIONS));
      const bytes = await this.#bus.request(subject, Buffer.from(JSON.stringify(creation)), TIMEOUT_MS);
      const text = Buffer.from(bytes).toString();
      if (!text.startsWith('{"ok":true')) throw new Error(text);
    });
    await sleep(SETTLED_AFTER_MS);
    this.#wanted = this.#sent.size + groups;
    const allSent = new Promise<void>((resolve) => {
      this.#onAllSent = resolve;
    });
    const [busyMs, startMs] = [this.#busyMs(), performance.now()];
    this.#bus.publish(tickSubject(symbol), Buffer.from(JSON.stringify({ price: PRICE })));
    await allSent;
    const tookMs = performance.now() - startMs;
    const processors = (this.#busyMs() - busyMs) / tookMs;
    await sleep(SETTLED_AFTER_MS);
    if (this.#sent.size !== this.#wanted) throw new Error("an order came that was not asked for");
    return { perSecond: (groups * 1_000) / tookMs, processors };
  }

  async end(): Promise<void> {
    for (const program of this.#programs) await program.end("SIGKILL");
    await this.#bus.drain();
    await this.#server.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #busyMs(): number {
    return this.#programs.reduce((sum, { pid }) => sum + processorMs(pid), 0);
  }

  #startOne(index: number, count: number): Promise<BenchProgram> {
    const all = Array.from({ length: PARTITIONS }, (_, partition) => partition);
    const environment = {
      NATS_URL: this.#server.url,
      FEED: "none",
      PARTITIONS: String(PARTITIONS),
      ENGINE_PARTITIONS: all.filter((partition) => partition % count === index).join(),
      DATA_DIR: join(this.#folder, `engine-${index}`),
      BROKERAGES_FILE: join(this.#folder, "brokerages.json"),
    };
    return startBenchProgram({
      entry: "engine/main.ts",
      ready: /engine is ready/,
      readyWithinMs: TIMEOUT_MS,
      environment,
    });
  }

  #serveBrokerage(): void {
    const settings = { code: BROKERAGE, name: "Benchmark", adapter: "gateway", ordersPerMinute: 1_000_000_000 };
    writeFileSync(join(this.#folder, "brokerages.json"), JSON.stringify([settings]));
    this.#bus.respond(brokerSubject(BROKERAGE, "accounts"), async ({ data }) => {
      const { userId } = JSON.parse(Buffer.from(data).toString()) as { userId: number };
      const account = { accountNumber: `A${userId}`, number: `N${userId}`, name: "", isActive: true, isDefault: true };
      return Buffer.from(JSON.stringify({ ok: true, data: [account] }));
    });
    this.#bus.respond(brokerSubject(BROKERAGE, "place"), async ({ data }) => {
      const { clientOrderId } = JSON.parse(Buffer.from(data).toString()) as { clientOrderId: string };
      if (this.#sent.has(clientOrderId)) throw new Error(`${clientOrderId} came twice`);
      this.#sent.add(clientOrderId);
      if (this.#sent.size === this.#wanted) this.#onAllSent();
      return Buffer.from(JSON.stringify({ ok: true, data: { orderNo: `B${this.#sent.size}`, orderStatus: 2 } }));
    });
  }
}
