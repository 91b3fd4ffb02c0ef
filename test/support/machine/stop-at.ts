/**
 * Loaded into an engine before its program: stops the process (SIGSTOP) at one instruction, once, when STOP_FILE is
 * there. `send`: right before an order request is written, after all that was asked before it. `commit`: right after a
 * batch is in the replicated log, before anything that follows from it. `log`: at the batch that contains the text in
 * STOP_FILE (see `stopText`), before it is written to the log or right after it is durable there.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { LeaderLog } from "../../../engine/cluster/log/leader-log.ts";
import { TimedLog } from "../../../engine/store/log/timed-log.ts";
import { NatsRequests } from "../../../src/bus/nats/requests.ts";

const file = process.env.STOP_FILE ?? "";

function stopIfAsked(): void {
  if (!existsSync(file)) return;
  rmSync(file);
  process.kill(process.pid, "SIGSTOP");
}

/** Where the process stops at a batch; undefined: it does not. */
function stopOf(records: readonly Uint8Array[]): string | undefined {
  if (!existsSync(file)) return undefined;
  const [where = "", ...words] = readFileSync(file, "utf8").split(" ");
  const text = words.join(" ");
  return text !== "" && records.some((record) => Buffer.from(record).includes(text)) ? where : undefined;
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
if (process.env.STOP_AT === "log") {
  const { append } = TimedLog.prototype;
  TimedLog.prototype.append = async function (expectedSequence, records) {
    const stop = stopOf(records);
    if (stop === "written") stopIfAsked();
    await append.call(this, expectedSequence, records);
    if (stop === "durable") stopIfAsked();
  };
}
