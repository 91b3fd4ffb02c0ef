/**
 * Orders a second over FIX to QuickFIX's executor, 64 in flight: this connector, and QuickFIX's own initiator doing the
 * same. Needs Debian's libquickfix-doc, libquickfix-dev and g++.
 *
 * The two are not quite alike: the connector syncs every number to the disk before its message leaves and keeps the
 * order; QuickFIX writes its store without syncing.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parseFixConfig } from "../../engine/connector/fix/config.ts";
import { startFixConnector } from "../../engine/connector/fix/start.ts";
import { loopTimers, steadyClock, systemClock } from "../../src/runtime/clock.ts";
import type { Log } from "../../src/runtime/ports.ts";
import { QuickFixBroker } from "../../test/engine/connector/fix/support/quickfix.ts";
import { barsOf } from "../harness/figure/report.ts";
import { againstFloor, type Figure, type Scenario } from "../harness/figure/result.ts";
import { eachInFlight } from "../harness/load/in-flight.ts";

/** Not the synchronous form: the broker would stop at a full pipe that this process does not read. */
const run = promisify(execFile);
const ROUNDS = 5;
const IN_FLIGHT = 64;
const SOURCE = fileURLToPath(new URL("../peer/quickfix-initiator.cpp", import.meta.url));
const ACCOUNT = { userId: 1, accountNumber: "A1" };

const quiet: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const fatal = (reason: string, cause: unknown): never => {
  throw new Error(reason, { cause });
};

/** How long the connector takes for so many orders, each answered. */
async function sendByConnector(port: number, folder: string, orders: number): Promise<number> {
  const session = { senderCompId: "ME", targetCompId: "DESK", addresses: [`127.0.0.1:${port}`] };
  const accounts = [{ accountNumber: "A1", number: "9001", users: [1] }];
  const value = { code: "DESK", folder: "connector", session, accounts, orders: { answerTimeoutSeconds: 60 } };
  const connector = await startFixConnector({
    ...{ config: parseFixConfig(value, folder, {}), clock: systemClock, steadyClock, timers: loopTimers, log: quiet },
    ...{ fatal, lastPriceOf: () => undefined, mayCreate: true },
  });
  while (!connector.session.isLive) await new Promise((resolve) => setTimeout(resolve, 5));
  const order = { symbol: "THYAO", quantity: 100, buySell: 2 as const, orderType: 2 as const, price: 10.5 };
  const startMs = performance.now();
  await eachInFlight(orders, IN_FLIGHT, async (index) => {
    const reply = await connector.desk.place({ ...ACCOUNT, ...order, clientOrderId: `c${index}` });
    if (!reply.ok) throw new Error(reply.message);
  });
  const tookMs = performance.now() - startMs;
  await connector.stop();
  return tookMs;
}

async function sendByQuickFix(program: string, port: number, folder: string, orders: number): Promise<number> {
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
  return Number((await run(program, [settings, String(orders), String(IN_FLIGHT)])).stdout);
}

export const scenario: Scenario = async ({ isQuick, say }) => {
  const orders = isQuick ? 500 : 10_000;
  const folder = mkdtempSync(join(tmpdir(), "bench-fix-"));
  const program = join(folder, "initiator");
  try {
    say("builds QuickFIX's initiator");
    await run("g++", ["-std=c++14", "-O2", "-w", SOURCE, "-o", program, "-lquickfix", "-lpthread"]);
    const own: number[] = [];
    const peers: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const took: number[] = [];
      for (const who of ["connector", "quickfix"] as const) {
        const place = join(folder, `${who}-${round}`);
        const broker = await QuickFixBroker.start("executor", place, "FIX.4.4");
        took.push(
          who === "connector"
            ? await sendByConnector(broker.port, place, orders)
            : await sendByQuickFix(program, broker.port, place, orders),
        );
        await broker.stop();
      }
      const [ownRate = 0, peersRate = 0] = took.map((tookMs) => (orders / tookMs) * 1_000);
      say(`round ${round}: ${ownRate.toFixed(0)} and ${peersRate.toFixed(0)} a second`);
      if (round === 0) continue;
      own.push(ownRate);
      peers.push(peersRate);
    }
    const ours: Figure = { name: `orders over FIX, durable numbers, ${IN_FLIGHT} in flight`, unit: "/s", rounds: own };
    const theirs: Figure = { name: "QuickFIX's initiator, numbers written and not synced", unit: "/s", rounds: peers };
    return {
      title: "Orders over FIX 4.4 to QuickFIX's executor",
      figures: [ours, theirs],
      targets: [againstFloor("orders over FIX, against QuickFIX's initiator", ours, theirs, "atLeast", 1)],
      charts: [barsOf("Orders a second", [ours, theirs])],
      notes: ["the broker prints and stores every message and shares the machine's cores with whoever sends"],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
