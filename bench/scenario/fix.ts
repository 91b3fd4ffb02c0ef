/**
 * Orders a second over FIX to QuickFIX's executor, 64 in flight, and how long one takes alone: this connector, and
 * QuickFIX's own initiator doing the same. Needs Debian's libquickfix-doc, libquickfix-dev and g++.
 *
 * The initiator runs twice. With its numbers synced before a message leaves it does what the connector does: that is
 * the promise. As it ships it writes them and does not sync: what a crash of the machine costs is not paid.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parseFixConfig } from "../../engine/connector/fix/config.ts";
import { fixConnector } from "../../engine/connector/fix/start.ts";
import { loopTimers, steadyClock, systemClock } from "../../src/runtime/clock.ts";
import type { Log } from "../../src/runtime/ports.ts";
import { QuickFixBroker } from "../../test/engine/connector/fix/support/quickfix.ts";
import { barsOf } from "../harness/figure/report.ts";
import { againstFloor, type Figure, type Scenario } from "../harness/figure/result.ts";
import { eachInFlight } from "../harness/load/in-flight.ts";

/** Not the synchronous form: the broker would stop at a full pipe that this process does not read. */
const run = promisify(execFile);
const ROUNDS = 3;
const IN_FLIGHT = 64;
/** One after the other is slow: so many for each that are sent side by side. */
const ALONE_SHARE = 20;
/** A sync for each number is slow. */
const SYNCED_SHARE = 10;
const SOURCE = fileURLToPath(new URL("../peer/quickfix-initiator.cpp", import.meta.url));
const ACCOUNT = { userId: 1, accountNumber: "A1" };

const quiet: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const fatal = (reason: string, cause: unknown): never => {
  throw new Error(reason, { cause });
};

/** How many orders a second, and the milliseconds of one alone. */
interface Speed {
  readonly perSecond: number;
  readonly aloneMs: number;
}

async function sendByConnector(port: number, folder: string, orders: number): Promise<Speed> {
  const session = { senderCompId: "ME", targetCompId: "DESK", addresses: [`127.0.0.1:${port}`] };
  const accounts = [{ accountNumber: "A1", number: "9001", users: [1] }];
  const value = { code: "DESK", folder: "connector", session, accounts, orders: { answerTimeoutSeconds: 60 } };
  const started = await fixConnector.open({
    ...{ settings: parseFixConfig(value, folder, {}), clock: systemClock, steadyClock, timers: loopTimers, log: quiet },
    ...{ fatal, lastPriceOf: () => undefined, mayCreate: true },
  });
  while (!started.session.isLive) await new Promise((resolve) => setTimeout(resolve, 5));
  const order = { symbol: "THYAO", quantity: 100, buySell: 2 as const, orderType: 2 as const, price: 10.5 };
  const send = async (prefix: string, count: number, inFlight: number): Promise<number> => {
    const startMs = performance.now();
    await eachInFlight(count, inFlight, async (index) => {
      const reply = await started.connector.place({ ...ACCOUNT, ...order, clientOrderId: `${prefix}${index}` });
      if (!reply.ok) throw new Error(reply.message);
    });
    return (performance.now() - startMs) / count;
  };
  const sideBySideMs = await send("c", orders, IN_FLIGHT);
  const aloneMs = await send("a", orders / ALONE_SHARE, 1);
  await started.stop();
  return { perSecond: 1_000 / sideBySideMs, aloneMs };
}

/** `isSynced`: every number is on the disk before its message leaves. */
async function sendByQuickFix(
  program: string,
  { port, folder, orders, isSynced }: { port: number; folder: string; orders: number; isSynced: boolean },
): Promise<Speed> {
  const settings = join(folder, "initiator.cfg");
  const lines = ["[DEFAULT]", "ConnectionType=initiator", "StartTime=00:00:00", "EndTime=00:00:00", "HeartBtInt=30"];
  lines.push(
    "ReconnectInterval=1",
    "UseDataDictionary=N",
    `FileStorePath=${join(folder, "initiator-store")}`,
    "[SESSION]",
  );
  lines.push("BeginString=FIX.4.4", "SenderCompID=ME", "TargetCompID=DESK", "SocketConnectHost=127.0.0.1");
  writeFileSync(settings, `${lines.join("\n")}\nSocketConnectPort=${port}\n`);
  const numbers = isSynced ? [join(folder, "numbers")] : [];
  const send = async (count: number, inFlight: number): Promise<number> =>
    Number((await run(program, [settings, String(count), String(inFlight), ...numbers])).stdout) / count;
  const sideBySideMs = await send(isSynced ? orders / SYNCED_SHARE : orders, IN_FLIGHT);
  return { perSecond: 1_000 / sideBySideMs, aloneMs: await send(orders / ALONE_SHARE, 1) };
}

const WHO = {
  connector: "this connector, numbers and orders synced",
  synced: "QuickFIX's initiator, numbers synced",
  plain: "QuickFIX's initiator, numbers written and not synced",
} as const;
type Who = keyof typeof WHO;

export const scenario: Scenario = async ({ isQuick, say }) => {
  const orders = isQuick ? 500 : 10_000;
  const folder = mkdtempSync(join(tmpdir(), "bench-fix-"));
  const program = join(folder, "initiator");
  try {
    say("builds QuickFIX's initiator");
    await run("g++", ["-std=c++14", "-O2", "-w", SOURCE, "-o", program, "-lquickfix", "-lpthread"]);
    const speeds: Record<Who, Speed[]> = { connector: [], synced: [], plain: [] };
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const who of Object.keys(WHO) as Who[]) {
        const place = join(folder, `${who}-${round}`);
        const broker = await QuickFixBroker.start("executor", place, "FIX.4.4");
        const { port } = broker;
        const speed =
          who === "connector"
            ? await sendByConnector(port, place, orders)
            : await sendByQuickFix(program, { port, folder: place, orders, isSynced: who === "synced" });
        await broker.stop();
        say(`round ${round}: ${who} ${speed.perSecond.toFixed(0)} a second, one alone ${speed.aloneMs.toFixed(2)} ms`);
        if (round > 0) speeds[who].push(speed);
      }
    }
    const figuresOf = (what: string, unit: string, of: (speed: Speed) => number): Record<Who, Figure> => {
      const figure = (who: Who): Figure => ({ name: `${what}: ${WHO[who]}`, unit, rounds: speeds[who].map(of) });
      return { connector: figure("connector"), synced: figure("synced"), plain: figure("plain") };
    };
    const rates = figuresOf(`orders, ${IN_FLIGHT} in flight`, "/s", ({ perSecond }) => perSecond);
    const alone = figuresOf("one order alone", "ms", ({ aloneMs }) => aloneMs);
    return {
      title: "Orders over FIX 4.4 to QuickFIX's executor",
      figures: [...Object.values(rates), ...Object.values(alone)],
      targets: [
        againstFloor("orders a second, against QuickFIX doing the same", rates.connector, rates.synced, "atLeast", 1),
        againstFloor(
          "orders a second, against QuickFIX without syncing",
          rates.connector,
          rates.plain,
          "atLeast",
          0.25,
        ),
      ],
      charts: [barsOf("Orders a second", Object.values(rates)), barsOf("One order alone", Object.values(alone))],
      notes: ["the broker prints and stores every message and shares the machine's cores with whoever sends"],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
