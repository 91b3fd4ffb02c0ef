// tier: real
/** Wireshark's FIX dissector reads what the connector wrote in a session with QuickFIX, and finds nothing wrong. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fixConnector } from "../../../../engine/connector/fix/start.ts";
import { loopTimers, steadyClock, systemClock } from "../../../../src/runtime/clock.ts";
import { suiteThatNeeds } from "../../../support/machine/installed.ts";
import { temporaryFolder } from "../../../support/machine/process.ts";
import { untilTrue } from "../../../support/machine/until-true.ts";
import { FaultyLine } from "./support/faulty-line.ts";
import { ACCOUNT, configFor } from "./support/fix-world.ts";
import { QuickFixBroker, quickFixSuite } from "./support/quickfix.ts";
import { RecordedLog, throwing } from "./support/session-world.ts";

const PORT = 9_880;
const TOOLS = ["/usr/bin/tshark", "/usr/bin/text2pcap"];

/** A packet as text2pcap reads it: its direction, then offsets and bytes. */
function dump(isFromConnector: boolean, bytes: Buffer): string {
  const lines = [isFromConnector ? "O" : "I"];
  for (let start = 0; start < bytes.length; start += 16) {
    const row = [...bytes.subarray(start, start + 16)].map((byte) => byte.toString(16).padStart(2, "0"));
    lines.push(`${start.toString(16).padStart(6, "0")} ${row.join(" ")}`);
  }
  return `${lines.join("\n")}\n\n`;
}

async function record(folder: string): Promise<string> {
  const broker = await QuickFixBroker.start("executor", folder, "FIX.4.4");
  const packets: string[] = [];
  const calm = { cut: 0, swallow: 0, garble: 0, delayMsMax: 0 };
  const line = await FaultyLine.open(broker.port, Math.random, calm, (isNear, bytes) =>
    packets.push(dump(isNear, bytes)),
  );
  const settings = configFor(line.port, folder, { session: { username: "me", header: { "50": "TRADER" } } });
  const started = await fixConnector.open({
    ...{ settings, clock: systemClock, steadyClock, timers: loopTimers, log: new RecordedLog(), fatal: throwing },
    ...{ lastPriceOf: () => 10, mayCreate: true },
  });
  await untilTrue(() => started.session.isLive);
  const order = { symbol: "THYAO", quantity: 5, buySell: 2 as const, price: 10.5 };
  for (const name of ["a1", "a2", "a3"]) {
    await started.connector.place({ ...ACCOUNT, ...order, orderType: 2, clientOrderId: name });
  }
  await started.connector.place({ ...ACCOUNT, ...order, orderType: 1, price: 0, clientOrderId: "a4" });
  await started.stop();
  await line.close();
  await broker.stop();
  return packets.join("");
}

const hasTools = TOOLS.every((path) => existsSync(path));
const suite = hasTools ? quickFixSuite : suiteThatNeeds(false, "tshark");

suite("Wireshark's dissector (Debian: tshark)", () => {
  test("finds nothing wrong in a recorded session", async () => {
    const { path: folder, remove } = await temporaryFolder();
    try {
      await writeFile(join(folder, "session.txt"), await record(folder));
      const capture = join(folder, "session.pcap");
      execFileSync("text2pcap", ["-q", "-D", "-T", `40000,${PORT}`, join(folder, "session.txt"), capture], {
        stdio: "pipe",
      });
      const read = (...args: string[]) =>
        execFileSync("tshark", ["-r", capture, "-d", `tcp.port==${PORT},fix`, ...args], { stdio: "pipe" }).toString();
      const types = read("-T", "fields", "-e", "fix.MsgType")
        .split(/[\s,]+/)
        .filter((type) => type !== "");
      for (const type of ["A", "D", "8", "3", "5"]) assert.ok(types.includes(type), `35=${type} in ${types}`);
      const good = read("-T", "fields", "-e", "fix.checksum_good")
        .split(/[\s,]+/)
        .filter((flag) => flag !== "");
      assert.deepEqual(
        [...new Set(good)].map((flag) => flag === "1" || flag === "True"),
        [true],
      );
      assert.equal(read("-Y", "fix.checksum_bad.expert || fix.tag.invalid || _ws.malformed"), "");
    } finally {
      await remove();
    }
  });
});
