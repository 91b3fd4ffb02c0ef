/**
 * Loaded into an engine before its program: stops the process (SIGSTOP) at one instruction, once, when STOP_FILE is
 * there. `send`: right before an order request is written, after all that was asked before it. `commit`: right after a
 * batch is in the log, before anything that follows from it.
 */
import { existsSync, rmSync } from "node:fs";
import { LeaderLog } from "../../../engine/cluster/log/leader-log.ts";
import { NatsRequests } from "../../../src/bus/nats/requests.ts";

const file = process.env.STOP_FILE ?? "";

function stopIfAsked(): void {
  if (!existsSync(file)) return;
  rmSync(file);
  process.kill(process.pid, "SIGSTOP");
}

if (process.env.STOP_AT === "send") {
  const { ask } = NatsRequests.prototype;
  NatsRequests.prototype.ask = function (subject, data, timeoutMs) {
    if (subject.endsWith(".place")) stopIfAsked();
    return ask.call(this, subject, data, timeoutMs);
  };
}
if (process.env.STOP_AT === "commit") {
  const { append } = LeaderLog.prototype;
  LeaderLog.prototype.append = async function (expectedSequence, records) {
    await append.call(this, expectedSequence, records);
    if (records.some((record) => Buffer.from(record).includes('"clientOrderId"'))) stopIfAsked();
  };
}
